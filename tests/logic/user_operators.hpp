// SPDX-License-Identifier: BSL-1.0
#pragma once

// Operators of a user, with their laws: additions and multiplications of semirings.

#include <cstdint>
#include <limits>

#include <wf/logic/program/functions.hpp>
#include <wf/registry/registry.hpp>

namespace wf_test {

namespace user {

inline constexpr double infinite = std::numeric_limits<double>::infinity();
// An operator of two numbers, whose value is known while compiling, too.
template <auto Value>
constexpr wf::kernel_spec of_two(wf::text_view name, const wf::law_set& laws) {
  return {.name = name,
          .domain = "user",
          .signature = "A: floating [...], B: floating [...] -> C[...]",
          .costs = {{"flops", "C"}},
          .constant = [](const wf::constant_operands& x,
                         double& out) { return out = Value(x[0], x[1]), true; },
          .element = [](const wf::constant_operands& x) { return Value(x[0], x[1]); },
          .laws = laws,
          .summary = "an operator of two numbers"};
}
// Sets of ten labels as bits of a number.
constexpr double bits(double a, double b, bool both) {
  const auto x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
  return both ? x & y : x | y;
}

// What minimum and add do, by other names.
inline constexpr wf::kernel_spec least =
    of_two<[](double a, double b) { return b < a ? b : a; }>("least", {.commutative = true,
                                                                       .associative = true,
                                                                       .idempotent = true,
                                                                       .selective = true,
                                                                       .elementwise = true,
                                                                       .neutral = infinite});
inline constexpr wf::kernel_spec plus = of_two<[](double a, double b) { return a + b; }>(
    "plus", {.commutative = true,
             .associative = true,
             .elementwise = true,
             .monotone = true,
             .neutral = 0,
             .distributes_over = "least maximum minimum"});
// The labels in either set, a sum that selects neither operand, and those in both.
inline constexpr wf::kernel_spec unite =
    of_two<[](double a, double b) { return bits(a, b, false); }>("unite",
                                                                 {.commutative = true,
                                                                  .associative = true,
                                                                  .idempotent = true,
                                                                  .elementwise = true,
                                                                  .neutral = 0,
                                                                  .distributes_over = "meet"});
inline constexpr wf::kernel_spec meet = of_two<[](double a, double b) { return bits(a, b, true); }>(
    "meet", {.commutative = true,
             .associative = true,
             .idempotent = true,
             .elementwise = true,
             .neutral = 1023,
             .distributes_over = "unite"});
// The sum modulo 2, which is not idempotent.
inline constexpr wf::kernel_spec parity =
    of_two<[](double a, double b) { return a == b ? 0.0 : 1.0; }>(
        "parity", {.commutative = true, .associative = true, .elementwise = true, .neutral = 0});
// The mean of two numbers: no laws but that it is elementwise.
inline constexpr wf::kernel_spec blend =
    of_two<[](double a, double b) { return (a + b) / 2; }>("blend", {.elementwise = true});

}  // namespace user

// The operators of rules and those of the user.
constexpr wf::registry user_registry() {
  wf::registry out = wf::logic::rule_registry();
  for (const wf::kernel_spec* k :
       {&user::least, &user::plus, &user::unite, &user::meet, &user::parity, &user::blend})
    (void)out.add(*k);
  return out;
}

}  // namespace wf_test
