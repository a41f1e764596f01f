// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce/tree_bound.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include <wf/select/reduce/closure.hpp>

#include "reduced_cases.hpp"

using namespace enumerated;

namespace {

// The bound of the objective of a problem whose objective is a sum.
std::int64_t bound_of(const wf::detail::reduced_selection& r, const wf::selection_problem& p) {
  wf::detail::partial_selection s(r);
  wf::detail::selection_closure closure(r);
  if (!closure.close(s)) return wf::unbounded;
  wf::detail::selection_survey survey(r);
  survey.run(s);
  wf::detail::bound_parts parts(r);
  const std::int64_t* const own = r.column(p.metrics.size());
  std::int64_t paid = 0;
  for (const std::uint32_t n : survey.taken) paid += own[n];
  if (survey.open.empty()) return paid;
  wf::detail::selection_tree_bound tree(r, survey, parts);
  const std::int64_t total = tree.total(s, own);
  std::int64_t parts_total = 0;
  for (const std::uint32_t k : survey.open) parts_total += parts.contribution[k];
  if (total != wf::unbounded) CHECK(parts_total == total);
  return paid + total;
}

}  // namespace

TEST_CASE("the tree bound is at most every selection's value") {
  int compared = 0, tight = 0;
  each_reduced(615, 1'500, [&](const auto& p, const auto&, const auto& reduced, auto&) {
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
  CHECK(tight > compared / 2);
}

TEST_CASE("the tree bound is exact where nothing can be shared") {
  const reduced_case c(case_problem(
      5, {{0, {1, 2}, 1}, {0, {3}, 9}, {1, {}, 4}, {2, {4}, 1}, {2, {}, 7}, {3, {}, 2}, {4, {}, 2}},
      {0}));
  CHECK(bound_of(c.reduced, c.problem) == 8);
}

TEST_CASE("of children that may share a class, only the first counts with what it may need") {
  // Class 2 counts 5 in full, class 1 its cheapest candidate, which is free. The optimum is 6.
  const reduced_case c = sharing_case();
  CHECK(bound_of(c.reduced, c.problem) == 5);
}
