// SPDX-License-Identifier: BSL-1.0
#include <wf/lint/precision.hpp>

#include <string>

#include <doctest/doctest.h>

#include "linted.hpp"

// Positive and negative cases of each rule.

namespace {

using wf::lint_rule, wf_test::linted, wf_test::list;

static_assert(wf::detail::digits_of(wf::dtype::f64) == 53);
static_assert(wf::detail::digits_of(wf::dtype::bf16) == 8);
static_assert(wf::detail::digits_of(wf::dtype::c64) == 24);
static_assert(wf::detail::same_kind(wf::dtype::f16, wf::dtype::f64));
static_assert(!wf::detail::same_kind(wf::dtype::f32, wf::dtype::i32));

// True if the rule finds something at the last node, evaluated while compiling.
constexpr bool finds(wf::text_view source, lint_rule rule) {
  const auto g = wf::parse_graph(source);
  const wf::registry r = wf::builtin_registry();
  const wf::graph_view v = *g;
  wf::detail::precision_rules rules(v, r, 8);
  for (const auto& hit : rules.examine(static_cast<wf::node_id>(v.nodes.size() - 1)))
    if (hit.rule == rule) return true;
  return false;
}
static_assert(finds("wf.graph 1 \"g\"\ninput \"x\" : bf16[32]\nnode sum(%0) -> bf16[]\n",
                    lint_rule::low_precision_sum));
static_assert(!finds("wf.graph 1 \"g\"\ninput \"x\" : bf16[31]\nnode sum(%0) -> bf16[]\n",
                     lint_rule::low_precision_sum));
static_assert(
    finds("wf.graph 1 \"g\"\ninput \"x\" : i32[2]\nnode divide(%0, %0) -> i32[2]\n"
          "node cast(%1) -> f32[2]\n",
          lint_rule::integer_quotient));
static_assert(
    !finds("wf.graph 1 \"g\"\ninput \"x\" : f64[2]\nnode divide(%0, %0) -> f64[2]\n"
           "node cast(%1) -> f32[2]\n",
           lint_rule::integer_quotient));

std::string cast(const char* from, const char* middle, const char* to, const char* between = "") {
  const std::string a = from, b = middle, c = to;
  const std::string last = *between == '\0' ? "%1" : "%2";
  return "input \"x\" : " + a + "[4]\nnode cast(%0) [dtype = \"" + b + "\"] named \"h\" -> " + b +
         "[4]\n" + between + "node cast(" + last + ") [dtype = \"" + c + "\"] named \"y\" -> " + c +
         "[4]\noutput \"o\" = " + (*between == '\0' ? "%2" : "%3") + "\n";
}
std::size_t hits(const std::string& statements, lint_rule rule, wf::lint_options options = {}) {
  return linted(statements, rule, options).size();
}

}  // namespace

TEST_CASE("a narrowing cast that is widened again loses digits") {
  constexpr lint_rule rule = lint_rule::precision_round_trip;
  CHECK(linted(cast("f64", "f32", "f64"), rule) ==
        list{"warning: cast 'y' widens to f64 what cast 'h' narrows from f64 to f32: the digits "
             "between are lost [precision_round_trip]"});
  CHECK(hits(cast("f64", "f16", "f32"), rule) == 1);
  CHECK(hits(cast("i64", "i8", "i32"), rule) == 1);
  CHECK(hits(cast("c128", "c64", "c128"), rule) == 1);
  CHECK(hits(cast("f64", "f32", "f64", "node reshape(%1) [d0 = dim 4] -> f32[4]\n"), rule) == 1);
  CHECK(hits(cast("f32", "f64", "f32"), rule) == 0);  // exact
  CHECK(hits(cast("f64", "f32", "f16"), rule) == 0);  // narrows further
  CHECK(hits(cast("f64", "i32", "f64"), rule) == 0);  // deliberate rounding to integers
  CHECK(hits(cast("f64", "f32", "f64", "node exp(%1) -> f32[4]\n"), rule) == 0);
}

