// SPDX-License-Identifier: BSL-1.0
#include <wf/select/stage_outcome.hpp>

#include <doctest/doctest.h>

namespace {

wf::selection_problem problem_of(wf::aggregation second) {
  wf::selection_problem p;
  const std::uint32_t cost = p.add_metric("cost");
  p.add_metric("other", second);
  p.objective = wf::minimise_metric(cost);
  return p;
}

}  // namespace

TEST_CASE("a stage has the weights of the objective, and the tightest limit of each metric") {
  wf::selection_problem p = problem_of(wf::aggregation::sum);
  p.limits.push_back({1, 9});
  p.limits.push_back({1, 7});
  p.limits.push_back({1, 8});
  const auto limited = wf::detail::limited_stage(p);
  CHECK(limited.maximum == wf::table<std::int64_t>{wf::unbounded, 7});
  CHECK(limited.weight == wf::table<std::int64_t>{0, 0});
  const auto weighted = wf::detail::weighted_stage(p);
  CHECK(weighted.weight == wf::table<std::int64_t>{1, 0});
  wf::selection s;
  s.totals = {5, 100};
  CHECK(wf::detail::value_in(weighted, s) == 5);
  CHECK(wf::detail::stage_of(p).maximum[1] == wf::unbounded);
}

TEST_CASE("sums are additive; maxima only as limits, paths and hooks only if they do not matter") {
  for (const wf::aggregation kind : {wf::aggregation::sum, wf::aggregation::maximum,
                                     wf::aggregation::critical_path, wf::aggregation::measured}) {
    const wf::selection_problem p = problem_of(kind);
    wf::detail::selection_stage stage = wf::detail::weighted_stage(p);
    CHECK(wf::detail::is_additive(p, stage));
    stage.maximum[1] = 3;
    CHECK(wf::detail::is_additive(p, stage) ==
          (kind == wf::aggregation::sum || kind == wf::aggregation::maximum));
    stage.maximum[1] = wf::unbounded;
    stage.weight[1] = 1;
    CHECK(wf::detail::is_additive(p, stage) == (kind == wf::aggregation::sum));
  }
}
