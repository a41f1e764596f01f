// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <Eigen/Core>

namespace wf::compute {

namespace detail {

// Copies the lower triangle of a square matrix of `size` rows to the upper one, by blocks that fit
// a cache together. `mirror(i, j, rows, columns)` copies the block at (i, j), below the diagonal,
// to its mirror image: how depends on the type of the matrix. One of `parts` parts takes every
// `parts`-th column of blocks.
template <class Matrix, class Mirror>
void mirror_triangle(Matrix& m, Eigen::Index size, Mirror mirror, Eigen::Index part = 0,
                     Eigen::Index parts = 1) {
  constexpr Eigen::Index side = 64;
  for (Eigen::Index j = part * side; j < size; j += parts * side) {
    const Eigen::Index columns = std::min(side, size - j);
    for (Eigen::Index c = j; c < j + columns; ++c)
      for (Eigen::Index r = j; r < c; ++r) m(r, c) = m(c, r);
    for (Eigen::Index i = j + columns; i < size; i += side)
      mirror(i, j, std::min(side, size - i), columns);
  }
}

}  // namespace detail

}  // namespace wf::compute
