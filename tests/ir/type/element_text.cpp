// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/type/element_text.hpp>

#include <complex>
#include <cstring>
#include <limits>
#include <random>

#include <doctest/doctest.h>

namespace {

using wf::dtype;

constexpr wf::text text_of(auto x) {
  wf::text out;
  wf::append_element(out, x);
  return out;
}
static_assert(text_of(1.0).view() == "3ff0000000000000");
static_assert(text_of(std::uint8_t{10}).view() == "0a");
static_assert(text_of(std::int16_t{-2}).view() == "fffe");
static_assert(wf::element_from<std::int64_t>("8000000000000000") == INT64_MIN);
static_assert(wf::characters_of_element(dtype::c128) == 32 &&
              wf::characters_of_element(dtype::bf16) == 8 &&
              wf::characters_of_element(dtype::qubit) == 0);

static_assert(wf::element_as<double>(dtype::f32, "3f800000") == 1 &&
              wf::element_as<float>(dtype::u8, "0a") == 10 &&
              wf::element_as<bool>(dtype::boolean, "01"));
static_assert(wf::element_as<std::complex<double>>(dtype::c64, "3f80000040000000") ==
              std::complex<double>(1, 2));
static_assert(wf::element_as<std::complex<float>>(dtype::i16, "fffe") ==
              std::complex<float>(-2, 0));

template <class Held>
void check_round_trips(std::mt19937_64& random) {
  for (int i = 0; i < 2000; ++i) {
    Held x;
    const std::uint64_t bits = random();
    std::memcpy(&x, &bits, sizeof x);
    const wf::text digits = text_of(x);
    REQUIRE(digits.size() == 2 * sizeof(Held));
    const Held back = wf::element_from<Held>(digits.view().data());
    CHECK(std::memcmp(&x, &back, sizeof x) == 0);
  }
}

}  // namespace

TEST_CASE("every element reads back to the last bit, not-a-numbers too") {
  std::mt19937_64 random(11);
  check_round_trips<double>(random);
  check_round_trips<float>(random);
  check_round_trips<std::int64_t>(random);
  check_round_trips<std::uint64_t>(random);
  check_round_trips<std::int32_t>(random);
  check_round_trips<std::uint16_t>(random);
  check_round_trips<std::int8_t>(random);
}

TEST_CASE("only a text of digits of every element holds them") {
  for (std::size_t d = 0; d < wf::dtype_count; ++d) {
    const auto type = static_cast<dtype>(d);
    const std::size_t each = wf::characters_of_element(type);
    wf::text digits;
    for (std::size_t i = 0; i < 3 * each; ++i) digits << "0123456789abcdef"[i % 16];
    CAPTURE(d);
    CHECK(wf::holds_elements(digits.view(), type, 3) == (each != 0));
    CHECK_FALSE(wf::holds_elements(digits.view(), type, 2));
    CHECK_FALSE(wf::holds_elements(digits.view(), type, -1));
    if (each == 0) continue;
    CHECK_FALSE(wf::holds_elements(digits.view().part(1), type, 3));
    for (const char wrong : {'g', 'A', ' ', '\0'}) {
      wf::text broken(digits.view().part(0, 3 * each - 1));
      broken << wrong;
      CHECK_FALSE(wf::holds_elements(broken.view(), type, 3));
    }
  }
  CHECK_FALSE(wf::holds_elements("00", dtype::u8, INT64_MAX));
}
