// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/formula/language/evaluate.hpp>
#include <wf/formula/language/literal.hpp>

namespace {

constexpr wf::binding sizes[] = {{"M", 3}, {"N", 5}, {"A.bytes", 100}};

static_assert(*wf::evaluate(wf::formula_of<"2*M*N + A.bytes">, sizes) == wf::rational(130));
static_assert(*wf::evaluate(wf::formula_of<"0.5 * 8KiB">) == wf::rational(4096));

}  // namespace

TEST_CASE("a formula parsed while compiling is the one parsed at run time") {
  constexpr auto& frozen = wf::formula_of<"sum_over(i, 1, M, i**2) + 0.25">;
  const auto parsed = wf::parse_formula("sum_over(i, 1, M, i**2) + 0.25");
  REQUIRE(parsed);
  const wf::formula_view a = frozen, b = *parsed;
  REQUIRE(a.code.size() == b.code.size());
  for (std::size_t i = 0; i < a.code.size(); ++i) CHECK(a.code[i] == b.code[i]);
  REQUIRE(a.constants.size() == 1);
  CHECK(a.constants[0] == b.constants[0]);
  CHECK(a.names.size() == b.names.size());
  CHECK(a.name(0) == "M");
  CHECK(a.source == b.source);
  CHECK(*wf::evaluate(frozen, sizes) == *wf::evaluate(*parsed, sizes));
}

TEST_CASE("an error of a constant formula has its position") {
  const auto value = wf::evaluate(wf::formula_of<"1 +\n Q">, sizes);
  REQUIRE(!value);
  CHECK(value.error().where == wf::text_position{2, 2, 5});
}
