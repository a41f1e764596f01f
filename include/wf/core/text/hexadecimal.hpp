// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/text/text.hpp>

namespace wf::detail {

/// Appends the lowest `digits` digits of a number in base 16, most significant first.
constexpr void append_hexadecimal(text& out, std::uint64_t number, int digits) {
  for (int i = digits; i-- > 0;) out << "0123456789abcdef"[(number >> (4 * i)) & 15];
}

/// The value of a hexadecimal digit, a small or a capital letter; -1 for other characters.
constexpr int hexadecimal_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace wf::detail
