// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/map.hpp>

#include <random>

#include <doctest/doctest.h>

#include <mapping/check_batch.hpp>

#include "../networks.hpp"
#include "../random_workload.hpp"
#include "../small_problems.hpp"

namespace {

using mapping_benchmark::fault_of;
using wf_test::pick;

constexpr wf::workload chain(std::int64_t batch) { return wf_test::batch_chain(3, batch); }
constexpr wf::pe_array two(std::int64_t memory) { return wf_test::row_of(2, memory, 64); }

// 3 · 64 / (2 · 4) cycles of work per sample between the first input and weights and the last
// output: mapped while compiling.
static_assert(wf::map(chain(4), two(200), wf::batch_options{})->makespan == 1 + 1 + 4 * 24 + 1);
static_assert(wf::map(chain(4), two(200), wf::batch_options{})->bound == 4 * 24);
static_assert(wf::map(chain(4), two(200), wf::batch_options{})->segments.size() == 1);
static_assert(wf::map(chain(4), two(1), wf::batch_options{}).error().code ==
              wf::errc::mapping_infeasible);

TEST_CASE("a chain is mapped while compiling and at run time alike") {
  const auto m = wf::map(chain(4), two(200), wf::batch_options{});
  REQUIRE(m);
  CHECK(m->makespan == 99);
  CHECK(fault_of(chain(4), two(200), *m) == "");
}

/// The least makespan over all cuts into segments of one or two stages, side by side or on a part
/// of the array, with every sub-batch.
std::int64_t least_of_all(const wf::batch_work& work, const wf::pe_array& a,
                          wf::segment_planner<wf::cycle_model>& planner, std::uint32_t first) {
  if (first == work.size()) return 0;
  std::int64_t least = wf::unbounded;
  for (std::uint32_t last = first + 1; last <= work.size(); ++last) {
    const std::int64_t rest = least_of_all(work, a, planner, last);
    if (rest == wf::unbounded) continue;
    // Every assignment of the operators to two stages.
    for (std::uint32_t in_second = 0; in_second < (1u << (last - first)); ++in_second)
      for (std::int32_t width = 1; width <= a.columns; ++width) {
        wf::table<wf::stage_outline> stages(2);
        stages[0].where = {0, 0, a.rows, width};
        stages[1].where = {0, width, a.rows, a.columns - width};
        for (std::uint32_t v = first; v < last; ++v)
          stages[in_second >> (v - first) & 1].operators.push_back(v);
        if (stages[1].operators.empty()) stages.pop_back();
        if (stages[0].operators.empty() || stages.back().where.empty()) continue;
        for (std::int64_t b = 1; b <= work.batch; ++b) {
          wf::planned_segment g;
          if (work.batch % b == 0 && planner.plan(stages, b, g))
            least = std::min(least, g.cycles + rest);
        }
      }
  }
  return least;
}

TEST_CASE("bounds hold against all mappings of small workloads, and mappings are valid") {
  int infeasible = 0, proven = 0, optimal = 0;
  constexpr int cases = 600;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    wf::workload w = wf_test::random_workload(random, static_cast<int>(pick(random, 1, 4)));
    if (seed % 4 == 0) wf_test::let_overwrite(random, w);
    w.batch = pick(random, 1, 4) == 1 ? 1 : 6;
    wf::pe_array a = wf_test::random_array(random, 1, 3);
    a.memory_bytes = pick(random, 0, 1) == 0 ? 4096 : pick(random, 60, 200);
    a.dead.clear();
    const auto m = wf::map(w, a, wf::batch_options{});
    const auto work = wf::batch_work_of(w);
    REQUIRE(work);
    const wf::cycle_model model;
    wf::segment_planner<wf::cycle_model> planner(*work, a, model);
    const std::int64_t least = least_of_all(*work, a, planner, 0);
    if (!m) {
      ++infeasible;
      REQUIRE(m.error().code == wf::errc::mapping_infeasible);
      continue;
    }
    REQUIRE(fault_of(w, a, *m) == "");
    REQUIRE(m->bound <= least);
    proven += m->proven();
    optimal += m->makespan <= least;
  }
  MESSAGE(infeasible << " infeasible, " << proven << " proven, " << optimal
                     << " as short as all mappings of up to two stages, of " << cases);
  CHECK(infeasible < cases / 2);
  CHECK(2 * optimal > cases - infeasible);
}

TEST_CASE("the same input gives the same answer, and a stopped run keeps what it has") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    wf::workload w = wf_test::random_workload(random, 8);
    w.batch = 12;
    wf::pe_array a = wf_test::random_array(random, 2, 3);
    a.memory_bytes = 4096;
    a.dead.clear();
    const auto m = wf::map(w, a, wf::batch_options{});
    REQUIRE(m);
    REQUIRE(*m == *wf::map(w, a, wf::batch_options{}));
    int calls = 0;
    const auto stopped = wf::map(w, a, wf::batch_options{}, [&](const wf::search_progress& p) {
      CHECK(p.incumbent < wf::unbounded);
      CHECK(p.bound <= p.incumbent);
      return ++calls < 2;
    });
    REQUIRE(stopped);
    CHECK(calls <= 2);
    CHECK(fault_of(w, a, *stopped) == "");
    CHECK(stopped->makespan >= m->makespan);
    CHECK(stopped->bound <= m->makespan);
  }
}

