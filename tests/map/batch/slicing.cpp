// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/slicing.hpp>

#include <algorithm>
#include <random>

#include <doctest/doctest.h>

#include "../random_workload.hpp"

namespace {

using wf_test::pick;

/// Time is work divided by PEs; memory is ignored.
struct by_area {
  template <class Emit>
  constexpr void tilings(const wf::operator_load& load, const wf::pe_array&, std::int32_t rows,
                         std::int32_t columns, Emit&& emit) const {
    emit(tile(load, {}, rows, columns, 1, 1));
  }
  constexpr wf::tiling tile(const wf::operator_load& load, const wf::pe_array&, std::int32_t rows,
                            std::int32_t columns, std::int64_t, std::int64_t) const {
    return {1, 1, (load.macs + rows * columns - 1) / (rows * columns) + 1, 0};
  }
  constexpr std::int64_t result_bytes(const wf::operator_load&, const wf::pe_array&, std::int32_t,
                                      std::int32_t) const {
    return 0;
  }
  constexpr std::int64_t transfer(const wf::pe_array&, const wf::rectangle&, const wf::rectangle&,
                                  std::int64_t) const {
    return 0;
  }
};

/// The least time of the slowest stage over all ways to cut a rectangle, by recursion.
std::int64_t best_cut(const wf::table<std::int64_t>& macs, std::size_t first, std::size_t last,
                      std::int32_t r, std::int32_t c, bool merges) {
  std::int64_t best = wf::unbounded;
  if (merges || last - first == 1) {
    best = 0;
    for (std::size_t k = first; k < last; ++k) best += (macs[k] + r * c - 1) / (r * c) + 1;
  }
  for (std::size_t k = first + 1; k < last; ++k) {
    for (std::int32_t y = 1; y < r; ++y)
      best = std::min(best, std::max(best_cut(macs, first, k, y, c, merges),
                                     best_cut(macs, k, last, r - y, c, merges)));
    for (std::int32_t x = 1; x < c; ++x)
      best = std::min(best, std::max(best_cut(macs, first, k, r, x, merges),
                                     best_cut(macs, k, last, r, c - x, merges)));
  }
  return best;
}

TEST_CASE("floor plans are the best of all cuts, and cover the region") {
  int planned = 0, impossible = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    wf::workload w;
    wf::table<std::int64_t> macs;
    const auto n = static_cast<std::uint32_t>(pick(random, 1, 4));
    for (std::uint32_t v = 0; v < n; ++v) {
      wf::workload_operator o;
      o.macs = pick(random, 1, 60);
      o.output_bytes = 1;
      macs.push_back(o.macs);
      w.add(o);
      if (v > 0) w.connect(v - 1, v, 1);
    }
    const auto work = wf::batch_work_of(w);
    REQUIRE(work);
    wf::pe_array a;
    a.rows = static_cast<std::int32_t>(pick(random, 1, 3));
    a.columns = static_cast<std::int32_t>(pick(random, 1, 4));
    a.memory_bytes = 1000;
    const auto order = order_of({}, work->graph, w);
    REQUIRE(order);
    const by_area model;
    wf::segment_planner<by_area> planner(*work, a, model);
    const bool merges = pick(random, 0, 1) == 0;
    wf::slicing<by_area> plans(planner, *order, a.whole(), 1, n, merges);
    while (plans.extend()) {
    }
    for (std::uint32_t first = 0; first < n; ++first)
      for (std::uint32_t count = 1; first + count <= n; ++count) {
        const std::int64_t best = best_cut(macs, first, first + count, a.rows, a.columns, merges);
        REQUIRE(plans.value(first, count) == best);
        if (best == wf::unbounded) {
          ++impossible;
          continue;
        }
        wf::table<wf::stage_outline> stages;
        plans.outline(first, count, stages);
        std::int64_t area = 0, slowest = 0;
        std::uint32_t next = first;
        for (std::size_t s = 0; s < stages.size(); ++s) {
          REQUIRE(a.usable(stages[s].where));
          area += stages[s].where.area();
          for (std::size_t k = 0; k < s; ++k)
            REQUIRE_FALSE(overlap(stages[s].where, stages[k].where));
          std::int64_t cycles = 0;
          for (std::uint32_t v : stages[s].operators) {
            REQUIRE(v == next++);
            cycles += (macs[v] + stages[s].where.area() - 1) / stages[s].where.area() + 1;
          }
          if (!merges) REQUIRE(stages[s].operators.size() == 1);
          slowest = std::max(slowest, cycles);
        }
        REQUIRE(next == first + count);
        REQUIRE(area == a.elements());
        REQUIRE(slowest == best);
        ++planned;
      }
  }
  MESSAGE(planned << " floor plans, " << impossible << " runs with more operators than PEs");
  CHECK(planned > 300);
  CHECK(impossible > 10);
}

TEST_CASE("runs that are longer than asked for, or not planned yet, have no plan") {
  wf::workload w;
  for (int k = 0; k < 3; ++k) w.add({});
  const auto work = wf::batch_work_of(w);
  REQUIRE(work);
  wf::pe_array a;
  a.columns = 4;
  const by_area model;
  wf::segment_planner<by_area> planner(*work, a, model);
  const auto order = order_of({}, work->graph, w);
  REQUIRE(order);
  wf::slicing<by_area> plans(planner, *order, a.whole(), 1, 2, true);
  CHECK(plans.value(0, 1) == wf::unbounded);
  while (plans.value(0, 1) == wf::unbounded) REQUIRE(plans.extend());
  CHECK(plans.value(0, 2) == wf::unbounded);
  CHECK(plans.extend());
  CHECK(plans.value(0, 2) < wf::unbounded);
  CHECK_FALSE(plans.extend());
  CHECK(plans.value(0, 3) == wf::unbounded);
}

}  // namespace
