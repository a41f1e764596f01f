// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/integer.hpp>
#include <wf/search/control.hpp>
#include <wf/search/deletion_filter.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce/reduce.hpp>
#include <wf/select/stage.hpp>

namespace wf {

/// An irreducible infeasible subset of the limits: no selection meets all of them, but without any
/// one of them the others can be met.
struct limit_conflict {
  /// False if no selection exists even without limits; the limits are then empty.
  bool structure_is_sound = true;
  /// True if every claim is proven; false if a search stopped at a limit on the way: the set
  /// conflicts, but a subset may conflict too.
  bool smallest_is_proven = true;
  /// The limits of the set, as indices into `selection_problem::limits`.
  table<std::uint32_t> limits;
  /// By limit of the set: the least value of its metric while the other limits of the set hold (a
  /// lower bound if not proven), in the unit of the metric.
  table<std::int64_t> least;
  friend constexpr bool operator==(const limit_conflict&, const limit_conflict&) = default;
};

namespace detail {

/// Finds an irreducible conflicting set: first a limit that is too low alone, then deletion
/// filtering.
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
    deletion_filter(in, [&](std::size_t i) {
      const stage_outcome o = minimise(p_.limits[i].metric, in);
      return excludes(o) ? conflict_answer::conflict
             : o.found   ? conflict_answer::none
                         : conflict_answer::unknown;
    });
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
  /// True if some limit is too low alone; keeps the tightest, by the ratio of requirement to limit.
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

  /// The least value of a metric under the limits whose flag in `in` is set.
  constexpr stage_outcome minimise(std::uint32_t metric, const table<std::uint8_t>& in) {
    selection_stage stage = stage_of(p_);
    stage.weight[metric] = 1;
    for (std::size_t i = 0; i < in.size(); ++i)
      if (in[i]) tighten(stage, p_.limits[i]);
    const keep_going going_on;
    const progress_callback_to<const keep_going> callback(going_on);
    search_limits left = limits_.left_after(nodes_, steps_);
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

/// The error `infeasible` for a conflict.
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

/// `find_limit_conflict` with a type-erased hook, which may be null.
template <class Executor = const in_turn>
constexpr limit_conflict find_conflict(const selection_problem& problem,
                                       const search_limits& limits, const any_measure* measure,
                                       Executor&& executor = {}) {
  return conflict_finder(problem, limits.resolved(), measure, executor).run();
}

}  // namespace detail

/// Explains why no selection meets the limits of an infeasible problem: the tightest limit that is
/// too low alone (by the ratio of requirement to limit), or an irreducible conflicting set, found
/// by deletion filtering. Each question is a selection problem of its own, searched for at most
/// 20,000 nodes. For a feasible problem the result has no meaning.
template <class Measure = no_measure>
constexpr limit_conflict find_limit_conflict(const selection_problem& problem,
                                             const search_limits& limits = {},
                                             Measure&& measure = {}) {
  const detail::measure_to<std::remove_reference_t<Measure>> measured(measure);
  return detail::find_conflict(problem, limits, measured.get());
}

}  // namespace wf
