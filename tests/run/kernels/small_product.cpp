// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/small_product.hpp>

#include <cmath>
#include <limits>
#include <random>

#include <doctest/doctest.h>

#include "../matrices.hpp"

namespace {

using wf::compute::product_use;
using wf::compute::small_product;

using matrices::matrix;

// True if only a block of a matrix of sevens has changed.
bool is_framed(const matrix& frame, Eigen::Index row, Eigen::Index column, Eigen::Index rows,
               Eigen::Index columns) {
  for (Eigen::Index j = 0; j < frame.cols(); ++j)
    for (Eigen::Index i = 0; i < frame.rows(); ++i) {
      const bool inside = i >= row && i < row + rows && j >= column && j < column + columns;
      if (!inside && frame(i, j) != 7) return false;
    }
  return true;
}
// The largest difference; NaN if an element is NaN.
double largest_difference(const matrix& a, const matrix& b) {
  double largest = 0;
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a(i) - b(i));
    if (!(difference <= largest)) largest = difference;
    if (std::isnan(largest)) break;
  }
  return largest;
}

template <class Scalar, int M, int N, int K>
void check_product(std::mt19937_64& random) {
  using namespace matrices;
  CAPTURE(M);
  CAPTURE(N);
  CAPTURE(K);
  using left = Eigen::Matrix<Scalar, M, K>;
  using right = Eigen::Matrix<Scalar, K, N>;
  using result = Eigen::Matrix<Scalar, M, N>;
  const left a = narrow<left>(matrices::random(M, K, random));
  const right b = narrow<right>(matrices::random(K, N, random));
  result c = narrow<result>(matrices::random(M, N, random)), out;
  static_assert(wf::compute::is_small_product<decltype(out), decltype(a), decltype(b)>);
  // In another order of summation, with twice the precision of float.
  const matrix expected = product(wide(a), wide(b)), before = wide(c);
  const double near = K * 4 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  for (Eigen::Index i = 0; i < out.size(); ++i)
    out.data()[i] = std::numeric_limits<Scalar>::quiet_NaN();
  small_product(out, a, b);
  CHECK(largest_difference(wide(out), expected) <= near);
  // Operands of the other storage order, or in a larger matrix; results likewise.
  const auto at = narrow<Eigen::Matrix<Scalar, K, M>>(transposed(wide(a)));
  const auto bt = narrow<Eigen::Matrix<Scalar, N, K>>(transposed(wide(b)));
  out = c;
  small_product(out, at.transpose(), bt.transpose());
  CHECK(largest_difference(wide(out), expected) <= near);
  auto frame = narrow<Eigen::Matrix<Scalar, M + 3, N + 1>>(filled(M + 3, N + 1, 7));
  auto inside = frame.template block<M, N>(2, 1);
  small_product(inside, a, b);
  CHECK(largest_difference(wide(inside), expected) <= near);
  CHECK(is_framed(wide(frame), 2, 1, M, N));
  // Adds to and subtracts from another matrix and in place.
  small_product<product_use::added>(out, a, b, c);
  CHECK(largest_difference(wide(out), sum(before, expected)) <= near);
  const auto ct = narrow<Eigen::Matrix<Scalar, N, M>>(transposed(before));
  small_product<product_use::subtracted>(out, a, b, ct.transpose());
  CHECK(largest_difference(wide(out), sum(before, expected, -1)) <= near);
  small_product<product_use::subtracted>(c, a, b, c);
  CHECK(largest_difference(wide(c), sum(before, expected, -1)) <= near);
}

}  // namespace

TEST_CASE("small products agree with those of the definition") {
  std::mt19937_64 random(2031);
  check_product<double, 8, 8, 8>(random);
  check_product<double, 5, 2, 3>(random);
  check_product<double, 3, 6, 3>(random);
  check_product<double, 2, 5, 1>(random);
  check_product<double, 6, 7, 6>(random);
  check_product<float, 7, 5, 6>(random);
  check_product<double, 2, 8, 3>(random);
  check_product<double, 9, 3, 2>(random);
  check_product<double, 4, 13, 5>(random);
  check_product<double, 15, 17, 31>(random);
  check_product<double, 64, 24, 33>(random);
  check_product<float, 8, 4, 8>(random);
  check_product<float, 31, 9, 7>(random);
  check_product<float, 64, 12, 64>(random);
}

TEST_CASE("vectors, tiny and large matrices are no small products") {
  using Eigen::Matrix;
  using wf::compute::is_small_product;
  using tiny = Matrix<double, 4, 4>;
  static_assert(!is_small_product<tiny, tiny, tiny>);
  static_assert(
      !is_small_product<Matrix<double, 8, 1>, Matrix<double, 8, 8>, Matrix<double, 8, 1>>);
  static_assert(!is_small_product<Eigen::MatrixXd, Eigen::MatrixXd, Eigen::MatrixXd>);
  using large = Matrix<double, 65, 65>;
  static_assert(!is_small_product<large, large, large>);
  using turned = Matrix<double, 8, 8, Eigen::RowMajor>;
  using square = Matrix<double, 8, 8>;
  static_assert(is_small_product<square, turned, turned>);
  static_assert(!is_small_product<turned, square, square>);
  using whole = Matrix<std::int64_t, 8, 8>;
  static_assert(!is_small_product<whole, whole, whole>);
}
