// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce/tree_bound.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include "sum_bounds.hpp"

using namespace enumerated;

namespace {

std::int64_t bound_of(const wf::detail::reduced_selection& r, const wf::selection_problem& p) {
  return root_bound(r, p, [&](const auto& s, auto& survey, auto& parts, const std::int64_t* own) {
    wf::detail::selection_tree_bound tree(r, survey, parts);
    const std::int64_t total = tree.total(s, own);
    if (total != wf::unbounded) CHECK(sum_of_parts(survey, parts) == total);
    return total;
  });
}

}  // namespace

TEST_CASE("the tree bound is at most every selection's value") {
  check_sum_bounds(615, 2, bound_of);
}

TEST_CASE("the tree bound is exact where nothing can be shared") {
  const reduced_case c(case_problem(
      5, {{0, {1, 2}, 1}, {0, {3}, 9}, {1, {}, 4}, {2, {4}, 1}, {2, {}, 7}, {3, {}, 2}, {4, {}, 2}},
      {0}));
  CHECK(bound_of(c.reduced, c.problem) == 8);
}

TEST_CASE("of children that may share a class, only the first counts with what it may need") {
  // Class 2 contributes its full 5, class 1 its cheapest candidate, which is free. The optimum is
  // 6.
  const reduced_case c = sharing_case();
  CHECK(bound_of(c.reduced, c.problem) == 5);
}
