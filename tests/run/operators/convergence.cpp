// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/convergence.hpp>

#include <cmath>
#include <complex>
#include <limits>

#include <doctest/doctest.h>

using wf::compute::are_close;
using wf::compute::is_close;

TEST_CASE("numbers are close relative to 1 or the new one, integers if they are equal") {
  CHECK(is_close(0.5, 0.5 + 1e-9, 1e-8));
  CHECK_FALSE(is_close(0.5, 0.5 + 1e-7, 1e-8));
  CHECK(is_close(1e6, 1e6 + 1e-3, 1e-8));
  CHECK_FALSE(is_close(1e6, 1e6 + 1, 1e-8));
  CHECK_FALSE(is_close(0.0, 5e-324, 0));
  CHECK(is_close(-0.0, 0.0, 0));
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(is_close(infinity, infinity, 0));
  CHECK_FALSE(is_close(1.0, infinity, 1e-3));
  CHECK_FALSE(is_close(std::nan(""), std::nan(""), 1e9));
  CHECK(is_close(std::complex<float>(3, 4), std::complex<float>(3, 4.00001F), 1e-5));
  CHECK(is_close(std::int64_t{7}, std::int64_t{7}, 0));
  CHECK_FALSE(is_close(std::int64_t{7}, std::int64_t{8}, 10));
  CHECK(is_close(true, true, 0));
  CHECK_FALSE(is_close(true, false, 1));
}

TEST_CASE("matrices are close if all elements are, whatever lies between their columns") {
  const double a[] = {1, 2, 99, 3, 4, 99}, b[] = {1, 2, 3, 4};
  const wf::compute::matrix_view<double> wide{a, 2, 2, 3, true}, narrow{b, 2, 2, 2, true};
  CHECK(are_close(wide, narrow, 0));
  for (int i = 0; i < 4; ++i) {
    double c[] = {1, 2, 3, 4};
    c[i] += 0.1;
    CHECK_FALSE(are_close(wide, {c, 2, 2, 2, true}, 0.01));
  }
}