TEST_CASE("without kept results, what passes on chip passes between stages side by side") {
  int several = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    wf::workload w = wf_test::random_workload(random, 8);
    w.batch = 12;
    wf::pe_array a = wf_test::random_array(random, 2, 3);
    a.memory_bytes = 4096;
    wf::batch_options apart;
    apart.stages_keep_results = false;
    const auto m = wf::map(w, a, apart);
    REQUIRE(m);
    REQUIRE(fault_of(w, a, *m) == "");
    REQUIRE(m->bound <= m->makespan);
    const auto work = wf::batch_work_of(w);
    for (const wf::pipeline_stage& s : m->stages) {
      several += s.operators.count > 1;
      for (std::uint32_t i = 0; i < s.operators.count; ++i)
        for (std::uint32_t k = 0; k < i; ++k)
          for (std::uint32_t v = 0; v < work->size(); ++v) {
            if (work->graph.operators[v].source != m->operators[s.operators.first + i].op) continue;
            for (const auto& o : work->graph.operands_of(v))
              REQUIRE(work->graph.operators[o.producer].source !=
                      m->operators[s.operators.first + k].op);
          }
    }
  }
  CHECK(several > 20);
}

/// A strategy without proposals.
struct idle {
  template <class Emit>
  constexpr void apply(const wf::batch_space&, const wf::segment_outline&,
                       const wf::segment_outline*, Emit&&) const {}
};

TEST_CASE("what dead PEs leave is used, not its largest rectangle alone") {
  int used = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    wf::workload w = wf_test::random_workload(random, 6);
    for (auto& o : w.operators) o.macs *= 20;
    w.batch = 12;
    wf::pe_array a = wf_test::random_array(random, 3, 4);
    a.memory_bytes = 4096;
    a.dead.clear();
    a.dead.push_back(5);
    wf::pe_array part = a;
    part.dead.clear();
    const wf::rectangle largest = largest_usable(a);
    part.rows = largest.rows;
    part.columns = largest.columns;
    const auto m = wf::map(w, a, wf::batch_options{}, wf::keep_going{}, wf::cycle_model{}, idle{});
    const auto alone =
        wf::map(w, part, wf::batch_options{}, wf::keep_going{}, wf::cycle_model{}, idle{});
    REQUIRE(m);
    REQUIRE(alone);
    REQUIRE(fault_of(w, a, *m) == "");
    REQUIRE(m->makespan <= alone->makespan);
    used += m->makespan < alone->makespan;
  }
  MESSAGE(used << " of 60 use more than one rectangle");
  CHECK(used > 10);
}

TEST_CASE("dead PEs are left alone") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    wf::workload w = wf_test::random_workload(random, 5);
    w.batch = 4;
    wf::pe_array a = wf_test::random_array(random, 3, 3);
    a.memory_bytes = 4096;
    a.dead.clear();
    a.dead.push_back(static_cast<std::uint32_t>(pick(random, 0, 8)));
    a.dead.push_back(a.dead[0]);
    const auto m = wf::map(w, a, wf::batch_options{});
    REQUIRE(m);
    REQUIRE(fault_of(w, a, *m) == "");
  }
  wf::pe_array a = two(200);
  a.dead.push_back(0);
  a.dead.push_back(1);
  CHECK(wf::map(chain(4), a, wf::batch_options{}).error().message ==
        wf::text("every PE of the array is dead"));
}

TEST_CASE("with every part tried, a larger array is never worse") {
  int shorter = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    auto [random, w, small] = wf_test::make_random_problem(seed, 1, 6, 2, 2);
    w.batch = 12;
    small.memory_bytes = pick(random, 150, 2000);
    small.dead.clear();
    wf::pe_array large = small;
    ++(seed % 2 == 0 ? large.rows : large.columns);
    wf::batch_options every;
    every.every_part = true;
    const auto on_small = wf::map(w, small, every);
    if (!on_small) continue;
    REQUIRE(fault_of(w, small, *on_small) == "");
    const auto on_large = wf::map(w, large, every);
    REQUIRE(on_large);
    REQUIRE(fault_of(w, large, *on_large) == "");
    REQUIRE(on_large->makespan <= on_small->makespan);
    REQUIRE(on_large->bound <= on_small->bound);
    const auto plain = wf::map(w, large, wf::batch_options{});
    REQUIRE(plain);
    REQUIRE(on_large->makespan <= plain->makespan);
    shorter += on_large->makespan < plain->makespan;
  }
  CHECK(shorter > 0);
}

TEST_CASE("ResNet-50 with a batch of 64 is mapped with a certified gap") {
  const auto w = wf_test::read_network("resnet50", 64);
  if (!w) return;
  wf::batch_options quick;
  quick.side_by_side = 1;
  quick.limits.max_nodes = 7000;
  const auto m = wf::map(*w, wf_test::mesh_8x8(), quick);
  REQUIRE(m);
  CHECK(fault_of(*w, wf_test::mesh_8x8(), *m) == "");
  MESSAGE("makespan " << m->makespan << ", bound " << m->bound << ", gap "
                      << wf::detail::percent(m->gap()));
  CHECK(100 * (m->makespan - m->bound) <= 15 * m->makespan);
}

}  // namespace
