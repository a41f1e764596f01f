// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/opposite.hpp>

#include <cmath>
#include <complex>
#include <cstdint>
#include <random>

#include <doctest/doctest.h>

namespace {

// Zeros of both signs among numbers, at every alignment and beside every register.
template <class Real>
void check_signs() {
  std::mt19937 random(1204);
  const auto any = [&] {
    const auto x = static_cast<Real>(random() % 3);
    return random() % 2 == 0 ? x : -x;
  };
  for (Eigen::Index size = 1; size <= 70; ++size)
    for (Eigen::Index skipped = 0; skipped < 4; ++skipped) {
      CAPTURE(size);
      CAPTURE(skipped);
      Eigen::Array<Real, Eigen::Dynamic, 1> all(skipped + size);
      for (Real& x : all) x = any();
      Eigen::Array<Real, Eigen::Dynamic, 1> got(size);
      got = wf::compute::opposite(all.tail(size));
      Eigen::Array<std::complex<Real>, Eigen::Dynamic, 1> pairs(size), turned(size);
      for (Eigen::Index i = 0; i < size; ++i) pairs(i) = {all(skipped + i), any()};
      turned = wf::compute::opposite(pairs);
      for (Eigen::Index i = 0; i < size; ++i) {
        const Real x = all(skipped + i);
        REQUIRE(got(i) == -x);
        REQUIRE(std::signbit(got(i)) != std::signbit(x));
        REQUIRE(turned(i) == -pairs(i));
        REQUIRE(std::signbit(turned(i).real()) != std::signbit(pairs(i).real()));
        REQUIRE(std::signbit(turned(i).imag()) != std::signbit(pairs(i).imag()));
      }
    }
}

}  // namespace

TEST_CASE("every number changes its sign, and so do zeros") {
  check_signs<float>();
  check_signs<double>();
}

TEST_CASE("small fixed matrices and integers, too") {
  const Eigen::Matrix2d zeros = Eigen::Matrix2d::Zero();
  const Eigen::Matrix2d made = wf::compute::opposite(zeros);
  for (Eigen::Index i = 0; i < 4; ++i) CHECK(std::signbit(made(i)));
  Eigen::Array<std::int64_t, 5, 1> numbers;
  numbers << 0, 1, -2, INT64_MAX, -INT64_MAX;
  const Eigen::Array<std::int64_t, 5, 1> turned = wf::compute::opposite(numbers);
  for (Eigen::Index i = 0; i < 5; ++i) CHECK(turned(i) == -numbers(i));
}
