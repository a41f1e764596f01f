// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <doctest/doctest.h>

#include <wf/select/reduce/bound_parts.hpp>
#include <wf/select/reduce/closure.hpp>
#include <wf/select/reduce/survey.hpp>

#include "reduced_cases.hpp"

namespace enumerated {

// A bound of an objective that is a sum: the cost of the decided classes, plus `of_open(selected,
// survey, parts, costs)` for the open ones.
template <class OfOpen>
std::int64_t root_bound(const wf::detail::reduced_selection& r, const wf::selection_problem& p,
                        const OfOpen& of_open) {
  wf::detail::partial_selection s(r);
  wf::detail::selection_closure closure(r);
  if (!closure.close(s)) return wf::unbounded;
  wf::detail::selection_survey survey(r);
  survey.run(s);
  wf::detail::bound_parts parts(r);
  const std::int64_t* const own = r.column(p.metrics.size());
  std::int64_t paid = 0;
  for (const std::uint32_t n : survey.taken) paid += own[n];
  return survey.open.empty() ? paid : paid + of_open(s, survey, parts, own);
}

// The sum of the contributions of the open classes.
inline std::int64_t sum_of_parts(const wf::detail::selection_survey& survey,
                                 const wf::detail::bound_parts& parts) {
  std::int64_t total = 0;
  for (const std::uint32_t k : survey.open) total += parts.contribution[k];
  return total;
}

// Compares `bound_of(reduced, problem)` with the best selection for random sums: it is never
// larger, and equal in more than one of `tight_of` cases.
template <class BoundOf>
void check_sum_bounds(std::uint32_t seed, int tight_of, const BoundOf& bound_of) {
  int compared = 0, tight = 0;
  each_reduced(seed, 1'500, [&](const auto& p, const auto&, const auto& reduced, auto&) {
    for (const auto& metric : p.metrics)
      if (metric.kind != wf::aggregation::sum) return;
    const brute expected = enumerate(p);
    if (expected.best.empty()) return;
    const std::int64_t bound = bound_of(reduced, p);
    CHECK(bound <= expected.best[0]);
    ++compared;
    tight += bound == expected.best[0];
  });
  CHECK(compared > 100);
  CHECK(tight > compared / tight_of);
}

}  // namespace enumerated
