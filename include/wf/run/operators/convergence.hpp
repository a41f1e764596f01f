// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>

#include <wf/run/values/scalar.hpp>
#include <wf/run/values/strided_matrix.hpp>

namespace wf::compute {

/// True if a number has changed by no more than the tolerance, relative to 1 or its new value,
/// whichever is larger. What becomes infinite has changed, and what is no number changes. Integers
/// and booleans have not changed if they are equal.
template <class Real>
bool is_close(const Real& old, const Real& now, double tolerance) {
  if (old == now) return true;
  if constexpr (is_field_scalar<Real>) {
    const auto size = static_cast<double>(std::abs(now));
    const auto gap = static_cast<double>(std::abs(now - old));
    return std::isfinite(size) && gap <= tolerance * (size > 1 ? size : 1);
  } else {
    return false;
  }
}

/// True if that holds for all elements of two column-major matrices of equal size. O(elements).
template <class Real>
bool are_close(const matrix_view<Real>& old, const given<matrix_view<Real>>& now,
               double tolerance) {
  for (Eigen::Index c = 0; c < now.columns; ++c)
    for (Eigen::Index r = 0; r < now.rows; ++r)
      if (!is_close(old.run(c)[r], now.run(c)[r], tolerance)) return false;
  return true;
}

}  // namespace wf::compute
