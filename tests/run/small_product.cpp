// SPDX-License-Identifier: BSL-1.0
#include <wf/run/small_product.hpp>

#include <random>

#include <doctest/doctest.h>

namespace {

using wf::compute::product_use;
using wf::compute::small_product;

template <class Scalar, int M, int N, int K>
void check_product(std::mt19937_64& random) {
  CAPTURE(M);
  CAPTURE(N);
  CAPTURE(K);
  std::uniform_real_distribution<Scalar> uniform(-1, 1);
  const auto fill = [&](auto& m) {
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = uniform(random);
  };
  Eigen::Matrix<Scalar, M, K> a;
  Eigen::Matrix<Scalar, K, N> b;
  Eigen::Matrix<Scalar, M, N> c, out;
  fill(a), fill(b), fill(c);
  static_assert(wf::compute::is_small_product<decltype(out), decltype(a), decltype(b)>);
  // By another order of sums, in twice the precision of float.
  const Eigen::Matrix<double, M, N> expected =
      a.template cast<double>().lazyProduct(b.template cast<double>());
  const auto near = [&](const auto& x, const Eigen::Matrix<double, M, N>& y) {
    const double all = K * 4 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
    return (x.template cast<double>() - y).cwiseAbs().maxCoeff() <= all;
  };
  out.setConstant(std::numeric_limits<Scalar>::quiet_NaN());
  small_product(out, a, b);
  CHECK(near(out, expected));
  // Operands that lie the other way round, or in a larger matrix; results likewise.
  const Eigen::Matrix<Scalar, K, M> at = a.transpose();
  const Eigen::Matrix<Scalar, N, K> bt = b.transpose();
  out.setZero();
  small_product(out, at.transpose(), bt.transpose());
  CHECK(near(out, expected));
  Eigen::Matrix<Scalar, M + 3, N + 1> frame;
  frame.setConstant(7);
  auto inside = frame.template block<M, N>(2, 1);
  small_product(inside, a, b);
  CHECK(near(inside, expected));
  CHECK((frame.topRows(2).array() == 7).all());
  CHECK((frame.bottomRows(1).array() == 7).all());
  CHECK((frame.leftCols(1).array() == 7).all());
  // Added and subtracted, to another matrix and in place.
  const Eigen::Matrix<double, M, N> wide = c.template cast<double>();
  small_product<product_use::added>(out, a, b, c);
  CHECK(near(out, wide + expected));
  const Eigen::Matrix<Scalar, N, M> ct = c.transpose();
  small_product<product_use::subtracted>(out, a, b, ct.transpose());
  CHECK(near(out, wide - expected));
  small_product<product_use::subtracted>(c, a, b, c);
  CHECK(near(c, wide - expected));
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
