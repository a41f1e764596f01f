// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/factors.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/equations/text.hpp>

namespace {

// The factors of the right side, inverse ones with '/', after the sign.
constexpr wf::text factors_of(wf::text_view right) {
  wf::text source("Y = ");
  source << right;
  const auto tree = wf::parse_equations(source.view());
  if (!tree) return wf::text("syntax");
  wf::table<wf::logic::detail::factor> factors;
  bool negative = false;
  wf::logic::detail::append_factors(*tree, tree->statements[0].root, false, factors, negative);
  wf::text out(negative ? "-" : "+");
  for (const auto& f : factors) {
    const wf::equation_node& n = tree->nodes[f.node];
    out << (f.inverse ? " /" : " ") << (n.name.empty() ? wf::name_of(n.kind) : n.name);
  }
  return out;
}

}  // namespace

static_assert(factors_of("A B / (C / D)") == wf::text("+ A B /C D"));

TEST_CASE("signs of comparisons are known") {
  using wf::logic::comparison_sign;
  using wf::logic::detail::comparison_sign_of;
  CHECK(comparison_sign_of("<") == comparison_sign::less);
  CHECK(comparison_sign_of(">=") == comparison_sign::greater_equal);
  CHECK(comparison_sign_of("!=") == comparison_sign::different);
}

TEST_CASE("the node of an operator has its laws") {
  const auto f = wf::logic::detail::multiplication_node(wf::kernels::minimum);
  CHECK((f.monotone && f.selective && f.scales && f.name.view() == "minimum"));
  CHECK_FALSE(wf::logic::detail::function_node(wf::kernels::minimum).scales);
  CHECK_FALSE(wf::logic::detail::multiplication_node(wf::kernels::add).selective);
}

TEST_CASE("products, quotients and signs are flattened") {
  CHECK(factors_of("A") == wf::text("+ A"));
  CHECK(factors_of("-A -B") == wf::text("+ a difference"));
  CHECK(factors_of("-(A (-B))") == wf::text("+ A B"));
  CHECK(factors_of("-A B / C") == wf::text("- A B /C"));
  CHECK(factors_of("A / (B / (C / D))") == wf::text("+ A /B C /D"));
  CHECK(factors_of("A (B + C) exp(D)") == wf::text("+ A a sum exp"));
}

TEST_CASE("arithmetic nodes have scalars of their kind") {
  using wf::equation_kind;
  using wf::logic::scalar_kind;
  using wf::logic::detail::arithmetic_of;
  CHECK(arithmetic_of(equation_kind::sum) == scalar_kind::sum);
  CHECK(arithmetic_of(equation_kind::difference) == scalar_kind::difference);
  CHECK(arithmetic_of(equation_kind::product) == scalar_kind::product);
  CHECK(arithmetic_of(equation_kind::quotient) == scalar_kind::quotient);
  CHECK(arithmetic_of(equation_kind::negation) == scalar_kind::negation);
  CHECK(arithmetic_of(equation_kind::call) == scalar_kind::number);
  CHECK(wf::logic::detail::projection_of("max") == wf::projection::maximum);
  CHECK(wf::logic::detail::projection_of("mean") == wf::projection::mean);
  CHECK(wf::logic::detail::projection_of("sum") == wf::projection::sum);
}
