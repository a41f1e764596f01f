// SPDX-License-Identifier: BSL-1.0
#include <wf/core/text/character.hpp>

#include <string>

#include <doctest/doctest.h>

namespace {

using wf::detail::is_digit, wf::detail::is_letter, wf::detail::is_word;

static_assert(is_word("M") && is_word("_") && is_word("a_1") && is_word("Z9"));
static_assert(!is_word("") && !is_word("1a") && !is_word("a b") && !is_word("a-b"));
static_assert(!is_word("\xc3\xa4"));

}  // namespace

TEST_CASE("letters and digits are those of ASCII, and the underscore is a letter") {
  const std::string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  const std::string digits = "0123456789";
  for (int code = 0; code < 256; ++code) {
    const char c = static_cast<char>(code);
    CAPTURE(code);
    CHECK(is_letter(c) == (letters.find(c) != std::string::npos));
    CHECK(is_digit(c) == (digits.find(c) != std::string::npos));
  }
}