TEST_CASE("long accumulations want digits") {
  constexpr lint_rule rule = lint_rule::low_precision_sum;
  const auto product = [](const std::string& type, const std::string& k) {
    return "input \"a\" : " + type + "[2, " + k + "]\ninput \"b\" : " + type + "[" + k +
           ", 3]\nnode matmul(%0, %1) named \"y\" -> " + type + "[2, 3]\noutput \"y\" = %2\n";
  };
  CHECK(linted(product("bf16", "768"), rule) ==
        list{"warning: matmul 'y' adds up 768 terms in bf16: their rounding errors may reach 300 % "
             "of the sum of their sizes [low_precision_sum]"});
  CHECK(hits(product("f16", "256"), rule) == 1);
  CHECK(hits(product("f16", "255"), rule) == 0);
  CHECK(hits(product("f32", "768"), rule) == 0);
  CHECK(hits(product("f32", "2097152"), rule) == 1);
  CHECK(hits(product("f64", "1000000000"), rule) == 0);
  CHECK(hits(product("i8", "768"), rule) == 0);
  CHECK(hits(product("bf16", "K"), rule) == 0);  // unknown extent
  CHECK(hits(product("f16", "255"), rule, {.tolerance = 100}) == 1);
  CHECK(hits(product("bf16", "768"), rule, {.tolerance = 1}) == 1);
  CHECK(hits(product("bf16", "255"), rule, {.tolerance = 1}) == 0);
  const auto one = [&](const std::string& statements) { return hits(statements, rule); };
  CHECK(one("input \"x\" : f16[4, 300]\nnode sum(%0) [axis = 1] -> f16[4]\noutput \"y\" = %1\n") ==
        1);
  CHECK(
      one("input \"x\" : f16[4, 300]\nnode sum(%0) [axis = 0] -> f16[300]\noutput \"y\" = %1\n") ==
      0);
  CHECK(one("input \"x\" : f16[4, 300]\nnode mean(%0) -> f16[]\noutput \"y\" = %1\n") == 1);
  CHECK(one("input \"x\" : f16[4, 300]\nnode max(%0) -> f16[]\noutput \"y\" = %1\n") == 0);
  CHECK(one("input \"x\" : f16[4, 300]\nnode softmax(%0) -> f16[4, 300]\noutput \"y\" = %1\n") ==
        1);
  CHECK(one("input \"x\" : f16[300, 4]\nnode softmax(%0) -> f16[300, 4]\noutput \"y\" = %1\n") ==
        0);
  CHECK(one("input \"x\" : f16[4, 300]\nnode relu(%0) -> f16[4, 300]\noutput \"y\" = %1\n") == 0);
  CHECK(one("input \"x\" : f16[1, 64, 8, 8]\ninput \"k\" : f16[8, 64, 3, 3]\n"
            "node conv2d(%0, %1) -> f16[1, 8, 6, 6]\noutput \"y\" = %2\n") == 1);
  CHECK(one("input \"x\" : f16[300, 300]\nnode trace(%0) -> f16[]\noutput \"y\" = %1\n") == 1);
}

TEST_CASE("a quotient of integers has no fraction left to convert") {
  constexpr lint_rule rule = lint_rule::integer_quotient;
  const auto quotient = [](const std::string& type, const std::string& to) {
    return "input \"a\" : " + type + "[2]\nnode divide(%0, %0) named \"q\" -> " + type +
           "[2]\nnode cast(%1) [dtype = \"" + to + "\"] named \"y\" -> " + to +
           "[2]\noutput \"y\" = %2\n";
  };
  CHECK(
      linted(quotient("i32", "f64"), rule) ==
      list{"warning: cast 'y' makes f64 of the integer quotient of divide 'q', which has lost its "
           "fraction: convert the operands first [integer_quotient]"});
  CHECK(hits(quotient("i32", "i64"), rule) == 0);
  CHECK(hits(quotient("f32", "f64"), rule) == 0);
  CHECK(hits("input \"a\" : i32[2]\nnode cast(%0) [dtype = \"f64\"] -> f64[2]\n"
             "node divide(%1, %1) -> f64[2]\noutput \"y\" = %2\n",
             rule) == 0);
}

