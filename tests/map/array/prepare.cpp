// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/array/prepare.hpp>
#include <wf/search/threads.hpp>

#include "../checker.hpp"
#include "../random_workload.hpp"

namespace {

constexpr wf::workload_operator conv(const char* label, std::int64_t macs) {
  wf::workload_operator o;
  o.label = wf::text(label);
  o.macs = macs;
  o.output_bytes = 16;
  o.first_axis = o.second_axis = 8;
  return o;
}

constexpr wf::pe_array mesh() {
  wf::pe_array a;
  a.rows = a.columns = 2;
  a.memory_bytes = 1000;
  a.dram_bytes_per_cycle = a.link_bytes_per_cycle = 1 << 20;
  return a;
}

// in -> reshape -> a -> {b, c} -> d, where b and c take 4 and 3 times as long as a and d.
constexpr wf::workload diamond() {
  wf::workload w;
  w.name = wf::text("diamond");
  wf::workload_operator view;
  view.is_view = true;
  view.input_bytes = 5;
  view.output_bytes = 16;
  const auto v = w.add(view), a = w.add(conv("a", 64));
  const auto b = w.add(conv("b", 256)), c = w.add(conv("c", 192)), d = w.add(conv("d", 64));
  w.connect(v, a, 16);
  w.connect(a, b, 16);
  w.connect(a, c, 16);
  w.connect(b, d, 16, wf::operand_split::by_both);
  w.connect(c, d, 16, wf::operand_split::by_both);
  return w;
}

constexpr bool a_diamond_is_prepared_while_compiling() {
  const auto p = wf::prepare(diamond(), mesh(), wf::cycle_model{});
  // 16, 64, 48 and 16 cycles on all four PEs; each operator fills the array, so that the bound is
  // the sum.
  return p && p->operators.size() == 4 && p->operators[1].fastest == 64 &&
         p->operators[1].least_area == 256 && p->operators[0].tail == 144 && p->bound == 144;
}
static_assert(a_diamond_is_prepared_while_compiling());

}  // namespace

TEST_CASE("views are contracted and edges become operands and readers") {
  const auto p = wf::prepare(diamond(), mesh(), wf::cycle_model{});
  REQUIRE(p);
  CHECK(p->kinds[p->operators[0].kind].fetched_bytes[0] == 5);
  CHECK(p->kinds[p->operators[0].kind].made_bytes[0] == 0);
  CHECK(p->kinds[p->operators[3].kind].made_bytes[2] == 32);
  CHECK(p->operands_of(0).size() == 0);
  REQUIRE(p->operands_of(3).size() == 2);
  CHECK(p->operands_of(3)[1].producer == 2);
  REQUIRE(p->readers_of(0).size() == 2);
  CHECK(p->readers_of(0)[0] == 1);
  CHECK(p->operators[0].divides);
  CHECK_FALSE(p->operators[1].divides);
  CHECK(p->operators[3].divides);
  CHECK(p->rectangles.size() == 9);
  CHECK_FALSE(p->memory_matters);
}

TEST_CASE("operators of equal load share their tilings") {
  wf::workload w;
  for (int i = 0; i < 5; ++i) w.add(conv("same", 64));
  const auto p = wf::prepare(w, mesh(), wf::cycle_model{});
  REQUIRE(p);
  CHECK(p->kinds.size() == 1);
  CHECK(p->runs.size() == 4);
}

TEST_CASE("the batch multiplies everything but the weights") {
  wf::workload w;
  wf::workload_operator o = conv("a", 64);
  o.weight_bytes = 7;
  o.input_bytes = 3;
  o.is_output = true;
  w.add(o);
  w.batch = 10;
  const auto p = wf::prepare(w, mesh(), wf::cycle_model{});
  REQUIRE(p);
  const wf::operator_load& l = p->kinds[0];
  CHECK(l.macs == 640);
  CHECK(l.weight_bytes == 7);
  CHECK(l.fetched_bytes[0] == 30);
  CHECK(l.output_bytes == 160);
  CHECK(l.stored_bytes == 160);
  CHECK(l.second_axis == 80);
  CHECK(l.first_axis == 8);
}

TEST_CASE("a handed-out view stores what it renames") {
  wf::workload w;
  const auto a = w.add(conv("a", 64));
  wf::workload_operator view;
  view.is_view = view.is_output = true;
  w.connect(a, w.add(view), 16);
  const auto p = wf::prepare(w, mesh(), wf::cycle_model{});
  REQUIRE(p);
  CHECK(p->kinds[0].stored_bytes == 16);
  REQUIRE(p->views[1].count == 1);
  CHECK(p->renamed[p->views[1].first] == 0);
}

