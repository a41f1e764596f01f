// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/critical_path.hpp>

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/cost/static_cost.hpp>
#include <wf/registry/static_registry.hpp>

namespace {

constexpr auto network = wf::workflow<"network">([](wf::scope& s) {
  auto a = s.input<"a", double, 2, 3>();
  auto b = s.input<"b", double, 3, 4>();
  auto c = s.input<"c", double, 4, 2>();
  auto left = s.let<"left">(a * b);  // 48 flops
  auto right = s.let<"right">(relu(c));
  s.output<"y">(left * right);  // 32 flops
});

inline constexpr wf::metric<"path", "flop", wf::combination::critical_path> path;
// User-defined kernels state the metric: 3 for a product, 100 for a relu.
inline constexpr wf::kernel_spec priced[] = {
    {.name = "matmul",
     .domain = "linalg",
     .signature = "A: number [..., M, K], B: number [..., K, N] -> C[..., M, N]",
     .costs = {{"path", "M*K*N"}},
     .overrides = true},
    {.name = "relu",
     .domain = "nn",
     .signature = "X[...] -> Y[...]",
     .costs = {{"path", "5"}},
     .overrides = true}};

static_assert(wf::cost(network, wf::with_kernels<priced>)[path] == 24 + 16);
static_assert(wf::cost(network)[path] == 0);

// The longest path by definition: the maximum over all paths, one by one.
std::int64_t longest(const wf::graph_view& g, const std::vector<std::int64_t>& weight) {
  const std::size_t n = g.nodes.size();
  std::vector<std::vector<std::size_t>> after(n);
  for (std::size_t i = 0; i < n; ++i)
    for (wf::value_id operand : g.inputs_of(g.nodes[i]))
      if (g[operand].producer != wf::node_id::none)
        after[wf::index_of(g[operand].producer)].push_back(i);
  for (const wf::edge& e : g.edges) after[wf::index_of(e.from)].push_back(wf::index_of(e.to));
  std::int64_t best = 0;
  const std::function<void(std::size_t, std::int64_t)> walk = [&](std::size_t i, std::int64_t sum) {
    sum += weight[i];
    best = std::max(best, sum);
    for (std::size_t next : after[i]) walk(next, sum);
  };
  for (std::size_t i = 0; i < n; ++i) walk(i, 0);
  return best;
}

}  // namespace

TEST_CASE("row 4: the critical path of random graphs with all kinds of edges, by enumeration") {
  std::mt19937 random(71);
  const auto registry = wf::builtin_registry();
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    wf::graph g("random");
    const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2)};
    g.add_input("x", t);
    const std::size_t nodes = 1 + random() % 9;
    std::vector<std::int64_t> weight;
    for (std::size_t i = 0; i < nodes; ++i) {
      const auto x = static_cast<wf::value_id>(random() % g.view().values.size());
      g.add_node({.op = "relu"}, {&x, 1}, {&t, 1});
      weight.push_back(static_cast<std::int64_t>(random() % 10));
      g.add_cost("path", (wf::text() << weight.back()).view());
    }
    for (std::size_t i = random() % 4; i > 0 && nodes > 1; --i) {
      const std::size_t to = 1 + random() % (nodes - 1);
      g.add_edge(random() % 2 == 0 ? wf::edge_kind::control : wf::edge_kind::mutate,
                 static_cast<wf::node_id>(random() % to), static_cast<wf::node_id>(to));
    }
    const auto found = wf::critical_path(g.view(), path, registry);
    REQUIRE(found);
    CHECK(found->length == wf::rational(longest(g.view(), weight)));
    CHECK(*wf::price(g.view(), path, registry) == longest(g.view(), weight));
    std::int64_t along = 0;  // the nodes are consecutive and add up to the length
    const wf::adjacency a = wf::adjacency_of(g.view());
    for (std::size_t i = 0; i < found->nodes.size(); ++i) {
      along += weight[wf::index_of(found->nodes[i])];
      if (i == 0) continue;
      const auto before = a.predecessors_of(found->nodes[i]);
      CHECK(std::count(before.begin(), before.end(), found->nodes[i - 1]) == 1);
    }
    CHECK(wf::rational(along) == found->length);
  }
}

