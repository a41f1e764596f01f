// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce/split_bound.hpp>

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
  wf::detail::selection_split_bound split(r, survey, parts);
  const std::int64_t scale = wf::detail::split_scale(r, p.metrics.size());
  const std::int64_t total = split.total(s, own, scale);
  std::int64_t parts_total = 0;
  for (const std::uint32_t k : survey.open) parts_total += parts.contribution[k];
  CHECK(parts_total == total);
  return paid + total / scale + (total % scale != 0);
}

}  // namespace

TEST_CASE("the split bound is at most every selection's value") {
  int compared = 0, tight = 0;
  each_reduced(616, 1'500, [&](const auto& p, const auto&, const auto& reduced, auto&) {
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
  CHECK(tight > compared / 4);
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
