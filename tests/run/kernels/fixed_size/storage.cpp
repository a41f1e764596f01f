// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/fixed_size/storage.hpp>

#include <type_traits>

#include <doctest/doctest.h>

#include "../../matrices.hpp"

namespace {

using namespace matrices;
namespace compute = wf::compute;

}  // namespace

TEST_CASE("matrices lie on the stack unless they are large, then in one place per slot") {
  using small = Eigen::Matrix<double, 8, 8>;
  using large = Eigen::Matrix<double, 65, 64>;
  namespace detail = compute::detail;
  static_assert(detail::is_fixed<small> && !detail::is_fixed<matrix>);
  static_assert(!detail::is_large<small> && detail::is_large<large> && !detail::is_large<matrix>);
  static_assert(detail::same_size<small, small> && !detail::same_size<small, large>);
  static_assert(std::is_same_v<decltype(detail::scratch<small, 0>(8, 8)), small>);
  const auto first = detail::scratch<large, 0>(65, 64), again = detail::scratch<large, 0>(65, 64);
  const auto other = detail::scratch<large, 1>(65, 64);
  CHECK(first.data() == again.data());
  CHECK(first.data() != other.data());
  const auto dynamic = detail::scratch<matrix, 0>(3, 5);
  CHECK(dynamic.rows() == 3);
  CHECK(dynamic.cols() == 5);
}
