// SPDX-License-Identifier: BSL-1.0
#include <selection/check.hpp>

#include <doctest/doctest.h>

#include <selection/depth.hpp>
#include <selection/read_extraction.hpp>
#include <selection/read_mmkp.hpp>
#include <selection/read_pbqp.hpp>
#include <selection/solve.hpp>

#include "samples.hpp"

namespace {

using selection_benchmark::instance;

std::string verdict(const instance& i, wf::table<std::uint32_t> chosen,
                    wf::table<std::int64_t> totals) {
  const wf::selection s{chosen, totals};
  return selection_benchmark::selection_checker(i.problem, s).check();
}

constexpr std::uint32_t none = wf::no_candidate;

}  // namespace

TEST_CASE("the checker knows a selection of an e-graph") {
  const instance i = *selection_benchmark::read_extraction(wf_test::small_extraction);
  CHECK(verdict(i, {0, 2}, {35}) == "");
  CHECK(verdict(i, {1, none}, {40}) == "");
  CHECK(verdict(i, {0, 2}, {34}) == "metric 0 totals 35, not 34");
  CHECK(verdict(i, {0, none}, {15}) == "class 1 is needed and missing");
  CHECK(verdict(i, {none, 2}, {20}) == "class 0 is needed and missing");
  CHECK(verdict(i, {0, 3}, {15}) == "class 0 needs itself");
  CHECK(verdict(i, {1, 2}, {60}) == "class 1 is not needed but has a candidate");
  CHECK(verdict(i, {2, 2}, {40}) == "class 0 has a candidate of another class");
  CHECK(verdict(i, {9, 2}, {40}) == "class 0 has a candidate of another class");
  CHECK(verdict(i, {1}, {40}) == "it has not one entry for each class");
  CHECK(verdict(i, {1, none}, {}) == "it has not one total for each metric");
}

TEST_CASE("the checker knows limits and pairs") {
  const instance knapsack = *selection_benchmark::read_mmkp(wf_test::small_mmkp);
  CHECK(verdict(knapsack, {0, 2}, {10, 5, 250}) == "");
  CHECK(verdict(knapsack, {1, 2}, {14, 4, 0}) == "metric 0 totals 14, more than its limit of 10");
  const instance graph = *selection_benchmark::read_pbqp(wf_test::small_pbqp);
  CHECK(verdict(graph, {0, 2, 5}, {13}) == "");
  CHECK(verdict(graph, {0, 2, 5}, {8}) == "metric 0 totals 13, not 8");
  CHECK(verdict(graph, {1, 2, 3}, {1}) == "candidates 1 and 2 exclude each other");
}

TEST_CASE("the checker knows the depth by itself") {
  const instance free = *selection_benchmark::read_extraction(wf_test::small_extraction);
  const instance i = selection_benchmark::with_limits(free, 2, 2);
  CHECK(verdict(i, {0, 2}, {35, 2, 2}) == "");
  CHECK(verdict(i, {1, none}, {40, 1, 1}) == "");
  CHECK(verdict(i, {0, 2}, {35, 2, 1}) == "metric 2 totals 2, not 1");
  const instance flat = selection_benchmark::with_limits(free, 2, 1);
  CHECK(verdict(flat, {0, 2}, {35, 2, 2}) == "metric 2 totals 2, more than its limit of 1");
  const selection_benchmark::answer a = solve_once(flat, "wf", 10);
  REQUIRE(a.proven);
  CHECK(wrong(flat, a, {}) == "");
  CHECK(a.total == 40);
}

TEST_CASE("the heuristics' selections pass the checker") {
  const instance instances[] = {*selection_benchmark::read_extraction(wf_test::small_extraction),
                                *selection_benchmark::read_extraction(wf_test::numbered_extraction),
                                *selection_benchmark::read_mmkp(wf_test::small_mmkp),
                                *selection_benchmark::read_pbqp(wf_test::small_pbqp)};
  const std::int64_t optima[] = {35, 4, 250, 13};
  for (const char* solver : {"greedy", "beam"}) {
    CAPTURE(solver);
    for (int i = 0; i < 4; ++i) {
      CAPTURE(i);
      const selection_benchmark::answer a = solve_once(instances[i], solver, 10);
      REQUIRE(a.found);
      CHECK(wrong(instances[i], a, {}) == "");
      CHECK(a.total >= optima[i]);
      CHECK(wrong(instances[i], a, {true, a.total + 1, true}) ==
            "the value is below a proven optimum");
    }
  }
}
