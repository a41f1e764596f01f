// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/mapper.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../random_workload.hpp"

namespace {

using wf_test::pick;

TEST_CASE("a search starts from single operators, improves, and stops at its bound") {
  int better = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 2, 6, 2, 2);
    w.batch = 4;
    a.memory_bytes = 4096;
    a.dead.clear();
    const auto work = wf::batch_work_of(w);
    REQUIRE(work);
    const auto order = order_of({}, work->graph, w);
    REQUIRE(order);
    std::int64_t incumbent = wf::unbounded;
    const auto falls = [&](const wf::search_progress& p) {
      CHECK(p.incumbent <= incumbent);
      incumbent = p.incumbent;
      return true;
    };
    const wf::cycle_model model;
    const wf::in_turn alone;
    const wf::all_batch_strategies strategies;
    wf::batch_options options;
    options.limits = options.limits.resolved();
    const auto mapper = [&] {
      return wf::detail::batch_mapper<wf::cycle_model, wf::all_batch_strategies, decltype(falls)>(
          w, *work, *order, a, model, strategies, options, falls, alone);
    };
    auto whole = mapper();
    REQUIRE(whole.start(0));
    const std::int64_t first = whole.value();
    CHECK(whole.best().size() == work->size());
    whole.search(0);
    REQUIRE(whole.value() <= first);
    better += whole.value() < first;
    // The search ends at once if its incumbent cannot be improved.
    incumbent = wf::unbounded;
    auto content = mapper();
    REQUIRE(content.start(first));
    content.search(first);
    CHECK(content.value() == first);
    CHECK(content.counters().nodes < whole.counters().nodes);
  }
  CHECK(better > 50);
}

}  // namespace
