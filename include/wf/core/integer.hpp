// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/version.hpp>

#include <cstdint>

namespace wf {

/// A signed 128-bit integer: wide enough that products of 64-bit counts do not overflow.
__extension__ typedef __int128 int128;
/// An unsigned 128-bit integer.
__extension__ typedef unsigned __int128 uint128;

/// Adds with overflow detection: false, and `out` unspecified, if the sum does not fit.
template <class Integer>
constexpr bool checked_add(Integer a, Integer b, Integer& out) {
  return !__builtin_add_overflow(a, b, &out);
}

/// Subtracts with overflow detection: false, and `out` unspecified, if the difference does not fit.
template <class Integer>
constexpr bool checked_subtract(Integer a, Integer b, Integer& out) {
  return !__builtin_sub_overflow(a, b, &out);
}

/// Multiplies with overflow detection: false, and `out` unspecified, if the product does not fit.
template <class Integer>
constexpr bool checked_multiply(Integer a, Integer b, Integer& out) {
  // Not &out itself: g++ 12 reports a false overflow of 128-bit factors if the product overwrites
  // the first of them in memory.
  Integer product = 0;
  const bool fits = !__builtin_mul_overflow(a, b, &product);
  out = product;
  return fits;
}

/// a + b of non-negative 64-bit counts, saturating at the largest value: for bounds, where too
/// large is as good as infinite. Never use it for a figure that is reported as exact.
constexpr std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return checked_add(a, b, sum) ? sum : INT64_MAX;
}

namespace detail {

/// ⌈a / b⌉ of a non-negative count and a positive one.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

}  // namespace detail

}  // namespace wf
