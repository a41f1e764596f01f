// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/pivot.hpp>

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

TEST_CASE("a pivot exceeds the rounding error of its column, at every scale") {
  using wf::compute::detail::is_pivot;
  const double unit = std::numeric_limits<double>::epsilon();
  for (const double scale : {1e-200, 1e-9, 1.0, 1e9, 1e200}) {
    CHECK(is_pivot(scale, scale, 10));
    CHECK(is_pivot(50 * unit * scale, scale, 10));
    CHECK_FALSE(is_pivot(30 * unit * scale, scale, 10));
    CHECK_FALSE(is_pivot(0.0, scale, 10));
  }
  CHECK_FALSE(is_pivot(0.0, 0.0, 1));
  CHECK_FALSE(is_pivot(std::nan(""), 1.0, 1));
  CHECK_FALSE(is_pivot(std::numeric_limits<double>::infinity(), 1.0, 1));
}

TEST_CASE("the scale of a column is its largest magnitude") {
  Eigen::Matrix<double, 3, 2> a;
  a << 1, -7, -5, 2, 3, 0;
  CHECK(wf::compute::column_magnitude(a, 0) == 5);
  CHECK(wf::compute::column_magnitude(a, 1) == 7);
}
