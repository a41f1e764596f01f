// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/tensors/element_type.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <utility>

#include <doctest/doctest.h>

namespace {

using wf::tensors::element_form;
using wf::tensors::element_type;

// The element of a C++ type, in either order of bytes.
template <class T>
wf::result<wf::table<double>> read_back(T value, element_type type, bool big_endian) {
  std::uint8_t bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof value);
  if (big_endian)
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
  return wf::tensors::read_elements(bytes, {type, big_endian});
}
template <class T>
void check_type(element_type type, std::mt19937_64& random) {
  CHECK(wf::tensors::size_of(type) == sizeof(T));
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t bits = random() >> (random() % 64);
    T value;
    std::memcpy(&value, &bits, sizeof value);
    for (const bool big_endian : {false, true}) {
      const auto read = read_back(value, type, big_endian);
      bool fits = true;
      if constexpr (std::numeric_limits<T>::is_integer)
        fits = std::abs(static_cast<long double>(value)) <= 0x1p53L;
      REQUIRE(read.has_value() == fits);
      if (!fits) continue;
      const auto wanted = static_cast<double>(value);
      CHECK(((*read)[0] == wanted || (std::isnan(wanted) && std::isnan((*read)[0]))));
      CHECK(std::signbit((*read)[0]) == std::signbit(wanted));
    }
  }
}
double half(std::uint16_t bits, element_type type = element_type::f16) {
  return (*read_back(bits, type, false))[0];
}

}  // namespace

TEST_CASE("elements are read as the processor reads them, in either order of bytes") {
  std::mt19937_64 random(1);
  check_type<std::int8_t>(element_type::i8, random);
  check_type<std::int16_t>(element_type::i16, random);
  check_type<std::int32_t>(element_type::i32, random);
  check_type<std::int64_t>(element_type::i64, random);
  check_type<std::uint8_t>(element_type::u8, random);
  check_type<std::uint16_t>(element_type::u16, random);
  check_type<std::uint32_t>(element_type::u32, random);
  check_type<std::uint64_t>(element_type::u64, random);
  check_type<float>(element_type::f32, random);
  check_type<double>(element_type::f64, random);
}

TEST_CASE("numbers of 16 bits are exact") {
  // Every f16, by its definition.
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const int power = static_cast<int>(bits >> 10 & 31), fraction = static_cast<int>(bits & 1023);
    const double size = power == 31  ? (fraction == 0 ? std::numeric_limits<double>::infinity()
                                                      : std::numeric_limits<double>::quiet_NaN())
                        : power == 0 ? std::ldexp(fraction, -24)
                                     : std::ldexp(1024 + fraction, power - 25);
    const double read = half(static_cast<std::uint16_t>(bits));
    CHECK_MESSAGE(((std::isnan(size) && std::isnan(read)) || std::abs(read) == size), bits);
    CHECK_MESSAGE(std::signbit(read) == (bits >> 15 != 0), bits);
  }
  CHECK(half(0x3f80, element_type::bf16) == 1);
  CHECK(half(0xc049, element_type::bf16) == -3.140625);
  CHECK(std::isinf(half(0x7f80, element_type::bf16)));
  CHECK(std::isnan(half(0x7fc0, element_type::bf16)));
}

TEST_CASE("what no double is equal to is an error at its offset") {
  const std::uint64_t numbers[] = {1, std::uint64_t{1} << 53, (std::uint64_t{1} << 53) + 1};
  std::uint8_t bytes[sizeof numbers];
  std::memcpy(bytes, numbers, sizeof numbers);
  const auto read = wf::tensors::read_elements(bytes, {element_type::u64, false}, 100);
  REQUIRE(!read);
  CHECK(read.error().where.offset == 116);
  CHECK(to_text(read.error()).view() ==
        "WF406: the integer lies beyond 2^53: no double is equal to it (at byte 116)");
  CHECK(wf::tensors::read_elements({bytes, 16}, {element_type::u64, false}));
  const std::uint8_t truth[] = {0, 1, 2};
  CHECK(wf::tensors::read_elements(truth, {element_type::boolean, false}).error().where.offset ==
        2);
}
