// SPDX-License-Identifier: BSL-1.0
#include <wf/storage/plan.hpp>

#include <algorithm>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/text.hpp>

#include "replay.hpp"

namespace {

constexpr wf::graph graph_of(wf::text_view source) {
  const auto g = wf::parse_graph(source);
  if (!g) return wf::graph("this is no graph");
  return *g;
}

constexpr wf::text_view chain = R"(wf.graph 1 "g"
input "x" : f64[4]
node nn.relu(%0) -> f64[4]
node elementwise.negate(%1) -> f64[4]
node elementwise.add(%2, %2) -> f64[4]
output "y" = %3
)";
constexpr std::int64_t bytes(wf::text_view source, const wf::storage_options& options = {}) {
  const wf::graph g = graph_of(source);
  const auto plan = wf::plan_storage(g.view(), wf::builtin_registry(), options);
  return plan ? plan->bytes : -1;
}
static_assert(bytes(chain) == 64);
static_assert(bytes(chain, {.overwrite_inputs = true}) == 32);

// A transposed view of dead storage is not overwritten element by element.
constexpr wf::text_view turned = R"(wf.graph 1 "turned"
input "A" : f64[8, 8]
input "B" : f64[8, 8]
node elementwise.exp(%0) -> f64[8, 8]
node linalg.transpose(%2) -> f64[8, 8]
node elementwise.add(%3, %1) -> f64[8, 8]
node elementwise.exp(%4) -> f64[8, 8]
output "y" = %5
)";
static_assert(bytes(turned) == 4 * 512);

wf::storage_plan planned(const wf::graph& g, const wf::storage_options& options = {}) {
  const auto plan = wf::plan_storage(g.view(), storage_tests::kernels(), options);
  INFO(std::string(wf::to_text(plan.error()).view()));
  REQUIRE(plan);
  return *plan;
}
wf::storage_plan planned(wf::text_view source) { return planned(graph_of(source)); }

#ifdef __OPTIMIZE__
constexpr int rounds = 50'000;
#else
constexpr int rounds = 4'000;
#endif

}  // namespace

TEST_CASE("priced peaks are what an independent replay of the plan takes, on random graphs") {
  std::mt19937_64 random(20270301);
  const wf::registry& kernels = storage_tests::kernels();
  std::size_t overwritten = 0, shared = 0;
  int gaps = 0;
  for (int round = 0; round < rounds; ++round) {
    const wf::graph g = storage_tests::random_graph(random, 1 + random() % 14, round % 2 == 0);
    CAPTURE(round);
    INFO(std::string(wf::to_text(g.view()).view()));
    const bool stable = round % 3 != 0;
    const auto order =
        stable ? *wf::topological_order(g.view()) : storage_tests::random_order(random, g.view());
    const auto plan = wf::storage_along(g.view(), kernels, order);
    REQUIRE(plan);
    const auto scratch = wf::detail::scratch_of_nodes(g.view(), kernels, wf::peak_memory);
    REQUIRE(scratch);
    storage_tests::replay replay(g.view(), *plan, *scratch);
    const std::string why = replay.run(order);
    REQUIRE_MESSAGE(why.empty(), why);
    if (stable) REQUIRE(*wf::price(g.view(), wf::peak_memory, kernels) == plan->bytes);
    REQUIRE(wf::liveness_along(g.view(), wf::peak_memory, kernels, order)->peak == plan->bytes);
    REQUIRE(plan->most_in_use <= plan->bytes);
    overwritten += replay.overwritten();
    shared += replay.shared();
    gaps += plan->most_in_use < plan->bytes ? 1 : 0;
  }
  CHECK(overwritten > rounds / 4);
  CHECK(shared > static_cast<std::size_t>(rounds));
  CHECK(gaps < rounds / 500);
}

