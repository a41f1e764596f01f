// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce/reduce.hpp>

namespace wf::detail {

/// The outcome of one stage: selection, bound and proof status.
struct stage_outcome {
  search_status status = search_status::infeasible;
  bool found = false;
  selection best;
  std::int64_t value = unbounded;
  std::int64_t bound = unbounded;
  std::uint64_t steps = 0;
  search_counters counters;
};

constexpr selection_stage stage_of(const selection_problem& problem) {
  return {table<std::int64_t>(problem.metrics.size()),
          table<std::int64_t>(problem.metrics.size(), unbounded)};
}

constexpr void tighten(selection_stage& stage, const selection_limit& l) {
  if (l.maximum < stage.maximum[l.metric]) stage.maximum[l.metric] = l.maximum;
}

/// A stage without an objective, under the limits of the problem.
constexpr selection_stage limited_stage(const selection_problem& problem) {
  selection_stage out = stage_of(problem);
  for (const selection_limit& l : problem.limits) tighten(out, l);
  return out;
}

/// A stage with the weighted objective, under the limits of the problem.
constexpr selection_stage weighted_stage(const selection_problem& problem) {
  selection_stage out = limited_stage(problem);
  for (const objective_term& t : problem.objective.terms) out.weight[t.metric] += t.weight;
  return out;
}

/// The objective value of a priced selection in a stage.
constexpr std::int64_t value_in(const selection_stage& stage, const selection& s) {
  std::int64_t value = 0;
  for (std::size_t m = 0; m < s.totals.size(); ++m) value += stage.weight[m] * s.totals[m];
  return value;
}

/// True if objective and limits of the stage are additive over candidates: then a packing model
/// prices selections exactly, and its components add up.
constexpr bool is_additive(const selection_problem& problem, const selection_stage& stage) {
  for (std::size_t m = 0; m < problem.metrics.size(); ++m) {
    const aggregation kind = problem.metrics[m].kind;
    if (kind != aggregation::sum && stage.weight[m] != 0) return false;
    if ((kind == aggregation::measured || kind == aggregation::critical_path) &&
        stage.maximum[m] != unbounded)
      return false;
  }
  return true;
}

}  // namespace wf::detail
