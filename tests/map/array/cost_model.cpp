// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/array/cost_model.hpp>

#include "../checker.hpp"
#include "../random_workload.hpp"

namespace {

constexpr wf::pe_array mesh() {
  wf::pe_array a;
  a.rows = a.columns = 4;
  a.macs_per_cycle = 10;
  a.vector_ops_per_cycle = 2;
  a.link_bytes_per_cycle = 8;
  a.dram_bytes_per_cycle = 16;
  a.hop_latency = 3;
  a.memory_bytes = 1 << 20;
  return a;
}

constexpr wf::operator_load load() {
  wf::operator_load l;
  l.macs = 6000;  // 10 for each of 20 · 30 items
  l.first_axis = 20;
  l.second_axis = 30;
  return l;
}

constexpr wf::cycle_model model;

// 20/3 rounds up to 7 and 30/4 to 8 of 600 items: 6000·56/600/10 = 56 cycles.
static_assert(model.tile(load(), mesh(), 3, 4, 3, 4).cycles == 56);
static_assert(model.tile(load(), mesh(), 4, 4, 4, 4).cycles == 40);
static_assert(model.tile(load(), mesh(), 4, 4, 1, 1).cycles == 600);
static_assert(model.transfer(mesh(), {0, 0, 2, 2}, {0, 0, 2, 2}, 1000) == 0);
// Two columns to the right over two links: 2·3 + 1000/16.
static_assert(model.transfer(mesh(), {0, 0, 2, 2}, {0, 2, 2, 2}, 1000) == 6 + 63);
// Also downwards, to a single PE: the far corner moves by 2 + 3 rows and columns, over one link.
static_assert(model.transfer(mesh(), {0, 0, 2, 2}, {3, 3, 1, 1}, 1000) == 18 + 125);
// From a half to the whole: the far edge moves.
static_assert(model.transfer(mesh(), {0, 0, 4, 2}, {0, 0, 4, 4}, 0) == 6);

}  // namespace

TEST_CASE("the slowest of computing, DRAM and port counts") {
  wf::operator_load l = load();
  CHECK(model.tile(l, mesh(), 4, 4, 4, 4).cycles == 40);
  l.elementwise = 600;  // 40 items of one operation, 2 per cycle
  CHECK(model.tile(l, mesh(), 4, 4, 4, 4).cycles == 60);
  l.weight_bytes = 1600;  // 100 cycles with the DRAM of all PEs, 400 with a quarter of it
  CHECK(model.tile(l, mesh(), 4, 4, 4, 4).cycles == 100);
  CHECK(model.tile(l, mesh(), 2, 2, 2, 2).cycles == 400);
  CHECK(model.tile(l, mesh(), 4, 4, 4, 4).working_bytes == 400);
  l.made_bytes[0] = 32000;  // a PE holds 2000 of 8000 bytes, so that 6000 and 400 bytes of weights
                            // are fetched
  CHECK(model.tile(l, mesh(), 4, 4, 4, 4).cycles == 800);
  CHECK(model.tile(l, mesh(), 4, 4, 4, 4).working_bytes == 8400);
  CHECK(model.tile(l, mesh(), 4, 4, 1, 16).cycles == 200);  // no operand bytes are missing, only
                                                            // 1600 bytes of weights
  CHECK(model.tile({}, mesh(), 1, 1, 1, 1).cycles == 1);
}

TEST_CASE("operands are shared out along the axes that they follow") {
  wf::operator_load l = load();
  l.fetched_bytes[0] = 100;
  CHECK(model.tile(l, mesh(), 4, 4, 2, 8).working_bytes == 13);
  l.fetched_bytes[1] = 100;
  CHECK(model.tile(l, mesh(), 4, 4, 2, 8).working_bytes == 13 + 50);
  l.fetched_bytes[2] = 100;
  CHECK(model.tile(l, mesh(), 4, 4, 2, 8).working_bytes == 13 + 50 + 7);
  l.output_bytes = 100;
  CHECK(model.result_bytes(l, mesh(), 4, 4) == 7);
}