TEST_CASE("every value lies where its elements can, whatever lies beside it") {
  std::mt19937_64 random(20270302);
  constexpr const char* types[] = {"bool", "f32", "f64", "c64", "c128"};
  for (int round = 0; round < 300; ++round) {
    std::string inputs, outputs;
    const auto count = static_cast<int>(2 + random() % 7);
    for (int i = 0; i < count; ++i) {
      const std::string n = std::to_string(i);
      inputs += "input \"x" + n + "\" : " + types[random() % 5] + "[" +
                std::to_string(1 + random() % 5) + "]\n";
      outputs += "output \"y" + n + "\" = %" + n + "\n";
    }
    const std::string source = "wf.graph 1 \"beside each other\"\n" + inputs + outputs;
    INFO(source);
    const wf::graph g = graph_of(source.c_str());
    const wf::storage_plan plan = planned(g);
    REQUIRE(plan.offset.size() == static_cast<std::size_t>(count));
    for (std::uint32_t v = 0; v < plan.offset.size(); ++v) {
      CAPTURE(v);
      const std::int64_t element = wf::size_of(g.view().values[v].type.type);
      CHECK(plan.offset[v] % std::min<std::int64_t>(element, 8) == 0);
    }
  }
}

TEST_CASE("storage of inputs is used again if the caller allows it") {
  std::mt19937_64 random(20270302);
  std::int64_t less = 0;
  for (int round = 0; round < rounds / 20; ++round) {
    const wf::graph g = storage_tests::random_graph(random, 1 + random() % 14);
    CAPTURE(round);
    INFO(std::string(wf::to_text(g.view()).view()));
    wf::storage_options options;
    const std::int64_t apart = planned(g, options).bytes;
    options.overwrite_inputs = true;
    const wf::storage_plan plan = planned(g, options);
    const wf::table<std::int64_t> none(g.view().nodes.size());
    const std::string why =
        storage_tests::replay(g.view(), plan, none).run(*wf::topological_order(g.view()), false);
    REQUIRE_MESSAGE(why.empty(), why);
    less += plan.bytes < apart ? 1 : 0;
  }
  CHECK(less > rounds / 100);
}

TEST_CASE("elements of one size for all") {
  const wf::graph g = graph_of(R"(wf.graph 1 "g"
input "x" : f32[4]
node elementwise.less(%0, %0) -> bool[4]
node movement.cast(%1) [dtype = "f64"] -> f64[4]
output "y" = %2
)");
  CHECK(planned(g).bytes == 16 + 4 + 32);
  wf::storage_options options;
  options.element_bytes = 8;
  CHECK(planned(g, options).bytes == 32 + 32);  // the operand of the cast is overwritten
}

TEST_CASE("an elementwise chain runs in one place besides its input's") {
  const wf::storage_plan plan = planned(chain);
  CHECK(plan.offset == wf::table<std::int64_t>{0, 32, 32, 32});
  CHECK(plan.overwrites[1] == wf::value_id::none);
  CHECK(plan.overwrites[2] == wf::value_id{1});
  CHECK(plan.overwrites[3] == wf::value_id{2});
  CHECK(plan.in_use == wf::table<std::int64_t>{64, 64, 64});
}

TEST_CASE("what is read later, handed out, broadcast or of other elements is not overwritten") {
  const auto overwritten = [](wf::text_view nodes, wf::text_view outputs) {
    wf::text t;
    t << "wf.graph 1 \"g\"\ninput \"x\" : f64[2, 2]\nnode elementwise.exp(%0) -> f64[2, 2]\n"
      << nodes << outputs;
    return planned(t.view()).overwrites[2] != wf::value_id::none;
  };
  const wf::text_view y = "output \"y\" = %2\n";
  CHECK(overwritten("node elementwise.sin(%1) -> f64[2, 2]\n", y));
  CHECK_FALSE(overwritten("node elementwise.sin(%1) -> f64[2, 2]\n",
                          "output \"y\" = %2\noutput \"z\" = %1\n"));
  CHECK_FALSE(
      overwritten("node elementwise.sin(%1) -> f64[2, 2]\n"
                  "node elementwise.add(%1, %2) -> f64[2, 2]\n",
                  "output \"y\" = %3\n"));
  CHECK_FALSE(overwritten("node movement.cast(%1) [dtype = \"f32\"] -> f32[2, 2]\n", y));
  CHECK(overwritten("node movement.cast(%1) [dtype = \"i64\"] -> i64[2, 2]\n", y));
  CHECK_FALSE(overwritten("node linalg.matmul(%1, %1) -> f64[2, 2]\n", y));
  CHECK(overwritten("node nn.softmax(%1) -> f64[2, 2]\n", y));  // declares in_place
  CHECK_FALSE(overwritten("node movement.sum(%1) [axis = 0] -> f64[2]\n", y));
}

