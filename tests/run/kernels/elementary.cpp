// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/elementary.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <type_traits>

#include <doctest/doctest.h>
#include <wf/run/operators/tile_kernel.hpp>

namespace {

using namespace wf::compute;

// A number of any sign and magnitude; half of them are between -32 and 32.
template <class Real>
Real some(std::mt19937_64& random) {
  using bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  if (random() % 2 == 0) return std::bit_cast<Real>(static_cast<bits>(random()));
  return static_cast<Real>(std::uniform_real_distribution<double>(-32, 32)(random));
}

// The error of `found` in units in the last place of the exact value.
template <class Real>
long double units_off(Real found, long double right) {
  if (std::isnan(right)) return std::isnan(found) ? 0 : 1e9L;
  const Real rounded = static_cast<Real>(right);
  if (std::isinf(rounded) || std::isinf(found)) return found == rounded ? 0 : 1e9L;
  const Real size = std::fmax(std::fabs(rounded), std::numeric_limits<Real>::min());
  const Real unit = std::nextafter(size, std::numeric_limits<Real>::infinity()) - size;
  return std::fabs(found - right) / unit;
}

template <class Real>
void compare(block<Real> (*f)(const block<Real>&), long double (*right)(long double),
             long double units) {
  std::mt19937_64 random(171);
  using limits = std::numeric_limits<Real>;
  constexpr Real edges[] = {0,
                            -Real(0),
                            limits::min(),
                            limits::denorm_min(),
                            limits::max(),
                            limits::lowest(),
                            limits::infinity(),
                            -limits::infinity(),
                            limits::quiet_NaN(),
                            Real(0.625),
                            1,
                            -1,
                            88,
                            -87,
                            709,
                            -708,
                            Real(88.8),
                            Real(-103),
                            Real(-110),
                            Real(-740),
                            Real(-750),
                            10000};
  long double worst = 0;
  for (int round = 0; round < 4000; ++round) {
    block<Real> x;
    for (Eigen::Index i = 0; i < block_length; ++i)
      x[i] = round < 200 && random() % 2 == 0 ? edges[random() % std::size(edges)]
                                              : some<Real>(random);
    const block<Real> y = f(x);
    for (Eigen::Index i = 0; i < block_length; ++i) {
      const long double off = units_off(y[i], right(x[i]));
      CAPTURE(x[i]);
      CAPTURE(y[i]);
      CHECK(off <= units);
      worst = std::fmax(worst, off);
    }
  }
  const int width = 8 * static_cast<int>(sizeof(Real));
  MESSAGE(width, " bits: at most ", static_cast<double>(worst), " units");
}

}  // namespace

TEST_CASE("elementary functions are as exact as stated, for every number") {
  SUBCASE("exp") {
    compare<float>(&exponential<float>, &std::exp, 4);
    compare<double>(&exponential<double>, &std::exp, 2);
  }
  SUBCASE("log") {
    compare<float>(&logarithm<float>, &std::log, 2);
    compare<double>(&logarithm<double>, &std::log, 2);
  }
  SUBCASE("sin") {
    compare<float>(&sine<float>, &std::sin, 3);
    compare<double>(&sine<double>, &std::sin, 2);
  }
  SUBCASE("cos") {
    compare<float>(&cosine<float>, &std::cos, 3);
    compare<double>(&cosine<double>, &std::cos, 2);
  }
  SUBCASE("tanh") {
    compare<float>(&hyperbolic_tangent<float>, &std::tanh, 5);
    compare<double>(&hyperbolic_tangent<double>, &std::tanh, 3);
  }
}

TEST_CASE_TEMPLATE("what a number becomes does not depend on where it lies", Real, float, double) {
  constexpr auto kernel =
      &block_tile_of<[](const auto& x) { return hyperbolic_tangent(exponential(x)); }, Real>;
  std::mt19937_64 random(172);
  Real in[3 * 41], alone[3 * 41], out[41];
  for (Real& x : in) x = some<Real>(random);
  const Eigen::Index next = 1;
  for (Eigen::Index i = 0; i < 3 * 41; ++i) {
    const Real* const one = in + i;
    CHECK(kernel(alone + i, &one, &next, 1, nullptr));
  }
  const auto same = [](Real a, Real b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (Eigen::Index step : {0, 1, 3})
    for (Eigen::Index first : {0, 1, 7, 40})
      for (Eigen::Index count : {0, 1, 15, 16, 17, 33, 41}) {
        if (first + count > 41) continue;
        const Real* const from = in + first;
        CHECK(kernel(out, &from, &step, count, nullptr));
        for (Eigen::Index i = 0; i < count; ++i) CHECK(same(out[i], alone[first + i * step]));
      }
  const Real* const from = in;
  CHECK(kernel(in, &from, &next, 41, nullptr));  // in place
  for (Eigen::Index i = 0; i < 41; ++i) CHECK(same(in[i], alone[i]));
}
