// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/element_value.hpp>

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include <wf/registry/domain/builtin.hpp>

namespace {

constexpr double sum_of(double a, double b) {
  const double operands[] = {a, b};
  double out = 0, other = 0;
  const bool known = wf::element_value(wf::kernels::add, operands, {}, out);
  const bool alike = wf::element_value(wf::kernels::add, a, b, other);
  return known && alike && out == other ? out : -1;
}
static_assert(sum_of(2, 0.5) == 2.5);

constexpr bool has_value(const wf::kernel_spec& k, double a, double b) {
  double out = 0;
  return wf::element_value(k, a, b, out);
}
static_assert(!has_value(wf::kernels::power, 2, 3));  // known to the C library only
static_assert(!has_value(wf::kernels::matmul, 2, 3));
static_assert(!has_value(wf::kernels::divide, 1, 0));

}  // namespace

TEST_CASE("operators have their elements at run time, too, infinite ones as well") {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  CHECK(sum_of(2, 0.5) == 2.5);
  double out = 0;
  REQUIRE(wf::element_value(wf::kernels::power, 2, 3, out));
  CHECK(out == 8);
  REQUIRE(wf::element_value(wf::kernels::minimum, infinite, 3, out));
  CHECK(out == 3);
  REQUIRE(wf::element_value(wf::kernels::divide, 1, 0, out));
  CHECK(out == infinite);
  CHECK_FALSE(has_value(wf::kernels::matmul, 2, 3));
}

TEST_CASE("attributes reach the element") {
  const double x[] = {1};
  const wf::attribute_value t = wf::attribute_value::floating("T", 0.5);
  double warm = 0, cold = 0;
  REQUIRE(wf::element_value(wf::kernels::sigmoid, x, {}, warm));
  REQUIRE(wf::element_value(wf::kernels::sigmoid, x, {&t, 1}, cold));
  CHECK(warm == doctest::Approx(1 / (1 + std::exp(-1.0))));
  CHECK(cold == doctest::Approx(1 / (1 + std::exp(-2.0))));
}