TEST_CASE("operands that are handed through are overwritten, whichever they are") {
  const wf::storage_plan plan = planned(R"(wf.graph 1 "g"
input "a" : f64[]
input "x" : f64[8]
node elementwise.exp(%1) -> f64[8]
node elementwise.sin(%1) -> f64[8]
node linalg.axpy(%0, %2, %3) -> f64[8]
node linalg.axpy(%0, %4, %4) -> f64[8]
output "z" = %5
)");
  CHECK(plan.overwrites[4] == wf::value_id{3});
  CHECK(plan.overwrites[5] == wf::value_id::none);  // the value is also read as x
  const wf::storage_plan qubits = planned(R"(wf.graph 1 "g"
input "c" : qubit[2]
input "t" : qubit[2]
node quantum.hadamard(%0) -> qubit[2]
node quantum.hadamard(%1) -> qubit[2]
node quantum.cnot(%2, %3) -> qubit[2], qubit[2]
output "d" = %4
output "u" = %5
)");
  CHECK(qubits.overwrites[4] == wf::value_id{2});
  CHECK(qubits.overwrites[5] == wf::value_id{3});
}

TEST_CASE("errors") {
  const auto code = [](wf::text_view source) {
    return wf::plan_storage(graph_of(source).view(), wf::builtin_registry()).error().code;
  };
  CHECK(code("wf.graph 1 \"g\"\ninput \"x\" : f64[M]\noutput \"y\" = %0\n") ==
        wf::errc::workflow_not_static);
  CHECK(code("wf.graph 1 \"g\"\ninput \"x\" : f64[4294967296, 2147483648]\noutput \"y\" = %0\n") ==
        wf::errc::overflow);
  CHECK(code(R"(wf.graph 1 "g"
input "x" : i8[9223372036854775807]
input "y" : i8[9223372036854775807]
output "z" = %0
)") == wf::errc::overflow);
  const wf::graph g = graph_of(chain);
  const wf::node_id wrong[] = {wf::node_id{1}, wf::node_id{0}, wf::node_id{2}};
  wf::storage_options options;
  options.order = wrong;
  CHECK(wf::plan_storage(g.view(), wf::builtin_registry(), options).error().code ==
        wf::errc::malformed_graph);
  options.order = {wrong, 1};
  CHECK(wf::plan_storage(g.view(), wf::builtin_registry(), options).error().code ==
        wf::errc::malformed_graph);
  wf::graph cyclic = g;
  cyclic.add_edge(wf::edge_kind::control, wf::node_id{2}, wf::node_id{0});
  CHECK(wf::plan_storage(cyclic.view(), wf::builtin_registry()).error().code ==
        wf::errc::cyclic_graph);
}

TEST_CASE("20,000 nodes, also if no two values are of one size") {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(4)};
  std::vector<wf::value_id> last = {g.add_input("x", t)};
  std::int64_t all = 0;
  for (int i = 0; i < 20'000; ++i) {
    const wf::value_type size{wf::dtype::f64, {}, wf::shape::of(1 + (i * 7919) % 20'000)};
    const wf::value_id operand = last[last.size() - std::min<std::size_t>(last.size(), 100)];
    last.push_back(
        wf::graph_view::output_of(g[g.add_node({.op = "f"}, {&operand, 1}, {&size, 1})]));
    all += 8 * size.shape.elements();
  }
  const wf::storage_plan plan = planned(g);
  CHECK(plan.bytes < all / 100);
  CHECK(plan.bytes < plan.most_in_use + plan.most_in_use / 4);
}
