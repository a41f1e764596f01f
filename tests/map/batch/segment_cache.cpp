// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/segment_cache.hpp>

#include <map>
#include <random>
#include <tuple>

#include <doctest/doctest.h>

#include <wf/map/batch/plan.hpp>

#include "../random_workload.hpp"

namespace {

using wf_test::pick;

/// Copies of a random block, each of which reads the last result of the previous one.
wf::workload blocks(std::mt19937_64& random, int count, int size, bool in_place) {
  wf::workload block = wf_test::random_workload(random, size);
  if (in_place) wf_test::let_overwrite(random, block);
  wf::workload w;
  w.batch = 4;
  for (int k = 0; k < count; ++k) {
    const auto first = static_cast<std::uint32_t>(w.operators.size());
    for (const auto& o : block.operators) w.add(o);
    for (const auto& e : block.edges)
      w.connect(first + e.from, first + e.to, e.bytes, e.split, e.may_overwrite);
    if (k > 0) w.connect(first - 1, first, w.operators[first - 1].output_bytes);
  }
  return w;
}

TEST_CASE("runs of equal signatures are planned alike, and repeated blocks have equal ones") {
  int shared = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const int size = static_cast<int>(pick(random, 1, 4));
    const wf::workload w = blocks(random, 4, size, seed % 2 == 0);
    const auto work = wf::batch_work_of(w);
    REQUIRE(work);
    wf::pe_array a = wf_test::random_array(random, 2, 2);
    a.dead.clear();
    a.memory_bytes = pick(random, 60, 1000);
    const wf::cycle_model model;
    wf::segment_planner<wf::cycle_model> planner(*work, a, model);
    wf::table<std::uint32_t> order;
    for (std::uint32_t v = 0; v < work->size(); ++v) order.push_back(v);
    wf::run_signatures signatures(*work, order);
    std::map<std::uint64_t, std::tuple<std::int64_t, bool, std::uint32_t>> seen;
    for (std::uint32_t i = 0; i < work->size(); ++i) {
      signatures.start(i);
      wf::table<wf::stage_outline> stages(1);
      stages[0].where = a.whole();
      for (std::uint32_t j = i; j < work->size(); ++j) {
        stages[0].operators.push_back(j);
        wf::planned_segment g;
        const bool fits = planner.plan(stages, 2, g);
        const auto plan = std::make_tuple(g.cycles, fits, j - i);
        const auto [entry, is_new] = seen.try_emplace(signatures.extend(), plan);
        REQUIRE(entry->second == plan);
        shared += !is_new;
      }
    }
  }
  MESSAGE(shared << " runs are like an earlier one");
  CHECK(shared > 2000);
}

TEST_CASE("what is read behind a run, or from before it, tells runs apart") {
  const auto signature = [](bool read_behind, bool from_one, std::int64_t bytes,
                            bool may_overwrite = false) {
    wf::workload w;
    wf::workload_operator o;
    o.output_bytes = 8;
    for (int k = 0; k < 5; ++k) w.add(o);
    w.connect(0, 2, bytes);
    w.connect(from_one ? 0 : 1, 2, bytes);
    w.connect(2, 3, 8, wf::operand_split::by_both, may_overwrite);
    if (read_behind) w.connect(2, 4, 8);
    const auto work = wf::batch_work_of(w);
    const wf::table<std::uint32_t> order{0, 1, 2, 3, 4};
    wf::run_signatures signatures(*work, order);
    signatures.start(2);
    signatures.extend();
    return signatures.extend();
  };
  CHECK(signature(false, false, 8) == signature(false, false, 8));
  CHECK(signature(false, false, 8) != signature(true, false, 8));
  CHECK(signature(false, false, 8) != signature(false, true, 8));
  CHECK(signature(false, false, 8) != signature(false, false, 4));
  CHECK(signature(false, false, 8) != signature(false, false, 8, true));
}

constexpr bool finds_what_was_added() {
  wf::segment_cache cache;
  if (cache.find(7) != nullptr) return false;
  for (std::uint64_t k = 0; k < 200; ++k) cache.add(k * k, static_cast<std::int64_t>(k + 1));
  for (std::uint64_t k = 0; k < 200; ++k)
    if (cache.find(k * k) == nullptr || *cache.find(k * k) != static_cast<std::int64_t>(k + 1))
      return false;
  return cache.find(2) == nullptr && cache.size() == 200;
}
static_assert(finds_what_was_added());

}  // namespace
