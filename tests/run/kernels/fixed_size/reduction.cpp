// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/fixed_size/reduction.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../../matrices.hpp"

namespace {

using namespace matrices;
namespace compute = wf::compute;

}  // namespace

TEST_CASE("softmax and reductions") {
  std::mt19937_64 random(26);
  const matrix a = matrices::random(3, 4, random) * 800;
  matrix out(3, 4);
  CHECK(compute::softmax(out, a, false));
  CHECK(out.allFinite());
  CHECK(out.rowwise().sum().isApprox(Eigen::Vector3d::Ones()));
  const auto sum = [](const auto& x) { return x.sum(); };
  Eigen::VectorXd rows(3), columns(4), all(1);
  CHECK(compute::reduce(rows, a, 1, false, sum));
  CHECK(rows.isApprox(a.rowwise().sum()));
  CHECK(compute::reduce(columns, a, 0, false, sum));
  CHECK(columns.isApprox(a.colwise().sum().transpose()));
  CHECK(compute::reduce(all, a, -1, false, sum));
  CHECK(all(0) == doctest::Approx(a.sum()));
}
