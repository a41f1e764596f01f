// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/householder.hpp>

#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../../sanitized.hpp"

namespace {

namespace compute = wf::compute;
using matrix = Eigen::MatrixXd;
using exact = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

// Checks the reflections of the first columns of a matrix by definition, and their effect on the
// others.
void check(matrix a, Eigen::Index count) {
  CAPTURE(a.rows());
  CAPTURE(a.cols());
  CAPTURE(count);
  const exact before = a.cast<long double>();
  matrix q(a.rows(), count);
  const auto size = compute::reflections<double>::scratch(a.rows(), count, a.cols());
  std::vector<double> scratch(static_cast<std::size_t>(size + 1), 7.0);
  Eigen::internal::set_is_malloc_allowed(false);
  const compute::reflections<double> made(compute::columns_at(a.data(), a.rows(), a.cols()), count,
                                          a.cols(), scratch.data());
  made.orthogonal_factor(compute::columns_at(q.data(), q.rows(), q.cols()));
  Eigen::internal::set_is_malloc_allowed(true);
  CHECK(scratch.back() == 7);  // the element behind the storage is unchanged
  const exact wide = q.cast<long double>();
  const matrix unit = (wide.transpose() * wide).cast<double>();
  CHECK((unit - matrix::Identity(count, count)).norm() <
        1e-15 * static_cast<double>(a.rows() + count));
  // The upper part equals Q'·A.
  const exact top = wide.transpose() * before;
  const double largest = static_cast<double>(before.cwiseAbs().maxCoeff());
  double error = 0;
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index j = 0; j < a.cols(); ++j) {
      const double is = j < i ? 0.0 : a(i, j);
      error = std::fmax(error, std::abs(is - static_cast<double>(top(i, j))));
    }
  CHECK(error <= 1e-15 * static_cast<double>(a.rows() + count) * largest);
}

}  // namespace

TEST_CASE("reflections make orthogonal and triangular factors, of any size") {
  std::mt19937_64 random(61);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto some = [&](Eigen::Index m, Eigen::Index n) {
    return matrix(matrix::NullaryExpr(m, n, [&] { return uniform(random); }));
  };
  for (const auto& [m, n] : {std::pair<Eigen::Index, Eigen::Index>{1, 1},
                             {2, 1},
                             {16, 16},
                             {17, 17},
                             {40, 33},
                             {64, 64},
                             {65, 65},
                             {100, 81},
                             {300, 130}}) {
    if (wf_test::sanitized && m > 100) continue;
    check(some(m, n), n);
    check(some(m, n + 1), n);
    check(some(m, n + 20), n);
    check(some(m, n) * 1e-170, n);
    check(some(m, n) * 1e170, n);
    matrix deficient = some(m, n);
    deficient.col(n / 2).setZero();
    deficient.col(n - 1) = 2 * deficient.col(0);
    check(deficient, n);
  }
  // Tall and thin matrices, of which Eigen would pack parts on the heap.
  for (const Eigen::Index n : {1, 3, 17, 34, 35, 65, 70, 99})
    check(some(wf_test::sanitized ? 500 : 5000, n + 2), n);
  for (const Eigen::Index m : {128, 129, 130, 257, 258}) check(some(m, 23), 20);
}