TEST_CASE("what cannot be prepared is said") {
  const auto failure = [](const wf::workload& w, const wf::pe_array& a) {
    const auto p = wf::prepare(w, a, wf::cycle_model{});
    REQUIRE_FALSE(p);
    return p.error();
  };
  wf::pe_array a = mesh();
  CHECK(failure({}, a).code == wf::errc::invalid_problem);
  wf::workload views;
  wf::workload_operator view;
  view.is_view = true;
  views.add(view);
  CHECK(failure(views, a).code == wf::errc::invalid_problem);
  a.memory_bytes = 7;
  CHECK(failure(diamond(), a).code == wf::errc::mapping_infeasible);
  CHECK(failure(diamond(), a).subject == wf::text("b"));
  CHECK(failure(diamond(), a).message ==
        wf::text("needs at least 8 bytes in each of 4 PEs (2x2@(0,0)), a PE has 7"));
  a = mesh();
  for (std::uint32_t e = 0; e < 4; ++e) a.dead.push_back(e);
  CHECK(failure(diamond(), a).code == wf::errc::mapping_infeasible);
  a.rows = 0;
  CHECK(failure(diamond(), a).subject == wf::text("rows"));
  a = mesh();
  a.dram_bytes_per_cycle = 1;
  wf::workload huge;
  wf::workload_operator o = conv("huge", wf::max_workload_figure);
  o.first_axis = o.second_axis = 1;
  for (int i = 0; i < 1000; ++i) huge.add(o);
  CHECK(failure(huge, a).code == wf::errc::overflow);
}

TEST_CASE("tails, fastest times and areas are what an independent reading says") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const wf::workload w = wf_test::random_workload(random, 5);
    wf::pe_array a = wf_test::random_array(random, 2, 2);
    a.memory_bytes = 4096;
    const auto p = wf::prepare(w, a, wf::cycle_model{});
    REQUIRE(p);
    const wf_test::plain_problem q(w, a);
    REQUIRE(p->operators.size() == q.ops.size());
    std::vector<std::int64_t> chain(q.ops.size());
    for (std::size_t i = q.ops.size(); i-- > 0;) {
      std::int64_t fastest = INT64_MAX, area = INT64_MAX;
      for (const wf::rectangle& r : p->rectangles)
        for (std::int64_t k = 1; k <= std::min(r.area(), q.ops[i].first); ++k)
          for (std::int64_t s = 1; s <= std::min(r.area() / k, q.ops[i].second); ++s) {
            const std::int64_t cycles = q.cycles(q.ops[i], r, k, s);
            fastest = std::min(fastest, cycles);
            area = std::min(area, cycles * r.area());
          }
      REQUIRE(p->operators[i].fastest == fastest);
      REQUIRE(p->operators[i].least_area == area);
      chain[i] += fastest;
      for (const auto& in : q.ops[i].inputs)
        if (in.from >= 0) {
          auto& before = chain[static_cast<std::size_t>(in.from)];
          before = std::max(before, chain[i]);
        }
      REQUIRE(p->operators[i].tail >= chain[i]);
    }
  }
}

TEST_CASE("1, 2 and 4 threads prepare the same tables to the bit") {
  wf::threads one(1), two(2), four(4);
  int cases = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    auto [random, w, a] = wf_test::make_random_problem(seed, 1, 9, 2, 3);
    const auto expected = wf::prepare(w, a, wf::cycle_model{});
    for (wf::threads* executor : {&one, &two, &four}) {
      const auto made = wf::prepare(w, a, wf::cycle_model{}, *executor);
      REQUIRE(made.has_value() == expected.has_value());
      if (!made) {
        REQUIRE(made.error().message == expected.error().message);
        continue;
      }
      ++cases;
      REQUIRE(made->runs == expected->runs);
      REQUIRE(made->results == expected->results);
      REQUIRE(made->tilings == expected->tilings);
      REQUIRE(made->kinds == expected->kinds);
      REQUIRE(made->bound == expected->bound);
      for (std::size_t v = 0; v < made->operators.size(); ++v)
        REQUIRE(made->operators[v].kind == expected->operators[v].kind);
    }
  }
  CHECK(cases > 1000);
}
