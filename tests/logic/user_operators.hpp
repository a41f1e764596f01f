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
inline constexpr wf::text_view two_numbers = "A: floating [...], B: floating [...] -> C[...]";

// What minimum does, by another name.
inline constexpr wf::kernel_spec least{
    .name = "least",
    .domain = "user",
    .signature = two_numbers,
    .costs = {{"flops", "C"}},
    .constant = [](const wf::constant_operands& x,
                   double& out) { return out = x[1] < x[0] ? x[1] : x[0], true; },
    .element = [](const wf::constant_operands& x) { return x[1] < x[0] ? x[1] : x[0]; },
    .laws = {.commutative = true,
             .associative = true,
             .idempotent = true,
             .selective = true,
             .elementwise = true,
             .neutral = infinite,
             .distributes_over = "least"},
    .summary = "the smaller of two numbers"};
// What add does, by another name.
inline constexpr wf::kernel_spec plus{
    .name = "plus",
    .domain = "user",
    .signature = two_numbers,
    .costs = {{"flops", "C"}},
    .constant = [](const wf::constant_operands& x, double& out) { return out = x[0] + x[1], true; },
    .element = [](const wf::constant_operands& x) { return x[0] + x[1]; },
    .laws = {.commutative = true,
             .associative = true,
             .elementwise = true,
             .monotone = true,
             .neutral = 0,
             .distributes_over = "least maximum minimum"},
    .summary = "the sum of two numbers"};

// Sets of ten labels as bits of a number; such sums select neither operand.
constexpr double bits(double a, double b, bool both) {
  const auto x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
  return both ? x & y : x | y;
}
inline constexpr wf::kernel_spec unite{
    .name = "unite",
    .domain = "user",
    .signature = two_numbers,
    .costs = {{"flops", "C"}},
    .constant = [](const wf::constant_operands& x,
                   double& out) { return out = bits(x[0], x[1], false), true; },
    .element = [](const wf::constant_operands& x) { return bits(x[0], x[1], false); },
    .laws = {.commutative = true,
             .associative = true,
             .idempotent = true,
             .elementwise = true,
             .neutral = 0,
             .distributes_over = "meet"},
    .summary = "the labels in either set"};
inline constexpr wf::kernel_spec meet{
    .name = "meet",
    .domain = "user",
    .signature = two_numbers,
    .costs = {{"flops", "C"}},
    .constant = [](const wf::constant_operands& x,
                   double& out) { return out = bits(x[0], x[1], true), true; },
    .element = [](const wf::constant_operands& x) { return bits(x[0], x[1], true); },
    .laws = {.commutative = true,
             .associative = true,
             .idempotent = true,
             .elementwise = true,
             .neutral = 1023,
             .distributes_over = "unite"},
    .summary = "the labels in both sets"};
// A sum that is not idempotent: parities.
inline constexpr wf::kernel_spec parity{
    .name = "parity",
    .domain = "user",
    .signature = two_numbers,
    .costs = {{"flops", "C"}},
    .element = [](const wf::constant_operands& x) { return x[0] == x[1] ? 0.0 : 1.0; },
    .laws = {.commutative = true, .associative = true, .elementwise = true, .neutral = 0},
    .summary = "the sum modulo 2"};
// No laws but that it is elementwise.
inline constexpr wf::kernel_spec blend{
    .name = "blend",
    .domain = "user",
    .signature = two_numbers,
    .costs = {{"flops", "C"}},
    .element = [](const wf::constant_operands& x) { return (x[0] + x[1]) / 2; },
    .laws = {.elementwise = true},
    .summary = "the mean of two numbers"};

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
