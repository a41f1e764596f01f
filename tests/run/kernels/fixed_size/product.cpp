// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/fixed_size/product.hpp>

#include <memory>
#include <random>

#include <doctest/doctest.h>

#include "../../matrices.hpp"

namespace {

using namespace matrices;
namespace compute = wf::compute;

}  // namespace

TEST_CASE("large fixed products go in tiles") {
  std::mt19937_64 random(24);
  using left = Eigen::Matrix<double, 70, 130>;
  using right = Eigen::Matrix<double, 130, 66>;
  const auto a = std::make_unique<left>(narrow<left>(matrices::random(70, 130, random)));
  const auto b = std::make_unique<right>(narrow<right>(matrices::random(130, 66, random)));
  const auto c = std::make_unique<Eigen::Matrix<double, 70, 66>>();
  static_assert(compute::detail::is_large<left>);
  CHECK(compute::product(*c, *a, *b));
  CHECK(distance_from(wide(*a), wide(*b), wide(*c)) < 1e-10);
}
