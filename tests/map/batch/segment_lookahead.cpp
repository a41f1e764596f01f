// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/segment_lookahead.hpp>

#include <doctest/doctest.h>

#include <wf/map/batch/map.hpp>
#include <wf/search/threads.hpp>

#include "../networks.hpp"
#include "../random_workload.hpp"

namespace {

using wf_test::pick;

wf::batch_mapping mapped(const wf::workload& w, const wf::pe_array& a,
                         const wf::batch_options& options, auto&& executor) {
  const auto m = wf::map(w, a, options, wf::keep_going{}, wf::cycle_model{},
                         wf::all_batch_strategies{}, executor);
  return m ? *m : wf::batch_mapping{};
}

}  // namespace

TEST_CASE("what is planned ahead is what planning gives, with its steps") {
  wf::threads executor(3);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 1, 6, 2, 2);
    w.batch = 4;
    a.dead.clear();
    a.memory_bytes = pick(random, 40, 600);
    const auto work = wf::batch_work_of(w);
    REQUIRE(work);
    const wf::cycle_model model;
    wf::segment_planner<wf::cycle_model> planner(*work, a, model);
    wf::planned_segment g;
    wf::detail::segment_lookahead<wf::cycle_model, wf::threads> ahead(*work, a, model, executor);
    wf::table<wf::stage_outline> stages(1);
    stages[0].where = a.whole();
    for (std::uint32_t v = 0; v < work->size(); ++v) {
      stages[0].operators.push_back(v);
      ahead.add(v, stages, 2);
    }
    ahead.run();
    stages[0].operators.clear();
    for (std::uint32_t v = 0; v < work->size(); ++v) {
      stages[0].operators.push_back(v);
      const std::uint64_t before = planner.steps();
      const std::int64_t cycles = planner.plan(stages, 2, g) ? g.cycles : wf::unbounded;
      const auto* found = ahead.find(v);
      REQUIRE(found != nullptr);
      REQUIRE(found->cycles == cycles);
      REQUIRE(found->steps == planner.steps() - before);
    }
    REQUIRE(ahead.find(work->size()) == nullptr);
    ahead.clear();
    REQUIRE(ahead.find(0) == nullptr);
  }
}

TEST_CASE("batch mappings are the same with any number of threads") {
  wf::threads one(1), two(2), three(3), eight(8);
  int several = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 2, 10, 3, 3);
    if (seed % 2 == 0) wf_test::let_overwrite(random, w);
    w.batch = pick(random, 0, 1) == 0 ? 1 : 12;
    a.memory_bytes = pick(random, 60, 2000);
    wf::batch_options options;
    if (seed % 3 == 0) options.groups = wf::fusible_chains(w);
    if (seed % 4 == 0) options.limits.max_nodes = static_cast<std::uint64_t>(pick(random, 1, 400));
    if (seed % 4 == 1) options.limits.max_steps = static_cast<std::uint64_t>(pick(random, 1, 9000));
    options.stages_keep_results = seed % 5 != 0;
    options.every_part = seed % 7 == 0;
    const wf::batch_mapping alone = mapped(w, a, options, wf::in_turn{});
    REQUIRE(mapped(w, a, options, one) == alone);
    REQUIRE(mapped(w, a, options, two) == alone);
    REQUIRE(mapped(w, a, options, three) == alone);
    REQUIRE(mapped(w, a, options, eight) == alone);
    several += alone.stages.size() > 1 ? 1 : 0;
  }
  CHECK(several > 40);
}

TEST_CASE("a network is mapped by threads as by one") {
  const auto w = wf_test::read_network("resnet50", 64);
  if (!w) return;
  wf::batch_options options;
  options.limits.max_nodes = 6'000;
  wf::threads two(2);
  CHECK(mapped(*w, wf_test::mesh_8x8(), options, two) ==
        mapped(*w, wf_test::mesh_8x8(), options, wf::in_turn{}));
}
