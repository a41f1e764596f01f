// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/integer.hpp>
#include <wf/registry/domain/arithmetic.hpp>
#include <wf/registry/element_rule.hpp>
#include <wf/registry/kernel.hpp>

// Constant folding rules (`kernel_spec::constant`): the value of all elements of the results where
// all elements of each operand are equal. A rule gives a number only if every executor computes it
// to the last bit, and none if it is not finite or depends on the executor's library.
namespace wf::kernels::detail {

using wf::detail::convert_element, wf::detail::exponent_of, wf::detail::is_negative_zero;
using wf::detail::is_positive_zero, wf::detail::magnitude, wf::detail::square_root;
using wf::detail::truncated;

constexpr bool give(double& r, double x) {
  r = x;
  return true;
}
// Bounds on exponents exclude overflow: an infinite result is not folded.
constexpr bool give_sum(double x, double y, double& r) {
  if (exponent_of(x) > 1021 || exponent_of(y) > 1021) return false;
  return give(r, x + y);
}
constexpr bool give_product(double x, double y, double& r) {
  if (exponent_of(x) + exponent_of(y) > 1021) return false;
  return give(r, x * y);
}
constexpr bool give_quotient(double x, double y, double& r) {
  if (y == 0 || exponent_of(y) == -1023 || exponent_of(x) - exponent_of(y) > 1021) return false;
  return give(r, x / y);
}

// --- elementwise --------------------------------------------------------------------------------

constexpr bool negated(const constant_operands& x, double& r) { return give(r, -x[0]); }
constexpr bool magnitude_of(const constant_operands& x, double& r) {
  return give(r, magnitude(x[0]));
}
constexpr bool rectified(const constant_operands& x, double& r) {
  return give(r, formulas::rectified(x[0]));
}
constexpr bool stepped(const constant_operands& x, double& r) {
  return give(r, formulas::step(x[0]));
}
constexpr bool squared(const constant_operands& x, double& r) {
  return give_product(x[0], x[0], r);
}
constexpr bool inverted(const constant_operands& x, double& r) { return give_quotient(1, x[0], r); }
constexpr bool rooted(const constant_operands& x, double& r) {
  return x[0] >= 0 && give(r, square_root(x[0]));
}
constexpr bool denied(const constant_operands& x, double& r) {
  return give(r, formulas::complement(x[0]));
}
constexpr bool converted(const constant_operands& x, double& r) {
  return give(r, x[0]) && convert_element(x.type_of(0), x.result, r);
}
constexpr bool added(const constant_operands& x, double& r) { return give_sum(x[0], x[1], r); }
constexpr bool subtracted(const constant_operands& x, double& r) {
  return give_sum(x[0], -x[1], r);
}
constexpr bool multiplied(const constant_operands& x, double& r) {
  return give_product(x[0], x[1], r);
}
constexpr bool divided(const constant_operands& x, double& r) {
  if (!give_quotient(x[0], x[1], r)) return false;
  return !is_integer(x.result) || give(r, truncated(r));
}
constexpr bool larger(const constant_operands& x, double& r) {
  return give(r, formulas::larger(x[0], x[1]));
}
constexpr bool smaller(const constant_operands& x, double& r) {
  return give(r, formulas::smaller(x[0], x[1]));
}
constexpr bool equals(const constant_operands& x, double& r) {
  return give(r, formulas::equal(x[0], x[1]));
}
constexpr bool is_less(const constant_operands& x, double& r) {
  return give(r, formulas::less(x[0], x[1]));
}
constexpr bool either(const constant_operands& x, double& r) {
  return give(r, formulas::either(x[0], x[1]));
}
constexpr bool chosen(const constant_operands& x, double& r) {
  return give(r, formulas::choice(x[0], x[1], x[2]));
}

// The value of the attribute `value`.
constexpr bool held(const constant_operands& x, double& r) {
  const attribute_value* a = x.node.find("value");
  if (a == nullptr) return false;
  if (a->kind == attribute_kind::real) return give(r, a->real);
  if (a->kind != attribute_kind::integer && a->kind != attribute_kind::rational) return false;
  return give(r, static_cast<double>(a->number) / static_cast<double>(a->denominator));
}

// --- movement -----------------------------------------------------------------------------------

// The padding is +0, so the elements are equal only for +0 or an empty padding.
constexpr bool padded(const constant_operands& x, double& r) {
  return give(r, x[0]) && (is_positive_zero(x[0]) ||
                           (x.node.integer("before", 0) == 0 && x.node.integer("after", 0) == 0));
}

// --- reductions ---------------------------------------------------------------------------------

// Number of elements that are reduced to one; -1 if unknown.
constexpr std::int64_t reduced_count(const constant_operands& x) {
  const shape& s = x.node.operands[0].shape;
  const attribute_value* axis = x.node.find("axis");
  if (axis == nullptr) return s.elements();
  if (axis->kind != attribute_kind::integer || axis->number < 0 || axis->number >= s.rank)
    return -1;
  const extent e = s[static_cast<std::size_t>(axis->number)];
  return e.is_fixed() ? e.size() : -1;
}
// number · count, if it and all smaller multiples fit in 53 bits.
constexpr bool exact_multiple(double number, std::int64_t count, double& out) {
  if (number == 0 || count == 0) return give(out, 0);
  const auto bits = std::bit_cast<std::uint64_t>(number) & ((std::uint64_t{1} << 52) - 1);
  const int exponent = exponent_of(number);
  if (exponent == -1023) return false;  // subnormal numbers are not folded
  std::uint64_t digits = bits | std::uint64_t{1} << 52;
  digits >>= __builtin_ctzll(digits);
  const uint128 product = uint128{digits} * static_cast<std::uint64_t>(count);
  if (product >> 53 != 0 || exponent > 900) return false;
  return give(out, number * static_cast<double>(count));
}
// No partial sum is rounded in any order of addition: each is a multiple of the last digit and at
// most the sum. The sum of -0 depends on the order, so it is not folded.
constexpr bool summed(const constant_operands& x, double& r) {
  const std::int64_t count = reduced_count(x);
  return count >= 0 && !is_negative_zero(x[0]) && exact_multiple(x[0], count, r);
}
constexpr bool averaged(const constant_operands& x, double& r) {
  double total = 0;
  return reduced_count(x) > 0 && summed(x, total) && give(r, x[0]);
}
constexpr bool largest(const constant_operands& x, double& r) {
  return reduced_count(x) > 0 && give(r, x[0]);
}
constexpr bool first_place(const constant_operands& x, double& r) {
  return reduced_count(x) > 0 && give(r, 0);
}

}  // namespace wf::kernels::detail