TEST_CASE("operands of different precision") {
  constexpr lint_rule rule = lint_rule::mixed_precision;
  CHECK(
      linted("input \"a\" : f32[2]\ninput \"b\" : f64[2]\nnode add(%0, %1) named \"y\" -> f64[2]\n"
             "output \"y\" = %2\n",
             rule) == list{"warning: add 'y' has operands of f32 and f64 [mixed_precision]"});
  CHECK(linted("input \"a\" : f32[2]\ninput \"b\" : f64[2]\nnode cast(%0) [dtype = \"f64\"] -> "
               "f64[2]\nnode add(%1, %2) named \"y\" -> f64[2]\noutput \"y\" = %3\n",
               rule) ==
        list{"note: add 'y' computes in f64, but its operand 'a' has the digits of f32 "
             "[mixed_precision]"});
  const std::string both =
      "input \"a\" : f32[2]\nnode cast(%0) [dtype = \"f64\"] -> f64[2]\n"
      "node cast(%0) [dtype = \"f64\"] -> f64[2]\nnode add(%1, %2) -> f64[2]\noutput \"y\" = %3\n";
  CHECK(hits(both, rule) == 0);  // deliberate
  CHECK(hits("input \"a\" : f32[2]\nnode cast(%0) [dtype = \"f64\"] -> f64[2]\n"
             "node constant() [value = 2] -> f64[]\nnode multiply(%1, %2) -> f64[2]\n"
             "output \"y\" = %3\n",
             rule) == 0);
  CHECK(hits("input \"a\" : f64[2, 2]\ninput \"i\" : i64[3]\nnode gather(%0, %1) -> f64[3, 2]\n"
             "output \"y\" = %2\n",
             rule) == 0);  // the type of indices is independent of the table's
  CHECK(hits("input \"a\" : f32[2]\ninput \"b\" : f64[2]\nnode after(%0, %1) -> f32[2]\n"
             "output \"y\" = %2\n",
             rule) == 0);
  CHECK(hits("input \"a\" : f64[2]\ninput \"b\" : f64[2]\nnode add(%0, %1) -> f64[2]\n"
             "output \"y\" = %2\n",
             rule) == 0);
}

TEST_CASE("a variance as a difference of means cancels") {
  constexpr lint_rule rule = lint_rule::cancellation;
  const auto variance = [](const std::string& square, const std::string& first,
                           const std::string& second, const std::string& last) {
    return "input \"x\" : f64[9, 3]\ninput \"z\" : f64[9, 3]\nnode " + square +
           " -> f64[9, 3]\nnode " + first + " -> f64[3]\nnode " + second + " -> f64[3]\nnode " +
           last + " -> f64[3]\nnode subtract(%3, %5) named \"v\" -> f64[3]\noutput \"y\" = %6\n";
  };
  CHECK(linted(variance("square(%0)", "mean(%2) [axis = 0]", "mean(%0) [axis = 0]", "square(%4)"),
               rule) ==
        list{"warning: subtract 'v' subtracts a squared mean of 'x' from the mean of its squares: "
             "subtract the mean before squaring [cancellation]"});
  CHECK(hits(variance("multiply(%0, %0)", "mean(%2) [axis = 0]", "mean(%0) [axis = 0]",
                      "multiply(%4, %4)"),
             rule) == 1);
  CHECK(
      hits(variance("multiply(%0, %1)", "mean(%2) [axis = 0]", "mean(%0) [axis = 0]", "square(%4)"),
           rule) == 0);  // a covariance of different values
  CHECK(hits(variance("square(%1)", "mean(%2) [axis = 0]", "mean(%0) [axis = 0]", "square(%4)"),
             rule) == 0);
  CHECK(hits(variance("square(%0)", "mean(%2) [axis = 0]", "mean(%0) [axis = 1]", "square(%4)"),
             rule) == 0);
  CHECK(hits(variance("square(%0)", "mean(%2) [axis = 0]", "mean(%0) [axis = 0]", "exp(%4)"),
             rule) == 0);
  CHECK(
      hits("input \"x\" : f64[9]\nnode constant() [value = 9] -> f64[]\nnode square(%0) -> f64[9]\n"
           "node sum(%2) -> f64[]\nnode divide(%3, %1) -> f64[]\nnode sum(%0) -> f64[]\n"
           "node divide(%5, %1) -> f64[]\nnode square(%6) -> f64[]\n"
           "node subtract(%4, %7) -> f64[]\noutput \"y\" = %8\n",
           rule) == 1);
  // The numerically stable form.
  CHECK(hits("input \"x\" : f64[9]\nnode mean(%0) -> f64[]\nnode subtract(%0, %1) -> f64[9]\n"
             "node square(%2) -> f64[9]\nnode mean(%3) -> f64[]\noutput \"y\" = %4\n",
             rule) == 0);
}

