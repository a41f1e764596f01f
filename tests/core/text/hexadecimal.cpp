// SPDX-License-Identifier: BSL-1.0
#include <wf/core/text/hexadecimal.hpp>

#include <doctest/doctest.h>

namespace {

constexpr wf::text digits_of(std::uint64_t number, int digits) {
  wf::text out;
  wf::detail::append_hexadecimal(out, number, digits);
  return out;
}
static_assert(digits_of(0x1a2b, 4).view() == "1a2b");
static_assert(digits_of(0x1a2b, 2).view() == "2b" && digits_of(0x1a2b, 6).view() == "001a2b");
static_assert(digits_of(UINT64_MAX, 16).view() == "ffffffffffffffff");

}  // namespace

TEST_CASE("digits are worth what they are written as, and nothing else is a digit") {
  for (int c = 0; c < 256; ++c) {
    const wf::text_view small = "0123456789abcdef", capital = "0123456789ABCDEF";
    const auto letter = static_cast<char>(c);
    const std::size_t place = small.find(letter) < 16 ? small.find(letter) : capital.find(letter);
    CAPTURE(c);
    CHECK(wf::detail::hexadecimal_digit(letter) == (place < 16 ? static_cast<int>(place) : -1));
  }
}
