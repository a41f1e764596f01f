// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <Eigen/Core>

namespace wf::compute {

/// The expression -a of a matrix, an array or a number, in which a zero changes its sign, too.
/// Eigen 3.4 computes 0 - a in the registers of AVX, so that zeros there are positive and elements
/// outside of whole registers differ from those within.
template <class A>
constexpr auto opposite(const A& a) {
  if constexpr (requires { requires std::is_floating_point_v<typename A::RealScalar>; })
    return a * typename A::RealScalar(-1);
  else
    return -a;
}

}  // namespace wf::compute
