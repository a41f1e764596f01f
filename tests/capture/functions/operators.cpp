// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/functions/operators.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>

namespace {

template <class Body>
std::string op_of(Body body) {
  const auto g = wf::capture("g", body);
  REQUIRE(g);
  return std::string(g->view().op_name(g->view().nodes[g->view().nodes.size() - 1]));
}

constexpr auto shapes = wf::workflow<"shapes">([](wf::scope& s) {
  auto a = s.input<"A", double, 2, 3>();
  auto v = s.input<"v", double, 3>();
  auto m = s.input<"m", double, 3, 3>(wf::spd);
  static_assert(decltype(s.let(a * v))::type.shape == wf::shape::of(2));
  static_assert(decltype(s.let(a * m))::type.shape == wf::shape::of(2, 3));
  static_assert(decltype(s.let(trans(a)))::type.shape == wf::shape::of(3, 2));
  static_assert(decltype(s.let(a + v))::type.shape == wf::shape::of(2, 3));
  static_assert(decltype(s.let(2.0 * m))::type.known.has(wf::symmetric));
  static_assert(decltype(s.let(inv(m)))::type.known.has(wf::spd));
  auto c = s.input<"c", double>(wf::positive);
  static_assert(decltype(s.let(inv(c) * m))::type.known.has(wf::spd));
  static_assert(decltype(s.let(solve(m, v)))::type.shape == wf::shape::of(3));
  s.output<"y">(a);
});
static_assert(shapes.graph().outputs.size() == 1);

}  // namespace

TEST_CASE("each operator captures its kernel") {
  CHECK(op_of([](wf::scope& s) {
          auto a = s.input<"a", double, 2, 2>();
          s.output<"y">(a * a);
        }) == "matmul");
  CHECK(op_of([](wf::scope& s) {
          auto a = s.input<"a", double, 2>();
          s.output<"y">(a * a);
        }) == "multiply");
  CHECK(op_of([](wf::scope& s) {
          auto a = s.input<"a", double, 2, 2>();
          s.output<"y">(a * s.input<"v", double, 2>());
        }) == "matvec");
  CHECK(op_of([](wf::scope& s) {
          auto a = s.input<"a", double, 2, 2>();
          s.output<"y">(hadamard(a, a));
        }) == "multiply");
  CHECK(op_of([](wf::scope& s) {
          auto a = s.input<"a", double, 2, 2>();
          s.output<"y">(3 - a / 2 + a);
        }) == "add");
  CHECK(op_of([](wf::scope& s) { s.output<"y">(-s.input<"a", float, 2>()); }) == "negate");
  CHECK(op_of([](wf::scope& s) { s.output<"y">(inv(s.input<"a", float, 2, 2>())); }) == "inverse");
  CHECK(op_of([](wf::scope& s) { s.output<"y">(inv(s.input<"a", float>())); }) == "reciprocal");
  CHECK(op_of([](wf::scope& s) {
          auto a = s.input<"a", double, 2, 2>();
          s.output<"y">(solve(a, a));
        }) == "solve");
}

TEST_CASE("numbers become constants of the other operand's element type, once") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto a = s.input<"a", float, 2>();
    s.output<"y">(a * 2.0 + a / 2);
  });
  REQUIRE(g);
  int constants = 0;
  for (const wf::node& n : g->view().nodes)
    if (g->view().op_name(n) == "constant") {
      ++constants;
      CHECK(g->view().values[n.outputs.first].type.type == wf::dtype::f32);
      CHECK(g->view().find_attribute(n, "value")->real == 2.0);
    }
  CHECK(constants == 1);
}
