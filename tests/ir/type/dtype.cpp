// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/type/dtype.hpp>

#include <complex>

#include <doctest/doctest.h>

static_assert(wf::dtype_of<double> == wf::dtype::f64 && wf::dtype_of<float> == wf::dtype::f32);
static_assert(wf::dtype_of<signed char> == wf::dtype::i8 &&
              wf::dtype_of<bool> == wf::dtype::boolean);
static_assert(wf::dtype_of<unsigned char> == wf::dtype::u8 &&
              wf::dtype_of<unsigned long long> == wf::dtype::u64 &&
              wf::dtype_of<long long> == wf::dtype_of<long> &&
              wf::dtype_of<char> == wf::dtype::unknown);
static_assert(wf::magnitude_bits(wf::dtype::i32) == 31 &&
              wf::magnitude_bits(wf::dtype::u32) == 32 && wf::magnitude_bits(wf::dtype::f32) == 0);
static_assert(wf::dtype_of<wf::qubit> == wf::dtype::qubit);
static_assert(wf::dtype_of<std::complex<double>> == wf::dtype::c128 &&
              wf::dtype_of<std::complex<float>> == wf::dtype::c64 &&
              wf::dtype_of<std::complex<long double>> == wf::dtype::unknown);
static_assert(wf::dtype_of<void*> == wf::dtype::unknown);
static_assert(wf::size_of(wf::dtype::c128) == 16 && wf::size_of(wf::dtype::qubit) == 0);

TEST_CASE("names are unique and lead back") {
  for (std::size_t i = 1; i < wf::dtype_count; ++i) {
    const auto d = static_cast<wf::dtype>(i);
    CHECK(wf::dtype_named(wf::name_of(d)) == d);
    CHECK(static_cast<int>(wf::is_floating(d)) + static_cast<int>(wf::is_integer(d)) +
              static_cast<int>(wf::is_complex(d)) ==
          static_cast<int>(wf::is_number(d)));
  }
  CHECK(wf::dtype_named("f65") == wf::dtype::unknown);
}
