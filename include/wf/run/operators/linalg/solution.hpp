// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include <wf/run/kernels/matrix_copy.hpp>
#include <wf/run/kernels/row_exchange.hpp>
#include <wf/run/kernels/triangular_product.hpp>
#include <wf/run/kernels/triangular_solve.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/linalg/factors.hpp>
#include <wf/run/operators/linalg/singularity.hpp>
#include <wf/run/values/strided_matrix.hpp>

// Solutions and inverses by a factorisation of their own.
namespace wf::compute {

namespace detail {

// X with A·X = B, by LU, by Cholesky, and by factors of a symmetric matrix.
template <class Real, class Routines = own_routines>
struct by_lu {
  static constexpr text_view failure = is_singular;
  static factors<Real> of(const matrix_view<Real>& a, Real* scratch) {
    return lu_of<Routines>(a, scratch);
  }
  static void solve(const factors<Real>& f, const matrix_ref<Real>& x, const matrix_view<Real>& b) {
    follow_exchanges(f.spare, f.rows, f.of.rows);
    copy_rows(x, b, f.spare);
    Routines::template solve_triangle<Real>(triangle::unit_lower, f.of, x, f.rest);
    Routines::template solve_triangle<Real>(triangle::upper, f.of, x, f.rest);
  }
};
template <class Real, class Routines = own_routines>
struct by_cholesky {
  static constexpr text_view failure = is_indefinite;
  static factors<Real> of(const matrix_view<Real>& a, Real* scratch) {
    return cholesky_of<Routines>(a, scratch);
  }
  static void solve(const factors<Real>& f, const matrix_ref<Real>& x, const matrix_view<Real>& b) {
    copy(x, b);
    Routines::template solve_triangle<Real>(triangle::lower, f.of, x, f.rest);
    Routines::template solve_triangle<Real>(triangle::upper, matrix_view<Real>(f.of).transposed(),
                                            x, f.rest);
  }
};
template <class Real>
struct by_symmetric {
  static constexpr text_view failure = is_singular;
  static symmetric_factors<Real> of(const matrix_view<Real>& a, Real* scratch) {
    return {a, scratch};
  }
  static void solve(const symmetric_factors<Real>& f, const matrix_ref<Real>& x,
                    const matrix_view<Real>& b) {
    f.substitution().solve(x, b, f.rest);
  }
};

template <class By, class Real>
text solve(const matrix_ref<Real>& x, const matrix_view<Real>& a, const matrix_view<Real>& b,
           Real* scratch) {
  const auto f = By::of(a, scratch);
  if (!f.is_regular) return By::failure;
  By::solve(f, x, b);
  return {};
}
template <class By, class Real>
text solved(const application<Real>& a) {
  return solve<By>(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)), a.scratch());
}
// X·A = B is A'·X' = B'.
template <class By, class Real>
text solved_right(const application<Real>& a) {
  return solve<By>(matrix(a.out()).transposed(), matrix(a.in(1)).transposed(),
                   matrix(a.in(0)).transposed(), a.scratch());
}

// By LU. The inverse of the transpose is the transpose of the inverse.
template <class Real>
text inverted(const application<Real>& a) {
  const bool by_columns = matrix(a.out()).by_columns;
  const matrix_ref<Real> out = by_columns ? matrix(a.out()) : matrix(a.out()).transposed();
  const matrix_view<Real> m = by_columns ? matrix(a.in()) : matrix(a.in()).transposed();
  const factors<Real> f = lu_of(m, a.scratch());
  if (!f.is_regular) return is_singular;
  follow_exchanges(f.spare, f.rows, f.of.rows);
  fill(out, 0);
  for (Eigen::Index i = 0; i < out.rows; ++i) out(i, index_of(f.spare[i])) = 1;
  solve_triangle(triangle::unit_lower, f.of, out, f.rest);
  solve_triangle(triangle::upper, f.of, out, f.rest);
  return {};
}
// A⁻¹ = L⁻ᵀ·L⁻¹ in three steps that skip zeros, n³/3 operations each.
template <class Real>
text definite_inverted(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out());
  const factors<Real> f = cholesky_of(matrix(a.in()), a.scratch());
  if (!f.is_regular) return is_indefinite;
  invert_triangle(out, triangle::lower, f.of, f.rest);
  copy(f.of, out);
  multiply_transposed_lower(out, f.of, f.of, f.rest);
  mirror_lower(out);
  return {};
}
// A⁻¹ = P'·L⁻ᵀ·D⁻¹·L⁻¹·P, likewise. A symmetric result may be written as column-major.
template <class Real>
text symmetric_inverted(const application<Real>& a) {
  const matrix_ref<Real> out =
      matrix(a.out()).by_columns ? matrix(a.out()) : matrix(a.out()).transposed();
  const symmetric_factors<Real> f(matrix(a.in()), a.scratch());
  if (!f.is_regular) return is_singular;
  matrix_ref<Real> inverted = f.of;
  inverted.elements = f.rest;
  Real* const rest = f.rest + inverted.stride * inverted.columns;
  invert_triangle(inverted, triangle::unit_lower, f.of, rest);
  copy(f.of, inverted);
  multiply_blocks(f.of, f.diagonal, f.beside);
  multiply_transposed_lower(out, inverted, f.of, rest);
  mirror_lower(out);
  undo_exchanges(out, f.rows, out.rows);
  undo_exchanges(out.transposed(), f.rows, out.rows);
  return {};
}
template <class Real>
std::int64_t symmetric_inverse_scratch(const graph_view& g, const node& n) {
  const std::int64_t rows = g[g.inputs_of(n)[0]].type.shape[0].size();
  return aligned_stride(rows) * rows + symmetric_factors<Real>::scratch_of(rows, rows);
}

// Table row of an operator that factorises an operand.
template <class Real, std::uint32_t Operand, class Factors = factors<Real>>
constexpr operator_implementation<Real> solution(text_view name, operator_function<Real> run) {
  using enum storage_order;
  return operator_implementation<Real>{name, run, nullptr, &factors_scratch<Factors, Operand>}
      .in_order(either, either);
}

}  // namespace detail

}  // namespace wf::compute
