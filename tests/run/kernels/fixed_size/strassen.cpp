// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/fixed_size/strassen.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../../matrices.hpp"

namespace {

using namespace matrices;
namespace compute = wf::compute;

}  // namespace

TEST_CASE("Strassen's product, fixed and dynamic") {
  std::mt19937_64 random(23);
  for (Eigen::Index m : {2, 4, 10})
    for (Eigen::Index k : {2, 6})
      for (Eigen::Index n : {2, 8}) {
        const matrix a = matrices::random(m, k, random), b = matrices::random(k, n, random);
        matrix c(m, n);
        CHECK(compute::strassen(c, a, b));
        CHECK(distance_from(a, b, c) < 1e-12);
      }
  const auto a = narrow<Eigen::Matrix<double, 4, 6>>(matrices::random(4, 6, random));
  const auto b = narrow<Eigen::Matrix<double, 2, 6>>(matrices::random(2, 6, random));
  Eigen::Matrix<double, 4, 2> c;
  CHECK(compute::strassen(c, a, b.transpose()));
  CHECK(distance_from(wide(a), transposed(wide(b)), wide(c)) < 1e-12);
  matrix odd(3, 3);
  CHECK_FALSE(compute::strassen(odd, matrix(matrix::Ones(3, 3)), matrix(matrix::Ones(3, 3))));
}
