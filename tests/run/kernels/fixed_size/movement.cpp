// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/fixed_size/movement.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../../matrices.hpp"

namespace {

using namespace matrices;
namespace compute = wf::compute;

}  // namespace

TEST_CASE("parts, and parts put together") {
  std::mt19937_64 random(2028);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto some = [&](Eigen::Index r, Eigen::Index c) {
    return matrix(matrix::NullaryExpr(r, c, [&] { return uniform(random); }));
  };
  const Eigen::Matrix<double, 4, 6> a = some(4, 6);
  Eigen::Matrix<double, 2, 6> rows;
  CHECK(compute::slice(rows, a, 1, false));
  CHECK(rows == a.middleRows<2>(1));
  Eigen::Matrix<double, 4, 3> columns;
  CHECK(compute::slice(columns, a, 2, true));
  CHECK(columns == a.middleCols<3>(2));
  Eigen::Matrix<double, 6, 6> above;
  CHECK(compute::concat(above, false, rows, a));
  CHECK((above.topRows<2>() == rows && above.bottomRows<4>() == a));
  Eigen::Matrix<double, 4, 9> beside;
  CHECK(compute::concat(beside, true, columns, a));
  CHECK((beside.leftCols<3>() == columns && beside.rightCols<6>() == a));
  matrix part(2, 2);
  CHECK(compute::slice(part, matrix(a.leftCols(2)), 2, false));
  CHECK(part == a.block(2, 0, 2, 2));
}

TEST_CASE("elements in another shape, another order, and with zeros around them") {
  std::mt19937_64 random(26);
  const matrix a = matrices::random(3, 4, random);
  matrix shaped(2, 6), turned(4, 3), padded(6, 4);
  CHECK(compute::reshape(shaped, a));
  for (int i = 0; i < 12; ++i) CHECK(shaped(i / 6, i % 6) == a(i / 4, i % 4));
  CHECK(compute::rearrange(turned, a, {'i', 'j'}, {'j', 'i'}));
  CHECK(turned == a.transpose());
  CHECK(compute::pad(padded, a, 1, false));
  CHECK(padded.middleRows(1, 3) == a);
  CHECK(padded.row(0).norm() + padded.bottomRows(2).norm() == 0);
}
