// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/replay/batch.hpp>

#include <random>

#include <doctest/doctest.h>

#include <wf/map/batch/map.hpp>

#include "../../map/networks.hpp"
#include "../../map/random_workload.hpp"
#include "../../map/small_problems.hpp"

namespace {

using wf_test::pick;

constexpr wf::workload chain() { return wf_test::batch_chain(2, 4); }
constexpr wf::pe_array two() { return wf_test::row_of(2, 200, 64); }

constexpr std::int64_t simulated() {
  const auto m = wf::map(chain(), two(), wf::batch_options{});
  const auto t = wf::simulate(two(), *m);
  return t->makespan == m->makespan ? t->dram_busy : -1;
}
// Two weights, four inputs and four outputs of 8 bytes.
static_assert(simulated() == 10);

/// Random stages on stripes for all operators: mappings that no search would choose.
bool random_mapping(std::mt19937_64& random, const wf::batch_work& work, const wf::pe_array& a,
                    wf::batch_mapping& m) {
  const wf::cycle_model model;
  wf::segment_planner<wf::cycle_model> planner(work, a, model);
  for (std::uint32_t first = 0; first < work.size();) {
    const auto last = static_cast<std::uint32_t>(pick(random, first + 1, work.size()));
    wf::table<wf::stage_outline> stages;
    for (std::int32_t x = 0; x < a.columns; ++x) {
      wf::stage_outline s;
      s.where = {0, x, a.rows, 1};
      stages.push_back(s);
    }
    for (std::uint32_t v = first; v < last; ++v)
      stages[static_cast<std::size_t>(pick(random, 0, a.columns - 1))].operators.push_back(v);
    wf::table<wf::stage_outline> used;
    for (const auto& s : stages)
      if (!s.operators.empty()) used.push_back(s);
    wf::planned_segment g;
    if (!planner.plan(used, pick(random, 0, 1) == 0 ? 1 : 3, g)) return false;
    append(m, g, work);
    first = last;
  }
  return true;
}

TEST_CASE("the planned makespan is the simulated one, to the cycle") {
  int mapped = 0;
  std::int64_t waited = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    wf::workload w = wf_test::random_workload(random, static_cast<int>(pick(random, 1, 6)));
    w.batch = pick(random, 0, 1) == 0 ? 3 : 24;
    const auto rows = static_cast<std::int32_t>(pick(random, 1, 2));
    const auto columns = static_cast<std::int32_t>(pick(random, 1, 3));
    wf::pe_array a = wf_test::random_array(random, rows, columns);
    a.dead.clear();
    a.memory_bytes = 2000;
    const auto work = wf::batch_work_of(w);
    REQUIRE(work);
    wf::batch_mapping m;
    if (!random_mapping(random, *work, a, m)) continue;
    ++mapped;
    const auto t = wf::simulate(a, m);
    REQUIRE(t);
    REQUIRE(t->makespan == m.makespan);
    REQUIRE(t->dram_busy <= t->makespan);
    waited += t->waiting;
    std::size_t runs = 0, expected = 0;
    for (const auto& e : t->events) runs += e.kind == wf::batch_event_kind::execute;
    for (const auto& g : m.segments)
      for (std::uint32_t s = g.stages.first; s < g.stages.first + g.stages.count; ++s)
        expected += m.stages[s].operators.count * static_cast<std::size_t>(g.rounds);
    REQUIRE(runs == expected);
    for (std::size_t k = 1; k < t->events.size(); ++k)
      REQUIRE(t->events[k].end >= t->events[k - 1].end);
    REQUIRE(*t == *wf::simulate(a, m));
  }
  CHECK(mapped > 1000);
  CHECK(waited > 0);
}

TEST_CASE("mappings of networks take what they say") {
  for (const char* name : {"resnet50", "transformer_cell"}) {
    const auto w = wf_test::read_network(name, 64);
    if (!w) return;
    wf::batch_options quick;
    quick.limits.max_nodes = 3000;
    const auto m = wf::map(*w, wf_test::mesh_8x8(), quick);
    REQUIRE(m);
    const auto t = wf::simulate(wf_test::mesh_8x8(), *m);
    REQUIRE(t);
    CHECK(t->makespan == m->makespan);
  }
}

TEST_CASE("a mapping whose tables do not fit together is an error") {
  const auto m = wf::map(chain(), two(), wf::batch_options{});
  REQUIRE(m);
  const auto refused = [](const wf::batch_mapping& x) {
    const auto t = wf::simulate(two(), x);
    return !t && t.error().code == wf::errc::simulation_failed;
  };
  CHECK_FALSE(refused(*m));
  wf::batch_mapping wrong_rounds = *m, wrong_stages = *m, wrong_operators = *m, nowhere = *m;
  wrong_rounds.segments[0].rounds = 0;
  CHECK(refused(wrong_rounds));
  wrong_stages.segments[0].stages.first = 9;
  CHECK(refused(wrong_stages));
  ++wrong_operators.stages[0].operators.count;
  CHECK(refused(wrong_operators));
  nowhere.stages[0].where.rows = 0;
  CHECK(refused(nowhere));
  wf::pe_array wrong = two();
  wrong.rows = 0;
  CHECK(wf::simulate(wrong, *m).error().code == wf::errc::invalid_problem);
}

}  // namespace
