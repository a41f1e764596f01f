// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <wf/run/kernels/bunch_kaufman.hpp>
#include <wf/run/kernels/matrix_product.hpp>
#include <wf/run/kernels/product_choice.hpp>
#include <wf/run/kernels/row_exchange.hpp>
#include <wf/run/kernels/substitution.hpp>
#include <wf/run/kernels/symmetric_product.hpp>
#include <wf/run/kernels/triangular_solve.hpp>
#include <wf/run/values/scalar.hpp>

// Factors P·A·P' = L·D·L' of symmetric, possibly indefinite matrices of any size, at half of the
// arithmetic of LU: panels of columns (see bunch_kaufman.hpp), and products to update the residual.
namespace wf::compute {

namespace detail {

// Columns per panel between updates of the residual: more if the residual is not in a cache.
// Measured with AVX-512.
constexpr std::int64_t symmetric_panel_width(std::int64_t n) {
  return n < 600 ? 32 : n < 1200 ? 48 : 64;
}
// Leading dimension in elements, at which columns have equal alignment to cache lines. At a
// power-of-two distance they would evict each other.
constexpr std::int64_t aligned_stride(std::int64_t n) {
  const std::int64_t whole = (n + 7) / 8 * 8;
  return whole % 128 == 0 ? whole + 8 : whole;
}

}  // namespace detail

/// Elements of scratch storage that `factorise_symmetric` needs for n rows.
template <class Real>
std::int64_t factorise_symmetric_scratch(std::int64_t n) {
  const std::int64_t width = std::min(detail::symmetric_panel_width(n), n);
  return width + detail::aligned_stride(n) * (width + 1) +
         (n <= width || !detail::multiplies_here<Real>
              ? 0
              : multiply_fused_scratch<Real>(n, n, width + 1));
}

/// Factorises P·A·P' = L·D·L' in place, in the lower triangle of a column-major symmetric matrix: L
/// below the diagonal, its unit diagonal not stored; the diagonal of D on the diagonal, and its
/// off-diagonal elements right of it, zero outside blocks of two rows. Elements above are
/// unspecified. `rows` receives the row and column that each was exchanged with, in order. Matrices
/// of any rank have factors. n³/3 flops to leading order. Scratch storage:
/// `factorise_symmetric_scratch`.
template <class Real>
void factorise_symmetric(const matrix_ref<Real>& a, given<Real>* rows, given<Real>* scratch) {
  const Eigen::Index n = a.rows, stride = detail::aligned_stride(n);
  const Eigen::Index widest = std::min<Eigen::Index>(detail::symmetric_panel_width(n), n);
  Real *const columns = scratch, *const of_row = columns + stride * (widest + 1);
  Real* const rest = of_row + widest;
  for (Eigen::Index done = 0; done < n;) {
    const Eigen::Index left = n - done;
    const Eigen::Index width = std::min<Eigen::Index>(detail::symmetric_panel_width(left), left);
    const matrix_ref<Real> w{columns, left, width + 1, stride, true};
    const matrix_ref<Real> all = a.block(done, done, left, left);
    const Eigen::Index made = detail::symmetric_panel<Real>(all, w, rows + done, of_row).run(width);
    exchange_rows(a.block(done, 0, left, done), rows + done, made);
    for (Eigen::Index i = done; i < done + made; ++i) rows[i] += as_element<Real>(done);
    const matrix_view<Real> factor = all.block(made, 0, left - made, made);
    const matrix_view<Real> times =
        matrix_view<Real>(w.block(made, 0, left - made, made)).transposed();
    subtract_symmetric(all.block(made, made, left - made, left - made), factor, times, rest);
    done += made;
  }
}

/// The inputs for solving with the factors P·A·P' = L·D·L'; refers to them.
template <class Real>
struct symmetric_substitution {
  matrix_view<Real> factors;        ///< L below the diagonal; its unit diagonal is not read
  const Real* place = nullptr;      ///< row of A that each row was
  const Real* exchanges = nullptr;  ///< the same permutation as exchanges in order
  const Real* diagonal = nullptr;   ///< diagonal of D⁻¹, from `invert_blocks`
  const Real* beside = nullptr;     ///< off-diagonal elements of D⁻¹

  /// x = A⁻¹·b = P'·L⁻ᵀ·D⁻¹·L⁻¹·P·b; x and b share no element. Scratch storage: `solve_scratch`.
  void solve(const matrix_ref<Real>& x, const matrix_view<Real>& b, Real* scratch) const {
    copy_rows(x, b, place);
    solve_triangle(triangle::unit_lower, factors, x, scratch);
    multiply_blocks(x, diagonal, beside);
    solve_triangle(triangle::unit_upper, factors.transposed(), x, scratch);
    undo_exchanges(x, exchanges, x.rows);
  }
};

}  // namespace wf::compute
