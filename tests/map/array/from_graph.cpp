// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/map/array/from_graph.hpp>
#include <wf/map/place/map.hpp>

#include "../checker.hpp"

namespace {

constexpr auto small = wf::workflow<"small">([](wf::scope& s) {
  auto x = s.input<"x", signed char, 2, 3, 8, 8>();
  auto k = s.input<"k", signed char, 4, 3, 3, 3>();
  auto y = s.let<"conv">(conv2d<1, 1>(x, k));
  auto r = s.let<"act">(relu(y));
  auto f = s.let<"flat">(reshape<2, 256>(r));
  auto w = s.input<"w", signed char, 256, 10>();
  s.output<"out">(s.let<"fc">(f * w));
});

constexpr bool a_workflow_is_mapped_while_compiling() {
  wf::pe_array a;
  a.columns = 2;
  a.macs_per_cycle = 64;
  a.memory_bytes = 1 << 20;
  a.dram_bytes_per_cycle = a.link_bytes_per_cycle = 1 << 20;
  const auto w = wf::workload_of(small.graph());
  return w && wf::map(*w, a)->proven();
}
static_assert(a_workflow_is_mapped_while_compiling());

}  // namespace

TEST_CASE("nodes become operators with their costs, axes and operands") {
  const auto w = wf::workload_of(small.graph());
  REQUIRE(w);
  CHECK(w->name == wf::text("small"));
  REQUIRE(w->operators.size() == 4);
  const wf::workload_operator& conv = w->operators[0];
  CHECK(conv.label == wf::text("conv"));
  CHECK(conv.macs == 2 * 4 * 8 * 8 * 27);
  CHECK(conv.elementwise == 0);
  CHECK(conv.weight_bytes == 4 * 27);
  CHECK(conv.input_bytes == 2 * 3 * 64);
  CHECK(conv.output_bytes == 2 * 4 * 64);
  CHECK(conv.first_axis == 4);
  CHECK(conv.second_axis == 2 * 64);
  CHECK_FALSE(conv.is_output);
  const wf::workload_operator& act = w->operators[1];
  CHECK(act.macs == 0);
  CHECK(act.elementwise == 512);
  CHECK(w->operators[2].is_view);
  CHECK(w->operators[2].elementwise == 0);
  const wf::workload_operator& fc = w->operators[3];
  CHECK(fc.macs == 2 * 256 * 10);
  CHECK(fc.first_axis == 10);
  CHECK(fc.second_axis == 2);
  CHECK(fc.weight_bytes == 2560);
  CHECK(fc.is_output);
  CHECK(fc.node == wf::node_id{3});
  REQUIRE(w->edges.size() == 3);
  CHECK(w->edges[0] == wf::workload_edge{0, 1, 512, wf::operand_split::by_both, true});
  CHECK(w->edges[2] == wf::workload_edge{2, 3, 512, wf::operand_split::by_second});
}

TEST_CASE("a product of two results lets the second one follow the first axis") {
  const auto g = wf::capture("attention", [](wf::scope& s) {
    auto q = s.input<"q", float, 16, 8>();
    auto k = s.input<"k", float, 8, 16>();
    s.output<"scores">(relu(q) * relu(k));
  });
  REQUIRE(g);
  const auto w = wf::workload_of(*g);
  REQUIRE(w);
  REQUIRE(w->operators.size() == 3);
  CHECK(w->operators[2].weight_bytes == 0);
  CHECK(w->edges[0].split == wf::operand_split::by_second);
  CHECK(w->edges[1].split == wf::operand_split::by_first);
  CHECK(w->edges[1].bytes == 512);
}

TEST_CASE("what is priced in flops alone is not divided") {
  const auto g = wf::capture(
      "inversion", [](wf::scope& s) { s.output<"B">(inv(s.input<"A", double, 4, 4>())); });
  REQUIRE(g);
  const auto w = wf::workload_of(*g);
  REQUIRE(w);
  CHECK(w->operators[0].macs == 0);
  CHECK(w->operators[0].elementwise == 2 * 64 - 24 + 10);
  CHECK(w->operators[0].first_axis == 1);
  CHECK(w->operators[0].second_axis == 1);
  CHECK(w->operators[0].input_bytes == 128);
}

