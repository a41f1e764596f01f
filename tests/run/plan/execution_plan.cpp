// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/execution_plan.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>
#include <wf/ir/form/text.hpp>

#include "../random_workflow.hpp"

namespace {

using wf::dtype, wf::shape, wf::value_id;
using wf::detail::execution_plan;
using room = wf::detail::storage_place::room;

struct writer {
  wf::graph g{"g"};

  value_id input(const shape& s, dtype d = dtype::f64) {
    return g.add_input((wf::text() << 'x' << g.view().values.size()).view(), {d, {}, s});
  }
  value_id add(const char* op, const std::vector<value_id>& operands, const shape& s,
               dtype d = dtype::f64) {
    const wf::value_type type{d, {}, s};
    const wf::node_id n = g.add_node({.op = op}, {operands.data(), operands.size()}, {&type, 1});
    return wf::graph_view::output_of(g[n]);
  }
  execution_plan<double> plan(const std::vector<value_id>& outputs, bool share = true) {
    for (value_id id : outputs)
      g.add_output((wf::text() << 'y' << g.view().outputs.size()).view(), id);
    const auto made = execution_plan<double>::make(g, wf::builtin_registry(), share);
    REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error())));
    return *made;
  }
};

// How many nodes each step computes: 0 for one that is not elementwise.
std::vector<std::size_t> sizes(const execution_plan<double>& p) {
  std::vector<std::size_t> out;
  for (const auto& s : p.steps()) out.push_back(s.program.size());
  return out;
}
bool lies_in(const execution_plan<double>& p, value_id id, room where, std::uint32_t index = 0) {
  return p.place_of(id) == wf::detail::storage_place{where, index};
}

const shape square = shape::of(5, 5);
using list = std::vector<std::size_t>;

}  // namespace

TEST_CASE(
    "elementwise nodes that follow each other are one step, what is between them is nowhere") {
  writer w;
  const value_id a = w.input(square), b = w.input(square), c = w.input(square);
  const value_id sum = w.add("add", {a, b}, square), all = w.add("subtract", {sum, c}, square);
  const execution_plan<double> p = w.plan({all});
  CHECK(sizes(p) == list{2});
  CHECK(lies_in(p, a, room::input, 0));
  CHECK(lies_in(p, c, room::input, 2));
  CHECK(lies_in(p, sum, room::nowhere));
  CHECK(lies_in(p, all, room::output));
  CHECK(p.elements() == 25);  // what is between them, by tiles
}

TEST_CASE("values that others read, outputs and other shapes are steps of their own") {
  writer w;
  const value_id a = w.input(square), v = w.input(shape::of(5));
  const value_id twice = w.add("add", {a, a}, square);
  const value_id shared = w.add("negate", {twice}, square);  // read by the product too
  const value_id square_of = w.add("multiply", {shared, shared}, square);
  const value_id half = w.add("negate", {v}, shape::of(5));
  const value_id sum = w.add("add", {square_of, half}, square);
  const value_id end = w.add("abs", {sum}, square);
  const value_id product = w.add("matmul", {shared, end}, square);
  const execution_plan<double> p = w.plan({product, sum});
  CHECK(sizes(p) == list{2, 1, 1, 1, 1, 0});
}

TEST_CASE("a long formula is computed in as many steps as it needs") {
  writer w;
  std::vector<value_id> in;
  for (int i = 0; i < 20; ++i) in.push_back(w.input(square));
  value_id sum = in[0];
  for (int i = 1; i < 20; ++i) sum = w.add("add", {sum, in[static_cast<std::size_t>(i)]}, square);
  const execution_plan<double> p = w.plan({sum});
  std::size_t nodes = 0;
  for (const auto& s : p.steps()) {
    CHECK(s.operands.size() <= wf::compute::max_tile_inputs);
    nodes += s.program.size();
  }
  CHECK(nodes == 19);
  CHECK(p.steps().size() <= 4);
}

TEST_CASE("what an output is written over lies where the output does") {
  writer w;
  const value_id a = w.input(square), b = w.input(square);
  const value_id product = w.add("matmul", {a, b}, square),
                 sum = w.add("add", {product, a}, square);
  const execution_plan<double> p = w.plan({sum});
  CHECK(lies_in(p, product, room::output));
  CHECK(lies_in(p, sum, room::output));
  CHECK(p.elements() == 0);
  // Without sharing each has storage of its own.
  writer apart = w;
  apart.g = w.g;
  const auto made = execution_plan<double>::make(w.g, wf::builtin_registry(), false);
  REQUIRE(made);
  CHECK(made->place_of(product).where == room::workspace);
}

