// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/fixed_size/cofactors.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../../matrices.hpp"

namespace {

using namespace matrices;
namespace compute = wf::compute;

template <int N>
void check_cofactors(std::mt19937_64& random) {
  const matrix regular = random_regular(N, random);
  const fixed<N> a = narrow<fixed<N>>(regular), none = fixed<N>::Zero();
  fixed<N> inverted;
  static_assert(compute::detail::is_tiny<fixed<N>>);
  REQUIRE(compute::detail::invert_tiny(inverted, a));
  CHECK(distance_from(regular, wide(inverted), identity(N)) < 1e-9);
  CHECK_FALSE(compute::detail::invert_tiny(inverted, none));
}

}  // namespace

TEST_CASE("up to four rows are inverted by cofactors, or said to be untrustworthy") {
  std::mt19937_64 random(31);
  for (int round = 0; round < 20; ++round) {
    check_cofactors<2>(random);
    check_cofactors<3>(random);
    check_cofactors<4>(random);
  }
  static_assert(!compute::detail::is_tiny<fixed<5>> && !compute::detail::is_tiny<matrix>);
  fixed<3> nearly = fixed<3>::Ones(), inverted;
  nearly(1, 1) += 1e-12, nearly(2, 2) += 1;
  CHECK_FALSE(compute::detail::invert_tiny(inverted, nearly));
  fixed<1> half;
  CHECK(compute::detail::invert_tiny(half, fixed<1>::Constant(2)));
  CHECK(half(0) == 0.5);
}
