// SPDX-License-Identifier: BSL-1.0
#include <wf/formula/language/operators.hpp>

#include <doctest/doctest.h>

namespace {

using namespace wf::detail;
using wf::formula_op;

// The binding powers are ordered as in Python; the conditional binds weakest, as in C.
static_assert(no_operator < condition_power && condition_power < or_power && or_power < and_power);
static_assert(and_power < not_power && not_power < comparison_power);
static_assert(comparison_power < sum_power && sum_power < product_power);
static_assert(product_power < sign_power && sign_power < exponent_power);

// The operator at the beginning of a text as the parser finds it: the longest match.
constexpr const infix_operator& infix(wf::text_view source) {
  const auto first = static_cast<unsigned char>(source[0]);
  const char second = source.size() > 1 ? source[1] : ' ';
  return second == infixes.second[first] ? infixes.longer[first] : infixes.single[first];
}
constexpr bool is(wf::text_view source, formula_op op, int power) {
  return infix(source).op == op && infix(source).power == power;
}

static_assert(is("*", formula_op::multiply, product_power));
static_assert(is("**", formula_op::power, exponent_power));
static_assert(is("/", formula_op::divide, product_power));
static_assert(is("//", formula_op::floor_divide, product_power));
static_assert(is("%", formula_op::modulo, product_power));
static_assert(is("+", formula_op::add, sum_power) && is("-", formula_op::subtract, sum_power));
static_assert(is("<", formula_op::less, comparison_power));
static_assert(is("<=", formula_op::less_equal, comparison_power));
static_assert(is(">", formula_op::greater, comparison_power));
static_assert(is(">=", formula_op::greater_equal, comparison_power));
static_assert(is("==", formula_op::equal, comparison_power));
static_assert(is("!=", formula_op::not_equal, comparison_power));
static_assert(is("?", formula_op::skip_if_false, condition_power));
// "<" before a minus is not a longer operator; "=" and "!" alone are no operators.
static_assert(is("<-", formula_op::less, comparison_power) && infix("<-").length == 1);
static_assert(infix("=").power == no_operator && infix("!").power == no_operator);

}  // namespace

TEST_CASE("an operator is as long as it is written") {
  int operators = 0;
  for (int c = 0; c < 128; ++c) {
    CAPTURE(c);
    const bool single = infixes.single[c].power != no_operator;
    const bool longer = infixes.longer[c].power != no_operator;
    CHECK(infixes.single[c].length == (single ? 1 : 0));
    CHECK(infixes.longer[c].length == (longer ? 2 : 0));
    CHECK((infixes.second[c] != '\0') == longer);
    operators += (single ? 1 : 0) + (longer ? 1 : 0);
  }
  CHECK(operators == 14);
  CHECK(and_operator.length == wf::text_view("and").size());
  CHECK(or_operator.length == wf::text_view("or").size());
}

TEST_CASE("a function is found by its name") {
  for (const formula_function& function : formula_functions) {
    CAPTURE(wf::to_text(wf::make_symbol(function.name)).view());
    CHECK(function_named(function.name) == &function);
    CHECK(function.least_arguments >= 1);
    CHECK(function.least_arguments <= function.most_arguments);
  }
  REQUIRE(function_named("max") != nullptr);
  CHECK(function_named("max")->op == formula_op::maximum);
  CHECK(function_named("max")->most_arguments == any_number);
  CHECK(function_named("sum_over")->least_arguments == 4);
  CHECK(function_named("Max") == nullptr);
  CHECK(function_named("flor") == nullptr);
  CHECK(function_named("") == nullptr);
}

TEST_CASE("words that are operators are no names") {
  for (const char* word : {"not", "and", "or"}) CHECK(is_keyword(wf::make_symbol(word).packed));
  for (const char* name : {"no", "nota", "Or", "M"})
    CHECK(!is_keyword(wf::make_symbol(name).packed));
  CHECK(!is_keyword(0));  // a name that is not a symbol
}