TEST_CASE("outputs that are inputs, other outputs or written by rows are copied at the end") {
  writer w;
  const value_id a = w.input(square);
  const value_id t = w.add("transpose", {a}, square), product = w.add("matmul", {a, a}, square);
  const value_id back = w.add("transpose", {product}, square), soft = w.add("softmax", {a}, square);
  const execution_plan<double> p = w.plan({a, t, product, product, back, soft});
  CHECK(lies_in(p, t, room::input));
  CHECK(lies_in(p, product, room::output, 2));
  CHECK(lies_in(p, back, room::output, 2));
  CHECK(p.place_of(soft).where == room::workspace);
}

TEST_CASE("a result never takes the place of an operand that is read the other way round") {
  writer w;
  const value_id a = w.input(square), m = w.add("matmul", {a, a}, square);
  const value_id t = w.add("transpose", {m}, square);
  const value_id half = w.add("negate", {t}, square), sum = w.add("add", {half, m}, square);
  const value_id end = w.add("matmul", {sum, a}, square);
  const execution_plan<double> p = w.plan({end});
  for (const auto& s : p.steps())
    for (value_id operand : s.operands) {
      const value_id result = wf::graph_view::output_of(p.stored().g[s.last]);
      if (p.place_of(operand) == p.place_of(result))
        CHECK(p.stored().by_columns[wf::index_of(operand)] ==
              p.stored().by_columns[wf::index_of(result)]);
    }
}

namespace {

// Runs a plan on arguments, in storage that is full of what nobody wrote.
wf::named_matrices run(const execution_plan<double>& p, const wf::named_matrices& arguments) {
  const wf::graph_view g = p.view();
  std::vector<wf::input_matrix> inputs;
  for (const wf::value& v : wf::detail::inputs_of(g))
    inputs.push_back(arguments.find(std::string(g.text_of(v.name)))->second);
  wf::named_matrices made;
  std::vector<wf::output_matrix> outputs;
  for (const wf::output& o : g.outputs) {
    const shape& s = g[o.source].type.shape;
    wf::dynamic_matrix& m = made[std::string(g.text_of(o.name))];
    m.resize(wf::detail::given_rows(s), wf::detail::given_columns(s));
    outputs.push_back(m);
  }
  std::vector<double> storage(p.elements() + 8, 777.0);
  double* workspace = storage.data();
  while (reinterpret_cast<std::uintptr_t>(workspace) % 64 != 0) ++workspace;
  auto values = p.values_in(workspace);
  const wf::error e = p.run(inputs, outputs, workspace, values);
  REQUIRE_MESSAGE(e.code == wf::errc::none, std::string(wf::to_text(e)));
  return made;
}

}  // namespace

TEST_CASE("a run takes no more than peak_memory says, by any plan, and computes the same") {
  const std::uint64_t seed = 20270307;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const wf::registry kernels = wf::builtin_registry();
  std::size_t less = 0, views = 0;
#ifdef __OPTIMIZE__
  constexpr int rounds = 6000;
#else
  constexpr int rounds = 600;
#endif
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    wf_test::random_workflow_options options;
    options.most_nodes = 2 + static_cast<std::size_t>(round % 40);
    options.most_extent = round % 5 == 0 ? 40 : round % 5 == 1 ? 12 : 4;
    options.single_precision = round % 3 == 0;
    const wf_test::random_workflow w = wf_test::make_random_workflow(random, options);
    const wf::graph_view g = w.graph.view();
    INFO(std::string(wf::to_text(g).view()));
    const auto fastest = execution_plan<double>::make(w.graph, kernels, true);
    const auto promised = execution_plan<double>::make(w.graph, kernels, true, true);
    const auto apart = execution_plan<double>::make(w.graph, kernels, false);
    REQUIRE(fastest);
    REQUIRE(promised);
    REQUIRE(apart);
    // Elements are doubles, whatever their types; inputs of others are copied.
    const auto order = wf::topological_order(g);
    const std::int64_t peak = wf::storage_along(g, kernels, *order, 8)->bytes;
    std::int64_t given = 0;
    bool doubles = true;
    for (const wf::value& v : g.values) {
      doubles = doubles && wf::size_of(v.type.type) == 8;
      if (v.producer == wf::node_id::none && v.type.type == dtype::f64)
        given += 8 * v.type.shape.elements();
    }
    if (doubles) REQUIRE(peak == *wf::price(g, wf::peak_memory, kernels));
    for (const execution_plan<double>* p : {&*fastest, &*promised})
      REQUIRE(static_cast<std::int64_t>(8 * p->elements()) + given <= peak);
    less += static_cast<std::int64_t>(8 * fastest->elements()) + given < peak ? 1 : 0;
    const wf::named_matrices expected = run(*apart, w.arguments);
    CHECK(wf_test::difference(expected, run(*fastest, w.arguments)) == "");
    CHECK(wf_test::difference(expected, run(*promised, w.arguments)) == "");
    for (const wf::node& n : promised->stored().g.view().nodes)
      views += promised->stored().is_view(n) ? 1 : 0;
  }
  CHECK(less > rounds / 4);
  CHECK(views > static_cast<std::size_t>(rounds));
}
