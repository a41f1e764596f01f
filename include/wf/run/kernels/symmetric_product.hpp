// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <type_traits>

#include <Eigen/Core>

#include <wf/run/kernels/matrix_copy.hpp>
#include <wf/run/kernels/matrix_map.hpp>
#include <wf/run/kernels/matrix_product.hpp>
#include <wf/run/kernels/product_choice.hpp>
#include <wf/run/values/scalar.hpp>
#include <wf/run/values/strided_matrix.hpp>

// Products whose result or left operand is symmetric: one triangle is computed, or read.
namespace wf::compute {

/// out = a·b, known to be symmetric; out is column-major: multiplies the lower triangle and mirrors
/// it. Scratch storage: as for `add_product`.
template <class Real>
void multiply_symmetric(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                        const given<matrix_view<Real>>& b, given<Real>* scratch = nullptr) {
  if (out.rows == 0 || a.columns == 0) return fill(out, 0);
  if constexpr (is_symbolic_scalar<Real>) {
    multiply(out, a, b);
  } else {
    if (detail::is_inner_symmetric(a, b))
      detail::inner_products(out, a, b, false, 1, product_part::lower);
    else if (detail::is_multiplied_directly(out, a, b, scratch, product_part::lower))
      detail::multiply_direct(out, a, b, false, 1, product_part::lower);
    else if (detail::is_packed(out, a, scratch))
      multiply_fused(out, a, b, scratch, false, 1, product_part::lower);
    else
      detail::with_map(a, [&](const auto& x) {
        detail::with_map(b, [&](const auto& y) {
          detail::columns_of(out).template triangularView<Eigen::Lower>() = x * y;
        });
      });
  }
  mirror_lower(out);
}

/// out -= a·b in the lower triangle of the column-major out, for a symmetric a·b; elements above
/// the diagonal are unspecified. Scratch storage: `multiply_fused_scratch` elements, or null: then
/// as `add_product` without any.
template <class Real>
void subtract_symmetric(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                        const given<matrix_view<Real>>& b, given<Real>* scratch = nullptr) {
  if (out.rows == 0 || a.columns == 0) return;
  if (detail::is_multiplied_directly(out, a, b, scratch, product_part::lower))
    return detail::multiply_direct(out, a, b, true, -1, product_part::lower);
  if (detail::may_pack(scratch) && out.rows >= 32)
    return multiply_fused(out, a, b, scratch, true, -1, product_part::lower);
  detail::with_map(a, [&](const auto& x) {
    detail::with_map(b, [&](const auto& y) {
      detail::columns_of(out).template triangularView<Eigen::Lower>() -= x * y;
    });
  });
}

/// m = m + m' for a square matrix, by squares that fit a cache together.
template <class Real>
void add_transposed(const matrix_ref<Real>& m) {
  constexpr Eigen::Index side = 64;
  const std::size_t parts = detail::pass_parts(m);
  team::current().each_part(parts, [&](std::size_t part) {
    const Eigen::Index step = static_cast<Eigen::Index>(parts) * side;
    for (Eigen::Index j = static_cast<Eigen::Index>(part) * side; j < m.columns; j += step)
      for (Eigen::Index i = j; i < m.rows; i += side)
        for (Eigen::Index c = j; c < std::min(j + side, m.columns); ++c)
          for (Eigen::Index r = std::max(i, c); r < std::min(i + side, m.rows); ++r)
            m(r, c) = m(c, r) = m(r, c) + m(c, r);
  });
}

/// out = a·b for a symmetric a and few columns: reads one triangle per column, half of the memory
/// traffic. `out` shares no element with `b`; the columns of both are contiguous.
template <class Real>
void multiply_symmetric_columns(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                                const given<matrix_view<Real>>& b) {
  if (a.rows == 0) return;
  if constexpr (is_symbolic_scalar<Real>) {
    multiply(out, a, b);
  } else {
    const auto whole = detail::columns_of(a.by_columns ? a : a.transposed());
    for (Eigen::Index j = 0; j < out.columns; ++j) {
      detail::vector_map<Real> to(out.elements + j * out.column_step(), out.rows);
      const detail::const_vector_map<Real> column(b.elements + j * b.column_step(), b.rows);
      if constexpr (!std::is_floating_point_v<Real>)
        to.noalias() = whole * column;  // Eigen supports only Hermitian matrices
      else
        to.noalias() = whole.template selfadjointView<Eigen::Lower>() * column;
    }
  }
}

}  // namespace wf::compute
