// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/team.hpp>

#include <random>

#include <doctest/doctest.h>

#include <wf/search/threads.hpp>
#include <wf/select/select.hpp>

#include "../packing_oracle.hpp"

using namespace enumerated;

namespace {

template <class Executor>
wf::detail::packing_outcome search_model(wf::detail::packing_search<>& search, Executor& executor,
                                         const wf::search_limits& limits) {
  wf::keep_going callback;
  search.start([] { return true; });
  return wf::detail::packing_team(search, executor, 0).run(limits.resolved(), callback);
}

// A knapsack with several limits, whose search takes some thousand nodes.
wf::selection_problem knapsack(std::mt19937& random, std::uint32_t classes) {
  wf::selection_problem p;
  for (int m = 0; m < 4; ++m) p.add_metric("m");
  for (std::uint32_t k = 0; k < classes; ++k) {
    p.add_class();
    p.add_root(k);
    for (int n = 0; n < 6; ++n) {
      wf::table<std::int64_t> costs;
      for (int m = 0; m < 4; ++m) costs.push_back(static_cast<std::int64_t>(random() % 1000));
      costs[0] = 1600 - (costs[1] + costs[2] + costs[3]) / 2 + costs[0] / 10;  // hard: correlated
      p.add_candidate(k, {}, costs);
    }
  }
  p.objective = wf::minimise_metric(0);
  for (std::uint32_t m = 1; m < 4; ++m) p.add_limit(m, 400 * static_cast<std::int64_t>(classes));
  return p;
}

}  // namespace

TEST_CASE("a team from the first node on finds the enumerated optimum") {
  std::mt19937 random(581);
  const wf::in_turn executor;
  int compared = 0, infeasible = 0;
  while (compared < 4'000) {
    const wf::detail::packing_model m = random_model(random);
    if (choices(m) > 5'000) continue;
    ++compared;
    wf::detail::packing_search<> search(m);
    const wf::detail::packing_outcome out = search_model(search, executor, {});
    CHECK(out.status == wf::search_status::infeasible);
    CHECK(search.closed());
    const auto expected = optimum(m);
    infeasible += !expected;
    CHECK(search.value() == (expected ? *expected - m.base : wf::unbounded));
  }
  CHECK(infeasible > 100);
}

TEST_CASE("one, two and four threads give the same to the last node") {
  std::mt19937 random(582);
  wf::threads two(2), four(4);
  wf::keep_going callback;
  const wf::no_measure measure;
  std::uint64_t nodes = 0;
  for (int round = 0; round < 3; ++round) {
    const wf::selection_problem p = knapsack(random, 15 + static_cast<std::uint32_t>(round));
    for (const std::uint64_t most : {UINT64_MAX, std::uint64_t{700}}) {
      const wf::search_limits limits{.max_nodes = most};
      const auto one = wf::select(p, limits);
      const auto by_two = wf::select(p, limits, callback, measure, two);
      const auto by_four = wf::select(p, limits, callback, measure, four);
      REQUIRE((one && by_two && by_four));
      CHECK(*one == *by_two);
      CHECK(*one == *by_four);
      CHECK((most != UINT64_MAX || one->proven()));
      nodes += one->counters.nodes;
    }
  }
  CHECK(nodes > 1'500);  // large enough for a team of threads
}

TEST_CASE("a team that is stopped keeps a valid bound") {
  std::mt19937 random(583);
  const wf::in_turn executor;
  for (int round = 0; round < 2'000; ++round) {
    const wf::detail::packing_model m = random_model(random);
    if (choices(m) > 5'000) continue;
    wf::detail::packing_search<> search(m);
    search_model(search, executor, {.max_nodes = 1 + random() % 5});
    const auto expected = optimum(m);
    if (!expected) continue;
    CHECK(search.bound() <= *expected - m.base);
    CHECK(search.value() >= *expected - m.base);
  }
}
