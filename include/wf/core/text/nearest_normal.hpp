// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>

#include <wf/core/integer.hpp>

namespace wf::detail {

// Compiler built-ins: the functions of <bit> are templates, which cost every user compile time.
constexpr int bit_width_of(uint128 n) {
  const auto high = static_cast<std::uint64_t>(n >> 64);
  if (high != 0) return 128 - __builtin_clzll(high);
  const auto low = static_cast<std::uint64_t>(n);
  return low != 0 ? 64 - __builtin_clzll(low) : 0;
}

/// The double nearest to n · 2^exponent, ties to even, for n != 0 and a normal result. With `more`
/// the exact value exceeds this by less than one unit of `n`.
constexpr double nearest_normal(uint128 n, int exponent, bool more) {
  const int dropped = bit_width_of(n) - 53;
  std::uint64_t kept = 0;
  if (dropped <= 0) {
    kept = static_cast<std::uint64_t>(n) << -dropped;
  } else {
    kept = static_cast<std::uint64_t>(n >> dropped);
    const uint128 rest = n & ((uint128{1} << dropped) - 1), half = uint128{1} << (dropped - 1);
    if (rest > half || (rest == half && (more || (kept & 1) != 0))) ++kept;
  }
  int power = exponent + dropped + 52;
  if (kept == std::uint64_t{1} << 53) {
    kept >>= 1;
    ++power;
  }
  return std::bit_cast<double>((static_cast<std::uint64_t>(power + 1023) << 52) |
                               (kept & ((std::uint64_t{1} << 52) - 1)));
}

}  // namespace wf::detail
