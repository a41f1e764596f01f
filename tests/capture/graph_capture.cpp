// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/graph_capture.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/registry/domain/elementwise.hpp>

namespace {

using wf::detail::graph_capture;

constexpr wf::captured_kernel add{&wf::kernels::add, wf::hash_text("add")};
constexpr wf::value_type vector{wf::dtype::f64, {}, wf::shape::of(3)};

wf::errc code_of(const wf::result<wf::graph>& g) { return g.error().code; }

}  // namespace

TEST_CASE("operations are appended by id, and their types are inferred") {
  graph_capture c("g");
  const wf::value_id operands[] = {c.add_input("x", vector), c.add_input("y", vector)};
  const wf::value_id sum = c.apply(add, {}, {operands, 2}, {}, {"source", 7, 3});
  CHECK(c.type_of(sum).shape == vector.shape);
  c.name_node(sum, "sum");
  c.add_output("z", sum);
  const auto g = c.finish();
  REQUIRE(g);
  const wf::graph_view v = g->view();
  REQUIRE(v.nodes.size() == 1);
  CHECK(v.text_of(v.nodes[0].name) == "sum");
  CHECK(v.text_of(v.nodes[0].location.file) == "source");
  CHECK(v.nodes[0].location.line == 7);
  CHECK(v.nodes[0].location.column == 3);
}

TEST_CASE("the first error counts") {
  graph_capture c("g");
  c.fail(wf::make_error(wf::errc::bad_attribute, "a", "first"));
  c.fail(wf::make_error(wf::errc::no_output, "b", "second"));
  CHECK(c.failure().code == wf::errc::bad_attribute);
  CHECK(code_of(c.finish()) == wf::errc::bad_attribute);
}

TEST_CASE("an error gets one position in a text, the first") {
  graph_capture c("g");
  CHECK(c.locate_failure({1, 1}));
  c.fail(wf::make_error(wf::errc::bad_attribute, "a", "an error"));
  CHECK_FALSE(c.locate_failure({2, 5}));
  CHECK_FALSE(c.locate_failure({3, 1}));
  CHECK(c.failure().where.line == 2);
  CHECK(c.failure().where.column == 5);
}

TEST_CASE("ids, types and names that a graph cannot have are errors") {
  graph_capture value("g");
  value.add_output("y", wf::value_id{4});
  CHECK(value.failure().code == wf::errc::malformed_graph);
  graph_capture type("g");
  type.add_input("x", {wf::dtype::unknown, {}, wf::shape::of(3)});
  CHECK(type.failure().code == wf::errc::malformed_graph);
  graph_capture name("g");
  name.add_input("two words", vector);
  CHECK(name.failure().code == wf::errc::invalid_name);
  graph_capture nothing("g");
  CHECK(code_of(nothing.finish()) == wf::errc::no_output);
}

TEST_CASE("after an error of types capture continues with values of unknown type") {
  graph_capture c("g");
  const wf::value_id operands[] = {c.add_input("x", vector),
                                   c.add_input("y", {wf::dtype::f64, {}, wf::shape::of(4)})};
  const wf::value_id sum = c.apply(add, {}, {operands, 2}, {}, {"source", 7, 3});
  CHECK(c.type_of(sum).type == wf::dtype::unknown);
  CHECK(code_of(c.finish()) == wf::errc::shape_mismatch);
}
