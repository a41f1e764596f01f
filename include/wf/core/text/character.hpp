// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/view.hpp>

namespace wf::detail {

/// True for the letters of ASCII and the underscore.
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// True for the decimal digits.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// True for a letter or underscore, then letters, digits and underscores. O(length).
constexpr bool is_word(text_view t) {
  if (t.empty() || is_digit(t[0])) return false;
  for (char c : t)
    if (!is_letter(c) && !is_digit(c)) return false;
  return true;
}

}  // namespace wf::detail
