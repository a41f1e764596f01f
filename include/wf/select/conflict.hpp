// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/integer.hpp>
#include <wf/search/control.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce/reduce.hpp>
#include <wf/select/stage.hpp>

namespace wf {

/// A smallest set of limits that no selection meets: without any one of them the rest can be met.
struct limit_conflict {
  /// False if no selection exists even without limits; the limits are then empty.
  bool structure_is_sound = true;
  /// True if every claim is proven; false if a search stopped at a limit on the way, when the set
  /// conflicts but a smaller one may do.
  bool smallest_is_proven = true;
  /// The limits, as indices into `selection_problem::limits`.
  table<std::uint32_t> limits;
  /// Of each, the least value of its metric while the other limits of the set hold (a lower bound
  /// if not proven).
  table<std::int64_t> least;
  friend constexpr bool operator==(const limit_conflict&, const limit_conflict&) = default;
};

namespace detail {

/// Finds a smallest conflicting set: first limits that are too low alone, then deletion filtering.
template <class Executor>
class conflict_finder {
 public:
  constexpr conflict_finder(const selection_problem& problem, const search_limits& limits,
                            const any_measure* measure, Executor& executor)
      : p_(problem), limits_(limits), measure_(measure), executor_(executor) {}

  constexpr limit_conflict run() {
    table<std::uint8_t> in(p_.limits.size(), 0);
    if (single()) return out_;
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = 1;
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = 0;
      if (!excludes(minimise(p_.limits[i].metric, in))) in[i] = 1;
    }
    for (std::uint32_t i = 0; i < in.size(); ++i) {
      if (!in[i]) continue;
      in[i] = 0;
      const stage_outcome o = minimise(p_.limits[i].metric, in);
      in[i] = 1;
      if (o.status != search_status::proven) out_.smallest_is_proven = false;
      out_.limits.push_back(i);
      out_.least.push_back(o.bound);
    }
    out_.structure_is_sound = !out_.limits.empty();
    return out_;
  }

 private:
  /// True if some limit is too low alone; keeps the tightest, by the ratio of need to allowance.
  constexpr bool single() {
    const table<std::uint8_t> none(p_.limits.size(), 0);
    for (std::uint32_t i = 0; i < p_.limits.size(); ++i) {
      const stage_outcome o = minimise(p_.limits[i].metric, none);
      if (excludes(o)) {
        out_.structure_is_sound = false;
        return true;
      }
      if (o.bound <= p_.limits[i].maximum) continue;
      if (!out_.limits.empty() && !tighter(i, o.bound)) continue;
      out_.limits = table<std::uint32_t>{i};
      out_.least = table<std::int64_t>{o.bound};
      out_.smallest_is_proven = o.status == search_status::proven;
    }
    return !out_.limits.empty();
  }

  constexpr bool tighter(std::uint32_t i, std::int64_t least) const {
    const std::int64_t best = p_.limits[out_.limits[0]].maximum;
    const std::int64_t now = p_.limits[i].maximum;
    if (best <= 0 || now <= 0) return best > 0;
    return static_cast<int128>(least) * best > static_cast<int128>(out_.least[0]) * now;
  }

  static constexpr bool excludes(const stage_outcome& o) {
    return !o.found && o.status == search_status::infeasible;
  }

  /// The least value of a metric under some of the limits.
  constexpr stage_outcome minimise(std::uint32_t metric, const table<std::uint8_t>& in) {
    selection_stage stage = stage_of(p_);
    stage.weight[metric] = 1;
    for (std::size_t i = 0; i < in.size(); ++i)
      if (in[i]) tighten(stage, p_.limits[i]);
    const keep_going going_on;
    const progress_callback_to<const keep_going> callback(going_on);
    search_limits left = left_of(limits_, nodes_, steps_);
    if (left.max_nodes > 20'000) left.max_nodes = 20'000;
    if (left.max_steps == 1) {  // used up: nothing is known
      stage_outcome unknown;
      unknown.status = search_status::stopped_by_limit;
      unknown.bound = 0;
      return unknown;
    }
    const stage_outcome out =
        solve_stage(p_, stage, reduce(p_, stage), nullptr, measure_, callback, left, executor_);
    nodes_ += out.counters.nodes;
    steps_ += out.steps;
    return out;
  }

  const selection_problem& p_;
  search_limits limits_;
  const any_measure* measure_;
  Executor& executor_;
  std::uint64_t nodes_ = 0;
  std::uint64_t steps_ = 0;
  limit_conflict out_;
};

/// The error that a conflict means.
constexpr error describe(const selection_problem& p, const limit_conflict& c) {
  if (!c.structure_is_sound)
    return make_error(errc::infeasible, "",
                      p.pairs.empty() ? "a class that is needed has no candidate that can be "
                                        "finished, whatever the limits"
                                      : "candidates that exclude each other, or cannot be "
                                        "finished, leave no selection, whatever the limits");
  text message;
  if (c.limits.size() == 1) {
    message << "at least ";
    message.grouped(c.least[0]) << " is needed and ";
    message.grouped(p.limits[c.limits[0]].maximum) << " is allowed";
    return make_error(errc::infeasible, p.metrics[p.limits[c.limits[0]].metric].name, message);
  }
  message << "these limits exclude each other:";
  for (std::size_t i = 0; i < c.limits.size(); ++i) {
    const selection_limit& l = p.limits[c.limits[i]];
    message << (i == 0 ? " " : ", ") << p.metrics[l.metric].name.view() << " allows ";
    message.grouped(l.maximum) << " and with the others needs ";
    message.grouped(c.least[i]);
  }
  if (!c.smallest_is_proven) message << " (fewer of them may already do)";
  return make_error(errc::infeasible, p.metrics[p.limits[c.limits[0]].metric].name, message);
}

/// `find_limit_conflict` for a hook of whatever type, which may be null.
template <class Executor = const in_turn>
constexpr limit_conflict find_conflict(const selection_problem& problem,
                                       const search_limits& limits, const any_measure* measure,
                                       Executor&& executor = {}) {
  return conflict_finder(problem, limits.resolved(), measure, executor).run();
}

}  // namespace detail

/// Says why no selection meets the limits of an infeasible problem: the tightest limit that is too
/// low alone (by the ratio of what is needed to what is allowed), or a smallest conflicting set by
/// deletion filtering. Each question is a selection of its own, of at most 20,000 nodes. For a
/// feasible problem the claims mean nothing.
template <class Measure = no_measure>
constexpr limit_conflict find_limit_conflict(const selection_problem& problem,
                                             const search_limits& limits = {},
                                             Measure&& measure = {}) {
  const detail::measure_to<std::remove_reference_t<Measure>> measured(measure);
  return detail::find_conflict(problem, limits, measured.get());
}

}  // namespace wf
