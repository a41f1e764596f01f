// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>

#include <Eigen/Core>

#include <wf/run/blas/fortran.hpp>
#include <wf/run/kernels/matrix_copy.hpp>
#include <wf/run/kernels/substitution.hpp>
#include <wf/run/parallel/team.hpp>
#include <wf/run/values/scalar.hpp>
#include <wf/run/values/strided_matrix.hpp>

namespace wf::compute {

namespace detail {

/// Columns of a result that a library computes by one call, if there are at least twice as many.
inline constexpr Eigen::Index library_panel = 256;

// Calls `f(first, count)` for panels of so many columns, on the current team. The panels depend on
// nothing else: on any number of threads a library computes the same bits.
template <class F>
void each_library_panel(Eigen::Index columns, const F& f) {
  const Eigen::Index panels = std::max<Eigen::Index>(1, columns / library_panel);
  const auto parts = static_cast<std::size_t>(panels);
  team::current().each_part(parts, [&](std::size_t part) {
    const Eigen::Index first = part_begin(part, parts, columns, 32);
    const Eigen::Index count = part_begin(part + 1, parts, columns, 32) - first;
    if (count > 0) f(first, count);
  });
}

inline fortran::integer fortran_size(Eigen::Index n) { return static_cast<fortran::integer>(n); }
// The distance of columns, or of rows if row-major. That of a single one does not matter.
template <class Element>
fortran::integer leading_dimension(const strided_matrix<Element>& m) {
  return fortran_size(m.runs() > 1 ? std::max<Eigen::Index>(m.stride, 1)
                                   : std::max<Eigen::Index>(m.run_length(), 1));
}
// True if all sizes of a matrix fit the integers of Fortran.
template <class Element>
bool fits_fortran(const strided_matrix<Element>& m) {
  constexpr Eigen::Index most = std::numeric_limits<fortran::integer>::max();
  return m.rows <= most && m.columns <= most && (m.runs() <= 1 || m.stride <= most);
}
// How a column-major routine reads a matrix.
template <class Element>
const char* reading_of(const strided_matrix<Element>& m) {
  return m.by_columns ? "N" : "T";
}

}  // namespace detail

/// The routines of `own_routines` by a BLAS and LAPACK, for float and double. Sizes and leading
/// dimensions fit 32 bits. They need no scratch storage. The threads of the current team share the
/// columns of large results, or their rows; the library itself should use one thread.
struct blas_routines {
  /// out = a·b: gemm.
  template <class Real>
  static void multiply(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                       const given<matrix_view<Real>>& b, given<Real>* = nullptr) {
    add_product<Real>(out, 0, 1, a, b);
  }
  /// out = base + factor·a·b: gemm.
  template <class Real>
  static void multiply_onto(const matrix_ref<Real>& out, const given<matrix_view<Real>>& base,
                            given<Real> factor, const given<matrix_view<Real>>& a,
                            const given<matrix_view<Real>>& b, given<Real>* = nullptr) {
    copy(out, base);
    add_product<Real>(out, 1, factor, a, b);
  }
  /// out = a·b, known to be symmetric; out is column-major. A matrix times its own transpose by
  /// syrk, others by gemm on blocks of columns, from the diagonal on: a routine for them is rare.
  template <class Real>
  static void multiply_symmetric(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                                 const given<matrix_view<Real>>& b, given<Real>* = nullptr) {
    const bool is_square = a.elements == b.elements && a.by_columns != b.by_columns &&
                           a.stride == b.stride && a.runs() > 1;
    if (is_square) {
      const fortran::integer n = detail::fortran_size(out.rows);
      const fortran::integer k = detail::fortran_size(a.columns);
      const fortran::integer lda = detail::leading_dimension(a);
      const fortran::integer ldc = detail::leading_dimension(out);
      const Real one = 1, zero = 0;
      fortran::routines<Real>::syrk("L", detail::reading_of(a), &n, &k, &one, a.elements, &lda,
                                    &zero, out.elements, &ldc, 1, 1);
    } else {
      constexpr Eigen::Index side = 128;
      const Eigen::Index n = out.rows;
      for (Eigen::Index j = 0; j < n; j += side) {
        const Eigen::Index columns = std::min(side, n - j);
        call_gemm<Real>(out.block(j, j, n - j, columns), 0, 1, a.block(j, 0, n - j, a.columns),
                        b.block(0, j, b.rows, columns));
      }
    }
    mirror_lower(out);
  }
  /// out = a·b for a symmetric a: symm if both other matrices have the same order, else gemm.
  template <class Real>
  static void multiply_by_symmetric(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                                    const given<matrix_view<Real>>& b, given<Real>* = nullptr) {
    if (out.by_columns != b.by_columns) return add_product<Real>(out, 0, 1, a, b);
    const char* const side = out.by_columns ? "L" : "R";
    const fortran::integer lda = detail::leading_dimension(a);
    const fortran::integer ldb = detail::leading_dimension(b);
    const fortran::integer ldc = detail::leading_dimension(out);
    detail::each_library_panel(out.columns, [&](Eigen::Index first, Eigen::Index count) {
      const matrix_ref<Real> c = out.block(0, first, out.rows, count);
      const matrix_view<Real> x = b.block(0, first, b.rows, count);
      const fortran::integer m = detail::fortran_size(c.run_length());
      const fortran::integer n = detail::fortran_size(c.runs());
      const Real one = 1, zero = 0;
      fortran::routines<Real>::symm(side, "L", &m, &n, &one, a.elements, &lda, x.elements, &ldb,
                                    &zero, c.elements, &ldc, 1, 1);
    });
  }
  /// out = T·b for the triangle T of a matrix: trmm.
  template <class Real>
  static void multiply_triangle(const matrix_ref<Real>& out, triangle kind,
                                const given<matrix_view<Real>>& t,
                                const given<matrix_view<Real>>& b, given<Real>* = nullptr) {
    copy(out, b);
    apply_triangle<Real>(fortran::routines<Real>::trmm, kind, t, out);
  }
  /// x = T⁻¹·x for the triangle T of a matrix, whose diagonal has no zero: trsm.
  template <class Real>
  static void solve_triangle(triangle kind, const given<matrix_view<Real>>& t,
                             const matrix_ref<Real>& x, given<Real>* = nullptr) {
    apply_triangle<Real>(fortran::routines<Real>::trsm, kind, t, x);
  }
  /// A = L·Lᵀ in the lower triangle of a column-major matrix: potrf. False if a pivot is not
  /// positive.
  template <class Real>
  static bool factorise_cholesky(const matrix_ref<Real>& a, given<Real>* = nullptr) {
    const fortran::integer n = detail::fortran_size(a.rows), lda = detail::leading_dimension(a);
    fortran::integer info = 0;
    fortran::routines<Real>::potrf("L", &n, a.elements, &lda, &info, 1);
    return info == 0;
  }
  /// P·A = L·U in place, column-major: getrf. `rows` receives the exchanges. Singular matrices have
  /// factors, too.
  template <class Real>
  static void factorise_lu(const matrix_ref<Real>& a, given<Real>* rows, given<Real>* = nullptr) {
    using fortran::integer;
    static_assert(sizeof(integer) <= sizeof(Real));
    const integer m = detail::fortran_size(a.rows), n = detail::fortran_size(a.columns);
    const integer lda = detail::leading_dimension(a);
    integer info = 0;
    auto* const bytes = reinterpret_cast<std::byte*>(rows);
    fortran::routines<Real>::getrf(&m, &n, a.elements, &lda, reinterpret_cast<integer*>(bytes),
                                   &info);
    // From the last one on: an element takes the room of integers that were read already.
    for (Eigen::Index k = std::min(a.rows, a.columns); k-- > 0;) {
      integer row = 0;
      std::memcpy(&row, bytes + static_cast<std::size_t>(k) * sizeof row, sizeof row);
      const Real exchanged = as_element<Real>(row - 1);
      std::memcpy(bytes + static_cast<std::size_t>(k) * sizeof exchanged, &exchanged,
                  sizeof exchanged);
    }
  }

