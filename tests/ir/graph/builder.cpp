// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/graph/builder.hpp>

#include <vector>

#include <doctest/doctest.h>

namespace {

const wf::value_type matrix{wf::dtype::f64, {}, wf::shape::of(2, 2)};

wf::node_id add(wf::graph_builder& b, const char* op, std::vector<wf::value_id> operands,
                std::int64_t stride = -1, wf::effect effects = wf::effect::pure) {
  const auto a = wf::attribute_value::integer("stride", stride);
  wf::node_description d;
  d.op = op;
  d.effects = effects;
  if (stride >= 0) d.attributes = {&a, 1};
  return b.add_node(d, {operands.data(), operands.size()}, {&matrix, 1});
}

}  // namespace

TEST_CASE("equal pure nodes are one; anything else differs") {
  wf::graph_builder b("g");
  const wf::value_id x = b.graph().add_input("x", matrix), y = b.graph().add_input("y", matrix);
  const wf::node_id first = add(b, "f", {x, y});
  CHECK(add(b, "f", {x, y}) == first);
  CHECK(add(b, "f", {y, x}) != first);
  CHECK(add(b, "g", {x, y}) != first);
  CHECK(add(b, "f", {x, y}, 1) != first);
  CHECK(add(b, "f", {x, y}, 1) == add(b, "f", {x, y}, 1));
  CHECK(add(b, "f", {x, y}, 2) != add(b, "f", {x, y}, 1));
  const wf::node_id read = add(b, "f", {x}, -1, wf::effect::stateful);
  CHECK(add(b, "f", {x}, -1, wf::effect::stateful) != read);
}

TEST_CASE("a builder that goes on with a graph finds its nodes") {
  wf::graph_builder b("g");
  const wf::value_id x = b.graph().add_input("x", matrix);
  const wf::node_id first = add(b, "f", {x}, 3);
  wf::graph_builder more(b.take());
  CHECK(add(more, "f", {x}, 3) == first);
}

TEST_CASE("a thousand nodes, each asked for twice") {
  wf::graph_builder b("g");
  const wf::value_id x = b.graph().add_input("x", matrix);
  for (int pass = 0; pass < 2; ++pass) {
    wf::value_id at = x;
    for (int i = 0; i < 1000; ++i) at = wf::graph_view::output_of(b.graph()[add(b, "f", {at, x})]);
  }
  CHECK(b.graph().view().nodes.size() == 1000);
}

TEST_CASE("constants of different types differ, and so do 0 and -0") {
  wf::graph_builder b("g");
  const auto constant = [&](double number, wf::dtype type) {
    const auto a = wf::attribute_value::floating("value", number);
    const wf::value_type t{type, {}, {}};
    return b.add_node({.op = "constant", .attributes = {&a, 1}}, {}, {&t, 1});
  };
  const wf::node_id one = constant(1, wf::dtype::f64);
  CHECK(constant(1, wf::dtype::f64) == one);
  CHECK(constant(1, wf::dtype::f32) != one);
  CHECK(constant(0.0, wf::dtype::f64) != constant(-0.0, wf::dtype::f64));
}

TEST_CASE("nodes that are appended stay apart") {
  wf::graph_builder b("g");
  const wf::value_id x = b.graph().add_input("x", matrix);
  wf::value_id at = x;
  for (int i = 0; i < 200; ++i) {
    const wf::node_id n = b.append_node({.op = "f"}, {&at, 1}, {&matrix, 1});
    CHECK(b.append_node({.op = "f"}, {&at, 1}, {&matrix, 1}) != n);
    at = wf::graph_view::output_of(b.graph()[n]);
  }
  const wf::node_id merged = add(b, "f", {x});
  CHECK(wf::index_of(merged) == 400);
  CHECK(add(b, "f", {x}) == merged);
}

TEST_CASE("nodes whose operands were replaced are found by their new operands") {
  wf::graph_builder b("g");
  wf::table<wf::value_id> in;
  for (int i = 0; i < 100; ++i) {
    wf::text name;
    in.push_back(b.graph().add_input((name << 'x' << i).view(), matrix));
  }
  for (int i = 0; i < 100; ++i) add(b, "f", {in[static_cast<std::size_t>(i)]});
  const auto read = [&](std::uint32_t node, wf::value_id operand) {
    b.graph().set_operand(b.graph().view().nodes[node].inputs.first, operand);
    return b.find_again(wf::node_id{node});
  };
  for (std::uint32_t i = 1; i < 100; i += 2) {
    CHECK(read(i, in[i - 1]) == wf::node_id{i - 1});
    CHECK(add(b, "f", {in[i - 1]}) == wf::node_id{i - 1});
  }
  CHECK(wf::index_of(add(b, "f", {in[99]})) == 100);
  // A node that becomes equal to a later one replaces it.
  CHECK(read(0, in[99]) == wf::node_id{100});
  CHECK(add(b, "f", {in[99]}) == wf::node_id{0});
  CHECK(b.find_again(wf::node_id{0}) == wf::node_id{0});
}
