// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <Eigen/Core>

#include <wf/core/text/view.hpp>
#include <wf/run/values/strided_matrix.hpp>

// Why a matrix solves nothing.
namespace wf::compute {

namespace detail {

inline constexpr text_view is_singular = "the matrix is singular";
inline constexpr text_view is_indefinite = "the matrix is not positive definite";

template <class Real>
bool has_zero_on_diagonal(const matrix_view<Real>& m) {
  for (Eigen::Index i = 0; i < m.rows; ++i)
    if (m(i, i) == Real(0)) return true;
  return false;
}

}  // namespace detail

}  // namespace wf::compute