TEST_CASE("a system is solved, not inverted") {
  constexpr lint_rule rule = lint_rule::explicit_inverse;
  const std::string inverse =
      "input \"A\" : f64[3, 3]\ninput \"B\" : f64[3, 3]\n"
      "node inverse(%0) named \"I\" -> f64[3, 3]\n";
  CHECK(
      linted(inverse + "node matmul(%2, %1) named \"y\" -> f64[3, 3]\noutput \"y\" = %3\n", rule) ==
      list{"warning: matmul 'y' multiplies by the inverse of 'A': a solution of the system is "
           "cheaper and more accurate [explicit_inverse]"});
  CHECK(hits(inverse + "node matmul(%1, %2) -> f64[3, 3]\noutput \"y\" = %3\n", rule) == 1);
  CHECK(hits(inverse + "node transpose(%2) -> f64[3, 3]\nnode matmul(%1, %3) -> f64[3, 3]\n"
                       "output \"y\" = %4\n",
             rule) == 1);
  CHECK(
      hits("input \"A\" : f64[3, 3]\ninput \"b\" : f64[3]\nnode inverse_cholesky(%0) -> f64[3, 3]\n"
           "node matvec(%2, %1) -> f64[3]\noutput \"y\" = %3\n",
           rule) == 1);
  // An inverse that is an output, and not multiplied.
  CHECK(hits(inverse + "node matmul(%2, %1) -> f64[3, 3]\noutput \"y\" = %3\noutput \"I\" = %2\n",
             rule) == 0);
  CHECK(hits(inverse + "node multiply(%2, %1) -> f64[3, 3]\noutput \"y\" = %3\n", rule) == 0);
  CHECK(hits("input \"A\" : f64[3, 3]\ninput \"B\" : f64[3, 3]\nnode solve(%0, %1) -> f64[3, 3]\n"
             "output \"y\" = %2\n",
             rule) == 0);
}

TEST_CASE("exponentials are shifted before they are summed") {
  constexpr lint_rule rule = lint_rule::overflowing_exponential;
  const std::string sum = "node exp(%1) named \"e\" -> f64[9]\nnode sum(%2) -> f64[]\n";
  const std::string plain = "input \"x\" : f64[9]\nnode negate(%0) named \"n\" -> f64[9]\n";
  const std::string shifted = "input \"x\" : f64[9]\nnode subtract(%0, %4) -> f64[9]\n";
  const std::string largest = "node max(%0) -> f64[]\n";
  CHECK(linted(plain + sum + "node divide(%2, %3) named \"y\" -> f64[9]\noutput \"y\" = %4\n",
               rule) ==
        list{"warning: divide 'y' normalises exponentials of 'n', which may overflow: subtract the "
             "maximum first, or use softmax [overflowing_exponential]"});
  CHECK(
      linted(plain + sum + "node log(%3) named \"y\" -> f64[]\noutput \"y\" = %4\n", rule) ==
      list{"warning: log 'y' sums up exponentials of 'n', which may overflow: subtract the maximum "
           "first [overflowing_exponential]"});
  CHECK(hits(shifted + sum + largest + "node divide(%2, %3) -> f64[9]\noutput \"y\" = %5\n",
             rule) == 0);
  CHECK(hits(shifted + sum + largest + "node log(%3) -> f64[]\noutput \"y\" = %5\n", rule) == 0);
  CHECK(hits(plain + sum + "node divide(%0, %3) -> f64[9]\noutput \"y\" = %4\n", rule) == 0);
  CHECK(hits(plain + sum + "node sqrt(%3) -> f64[]\noutput \"y\" = %4\n", rule) == 0);
}

