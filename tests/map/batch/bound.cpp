// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/bound.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../random_workload.hpp"

namespace {

using wf_test::pick;

TEST_CASE("no plan takes fewer PE cycles than the least area") {
  int met = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 1, 4, 2, 2);
    w.batch = 6;
    a.memory_bytes = 4096;
    a.dead.clear();
    const auto work = wf::batch_work_of(w);
    REQUIRE(work);
    const wf::cycle_model model;
    wf::segment_planner<wf::cycle_model> planner(*work, a, model);
    const wf::table<std::int64_t> sub_batches{1, 2, 3, 6};
    const wf::int128 area = wf::least_area(planner, sub_batches, [] { return true; });
    int calls = 0;
    CHECK(wf::least_area(planner, sub_batches, [&] { return ++calls < 9; }) <= area);
    CHECK(wf::least_area(planner, sub_batches, [] { return false; }) == 0);
    wf::int128 least = -1;
    for (std::int64_t b : sub_batches)
      for (std::int32_t r = 1; r <= 2; ++r)
        for (std::int32_t c = 1; c <= 2; ++c) {
          wf::table<wf::stage_outline> stages(1);
          stages[0].where = {0, 0, r, c};
          for (std::uint32_t v = 0; v < work->size(); ++v) stages[0].operators.push_back(v);
          wf::planned_segment g;
          REQUIRE(planner.plan(stages, b, g));
          wf::int128 cycles = 0;
          for (const auto& o : g.operators) cycles += o.first_cycles + o.cycles * (g.rounds - 1);
          REQUIRE(cycles * r * c >= area);
          if (least < 0 || cycles * r * c < least) least = cycles * r * c;
        }
    met += least == area;
  }
  CHECK(met > 20);
}

}  // namespace
