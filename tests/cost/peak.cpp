// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/peak.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

// The peak of live bytes by definition, for values of 32 bytes and no operator in place.
std::int64_t naive_peak(const wf::graph_view& g) {
  std::int64_t peak = 0;
  const std::size_t nodes = g.nodes.size();
  for (std::size_t now = 0; now <= nodes; ++now) {  // now == nodes: after the last node
    std::int64_t alive = 0;
    for (std::size_t v = 0; v < g.values.size(); ++v) {
      const auto id = static_cast<wf::value_id>(v);
      const bool input = g.values[v].producer == wf::node_id::none;
      const std::size_t born = input ? 0 : wf::index_of(g.values[v].producer);
      std::size_t dies = born;
      for (std::size_t n = 0; n < nodes; ++n)
        for (wf::value_id operand : g.inputs_of(g.nodes[n]))
          if (operand == id) dies = n;
      if (input || g.is_output(id)) dies = nodes;
      if (born <= now && now <= dies && (input || born < nodes)) alive += 32;
    }
    peak = std::max(peak, alive);
  }
  return peak;
}

}  // namespace

TEST_CASE("the peak of random graphs without in-place operators, from the definition") {
  std::mt19937 random(51);
  const auto registry = wf::builtin_registry();
  for (int round = 0; round < 1000; ++round) {
    CAPTURE(round);
    wf::graph g("random");
    const wf::value_type square{wf::dtype::f64, {}, wf::shape::of(2, 2)};  // 32 bytes
    g.add_input("x", square);
    if (random() % 2 == 0) g.add_input("y", square);
    const std::size_t nodes = 1 + random() % 8;
    for (std::size_t i = 0; i < nodes; ++i) {
      const wf::value_id operands[] = {
          static_cast<wf::value_id>(random() % g.view().values.size()),
          static_cast<wf::value_id>(random() % g.view().values.size())};
      g.add_node({.op = "matmul"}, {operands, 2}, {&square, 1});
    }
    g.add_output("out", static_cast<wf::value_id>(random() % g.view().values.size()));
    const auto peak = wf::peak_cost(g.view(), wf::peak_memory, registry);
    REQUIRE(peak);
    CHECK(*peak == naive_peak(g.view()));
  }
}

TEST_CASE("an in-place operator takes over an operand that dies, a view shares storage") {
  const auto registry = wf::builtin_registry();
  const auto chain = [&](const char* first, const char* second) {
    wf::graph g("chain");
    const wf::value_type square{wf::dtype::f64, {}, wf::shape::of(2, 2)};
    const wf::value_id x = g.add_input("x", square);
    const wf::node_id a = g.add_node({.op = first}, {&x, 1}, {&square, 1});
    const wf::value_id ax = wf::graph_view::output_of(g[a]);
    const wf::node_id b = g.add_node({.op = second}, {&ax, 1}, {&square, 1});
    g.add_output("y", wf::graph_view::output_of(g[b]));
    return *wf::peak_cost(g.view(), wf::peak_memory, registry);
  };
  CHECK(chain("relu", "relu") == 64);       // x remains, and both results share a buffer
  CHECK(chain("transpose", "relu") == 64);  // the view is x itself, which relu must not overwrite
  CHECK(chain("transpose", "transpose") == 32);
}

TEST_CASE("row 4: a user's peak metric, from its definition") {
  constexpr wf::metric<"handles", "handle", wf::combination::peak> handles;
  std::mt19937 random(52);
  const auto registry = wf::builtin_registry();
  for (int round = 0; round < 500; ++round) {
    CAPTURE(round);
    wf::graph g("random");
    const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2, 2)};
    g.add_input("x", t);
    const std::size_t nodes = 1 + random() % 8;
    std::vector<std::int64_t> held;
    for (std::size_t i = 0; i < nodes; ++i) {
      const wf::value_id operands[] = {
          static_cast<wf::value_id>(random() % g.view().values.size()),
          static_cast<wf::value_id>(random() % g.view().values.size())};
      g.add_node({.op = "matmul"}, {operands, 2}, {&t, 1});
      held.push_back(static_cast<std::int64_t>(random() % 7));
      g.add_cost("handles", (wf::text() << held.back()).view());
    }
    g.add_output("out", static_cast<wf::value_id>(random() % g.view().values.size()));
    std::int64_t most = 0;
    for (std::size_t now = 0; now < nodes; ++now) {
      std::int64_t alive = 0;
      for (std::size_t born = 0; born <= now; ++born) {
        const wf::value_id result = wf::graph_view::output_of(g.view().nodes[born]);
        bool needed = born == now || g.view().is_output(result);
        for (std::size_t n = now; n < nodes; ++n)
          for (wf::value_id operand : g.view().inputs_of(g.view().nodes[n]))
            needed = needed || operand == result;
        if (needed) alive += held[born];
      }
      most = std::max(most, alive);
    }
    const auto peak = wf::peak_cost(g.view(), handles, registry);
    REQUIRE(peak);
    CHECK(*peak == most);
  }
}

TEST_CASE("symbolic graphs have no peak") {
  const auto registry = wf::builtin_registry();
  wf::graph g("g");
  g.add_output("y", g.add_input("x", {wf::dtype::f64, {}, wf::shape::of("M")}));
  CHECK(wf::peak_cost(g.view(), wf::peak_memory, registry).error().code ==
        wf::errc::workflow_not_static);
}