TEST_CASE("the logarithm of a softmax may be minus infinity") {
  constexpr lint_rule rule = lint_rule::log_of_softmax;
  const auto log = [](const std::string& op) {
    return "input \"x\" : f64[9]\nnode " + op +
           "(%0) named \"p\" -> f64[9]\nnode log(%1) named "
           "\"y\" -> f64[9]\noutput \"y\" = %2\n";
  };
  CHECK(linted(log("softmax"), rule) ==
        list{"warning: log 'y' is taken of the result of softmax 'p', which may be 0 "
             "[log_of_softmax]"});
  CHECK(hits(log("sigmoid"), rule) == 1);
  CHECK(hits(log("exp"), rule) == 0);
  CHECK(hits("input \"x\" : f64[9]\nnode softmax(%0) -> f64[9]\nnode sqrt(%1) -> f64[9]\n"
             "output \"y\" = %2\n",
             rule) == 0);
}

TEST_CASE("roots, logarithms and quotients of bare differences") {
  constexpr lint_rule rule = lint_rule::unguarded_domain;
  const std::string difference =
      "input \"a\" : f64[9]\ninput \"b\" : f64[9]\n"
      "node subtract(%0, %1) named \"d\" -> f64[9]\n";
  CHECK(linted(difference + "node sqrt(%2) named \"y\" -> f64[9]\noutput \"y\" = %3\n", rule) ==
        list{"note: sqrt 'y' is taken of the difference subtract 'd', which may be negative "
             "[unguarded_domain]"});
  CHECK(
      linted(difference + "node divide(%0, %2) named \"y\" -> f64[9]\noutput \"y\" = %3\n", rule) ==
      list{"note: divide 'y' divides by the difference subtract 'd', which may be 0 "
           "[unguarded_domain]"});
  CHECK(hits(difference + "node log(%2) -> f64[9]\noutput \"y\" = %3\n", rule) == 1);
  CHECK(hits(difference + "node divide(%2, %0) -> f64[9]\noutput \"y\" = %3\n", rule) == 0);
  CHECK(hits(difference + "node square(%2) -> f64[9]\nnode sqrt(%3) -> f64[9]\noutput \"y\" = %4\n",
             rule) == 0);
  CHECK(hits(difference + "node maximum(%2, %0) -> f64[9]\nnode sqrt(%3) -> f64[9]\n"
                          "output \"y\" = %4\n",
             rule) == 0);
}

TEST_CASE("what is not known is not suspected") {
  const std::string unknown =
      "input \"x\" : unknown[...]\nnode cast(%0) -> unknown[...]\nnode cast(%1) -> unknown[?]\n"
      "node sum(%2) -> f16[...]\nnode matmul(%0, %1) -> unknown[...]\nnode divide(%0) -> f64[]\n"
      "node subtract() -> f64[]\nnode softmax(%0) -> f16[?]\nnode mystery(%0, %1)\n"
      "node log(%7) -> f16[]\noutput \"y\" = %0\n";
  wf::lint_rule_set precision = wf::lint_rule_set::all();
  precision.bits &= ~(wf::lint_rule_set(lint_rule::dead_node) | lint_rule::unknown_operator).bits;
  CHECK(linted(unknown, precision).size() == 1);  // only the logarithm of a softmax
}