TEST_CASE("the emitted tilings are all that no other beats, fastest first") {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    wf::operator_load l;
    l.macs = wf_test::pick(random, 0, 500);
    l.elementwise = wf_test::pick(random, 0, 50);
    l.weight_bytes = wf_test::pick(random, 0, 200);
    l.first_axis = wf_test::pick(random, 1, 20);
    l.second_axis = wf_test::pick(random, 1, 20);
    for (auto& bytes : l.made_bytes) bytes = wf_test::pick(random, 0, 1) * 300;
    for (auto& bytes : l.fetched_bytes) bytes = wf_test::pick(random, 0, 1) * 100;
    const wf::pe_array a = wf_test::random_array(random, 3, 4);
    std::vector<wf::tiling> emitted;
    model.tilings(l, a, 3, 4, [&](const wf::tiling& t) { emitted.push_back(t); });
    REQUIRE_FALSE(emitted.empty());
    for (std::size_t i = 1; i < emitted.size(); ++i) {
      REQUIRE(emitted[i - 1].cycles < emitted[i].cycles);
      REQUIRE(emitted[i - 1].working_bytes > emitted[i].working_bytes);
    }
    for (std::int64_t p = 1; p <= std::min<std::int64_t>(12, l.first_axis); ++p)
      for (std::int64_t q = 1; q <= std::min<std::int64_t>(12 / p, l.second_axis); ++q) {
        const wf::tiling t = model.tile(l, a, 3, 4, p, q);
        bool beaten = false;
        for (const wf::tiling& e : emitted)
          beaten |= e.cycles <= t.cycles && e.working_bytes <= t.working_bytes;
        REQUIRE(beaten);
      }
  }
}

TEST_CASE("cycles, bytes and transfers agree with an independent reading of the model") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    wf::workload w = wf_test::random_workload(random, 1);
    const wf::pe_array a = wf_test::random_array(random, 4, 5);
    const wf_test::plain_problem p(w, a);
    wf::operator_load l;
    l.macs = p.ops[0].macs;
    l.elementwise = p.ops[0].elementwise;
    l.weight_bytes = p.ops[0].weights;
    l.output_bytes = p.ops[0].output;
    l.scratch_bytes = p.ops[0].scratch;
    l.first_axis = p.ops[0].first;
    l.second_axis = p.ops[0].second;
    l.stored_bytes = p.ops[0].stored ? p.ops[0].output : 0;
    for (const auto& in : p.ops[0].inputs) l.fetched_bytes[static_cast<int>(in.split)] += in.bytes;
    const wf::rectangle r{0, 0, 3, 2};
    for (std::int64_t k = 1; k <= l.first_axis; ++k)
      for (std::int64_t q = 1; q <= l.second_axis; ++q) {
        REQUIRE(model.tile(l, a, 3, 2, k, q).cycles == p.cycles(p.ops[0], r, k, q));
        REQUIRE(model.tile(l, a, 3, 2, k, q).working_bytes == p.working(p.ops[0], k, q));
      }
    const auto any = [&] {
      const auto y = static_cast<std::int32_t>(wf_test::pick(random, 0, 3));
      const auto x = static_cast<std::int32_t>(wf_test::pick(random, 0, 4));
      return wf::rectangle{y, x, static_cast<std::int32_t>(wf_test::pick(random, 1, 4 - y)),
                           static_cast<std::int32_t>(wf_test::pick(random, 1, 5 - x))};
    };
    for (int i = 0; i < 50; ++i) {
      const wf::rectangle from = any(), to = any();
      const std::int64_t bytes = wf_test::pick(random, 0, 99);
      REQUIRE(model.transfer(a, from, to, bytes) == p.transfer(from, to, bytes));
      REQUIRE(model.transfer(a, to, from, bytes) == model.transfer(a, from, to, bytes));
    }
  }
}

TEST_CASE("a larger rectangle is never slower") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const wf::pe_array a = wf_test::random_array(random, 4, 4);
    wf::operator_load l = load();
    l.first_axis = wf_test::pick(random, 1, 40);
    l.second_axis = wf_test::pick(random, 1, 40);
    l.weight_bytes = wf_test::pick(random, 0, 400);
    for (auto& bytes : l.made_bytes) bytes = wf_test::pick(random, 0, 1) * 300;
    std::int64_t before = INT64_MAX;
    for (std::int32_t columns = 1; columns <= 4; ++columns) {
      std::int64_t fastest = INT64_MAX;
      model.tilings(l, a, 4, columns,
                    [&](const wf::tiling& t) { fastest = std::min(fastest, t.cycles); });
      REQUIRE(fastest <= before);
      before = fastest;
    }
  }
}

TEST_CASE("the largest figures do not overflow") {
  wf::operator_load l;
  l.macs = l.elementwise = l.weight_bytes = wf::max_workload_figure;
  l.first_axis = l.second_axis = wf::max_workload_figure;
  for (auto& bytes : l.made_bytes) bytes = wf::max_workload_figure;
  wf::pe_array a = mesh();
  a.dram_bytes_per_cycle = a.link_bytes_per_cycle = 1;
  const wf::tiling t = model.tile(l, a, 2, 2, 2, 2);
  CHECK(t.cycles >= wf::max_workload_figure);
  CHECK(t.working_bytes >= wf::max_workload_figure);
  a.hop_latency = INT64_MAX;
  CHECK(model.transfer(a, {0, 0, 1, 1}, {1, 1, 1, 1}, 1) == INT64_MAX);
}
