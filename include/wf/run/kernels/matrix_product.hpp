// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include <Eigen/Core>

#include <wf/run/kernels/fused_product.hpp>
#include <wf/run/kernels/matrix_copy.hpp>
#include <wf/run/kernels/matrix_map.hpp>
#include <wf/run/kernels/product_choice.hpp>
#include <wf/run/values/scalar.hpp>
#include <wf/run/values/strided_matrix.hpp>

// Products of matrices in either storage order. They take long to compile: each is instantiated
// once per order, here, and all operators of the run-time executor call it.
namespace wf::compute {

namespace detail {

// The inner product of a row and a column, in several partial sums, with any stride.
template <class Real>
Real inner_product(const matrix_view<Real>& row, const given<matrix_view<Real>>& column) {
  constexpr Eigen::Index lanes = 8;
  const Eigen::Index count = row.columns, x = row.column_step(), y = column.row_step();
  const Real *a = row.elements, *b = column.elements;
  Real sums[lanes] = {};
  Eigen::Index k = 0;
  for (; k + lanes <= count; k += lanes)
    for (Eigen::Index l = 0; l < lanes; ++l) sums[l] += a[(k + l) * x] * b[(k + l) * y];
  for (; k < count; ++k) sums[0] += a[k * x] * b[k * y];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

template <class Element>
matrix_sum<Element> sum_of(const strided_matrix<Element>& m) {
  matrix_sum<Element> out;
  out.rows.step = m.row_step();
  out.columns.step = m.column_step();
  return out;
}
template <class Element>
matrix_sum<Element> only(const strided_matrix<Element>& m,
                         std::remove_const_t<Element> factor = 1) {
  matrix_sum<Element> out = sum_of(m);
  out.add(m.elements, factor, m.rows, m.columns);
  return out;
}

// out += factor·a·b by plain loops, along the columns of out.
template <class Real>
void add_plain_product(const matrix_ref<Real>& out, Real factor, const matrix_view<Real>& a,
                       const matrix_view<Real>& b) {
  for (Eigen::Index j = 0; j < out.columns; ++j)
    for (Eigen::Index k = 0; k < a.columns; ++k) {
      const Real each = factor * b(k, j);
      for (Eigen::Index i = 0; i < out.rows; ++i) out(i, j) += a(i, k) * each;
    }
}

}  // namespace detail

/// Elements of scratch storage that `multiply_fused` needs for an m×k by k×n product, with a result
/// in either order.
template <class Real>
std::int64_t multiply_fused_scratch(std::int64_t m, std::int64_t n, std::int64_t k) {
  return std::max(fused_product_scratch<Real>(m, n, k), fused_product_scratch<Real>(n, m, k));
}

/// out = factor·a·b, or out += factor·a·b, by the loops of `fused_product`; for a symmetric,
/// column-major result optionally the lower part only. Scratch storage: `multiply_fused_scratch`.
/// `out` shares no element with the operands.
template <class Real>
void multiply_fused(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                    const given<matrix_view<Real>>& b, given<Real>* scratch, bool adds = false,
                    given<Real> factor = 1, product_part part = product_part::whole) {
  if (!out.by_columns)
    return multiply_fused(out.transposed(), b.transposed(), a.transposed(), scratch, adds, factor);
  if (out.rows == 0 || out.columns == 0) return;
  fused_product<Real>(out.rows, out.columns, a.columns, scratch, part)
      .run(detail::only(out, factor), adds ? 0 : 1, detail::only(a), detail::only(b));
}

/// Elements of scratch storage with which products of m×k and k×n matrices, and of smaller ones,
/// are fastest: 0 for small matrices.
template <class Real>
std::int64_t product_scratch(std::int64_t m, std::int64_t n, std::int64_t k) {
  return detail::is_packed<Real>(m, n, k) ? multiply_fused_scratch<Real>(m, n, k) : 0;
}

namespace detail {

// out += factor·a·b for column-major results of more than one element.
template <class Real>
void add_fast_product(const matrix_ref<Real>& out, Real factor, const matrix_view<Real>& a,
                      const matrix_view<Real>& b, Real* scratch) {
  if constexpr (multiplies_here<Real>) {
    if (is_inner(a, b)) return inner_products(out, a, b, true, factor);
    if (is_multiplied_directly(out, a, b, scratch)) return multiply_direct(out, a, b, true, factor);
    if (is_packed(out, a, scratch)) return multiply_fused(out, a, b, scratch, true, factor);
  }
  // A matrix times a vector, by rows: Eigen sums the elements of each by itself.
  const std::size_t parts = out.columns == 1 ? pass_parts(a) : 1;
  if (parts > 1)
    return team::current().each_part(parts, [&](std::size_t part) {
      constexpr Eigen::Index step = 64;
      const Eigen::Index first = part_begin(part, parts, a.rows, step);
      const Eigen::Index rows = part_begin(part + 1, parts, a.rows, step) - first;
      if (rows > 0)
        add_fast_product<Real>(out.block(first, 0, rows, 1), factor,
                               a.block(first, 0, rows, a.columns), b, nullptr);
    });
  with_map(a, [&](const auto& x) {
    with_map(b, [&](const auto& y) { columns_of(out).noalias() += factor * x * y; });
  });
}

}  // namespace detail

/// out += factor·a·b. `out` shares no element with the operands. Scratch storage: `product_scratch`
/// elements, or null: then Eigen packs blocks of large operands, beyond
/// EIGEN_STACK_ALLOCATION_LIMIT (128 KiB a block), into heap memory, here and in all functions that
/// use products.
template <class Real>
void add_product(const matrix_ref<Real>& out, given<Real> factor, const given<matrix_view<Real>>& a,
                 const given<matrix_view<Real>>& b, given<Real>* scratch = nullptr) {
  if (out.rows == 1 && out.columns == 1) {
    *out.elements += factor * detail::inner_product(a, b);
    return;
  }
  if (!out.by_columns)
    return add_product(out.transposed(), factor, b.transposed(), a.transposed(), scratch);
  if constexpr (is_symbolic_scalar<Real>)
    detail::add_plain_product<Real>(out, factor, a, b);
  else
    detail::add_fast_product<Real>(out, factor, a, b, scratch);
}

namespace detail {

// True if out = a·b is computed fastest as its transpose, which is copied: few columns of b are
// packed then, if need be, instead of many rows of a. Measured on sizes from 8 to 2048.
template <class Real>
bool is_turned_fast(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                    const given<Real>* scratch) {
  const Eigen::Index few = out.columns, many = out.rows;
  return !a.by_columns && few > lanes<Real> && 2 * few >= tile_rows<Real> &&
         few <= tile_rows<Real> && many >= 8 * few && a.columns >= 8 * few &&
         is_packed(out, a, scratch) &&
         few * many <= one_product_scratch<Real>(many, few, a.columns);
}
template <class Real>
void multiply_turned(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                     const given<matrix_view<Real>>& b, given<Real>* scratch) {
  const Eigen::Index few = out.columns, depth = a.columns;
  const matrix_ref<Real> turned{scratch, few, out.rows, few, true};
  const std::size_t parts = product_parts(out.rows, few, depth);
  team::current().each_part(parts, [&](std::size_t part) {
    const Eigen::Index first = part_begin(part, parts, out.rows, tile_columns);
    const Eigen::Index rows = part_begin(part + 1, parts, out.rows, tile_columns) - first;
    if (rows <= 0) return;
    const matrix_ref<Real> own = turned.block(0, first, few, rows);
    multiply_direct<Real>(own, b.transposed(), a.block(first, 0, rows, depth).transposed(), false,
                          1);
    copy(out.block(first, 0, rows, few), own.transposed());
  });
}

}  // namespace detail

/// out = a·b. `out` shares no element with the operands. Scratch storage: as for `add_product`.
template <class Real>
void multiply(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
              const given<matrix_view<Real>>& b, given<Real>* scratch = nullptr) {
  if (!out.by_columns) return multiply(out.transposed(), b.transposed(), a.transposed(), scratch);
  if constexpr (detail::multiplies_here<Real>) {
    if (detail::is_inner(a, b)) return detail::inner_products(out, a, b, false, 1);
    if (detail::is_turned_fast(out, a, scratch)) return detail::multiply_turned(out, a, b, scratch);
    if (detail::is_multiplied_directly(out, a, b, scratch))
      return detail::multiply_direct(out, a, b, false, 1);
    if (detail::is_packed(out, a, scratch)) return multiply_fused(out, a, b, scratch);
  }
  fill(out, 0);
  add_product(out, 1, a, b);
}

/// out = base + factor·a·b. `out` shares no element with a and b; it may be `base`. Scratch
/// storage: as for `add_product`.
template <class Real>
void multiply_onto(const matrix_ref<Real>& out, const given<matrix_view<Real>>& base,
                   given<Real> factor, const given<matrix_view<Real>>& a,
                   const given<matrix_view<Real>>& b, given<Real>* scratch = nullptr) {
  if (!out.by_columns)
    return multiply_onto(out.transposed(), base.transposed(), factor, b.transposed(),
                         a.transposed(), scratch);
  if constexpr (detail::multiplies_here<Real>) {
    // Measured: with operands read in place, copying a small result costs little beside the
    // product.
    const bool is_copied_fast = out.rows * out.columns <= 100'000 &&
                                (b.by_columns || std::min(out.rows, out.columns) <= 100);
    if (out.elements != base.elements && base.by_columns && !detail::is_inner(a, b) &&
        detail::is_packed(out, a, scratch) &&
        !(is_copied_fast && detail::is_multiplied_directly(out, a, b, scratch))) {
      const matrix_sum<const Real> begin = detail::only(base);
      return fused_product<Real>(out.rows, out.columns, a.columns, scratch)
          .run(detail::only(out, factor), 1, detail::only(a), detail::only(b), &begin);
    }
  }
  copy(out, base);
  add_product(out, factor, a, b, scratch);
}

}  // namespace wf::compute
