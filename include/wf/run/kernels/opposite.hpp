// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <Eigen/Core>

namespace wf::compute {

/// The expression -a of a matrix or an array, in which a zero changes its sign, too. Eigen 3.4
/// computes 0 - a in the registers of AVX, so that zeros there are positive and elements outside of
/// whole registers differ from those within.
template <class A>
constexpr auto opposite(const A& a) {
  using real = typename A::RealScalar;
  if constexpr (std::is_floating_point_v<real>)
    return a * real(-1);
  else
    return -a;
}

}  // namespace wf::compute
