// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <Eigen/Core>

#include <wf/run/kernels/bilinear_scheme.hpp>
#include <wf/run/kernels/fused_product.hpp>
#include <wf/run/kernels/matrix_product.hpp>
#include <wf/run/values/strided_matrix.hpp>

namespace wf::compute {

/// Maximum number of elements of scratch storage for `multiply_bilinear`.
template <class Real>
std::int64_t bilinear_scratch(std::int64_t m, std::int64_t n, std::int64_t k) {
  return multiply_fused_scratch<Real>(m, n, k);
}

/// out = a·b by a scheme of at most `max_product_terms` blocks per matrix. Its linear combinations
/// are computed in packing and in writing tiles, so that nothing is stored except packed operands.
/// If the block numbers do not divide the extents, the last blocks are smaller and count as padded
/// with zeros. `out` shares no element with the operands.
template <class Real>
void multiply_bilinear(const bilinear_scheme& s, const matrix_ref<Real>& out,
                       const given<matrix_view<Real>>& a, const given<matrix_view<Real>>& b,
                       given<Real>* scratch) {
  if (!out.by_columns)
    return multiply_bilinear(transposed(s), out.transposed(), b.transposed(), a.transposed(),
                             scratch);
  const auto part = [](Eigen::Index extent, std::uint32_t parts) {
    return (extent + parts - 1) / parts;
  };
  const Eigen::Index m = part(out.rows, s.rows), n = part(out.columns, s.columns);
  const Eigen::Index k = part(a.columns, s.depth);
  if (m == 0 || n == 0 || k == 0) return multiply_fused(out, a, b, scratch);
  const auto add = [](auto& sum, const auto& matrix, std::uint32_t at, std::uint32_t across,
                      Eigen::Index height, Eigen::Index width, Real factor) {
    const Eigen::Index i = at / across * height, j = at % across * width;
    if (i >= matrix.rows || j >= matrix.columns) return false;
    sum.add(matrix.elements + i * matrix.row_step() + j * matrix.column_step(), factor,
            std::min(height, matrix.rows - i), std::min(width, matrix.columns - j));
    return true;
  };
  bool written[max_product_terms] = {};
  const fused_product<Real> product(m, n, k, scratch);
  for (std::uint32_t r = 0; r < s.rank; ++r) {
    matrix_sum<const Real> left = detail::sum_of(a), right = detail::sum_of(b);
    for (std::uint32_t x = 0; x < s.left_blocks(); ++x)
      if (const auto f = s.left[r * s.left_blocks() + x]; f != 0) add(left, a, x, s.depth, m, k, f);
    for (std::uint32_t y = 0; y < s.right_blocks(); ++y)
      if (const auto f = s.right[r * s.right_blocks() + y]; f != 0)
        add(right, b, y, s.columns, k, n, f);
    matrix_sum<Real> to = detail::sum_of(out);
    std::size_t fresh = 0;
    for (const bool is_fresh : {true, false})
      for (std::uint32_t z = 0; z < s.result_blocks(); ++z)
        if (const auto f = s.result[r * s.result_blocks() + z]; f != 0 && written[z] != is_fresh)
          if (add(to, out, z, s.columns, m, n, f)) fresh += is_fresh ? 1 : 0;
    for (std::uint32_t z = 0; z < s.result_blocks(); ++z)
      written[z] = written[z] || s.result[r * s.result_blocks() + z] != 0;
    // Blocks beyond the end are zeros.
    const bool is_nothing = left.terms == 0 || right.terms == 0;
    if (to.terms != 0)
      (is_nothing ? fused_product<Real>(m, n, 0, scratch) : product).run(to, fresh, left, right);
  }
}

}  // namespace wf::compute
