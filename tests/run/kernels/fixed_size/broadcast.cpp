// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/fixed_size/broadcast.hpp>

#include <doctest/doctest.h>

#include "../../matrices.hpp"

namespace {

using namespace matrices;
namespace compute = wf::compute;

}  // namespace

TEST_CASE("elementwise operations broadcast as dimensions align on the right") {
  const auto minus = [](double x, double y) { return x - y; };
  const Eigen::Vector3d v(1, 2, 3);
  const Eigen::Matrix<double, 3, 1> column(10, 20, 30);
  Eigen::Matrix3d square;
  CHECK(compute::elementwise(square, v, column, 1, 2, minus));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) CHECK(square(i, j) == v(j) - column(i));
  Eigen::Vector3d same;
  CHECK(compute::elementwise(same, v, column, 1, 1, minus));
  CHECK(same == v - column);
  const Eigen::Matrix<double, 1, 1> scalar(5);
  CHECK(compute::elementwise(same, scalar, v, 0, 1, minus));
  CHECK(same == Eigen::Vector3d(4, 3, 2));
  CHECK(compute::elementwise(same, v, scalar, 1, 0, minus));
  CHECK(same == Eigen::Vector3d(-4, -3, -2));
  const Eigen::Matrix<double, 1, 3, Eigen::RowMajor> row(1, 2, 3);
  CHECK(compute::elementwise(square, column, row, 2, 2, minus));
  CHECK(square(2, 0) == 29);
  CHECK(square(0, 2) == 7);
}
