// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/symbols.hpp>

#include <doctest/doctest.h>

#include <wf/registry/domain/builtin.hpp>

namespace {

wf::rational number(const wf::graph& g, const wf::signature& s, wf::text_view name) {
  wf::rational out(-1);
  wf::node_symbols(g.view(), g.view().nodes[0], s)(name, out);
  return out;
}

}  // namespace

TEST_CASE("a formula may name extents, elements, bytes and attributes") {
  wf::graph g("g");
  const wf::value_type a{wf::dtype::f32, {}, wf::shape::of(5, 2, 3)};
  const wf::value_type b{wf::dtype::f32, {}, wf::shape::of(3, 4)};
  const wf::value_type c{wf::dtype::f32, {}, wf::shape::of(5, 2, 4)};
  const wf::value_id in[] = {g.add_input("a", a), g.add_input("b", b)};
  const wf::attribute_value attributes[] = {wf::attribute_value::integer("stride", 9),
                                            wf::attribute_value::ratio("r", 3, 2)};
  g.add_node({.op = "matmul", .domain = "linalg", .attributes = attributes}, {in, 2}, {&c, 1});
  const auto s = wf::parse_signature(wf::kernels::matmul.signature);
  REQUIRE(s);
  CHECK(number(g, *s, "M") == wf::rational(2));
  CHECK(number(g, *s, "K") == wf::rational(3));
  CHECK(number(g, *s, "N") == wf::rational(4));
  CHECK(number(g, *s, "A") == wf::rational(30));
  CHECK(number(g, *s, "C") == wf::rational(40));
  CHECK(number(g, *s, "B.bytes") == wf::rational(48));
  CHECK(number(g, *s, "stride") == wf::rational(9));
  CHECK(number(g, *s, "r") == *wf::make_rational(3, 2));
  CHECK(number(g, *s, "Q") == wf::rational(-1));
}

TEST_CASE("symbolic extents are polynomials, and no rational") {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of("M", 3)};
  const wf::value_id x = g.add_input("x", t);
  g.add_node({.op = "relu", .domain = "nn"}, {&x, 1}, {&t, 1});
  const auto s = wf::parse_signature(wf::kernels::relu.signature);
  REQUIRE(s);
  wf::polynomial p;
  REQUIRE(wf::node_symbols(g.view(), g.view().nodes[0], *s)("X.bytes", p));
  CHECK(wf::to_text(p) == wf::text("24*M"));
  CHECK(number(g, *s, "X") == wf::rational(-1));
}

TEST_CASE("row 3: a formula may name the default of a declared attribute") {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(4)};
  const wf::value_id x = g.add_input("x", t);
  const wf::attribute_value stated = wf::attribute_value::integer("passes", 7);
  g.add_node({.op = "blur", .domain = "user", .attributes = {&stated, 1}}, {&x, 1}, {&t, 1});
  const auto s = wf::parse_signature("X[N], passes = 2, ratio = 3/4, order: number -> Y[N]");
  REQUIRE(s);
  CHECK(number(g, *s, "passes") == wf::rational(7));
  CHECK(number(g, *s, "ratio") == *wf::make_rational(3, 4));
  CHECK(number(g, *s, "order") == wf::rational(-1));
  wf::polynomial p;
  REQUIRE(wf::node_symbols(g.view(), g.view().nodes[0], *s)("ratio", p));
  CHECK(wf::to_text(p) == wf::text("3/4"));
}
