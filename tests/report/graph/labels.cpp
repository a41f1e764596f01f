// SPDX-License-Identifier: BSL-1.0
#include <wf/report/graph/labels.hpp>

#include <set>
#include <string>

#include <doctest/doctest.h>

#include <wf/choice/builtin.hpp>

#include "../samples.hpp"

using samples::kalman;

namespace {

constexpr wf::value_type type{wf::dtype::f64, {}, wf::shape::of(2)};

std::string label(const wf::value_labels& labels, wf::value_id id) {
  return std::string(labels.of(id));
}

// The first result of a new node.
wf::value_id add(wf::graph& g, wf::text_view op, std::initializer_list<wf::value_id> operands,
                 std::size_t results = 1, wf::text_view name = {}) {
  const wf::table<wf::value_id> inputs(operands);
  const wf::table<wf::value_type> types(results, type);
  wf::node_description d;
  d.op = op;
  d.name = name;
  const wf::node_id id = g.add_node(d, inputs, types);
  return wf::graph_view::output_of(g.view()[id]);
}

static_assert([] {
  const wf::value_labels labels(kalman.graph());
  return labels.definition(wf::node_id{5}) == wf::text("inverse(S)");
}());

}  // namespace

TEST_CASE("a value is called by its name, its output's name, or its term") {
  const wf::graph_view g = kalman.graph();
  const wf::value_labels labels(g);
  std::string all;
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i)
    all += std::string(labels.definition(static_cast<wf::node_id>(i)).view()) + '\n';
  CHECK(all ==
        "matmul(H, P)\n"
        "transpose(H)\n"
        "matmul(matmul(H, P), transpose(H))\n"
        "S = add(matmul(matmul(H, P), transpose(H)), R)\n"
        "matmul(P, transpose(H))\n"
        "inverse(S)\n"
        "K = matmul(matmul(P, transpose(H)), inverse(S))\n");
}

TEST_CASE("a long term becomes a number, which its definition explains") {
  wf::graph g("g");
  const wf::value_id x = g.add_input("x", type);
  const wf::value_id a = add(g, "operator_of_16_ch", {x, x});
  const wf::value_id b = add(g, "operator_of_16_ch", {a, x});
  const wf::value_id c = add(g, "f", {b});
  const wf::graph_view v = g.view();
  const wf::value_labels labels(v);
  CHECK(label(labels, a) == "operator_of_16_ch(x, x)");
  CHECK(label(labels, b) == "%2");
  CHECK(labels.definition(v[b].producer) ==
        wf::text("%2 = operator_of_16_ch(operator_of_16_ch(x, x), x)"));
  CHECK(label(labels, c) == "f(%2)");
}

TEST_CASE("different values have different labels, whatever their names and terms") {
  wf::graph g("g");
  const wf::value_id x = g.add_input("x", type);
  const wf::value_id a = add(g, "slice", {x});
  const wf::value_id b = add(g, "slice", {x});  // for example with another attribute
  const wf::value_id two = add(g, "split", {x}, 2);
  const wf::value_id named = add(g, "split", {x}, 2, "halves");
  g.add_output("x", b);
  g.add_output("y", two);
  const wf::graph_view v = g.view();
  const wf::value_labels labels(v);
  CHECK(label(labels, a) == "slice(x)");
  CHECK(label(labels, b) == "%2");
  CHECK(label(labels, two) == "y");
  CHECK(label(labels, static_cast<wf::value_id>(4)) == "split(x).1");
  CHECK(label(labels, named) == "halves.0");
  CHECK(labels.definition(v[two].producer) == wf::text("split(x)"));
  CHECK(labels.definition(v[named].producer) == wf::text("halves = split(x)"));
  std::set<std::string> different;
  for (std::uint32_t i = 0; i < v.values.size(); ++i)
    different.insert(label(labels, static_cast<wf::value_id>(i)));
  CHECK(different.size() == v.values.size());
  CHECK_FALSE(different.contains(""));
}

TEST_CASE("all candidates of a class have its label") {
  const auto grown = wf::grow(kalman.graph(), wf::builtin_transforms());
  REQUIRE(grown);
  const wf::graph_view g = grown->view();
  const wf::value_labels labels(*grown);
  std::set<std::string> different;
  std::set<std::uint32_t> classes;
  for (std::uint32_t i = 0; i < g.values.size(); ++i) {
    const auto id = static_cast<wf::value_id>(i);
    CHECK(labels.of(id) == labels.of(grown->representative(id)));
    different.insert(label(labels, id));
    classes.insert(grown->class_of(id));
  }
  CHECK(different.size() == classes.size());
}