TEST_CASE("row 4: latency is what nodes declare, and unknown where nobody says") {
  const auto g = wf::capture("timed", [](wf::scope& s) {
    auto x = s.input<"x", double, 4>();
    s.output<"y">(relu(x) + x);
  });
  REQUIRE(g);
  const auto missing = wf::price(g->view(), wf::latency);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == wf::errc::unknown_cost);
  wf::registry r = wf::builtin_registry();
  wf::kernel_spec relu = *r.find("relu"), add = *r.find("add");
  relu.overrides = add.overrides = true;
  relu.costs[costs_of(relu).size()] = {"latency", "3*X"};
  add.costs[costs_of(add).size()] = {"latency", "7"};
  REQUIRE(r.add(relu));
  REQUIRE(r.add(add));
  CHECK(*wf::price(g->view(), wf::latency, r) == 19);
  const auto path_found = wf::critical_path(g->view(), wf::latency, r);
  REQUIRE(path_found);
  CHECK(path_found->nodes.size() == 2);
}

TEST_CASE("row 4: the depth of a Fourier transform, gate by gate and by its formula") {
  const wf::value_type qubit{wf::dtype::qubit, {}, wf::shape()};
  const wf::value_type both[] = {qubit, qubit};
  for (std::int64_t n = 1; n < 12; ++n) {
    CAPTURE(n);
    wf::graph g("gates");
    std::vector<wf::value_id> q;
    for (std::int64_t i = 0; i < n; ++i)
      q.push_back(g.add_input((wf::text("q") << i).view(), qubit));
    const auto pair = [&](const char* op, std::size_t a, std::size_t b) {
      const wf::value_id in[] = {q[a], q[b]};
      const wf::node_id id = g.add_node({.op = op, .domain = "quantum"}, in, both);
      q[a] = wf::graph_view::output_of(g[id], 0);
      q[b] = wf::graph_view::output_of(g[id], 1);
    };
    for (std::size_t i = 0; i < q.size(); ++i) {
      const wf::node_id id =
          g.add_node({.op = "hadamard", .domain = "quantum"}, {&q[i], 1}, {&qubit, 1});
      q[i] = wf::graph_view::output_of(g[id]);
      for (std::size_t j = i + 1; j < q.size(); ++j) pair("controlled_phase", j, i);
    }
    for (std::size_t i = 0; i < q.size() / 2; ++i) pair("swap", i, q.size() - 1 - i);
    wf::graph whole("whole");
    const wf::value_type all{wf::dtype::qubit, {}, wf::shape::of(n)};
    const wf::value_id x = whole.add_input("q", all);
    whole.add_node({.op = "quantum_fourier", .domain = "quantum"}, {&x, 1}, {&all, 1});
    CHECK(*wf::price(g.view(), wf::depth) == *wf::price(whole.view(), wf::depth));
  }
}

TEST_CASE("row 4: only what touches qubits has an unknown depth") {
  wf::graph g("g");
  const wf::value_type bits{wf::dtype::f64, {}, wf::shape::of(3)};
  const wf::value_type qubits{wf::dtype::qubit, {}, wf::shape::of(3)};
  const wf::value_id x = g.add_input("x", bits), q = g.add_input("q", qubits);
  g.add_node({.op = "relu", .domain = "nn"}, {&x, 1}, {&bits, 1});
  CHECK(*wf::price(g.view(), wf::depth) == 0);
  g.add_node({.op = "diffusion", .domain = "quantum"}, {&q, 1}, {&qubits, 1});
  CHECK(wf::price(g.view(), wf::depth).error().code == wf::errc::unknown_cost);
}

TEST_CASE("a cycle is an error, a graph without nodes has no path") {
  const auto registry = wf::builtin_registry();
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2)};
  const wf::value_id x = g.add_input("x", t);
  g.add_output("y", x);
  CHECK(wf::critical_path(g.view(), path, registry)->nodes.empty());
  g.add_node({.op = "relu"}, {&x, 1}, {&t, 1});
  g.add_node({.op = "relu"}, {&x, 1}, {&t, 1});
  g.add_edge(wf::edge_kind::control, wf::node_id{0}, wf::node_id{1});
  g.add_edge(wf::edge_kind::mutate, wf::node_id{1}, wf::node_id{0});
  CHECK(wf::critical_path(g.view(), path, registry).error().code == wf::errc::cyclic_graph);
}
