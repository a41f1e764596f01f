// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/text/text.hpp>
#include <wf/search/control.hpp>
#include <wf/select/problem.hpp>

namespace wf {

/// The reason why a candidate was not chosen.
enum class rejection_kind : std::uint8_t {
  no_better,           ///< every selection with it costs at least `at_least` in the objective
  dominated,           ///< candidate `by` of its class can replace it at no more cost
  over_limit,          ///< every selection with it that keeps the limits on the other metrics uses
                       ///< at least `at_least` of `metric`, more than `allowed`
  cyclic,              ///< every derivation of it needs its own class
  unfinishable,        ///< a class it needs has no candidate that can be finished
  conflicting_limits,  ///< it cannot be finished within the limits
};

/// A rejected candidate of a used class, with the reason. All figures are proven.
struct rejection {
  /// The rejected candidate.
  std::uint32_t candidate = no_candidate;
  /// The reason; it decides which of the members below are set.
  rejection_kind kind = rejection_kind::no_better;
  /// `over_limit`: the exceeded metric.
  std::uint32_t metric = no_metric;
  /// `dominated`: the candidate that is at least as good.
  std::uint32_t by = no_candidate;
  /// `no_better`: the level of a lexicographic objective to which `at_least` refers, with the
  /// earlier levels at their optima.
  std::uint32_t level = 0;
  /// `no_better`, `over_limit`: a lower bound on every selection with the candidate.
  std::int64_t at_least = 0;
  /// `over_limit`: the limit; `no_better`: the objective of the best selection.
  std::int64_t allowed = 0;
  friend constexpr bool operator==(const rejection&, const rejection&) = default;
};

/// A selection with its bound, proof status and the reasons for rejected candidates.
struct selection_result {
  /// The best selection found.
  selection best;
  /// The objective of `best`: one value, or one for each level of a lexicographic objective.
  table<std::int64_t> objective;
  /// The proven lower bounds, level by level; equal to `objective` where proven. The bound of a
  /// level holds among the selections that keep the values of the earlier levels.
  table<std::int64_t> bound;
  /// `proven`, or the reason why the proof is missing.
  search_status status = search_status::proven;
  /// Work counters of the searches of all levels together.
  search_counters counters;
  /// One record for each candidate of a used class that was not chosen.
  table<rejection> rejected;

  /// True if the selection is optimal.
  constexpr bool proven() const { return status == search_status::proven; }
  friend constexpr bool operator==(const selection_result&, const selection_result&) = default;
};

/// A rejection as a sentence: "every selection with it costs at least 1,200; the best costs 1,100".
constexpr text to_text(const selection_problem& problem, const rejection& r) {
  text out;
  switch (r.kind) {
    case rejection_kind::no_better:
      out << "every selection with it costs at least ";
      out.grouped(r.at_least) << "; the best costs ";
      out.grouped(r.allowed);
      break;
    case rejection_kind::dominated:
      out << "candidate " << r.by << " does the same at no more cost";
      break;
    case rejection_kind::over_limit:
      out << "it needs at least ";
      out.grouped(r.at_least) << " of " << problem.metrics[r.metric].name.view() << " and ";
      out.grouped(r.allowed) << " is allowed";
      break;
    case rejection_kind::cyclic:
      out << "finishing it needs its own class";
      break;
    case rejection_kind::unfinishable:
      out << "a class it needs has no candidate that can be finished";
      break;
    case rejection_kind::conflicting_limits:
      out << "it cannot be finished within the limits";
      break;
  }
  return out;
}

}  // namespace wf
