// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/rules.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../random_workload.hpp"

namespace {

constexpr wf::pe_array small_array() {
  wf::pe_array a;
  a.columns = 2;
  a.link_bytes_per_cycle = 4;
  a.dram_bytes_per_cycle = 8;
  return a;
}

/// One stage of one operator.
constexpr wf::planned_segment one(std::int64_t rounds, std::int64_t cycles, std::int64_t weights,
                                  std::int64_t fetched, std::int64_t stored) {
  wf::planned_segment g;
  g.rounds = rounds;
  g.stages.push_back({{0, 0, 1, 2}, 0, {0, 1}, 0});
  g.operators.push_back({0, 1, 1, false, cycles, cycles, 0, weights, fetched, stored});
  return g;
}

constexpr std::int64_t cycles_of(const wf::planned_segment& g) {
  const wf::pe_array a = small_array();
  return wf::segment_clock(a)(g);
}

// Only work; only DRAM: 16 / 8 cycles of weights, then 10 rounds of one cycle each way.
static_assert(cycles_of(one(10, 7, 0, 0, 0)) == 70);
static_assert(cycles_of(one(1, 7, 16, 8, 8)) == 2 + 1 + 7 + 1);
// Work hides all loads but the first, and all stores but the last.
static_assert(cycles_of(one(10, 7, 16, 8, 8)) == 3 + 70 + 1);
// The DRAM dominates: ten loads and ten stores of 5 cycles; the last three jobs are the store of
// the ninth round, for which the tenth waits, a cycle of work, and its store.
static_assert(cycles_of(one(10, 1, 0, 40, 40)) >= 100);

TEST_CASE("leaps change nothing: every beat one by one gives the same cycles") {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const auto pick = [&](std::int64_t a, std::int64_t b) { return wf_test::pick(random, a, b); };
    wf::planned_segment g;
    g.rounds = pick(1, 40);
    g.link_cycles = pick(0, 1) == 0 ? 0 : pick(1, 30);
    const wf::pe_array a = small_array();
    const auto stages = static_cast<std::uint32_t>(pick(1, 3));
    for (std::uint32_t s = 0; s < stages; ++s) {
      const auto first = static_cast<std::uint32_t>(g.operators.size());
      const auto count = static_cast<std::uint32_t>(pick(1, 3));
      g.stages.push_back({{0, 0, 1, static_cast<std::int32_t>(pick(1, 2))},
                          static_cast<std::uint32_t>(pick(0, 3)),
                          {first, count},
                          0});
      for (std::uint32_t k = 0; k < count; ++k) {
        wf::stage_operator o;
        o.cycles = pick(1, 30);
        o.first_cycles = o.cycles + pick(0, 5);
        o.weight_bytes = pick(0, 1) * pick(0, 200);
        o.fetched_bytes = pick(0, 1) * pick(0, 100);
        o.stored_bytes = pick(0, 1) * pick(0, 100);
        g.operators.push_back(o);
      }
    }
    // The timing rules, beat by beat.
    std::int64_t deepest = 0;
    for (const auto& s : g.stages) deepest = std::max<std::int64_t>(deepest, s.depth);
    const std::size_t n = g.operators.size();
    const auto beats = static_cast<std::size_t>(g.rounds + deepest);
    std::vector<std::vector<std::int64_t>> in(beats + 3, std::vector<std::int64_t>(n));
    auto out = in;
    std::vector<std::int64_t> begin(beats + 1);
    std::int64_t dram = 0;
    const auto on = [&](const wf::pipeline_stage& s, std::size_t t) {
      return t >= s.depth && t < s.depth + static_cast<std::size_t>(g.rounds);
    };
    const auto job = [&](const wf::pipeline_stage& s, std::int64_t from, std::int64_t bytes) {
      const std::int64_t rate = std::min<std::int64_t>(8, 4 * s.where.area());
      if (bytes > 0) dram = std::max(dram, from) + (bytes + rate - 1) / rate;
    };
    const auto load = [&](std::size_t t, std::int64_t from) {
      for (const auto& s : g.stages)
        for (std::uint32_t i = s.operators.first;
             on(s, t) && i < s.operators.first + s.operators.count; ++i) {
          const auto& o = g.operators[i];
          const std::int64_t weights = t == s.depth ? o.weight_bytes : 0;
          job(s, from, weights);
          job(s, from, o.fetched_bytes);
          in[t][i] = weights + o.fetched_bytes > 0 ? dram : 0;
        }
    };
    load(0, 0);
    for (std::size_t t = 0; t < beats; ++t) {
      if (t + 1 < beats) load(t + 1, begin[t]);
      begin[t + 1] = begin[t] + g.link_cycles;
      std::vector<std::int64_t> end(n);
      for (const auto& s : g.stages) {
        std::int64_t at = begin[t];
        for (std::uint32_t i = s.operators.first;
             on(s, t) && i < s.operators.first + s.operators.count; ++i) {
          const auto& o = g.operators[i];
          at = std::max({at, in[t][i], t >= 2 ? out[t - 2][i] : 0}) +
               (t == s.depth ? o.first_cycles : o.cycles);
          end[i] = at;
        }
        begin[t + 1] = std::max(begin[t + 1], at);
      }
      for (const auto& s : g.stages)
        for (std::uint32_t i = s.operators.first;
             on(s, t) && i < s.operators.first + s.operators.count; ++i) {
          job(s, end[i], g.operators[i].stored_bytes);
          if (g.operators[i].stored_bytes > 0) out[t][i] = dram;
        }
    }
    REQUIRE(wf::segment_clock(a)(g) == std::max(begin[beats], dram));
  }
}

TEST_CASE("segments are appended one after the other") {
  wf::workload w;
  wf::workload_operator view, op;
  view.is_view = true;
  w.add(view);
  w.add(op);
  const auto work = wf::batch_work_of(w);
  REQUIRE(work);
  wf::planned_segment g = one(1, 7, 0, 0, 0);
  g.cycles = 7;
  wf::batch_mapping m;
  append(m, g, *work);
  append(m, g, *work);
  CHECK(m.makespan == 14);
  CHECK(m.segments[1].start == 7);
  CHECK(m.stages[1].operators == wf::range{1, 1});
  CHECK(m.operators[1].op == 1);  // the index in the workload, in which the view is operator 0
}

}  // namespace
