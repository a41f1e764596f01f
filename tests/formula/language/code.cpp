// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/formula/language/code.hpp>
#include <wf/formula/language/parse.hpp>

namespace {

using wf::formula_op;

constexpr bool a_formula_is_a_regular_value() {
  const wf::formula a = *wf::parse_formula("M + 2*N + 0.5");
  wf::formula b = a;
  const bool same = a == b;
  b = *wf::parse_formula("M");
  return same && !(a == b) && wf::formula() == wf::formula{};
}
static_assert(a_formula_is_a_regular_value());

}  // namespace

TEST_CASE("a view shows the code, the names and the source of a formula") {
  const wf::formula f = *wf::parse_formula("M + A.bytes*M - 0.5");
  const wf::formula_view v = f;
  REQUIRE(v.code.size() == 7);
  CHECK(v.code[0].op == formula_op::symbol);
  CHECK(v.code[3].op == formula_op::multiply);
  CHECK(v.code[3].offset == 11);
  CHECK(v.code[4].op == formula_op::add);
  CHECK(v.code[6].op == formula_op::subtract);
  REQUIRE(v.names.size() == 2);
  CHECK(v.name(0) == "M");
  CHECK(v.name(1) == "A.bytes");
  CHECK(v.names[0].packed == wf::make_symbol("M").packed);
  CHECK(v.names[1].packed == 0);
  REQUIRE(v.constants.size() == 1);
  CHECK(v.constants[0] == *wf::make_rational(1, 2));
  CHECK(v.source == "M + A.bytes*M - 0.5");
}

TEST_CASE("positions count from where the formula stands in a larger text") {
  const wf::formula f = *wf::parse_formula("M +\n  N", wf::text_position{7, 12, 100});
  const wf::formula_view v = f;
  CHECK(v.where(0) == wf::text_position{7, 12, 100});
  CHECK(v.where(2) == wf::text_position{7, 14, 102});
  CHECK(v.where(6) == wf::text_position{8, 3, 106});
}
