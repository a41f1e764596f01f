// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/product_choice.hpp>

#include <doctest/doctest.h>

#include <wf/run/kernels/matrix_product.hpp>

namespace {

namespace compute = wf::compute;

}  // namespace

TEST_CASE("of small products packing costs more than it earns, unless Eigen would use the heap") {
  using compute::product_scratch;
  CHECK(product_scratch<double>(119, 119, 119) == 0);
  CHECK(product_scratch<double>(120, 120, 120) > 0);
  CHECK(product_scratch<double>(50, 50, 300) == 0);
  CHECK(product_scratch<double>(50, 50, 400) > 0);
  CHECK(product_scratch<double>(15, 4000, 4000) == 0);
}

TEST_CASE("operands that are contiguous along a long sum are read so, others are not") {
  using compute::detail::is_inner;
  const double* const none = nullptr;
  const auto rows = [&](Eigen::Index m, Eigen::Index n) { return compute::rows_at(none, m, n); };
  const auto columns = [&](Eigen::Index m, Eigen::Index n) {
    return compute::columns_at(none, m, n);
  };
  CHECK(is_inner<double>(rows(4, 1000), columns(1000, 4)));
  CHECK_FALSE(is_inner<double>(columns(4, 1000), columns(1000, 4)));
  CHECK_FALSE(is_inner<double>(rows(4, 1000), rows(1000, 4)));
  CHECK_FALSE(is_inner<double>(rows(4, 40), columns(40, 4)));  // a sum of few terms
}