TEST_CASE("what a kernel needs besides lies in the memory of its PEs") {
  const auto g = wf::capture(
      "inversion", [](wf::scope& s) { s.output<"B">(inv(s.input<"A", double, 64, 64>())); });
  REQUIRE(g);
  const auto w = wf::workload_of(*g);
  REQUIRE(w);
  // The peak of the storage plan, without the operand and the result.
  const auto peak = wf::peak_cost(g->view(), wf::peak_memory, wf::builtin_registry());
  REQUIRE(peak);
  const std::int64_t scratch = *wf::to_int64(*peak) - 2 * 64 * 64 * 8;
  REQUIRE(scratch > 65'536);
  CHECK(w->operators[0].scratch_bytes == scratch);
  wf::pe_array a;
  const std::int64_t needed = scratch + 2 * 64 * 64 * 8;
  a.memory_bytes = needed;
  const auto fits = wf::map(*w, a);
  REQUIRE(fits);
  CHECK(fits->high_water[0] == needed);
  CHECK(wf_test::check(*w, a, *fits) == "");
  for (const std::int64_t memory : {std::int64_t{65'536}, needed - 1}) {
    a.memory_bytes = memory;
    const auto m = wf::map(*w, a);
    REQUIRE_FALSE(m);
    CHECK(m.error().code == wf::errc::mapping_infeasible);
    CHECK(m.error().message == (wf::text("needs at least ")
                                << needed << " bytes in each of 1 PEs (1x1@(0,0)), a PE has "
                                << memory));
  }
}

/// A user-defined predictor: one operator takes longer than its figures imply.
struct slow_operator {
  const char* name = nullptr;
  std::int64_t rows = 0;  // rows of its result; 0: any

  template <class Emit>
  constexpr void tilings(const wf::operator_load& load, const wf::pe_array& a, std::int32_t rows_,
                         std::int32_t columns, Emit&& emit) const {
    const bool slow = load.kernel == wf::text(name) &&
                      (rows == 0 || (load.result.rank == 2 && load.result[0].size() == rows));
    model.tilings(load, a, rows_, columns, [&](wf::tiling t) {
      if (slow) t.cycles += 1'000'000;
      emit(t);
    });
  }
  constexpr std::int64_t result_bytes(const wf::operator_load& load, const wf::pe_array& a,
                                      std::int32_t rows_, std::int32_t columns) const {
    return model.result_bytes(load, a, rows_, columns);
  }
  constexpr std::int64_t transfer(const wf::pe_array& a, const wf::rectangle& from,
                                  const wf::rectangle& to, std::int64_t bytes) const {
    return model.transfer(a, from, to, bytes);
  }

  wf::cycle_model model;
};

TEST_CASE("a predictor sees which operator it prices") {
  // Three operators with equal figures, two of them of the same kind; their results differ in rows.
  const auto g = wf::capture("activations", [](wf::scope& s) {
    auto x = s.input<"x", float, 8, 8>();
    auto y = s.input<"y", float, 4, 16>();
    s.output<"a">(tanh(x));
    s.output<"b">(relu(x));
    s.output<"c">(relu(y));
  });
  REQUIRE(g);
  const auto w = wf::workload_of(*g);
  REQUIRE(w);
  REQUIRE(w->operators.size() == 3);
  CHECK(w->operators[0].macs == w->operators[1].macs);
  CHECK(w->operators[0].elementwise == w->operators[1].elementwise);
  wf::pe_array a;
  a.memory_bytes = 1 << 20;
  const auto slow = [&](const char* name, std::int64_t rows) {
    const auto m =
        wf::map(*w, a, wf::map_options{}, wf::keep_going{}, slow_operator{name, rows, {}});
    REQUIRE(m);
    return m->makespan / 1'000'000;
  };
  CHECK(slow("none", 0) == 0);
  CHECK(slow("tanh", 0) == 1);
  CHECK(slow("relu", 0) == 2);
  CHECK(slow("relu", 4) == 1);
  CHECK(slow("relu", 5) == 0);
}

TEST_CASE("an opaque operator is mapped by the flops that it declares") {
  const auto g = wf::capture("opaque", [](wf::scope& s) {
    auto x = relu(s.input<"x", float, 16>());
    auto y = wf::opaque<"user.fft", "x: floating [N] -> y: floating [N]",
                        wf::declare("flops", "5*N"), wf::declare("scratch", "8*N")>(x);
    s.output<"y">(
        wf::opaque<"user.plain", "x: floating [N] -> y: floating [N]", wf::declare("flops", "3*N")>(
            y));
  });
  REQUIRE(g);
  const auto w = wf::workload_of(*g);
  REQUIRE(w);
  REQUIRE(w->operators.size() == 3);
  for (int i = 1; i < 3; ++i) {
    const wf::workload_operator& o = w->operators[static_cast<std::size_t>(i)];
    CHECK(o.macs == 0);
    CHECK(o.elementwise == (i == 1 ? 5 : 3) * 16);
    CHECK(o.scratch_bytes == (i == 1 ? 8 * 16 : 0));
    CHECK(o.output_bytes == 64);
    CHECK(o.first_axis == 1);
    CHECK(o.second_axis == 1);
  }
  wf::pe_array a;
  a.columns = 2;
  a.memory_bytes = 4096;
  const auto m = wf::map(*w, a);
  REQUIRE(m);
  CHECK(wf_test::check(*w, a, *m) == "");
  for (const bool unknown : {false, true}) {
    const auto without = wf::capture("undeclared", [&](wf::scope& s) {
      auto x = s.input<"x", float, 16>();
      if (unknown)
        s.output<"y">(wf::opaque<"user.h", "x: floating [N] -> y: floating [N]",
                                 wf::declare("flops", "unknown")>(x));
      else
        s.output<"y">(wf::opaque<"user.g", "x: floating [N] -> y: floating [N]">(x));
    });
    REQUIRE(without);
    CHECK(wf::workload_of(*without).error().code == wf::errc::unknown_cost);
  }
}

TEST_CASE("what depends on each other along an axis is not cut along it") {
  const auto g = wf::capture("scores", [](wf::scope& s) {
    auto x = s.input<"x", float, 2, 8, 16>();
    auto gain = s.input<"gain", float, 16>(), bias = s.input<"bias", float, 16>();
    s.output<"softmax">(softmax(x));
    s.output<"norm">(layer_norm(x, gain, bias));
    s.output<"relu">(relu(x));
    s.output<"sum">(wf::sum<1>(x));
  });
  REQUIRE(g);
  const auto w = wf::workload_of(*g);
  REQUIRE(w);
  REQUIRE(w->operators.size() == 4);
  for (int i = 0; i < 2; ++i) {
    CHECK(w->operators[static_cast<std::size_t>(i)].first_axis == 1);
    CHECK(w->operators[static_cast<std::size_t>(i)].second_axis == 16);
  }
  CHECK(w->operators[2].first_axis == 16);
  CHECK(w->operators[2].second_axis == 16);
  CHECK(w->operators[3].first_axis == 16);
  CHECK(w->operators[3].second_axis == 2);
}

TEST_CASE("control edges order operators without bytes") {
  wf::graph g("ordered");
  const wf::value_type v{wf::dtype::f32, {}, wf::shape::of(4)};
  const wf::value_id x = g.add_input("x", v);
  for (int i = 0; i < 2; ++i)
    g.add_node({.op = "relu", .domain = "nn"}, wf::view<wf::value_id>(&x, 1),
               wf::view<wf::value_type>(&v, 1));
  g.add_edge(wf::edge_kind::control, wf::node_id{1}, wf::node_id{0});
  const auto w = wf::workload_of(g);
  REQUIRE(w);
  CHECK(w->operators[0].node == wf::node_id{1});
  REQUIRE(w->edges.size() == 1);
  CHECK(w->edges[0] == wf::workload_edge{0, 1, 0, wf::operand_split::by_both});
}

TEST_CASE("graphs that cannot be mapped are refused") {
  const auto symbolic = wf::capture(
      "symbolic", [](wf::scope& s) { s.output<"B">(relu(s.input<"A", double, "M", "M">())); });
  REQUIRE(symbolic);
  CHECK(wf::workload_of(*symbolic).error().code == wf::errc::workflow_not_static);
  wf::graph unknown("unknown");
  const wf::value_type v{wf::dtype::f32, {}, wf::shape::of(4)};
  const wf::value_id x = unknown.add_input("x", v);
  unknown.add_node({.op = "mystery", .domain = "none"}, wf::view<wf::value_id>(&x, 1),
                   wf::view<wf::value_type>(&v, 1));
  CHECK(wf::workload_of(unknown).error().code == wf::errc::unknown_operator);
}
