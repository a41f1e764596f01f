// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/place/arrange.hpp>

#include "../checker.hpp"
#include "../random_mapping.hpp"
#include "../random_workload.hpp"

namespace {

constexpr wf::workload chain() {
  wf::workload w;
  w.name = wf::text("chain");
  wf::workload_operator o;
  o.label = wf::text("a");
  o.macs = 16;
  o.output_bytes = 8;
  o.first_axis = o.second_axis = 4;
  const auto a = w.add(o);
  wf::workload_operator view;
  view.label = wf::text("view");
  view.is_view = true;
  const auto v = w.add(view);
  o.label = wf::text("b");
  const auto b = w.add(o);
  w.connect(a, v, 8);
  w.connect(v, b, 8);
  return w;
}

constexpr wf::pe_array pair() {
  wf::pe_array a;
  a.columns = 2;
  a.memory_bytes = 100;
  a.link_bytes_per_cycle = 4;
  a.dram_bytes_per_cycle = 100;
  a.hop_latency = 3;
  return a;
}

constexpr wf::mapping side_by_side() {
  const wf::placement_request requests[] = {{0, {0, 0, 1, 1}, 0}, {2, {0, 1, 1, 1}, 0}};
  return *wf::arrange(chain(), pair(), requests);
}
// 16 cycles, a transfer of 3 + 8/4, 16 cycles.
static_assert(side_by_side().makespan == 37);
static_assert(side_by_side().operators[1].start == 16 && side_by_side().operators[1].finish == 16);
static_assert(side_by_side().busy[0] == 16 && side_by_side().busy[1] == 16);
static_assert(side_by_side().high_water[0] == 8 && side_by_side().high_water[1] == 16);
static_assert(side_by_side().bound == 16);

}  // namespace

TEST_CASE("random decisions become valid mappings, and the checker sees every damage") {
  int valid = 0, harmed = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const wf::workload w = wf_test::random_workload(random, 7);
    const wf::pe_array a = wf_test::random_array(random, 2, 3);
    const auto m = wf_test::random_mapping(random, w, a);
    if (!m) continue;
    ++valid;
    REQUIRE(wf_test::check(w, a, *m) == "");
    // Every kind of damage to an operator must be detected.
    const std::uint32_t op = m->sequence[random() % m->sequence.size()];
    for (int damage = 0; damage < 6; ++damage) {
      wf::mapping bad = *m;
      wf::placement& p = bad.operators[op];
      switch (damage) {
        case 0:
          p.how.cycles -= 1, p.finish -= 1;
          break;
        case 1:
          p.how.working_bytes += 1;
          break;
        case 2:
          bad.makespan -= 1;
          break;
        case 3:
          p.where.row += 2;
          break;
        case 4:
          p.result_bytes += 1;
          break;
        default:
          bad.high_water[0] += 1;
          break;
      }
      REQUIRE(wf_test::check(w, a, bad) != "");
      ++harmed;
    }
    // A start one cycle earlier violates a rule exactly if the operator was delayed by one.
    wf::mapping early = *m;
    for (std::uint32_t i : early.sequence) {
      early.operators[i].start -= 1;
      early.operators[i].finish -= 1;
    }
    REQUIRE(wf_test::check(w, a, early) != "");
  }
  MESSAGE(valid << " mappings, " << harmed << " damages");
  CHECK(valid > 200);
}

TEST_CASE("impossible requests are refused by the operator's name") {
  const auto refused = [](std::initializer_list<wf::placement_request> requests) {
    const auto m = wf::arrange(chain(), pair(),
                               wf::view<wf::placement_request>(requests.begin(), requests.size()));
    REQUIRE_FALSE(m);
    return m.error();
  };
  const wf::rectangle left{0, 0, 1, 1};
  CHECK(refused({{0, left, 0}}).code == wf::errc::invalid_problem);
  CHECK(refused({{2, left, 0}}).subject == wf::text("b"));
  CHECK(refused({{0, left, 0}, {0, left, 0}}).subject == wf::text("a"));
  CHECK(refused({{1, left, 0}}).subject == wf::text("view"));
  CHECK(refused({{9, left, 0}}).code == wf::errc::invalid_problem);
  CHECK(refused({{0, {0, 1, 1, 2}, 0}}).code == wf::errc::mapping_infeasible);
  CHECK(refused({{0, left, 99}}).code == wf::errc::mapping_infeasible);
  // On one PE, a's result, b's operand and b's result take 24 bytes together.
  wf::pe_array small = pair();
  small.memory_bytes = 23;
  const wf::placement_request both[] = {{0, left, 0}, {2, left, 0}};
  const auto m = wf::arrange(chain(), small, both);
  REQUIRE_FALSE(m);
  CHECK(m.error().code == wf::errc::mapping_infeasible);
  CHECK(m.error().subject == wf::text("b"));
  small.memory_bytes = 24;
  CHECK(wf::arrange(chain(), small, both));
}
