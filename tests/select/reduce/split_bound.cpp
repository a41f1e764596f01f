// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce/split_bound.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include "sum_bounds.hpp"

using namespace enumerated;

namespace {

std::int64_t bound_of(const wf::detail::reduced_selection& r, const wf::selection_problem& p) {
  return root_bound(r, p, [&](const auto& s, auto& survey, auto& parts, const std::int64_t* own) {
    wf::detail::selection_split_bound split(r, survey, parts);
    const std::int64_t scale = wf::detail::split_scale(r, p.metrics.size());
    const std::int64_t total = split.total(s, own, scale);
    CHECK(sum_of_parts(survey, parts) == total);
    return total / scale + (total % scale != 0);
  });
}

}  // namespace

TEST_CASE("the split bound is at most every selection's value") {
  check_sum_bounds(616, 4, bound_of);
}

TEST_CASE("the scale is a power of two that leaves room for the total") {
  wf::detail::reduced_selection r;
  r.classes = 2, r.candidates = 3;
  r.first = {0, 2, 3};
  r.own = {1, 5, 7};
  CHECK(wf::detail::split_scale(r, 0) == 256);
  r.own = {1, wf::detail::largest_total / 16, 0};
  CHECK(wf::detail::split_scale(r, 0) == 8);
  r.own = {1, wf::detail::largest_total / 2, wf::detail::largest_total / 2};
  CHECK(wf::detail::split_scale(r, 0) == 1);
}
