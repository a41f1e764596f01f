// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <Eigen/Core>

namespace wf::compute {

/// The expression -a of a matrix, an array or a number, in which a zero changes its sign, too.
/// Eigen 3.4 computes 0 - a in the registers of AVX, so that zeros there are positive and elements
/// outside of whole registers differ from those within: with -0 - a they do not.
template <class A>
constexpr auto opposite(const A& a) {
  if constexpr (requires { requires std::is_floating_point_v<typename A::RealScalar>; })
    return A::Constant(a.rows(), a.cols(), -typename A::Scalar(0)) - a;
  else
    return -a;
}

}  // namespace wf::compute