 private:
  // out = keep·out + factor·a·b, in panels of the longer side of the result.
  template <class Real>
  static void add_product(const matrix_ref<Real>& out, Real keep, Real factor,
                          const matrix_view<Real>& a, const matrix_view<Real>& b) {
    if (out.columns < out.rows)
      return add_product<Real>(out.transposed(), keep, factor, b.transposed(), a.transposed());
    detail::each_library_panel(out.columns, [&](Eigen::Index first, Eigen::Index count) {
      call_gemm<Real>(out.block(0, first, out.rows, count), keep, factor, a,
                      b.block(0, first, b.rows, count));
    });
  }
  template <class Real>
  static void call_gemm(const matrix_ref<Real>& out, Real keep, Real factor,
                        const matrix_view<Real>& a, const matrix_view<Real>& b) {
    if (!out.by_columns)
      return call_gemm<Real>(out.transposed(), keep, factor, b.transposed(), a.transposed());
    if (out.rows == 0 || out.columns == 0) return;
    const fortran::integer m = detail::fortran_size(out.rows),
                           n = detail::fortran_size(out.columns);
    const fortran::integer k = detail::fortran_size(a.columns);
    const fortran::integer lda = detail::leading_dimension(a), ldb = detail::leading_dimension(b);
    const fortran::integer ldc = detail::leading_dimension(out);
    fortran::routines<Real>::gemm(detail::reading_of(a), detail::reading_of(b), &m, &n, &k, &factor,
                                  a.elements, &lda, b.elements, &ldb, &keep, out.elements, &ldc, 1,
                                  1);
  }
  // Applies a triangle, or its inverse, to x from the left: to its transpose from the right if x is
  // row-major. A row-major triangle is the transpose of the opposite one.
  template <class Real>
  static void apply_triangle(fortran::triangle_routine<Real>* routine, triangle kind,
                             const matrix_view<Real>& t, const matrix_ref<Real>& x) {
    const char* const side = x.by_columns ? "L" : "R";
    const char* const which = is_upper(kind) == t.by_columns ? "U" : "L";
    const char* const reading = x.by_columns == t.by_columns ? "N" : "T";
    const char* const diagonal = has_unit_diagonal(kind) ? "U" : "N";
    const fortran::integer lda = detail::leading_dimension(t), ldb = detail::leading_dimension(x);
    detail::each_library_panel(x.columns, [&](Eigen::Index first, Eigen::Index count) {
      const matrix_ref<Real> part = x.block(0, first, x.rows, count);
      const fortran::integer m = detail::fortran_size(part.run_length());
      const fortran::integer n = detail::fortran_size(part.runs());
      const Real one = 1;
      routine(side, which, reading, diagonal, &m, &n, &one, t.elements, &lda, part.elements, &ldb,
              1, 1, 1, 1);
    });
  }
};

}  // namespace wf::compute
