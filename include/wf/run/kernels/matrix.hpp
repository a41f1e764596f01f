// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <wf/run/kernels/direct_product.hpp>
#include <wf/run/kernels/fused_product.hpp>
#include <wf/run/kernels/inner_products.hpp>
#include <wf/run/kernels/substitution.hpp>
#include <wf/run/values/scalar.hpp>
#include <wf/run/values/strided_matrix.hpp>

// Row-major and column-major matrices, and the operations on them that take long to compile:
// products, triangular solutions, factorisations in place. Each is instantiated once per storage
// order, here, and all operators of the run-time executor call it.
namespace wf::compute {

namespace detail {

template <class Real>
using row_major = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using outer_stride = Eigen::OuterStride<>;
template <class Real>
using column_vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
template <class Real>
using vector_map = Eigen::Map<column_vector<Real>>;
template <class Real>
using const_vector_map = Eigen::Map<const column_vector<Real>>;

template <class Element>
using by_columns = Eigen::Matrix<std::remove_const_t<Element>, Eigen::Dynamic, Eigen::Dynamic>;

template <class Element, class Matrix>
using map_of =
    Eigen::Map<std::conditional_t<std::is_const_v<Element>, const Matrix, Matrix>, 0, outer_stride>;

// A column-major matrix as an Eigen map.
template <class Element>
map_of<Element, by_columns<Element>> columns_of(const strided_matrix<Element>& m) {
  return {m.elements, m.rows, m.columns, outer_stride(m.stride)};
}
// Calls use(m) with the matrix as an Eigen map, in its storage order.
template <class Element, class Use>
void with_map(const strided_matrix<Element>& m, Use use) {
  if (m.by_columns)
    use(columns_of(m));
  else
    use(map_of<Element, row_major<std::remove_const_t<Element>>>(m.elements, m.rows, m.columns,
                                                                 outer_stride(m.stride)));
}

// to = the transpose of a matrix of row stride `from_stride`, with column stride `to_stride`: by
// squares that stay in registers, within blocks whose rows do not evict each other from the cache.
// Rows are prefetched: hardware does not recognise strides that long.
template <class Real>
void transpose_matrix(Real* to, Eigen::Index to_stride, const given<Real>* from,
                      Eigen::Index from_stride, Eigen::Index rows, Eigen::Index columns) {
  constexpr Eigen::Index side = 8, ahead = 4 * side, block = 128;
  using square = Eigen::Matrix<Real, side, side>;
  const auto corner = [&](Eigen::Index i, Eigen::Index j) {
    Real* const into = to + j * to_stride + i;
    const Real* const origin = from + i * from_stride + j;
    for (Eigen::Index r = ahead; r < std::min(ahead + side, rows - i); ++r)
      __builtin_prefetch(origin + r * from_stride);
    if (i + side <= rows && j + side <= columns) {
      Eigen::Map<square, 0, outer_stride>(into, outer_stride(to_stride)) =
          Eigen::Map<const square, 0, outer_stride>(origin, outer_stride(from_stride)).transpose();
      return;
    }
    for (Eigen::Index c = 0; c < std::min(side, columns - j); ++c)
      for (Eigen::Index r = 0; r < std::min(side, rows - i); ++r)
        into[c * to_stride + r] = origin[r * from_stride + c];
  };
  for (Eigen::Index column = 0; column < columns; column += block)
    for (Eigen::Index row = 0; row < rows; row += block)
      for (Eigen::Index j = column; j < std::min(column + block, columns); j += side)
        for (Eigen::Index i = row; i < std::min(row + block, rows); i += side) corner(i, j);
}

}  // namespace detail

/// to = from. Both have the same size, and share no element unless they are the same matrix.
template <class Real>
void copy(const matrix_ref<Real>& to, const given<matrix_view<Real>>& from) {
  if (to.rows == 0 || to.columns == 0) return;
  if (to.by_columns != from.by_columns) {
    // Row-major to column-major, of the transposes if need be.
    const bool rows = !from.by_columns;
    detail::transpose_matrix(to.elements, to.stride, from.elements, from.stride,
                             rows ? from.rows : from.columns, rows ? from.columns : from.rows);
    return;
  }
  if (to.elements == from.elements) return;
  if (to.stride == to.run_length() && from.stride == to.run_length()) {
    std::copy_n(from.elements, to.rows * to.columns, to.elements);
    return;
  }
  for (Eigen::Index r = 0; r < to.runs(); ++r) std::copy_n(from.run(r), to.run_length(), to.run(r));
}

/// to = from in the lower triangle of square matrices; `to` is column-major. Its elements above the
/// diagonal are unspecified.
template <class Real>
void copy_lower(const matrix_ref<Real>& to, const given<matrix_view<Real>>& from) {
  if (!from.by_columns || to.elements == from.elements) return copy(to, from);
  for (Eigen::Index j = 0; j < to.columns; ++j)
    std::copy(from.run(j) + j, from.run(j) + to.rows, to.run(j) + j);
}

/// Sets every element to `value`.
template <class Real>
void fill(const matrix_ref<Real>& m, given<Real> value) {
  for (Eigen::Index r = 0; r < m.runs(); ++r) std::fill_n(m.run(r), m.run_length(), value);
}

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

// True if Eigen passes products and solutions to a BLAS: all of them then go to Eigen.
#ifdef EIGEN_USE_BLAS
inline constexpr bool uses_blas = true;
#else
inline constexpr bool uses_blas = false;
#endif
// True if products are computed here: complex ones are left to Eigen, those of symbolic integers to
// plain loops.
template <class Real>
inline constexpr bool multiplies_here =
    !uses_blas && !is_complex_scalar<Real> && !is_symbolic_scalar<Real>;

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

// True if there is scratch storage for packing.
template <class Real>
bool may_pack(const Real* scratch) {
  return multiplies_here<Real> && scratch != nullptr;
}

// Elements in a page of memory.
template <class Real>
inline constexpr Eigen::Index page = 4096 / static_cast<Eigen::Index>(sizeof(Real));

// True if `multiply_fused` is fastest: for smaller or thinner matrices packing does not pay off.
// Also true if Eigen would allocate heap memory for packing.
template <class Real>
constexpr bool is_packed(std::int64_t m, std::int64_t n, std::int64_t k) {
  if constexpr (!multiplies_here<Real>) return false;
  constexpr double stack = EIGEN_STACK_ALLOCATION_LIMIT / sizeof(Real);
  const double results = static_cast<double>(m) * static_cast<double>(n);
  const double larger = static_cast<double>(std::max(m, n)) * static_cast<double>(k);
  return multiplies_here<Real> && std::min({m, n, k}) >= 16 && results >= 48 * 48 &&
         (results * static_cast<double>(k) >= 120 * 120 * 120 || larger > stack);
}
// The same for out = a·b, with this scratch storage.
template <class Real>
bool is_packed(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
               const given<Real>* scratch) {
  return scratch != nullptr && is_packed<Real>(out.rows, out.columns, a.columns);
}

// True if `direct_product` is fastest, as measured on sizes from 2 to 2000.
template <class Real>
bool is_multiplied_directly(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                            const given<matrix_view<Real>>& b, const given<Real>* scratch,
                            product_part part = product_part::whole) {
  const double m = static_cast<double>(out.rows), n = static_cast<double>(out.columns);
  const double k = static_cast<double>(a.columns);
  if (!multiplies_here<Real> || m < 4 || n < 2 || k < 4 || m * n * k < 8 * 8 * 8) return false;
  // With few rows half of a tile is empty; packing rows pays off only for enough columns.
  if (out.rows < lanes<Real> && n * k < 1000) return false;
  if (!a.by_columns && n < 14 && m * k < 100'000) return false;
  // A result much larger than its operands is written fastest from packed ones.
  if (m * n > 200'000 && k < 40) return false;
  // Half of a product with its own transpose reads the operand from a cache, unless it is high.
  if (part == product_part::lower && a.by_columns && !b.by_columns)
    return m <= 250 || (m <= 500 && k <= 50);
  // Beyond the caches, a few rows of many columns are read more slowly than a packed block; for few
  // columns packing takes longer still.
  const bool packs = is_packed(out, a, scratch);
  if (packs && a.by_columns && m * k > 250'000)
    return n <= (m <= 400 ? 60 : 40) && a.stride % page<Real> != 0;
  // The right operand is read once per few rows, so it must be in a near cache.
  if (m <= tile_rows<Real>) return true;
  if (m <= 2 * tile_rows<Real> && (b.by_columns || !packs || n * k <= 160'000)) return true;
  // A right operand contiguous along the sum is read in blocks of the depth.
  if (b.by_columns && !a.by_columns) {
    const double block = (part == product_part::lower ? 0.7 : 1) * n * std::min(k, 384.0);
    return block <= (m <= 100 ? 350'000 : 160'000);
  }
  if (b.by_columns) return n * k <= 100'000;
  if (n <= 100 || !packs) return n * k <= 100'000;
  return m * n <= 100'000 && n * k <= (m <= 64 ? 50'000 : 20'000);
}
template <class Real>
stepped_matrix<Real> stepped(const matrix_view<Real>& m) {
  return {m.elements, m.row_step(), m.column_step()};
}
template <class Real>
void multiply_direct(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                     const given<matrix_view<Real>>& b, bool adds, given<Real> factor,
                     product_part part = product_part::whole) {
  direct_product<Real>(out.rows, out.columns, a.columns, adds, factor, part)
      .run(out.elements, out.stride, stepped(a), stepped(b));
}

// True if vectors contiguous along the sum begin at cache lines: others are read at half the speed.
template <class Real>
bool are_aligned(const matrix_view<Real>& a, const given<matrix_view<Real>>& b) {
  constexpr auto begins = [](const matrix_view<Real>& m) {
    return m.stride % (64 / static_cast<Eigen::Index>(sizeof(Real))) == 0 &&
           reinterpret_cast<std::uintptr_t>(m.elements) % 64 == 0;
  };
  return begins(a) && begins(b);
}
// True if `inner_products` is fastest: operands contiguous along long sums, and a thin or small
// result. Measured on sizes from 2 to 2000.
template <class Real>
bool is_inner(const matrix_view<Real>& a, const given<matrix_view<Real>>& b) {
  if (!multiplies_here<Real> || a.by_columns || !b.by_columns || a.columns < 48) return false;
  const Eigen::Index least = std::min(a.rows, b.columns), k = a.columns;
  if (least < 2) return false;
  // A few rows of many columns are transposed once, and then read from a cache.
  const bool turns = a.rows > 4 && a.rows < b.columns && b.columns > 40;
  if (!turns && (least <= 6 || (least <= 16 && k >= 8 * least))) return true;
  return least <= 32 && a.rows * b.columns <= 10'000 && k >= 250 && are_aligned(a, b);
}
// The same for a symmetric result.
template <class Real>
bool is_inner_symmetric(const matrix_view<Real>& a, const given<matrix_view<Real>>& b) {
  if (!multiplies_here<Real> || a.by_columns || !b.by_columns || a.columns < 48) return false;
  const Eigen::Index m = a.rows, k = a.columns;
  if (m <= 9 || (m <= 48 && k >= 8 * m)) return true;
  return m <= 100 && k >= 800 && are_aligned(a, b);
}
template <class Real>
void inner_products(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                    const given<matrix_view<Real>>& b, bool adds, given<Real> factor,
                    product_part part = product_part::whole) {
  compute::inner_products(
      out.elements, out.stride, vectors_apart<Real>{a.elements, a.stride, a.rows},
      vectors_apart<Real>{b.elements, b.stride, b.columns}, a.columns, adds, factor, part);
}

}  // namespace detail

/// Elements of scratch storage that `multiply_fused` needs for an m×k by k×n product, with a result
/// in either order.
template <class Real>
constexpr std::int64_t multiply_fused_scratch(std::int64_t m, std::int64_t n, std::int64_t k) {
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
constexpr std::int64_t product_scratch(std::int64_t m, std::int64_t n, std::int64_t k) {
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

/// out = a·b. `out` shares no element with the operands. Scratch storage: as for `add_product`.
template <class Real>
void multiply(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
              const given<matrix_view<Real>>& b, given<Real>* scratch = nullptr) {
  if (!out.by_columns) return multiply(out.transposed(), b.transposed(), a.transposed(), scratch);
  if constexpr (detail::multiplies_here<Real>) {
    if (detail::is_inner(a, b)) return detail::inner_products(out, a, b, false, 1);
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

namespace detail {

// The diagonal of a product of column-major operands that fit in a cache, a few rows and columns at
// a time.
template <class Real>
void multiply_small_diagonal(Real* out, const given<matrix_view<Real>>& a,
                             const given<matrix_view<Real>>& b) {
  constexpr Eigen::Index few = 8;
  for (Eigen::Index i = 0; i < a.rows; i += few) {
    Real sums[few] = {};
    const Eigen::Index rows = std::min(few, a.rows - i);
    if (rows == few) {  // a constant count keeps the sums in registers
      for (Eigen::Index k = 0; k < a.columns; ++k)
        for (Eigen::Index r = 0; r < few; ++r) sums[r] += a.run(k)[i + r] * b.run(i + r)[k];
    } else {
      for (Eigen::Index k = 0; k < a.columns; ++k)
        for (Eigen::Index r = 0; r < rows; ++r) sums[r] += a.run(k)[i + r] * b.run(i + r)[k];
    }
    std::copy_n(sums, rows, out + i);
  }
}

}  // namespace detail

/// out[i] = the inner product of row i of a and column i of b.
template <class Real>
void multiply_diagonal(Real* out, const given<matrix_view<Real>>& a,
                       const given<matrix_view<Real>>& b) {
  constexpr Eigen::Index side = 64;
  constexpr Eigen::Index small = 100'000;  // elements of both that fit in a cache
  if (!a.by_columns && !b.by_columns)      // B'·A' has the same diagonal
    return multiply_diagonal(out, b.transposed(), a.transposed());
  if (a.by_columns && b.by_columns && a.rows * a.columns <= small)
    return detail::multiply_small_diagonal(out, a, b);
  std::fill_n(out, a.rows, Real(0));
  if (a.columns == 0) return;
  const matrix_view<Real> flipped = b.transposed();  // in the layout of a
  if (!a.by_columns && b.by_columns) {               // contiguous rows and columns
    for (Eigen::Index i = 0; i < a.rows; ++i)
      out[i] = detail::const_vector_map<Real>(a.run(i), a.columns)
                   .conjugate()
                   .dot(detail::const_vector_map<Real>(b.run(i), a.columns));
    return;
  }
  alignas(64) Real turned[side * side];
  for (Eigen::Index i = 0; i < a.rows; i += side)
    for (Eigen::Index k = 0; k < a.columns; k += side) {
      const Eigen::Index rows = std::min(side, a.rows - i), depth = std::min(side, a.columns - k);
      matrix_view<Real> left = a.block(i, k, rows, depth), right = flipped.block(i, k, rows, depth);
      for (matrix_view<Real>* m : {&left, &right}) {
        if (m->by_columns) continue;
        const matrix_ref<Real> copied = columns_at(turned, rows, depth);
        copy(copied, *m);
        *m = copied;
      }
      for (Eigen::Index l = 0; l < depth; ++l)
        detail::vector_map<Real>(out + i, rows).array() +=
            detail::const_vector_map<Real>(left.run(l), rows).array() *
            detail::const_vector_map<Real>(right.run(l), rows).array();
    }
}

namespace detail {

template <unsigned Mode, class Real>
void solve_triangular(const auto& t, const matrix_ref<Real>& x) {
  const auto triangular = t.template triangularView<Mode>();
  if (x.columns == 1 && x.row_step() == 1) {
    vector_map<Real> column(x.elements, x.rows);
    triangular.solveInPlace(column);
    return;
  }
  with_map(x, [&](auto right) { triangular.solveInPlace(right); });
}

}  // namespace detail

/// Elements of scratch storage with which triangular solves of n rows and `columns` right-hand
/// sides, and smaller ones, are fastest; sufficient for products of such matrices, too.
template <class Real>
constexpr std::int64_t solve_scratch(std::int64_t n, std::int64_t columns) {
  if (n < min_substitution || !detail::multiplies_here<Real>) return 0;
  return std::max(substitution_scratch<Real>(n), product_scratch<Real>(n, std::max(n, columns), n));
}

namespace detail {

// True if the right-hand sides fill half a tile; fewer are solved faster one by one.
template <class Real>
bool fill_half_a_tile(Eigen::Index right_sides) {
  return 2 * right_sides >= tile_rows<Real>;
}
// Rows of the triangles solved as a whole: their packed form is used once per tile of right-hand
// sides, while products read column-major matrices in place.
template <class Real>
Eigen::Index substitution_leaf(const matrix_view<Real>& t, Eigen::Index right_sides) {
  if (right_sides == 1) return t.rows;
  if (t.by_columns) return right_sides < 128 ? 64 : max_substitution;
  return fill_half_a_tile<Real>(right_sides) && right_sides < 128 ? 128 : max_substitution;
}

}  // namespace detail

/// x = T⁻¹·x for the triangle T of a matrix, whose diagonal must have no zero. Scratch storage:
/// `solve_scratch` elements, or null: then as `add_product` without any.
template <class Real>
void solve_triangle(triangle kind, const given<matrix_view<Real>>& t, const matrix_ref<Real>& x,
                    given<Real>* scratch = nullptr) {
  const Eigen::Index n = t.rows;
  if (n == 0 || x.columns == 0) return;
  const bool packs = detail::may_pack(scratch);
  if (packs && n > detail::substitution_leaf(t, x.columns)) {
    const Eigen::Index half = (n / 2 + 31) / 32 * 32;
    const matrix_ref<Real> top = x.block(0, 0, half, x.columns);
    const matrix_ref<Real> bottom = x.block(half, 0, n - half, x.columns);
    const bool upper = is_upper(kind);
    const auto solve_top = [&] { solve_triangle(kind, t.block(0, 0, half, half), top, scratch); };
    if (!upper) {
      solve_top();
      add_product(bottom, -1, t.block(half, 0, n - half, half), top, scratch);
    }
    solve_triangle(kind, t.block(half, half, n - half, n - half), bottom, scratch);
    if (upper) {
      add_product(top, -1, t.block(0, half, half, n - half), bottom, scratch);
      solve_top();
    }
    return;
  }
  if (packs && n >= min_substitution && detail::fill_half_a_tile<Real>(x.columns))
    return substitution<Real>(kind, n, detail::only(t), scratch).run(detail::only(x), x.columns);
  detail::with_map(t, [&](const auto& m) {
    if (kind == triangle::unit_lower)
      detail::solve_triangular<Eigen::UnitLower>(m, x);
    else if (kind == triangle::unit_upper)
      detail::solve_triangular<Eigen::UnitUpper>(m, x);
    else if (kind == triangle::lower)
      detail::solve_triangular<Eigen::Lower>(m, x);
    else
      detail::solve_triangular<Eigen::Upper>(m, x);
  });
}

/// Copies the lower triangle to the upper one, by blocks that fit a cache together.
template <class Real>
void mirror_lower(const matrix_ref<Real>& m) {
  constexpr Eigen::Index side = 64;
  for (Eigen::Index j = 0; j < m.columns; j += side) {
    const Eigen::Index columns = std::min(side, m.columns - j);
    for (Eigen::Index c = j; c < j + columns; ++c)
      for (Eigen::Index r = j; r < c; ++r) m(r, c) = m(c, r);
    for (Eigen::Index i = j + columns; i < m.rows; i += side) {
      const Eigen::Index rows = std::min(side, m.rows - i);
      copy(m.block(j, i, columns, rows), m.block(i, j, rows, columns).transposed());
    }
  }
}

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
  for (Eigen::Index j = 0; j < m.columns; j += side)
    for (Eigen::Index i = j; i < m.rows; i += side)
      for (Eigen::Index c = j; c < std::min(j + side, m.columns); ++c)
        for (Eigen::Index r = std::max(i, c); r < std::min(i + side, m.rows); ++r)
          m(r, c) = m(c, r) = m(r, c) + m(c, r);
}

namespace detail {
inline constexpr Eigen::Index triangle_leaf = 48;  // rows below which no products are saved
}

/// Elements of scratch storage that `multiply_triangle` needs for `columns` columns of n elements.
template <class Real>
constexpr std::int64_t multiply_triangle_scratch(std::int64_t n, std::int64_t columns) {
  const std::int64_t leaf = std::min<std::int64_t>(n, detail::triangle_leaf);
  return leaf * leaf + product_scratch<Real>(n, columns, n);
}

/// out = T·b for the triangle T, not a unit one, of a matrix, with its diagonal scaled by
/// `diagonal`. Recursive by halves; small triangles are multiplied as full matrices, from a copy
/// with zeros. `out` shares no element with `b`. Scratch storage: `multiply_triangle_scratch`
/// elements.
template <class Real>
void multiply_triangle(const matrix_ref<Real>& out, triangle kind,
                       const given<matrix_view<Real>>& t, const given<matrix_view<Real>>& b,
                       given<Real>* scratch, given<Real> diagonal = 1) {
  const Eigen::Index n = t.rows, m = b.columns;
  const bool lower = !is_upper(kind);
  if (n <= detail::triangle_leaf) {
    const matrix_ref<Real> whole{scratch, n, n, n, t.by_columns};
    const bool begins = lower != t.by_columns;  // a run begins in the triangle, or ends there
    for (Eigen::Index j = 0; j < n; ++j) {
      const Eigen::Index first = begins ? 0 : j, last = begins ? j + 1 : n;
      Real* const run = whole.run(j);
      std::fill_n(run, first, Real(0));
      std::copy(t.run(j) + first, t.run(j) + last, run + first);
      std::fill_n(run + last, n - last, Real(0));
      run[j] *= diagonal;
    }
    return multiply(out, whole, b, scratch + n * n);
  }
  Real* const rest = scratch + detail::triangle_leaf * detail::triangle_leaf;
  const Eigen::Index half = (n / 2 + 16) / 32 * 32;
  const matrix_ref<Real> top = out.block(0, 0, half, m), bottom = out.block(half, 0, n - half, m);
  const matrix_view<Real> first = b.block(0, 0, half, m), last = b.block(half, 0, n - half, m);
  multiply_triangle(top, kind, t.block(0, 0, half, half), first, scratch, diagonal);
  multiply_triangle(bottom, kind, t.block(half, half, n - half, n - half), last, scratch, diagonal);
  if (lower)
    add_product(bottom, 1, t.block(half, 0, n - half, half), first, rest);
  else
    add_product(top, 1, t.block(0, half, half, n - half), last, rest);
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

/// out = T⁻¹ for the triangle T of a matrix, whose diagonal must have no zero. Solves for columns
/// of the identity, each from its first nonzero row. Scratch storage: `solve_scratch` elements for
/// the extents of T, or null.
template <class Real>
void invert_triangle(const matrix_ref<Real>& out, triangle kind, const given<matrix_view<Real>>& t,
                     given<Real>* scratch = nullptr) {
  fill(out, 0);
  for (Eigen::Index i = 0; i < out.rows; ++i) out(i, i) = 1;
  const Eigen::Index size = out.rows;
  const bool lower = !is_upper(kind);
  if (detail::may_pack(scratch) && size >= min_substitution && size <= max_substitution)
    return substitution<Real>(kind, size, detail::only(t), scratch).run_triangle(detail::only(out));
  const Eigen::Index side = detail::may_pack(scratch) ? 192 : 64;
  for (Eigen::Index j = 0; j < size; j += side) {
    const Eigen::Index columns = std::min(side, size - j);
    const Eigen::Index first = lower ? j : 0, rows = lower ? size - j : j + columns;
    solve_triangle(kind, t.block(first, first, rows, rows), out.block(first, j, rows, columns),
                   scratch);
  }
}

/// The lower triangle of out = T'·b, known to be symmetric, for the lower triangle T of a matrix,
/// such as b = T: skips the zeros of T by blocks. Above its diagonal `t` must hold zeros; `out`
/// shares no element with the operands. Scratch storage: as for `add_product`, for products of the
/// extents of T.
template <class Real>
void multiply_transposed_lower(const matrix_ref<Real>& out, const given<matrix_view<Real>>& t,
                               const given<matrix_view<Real>>& b, given<Real>* scratch = nullptr) {
  constexpr Eigen::Index side = 64;
  for (Eigen::Index i = 0; i < t.rows; i += side) {
    const Eigen::Index rows = std::min(side, t.rows - i), depth = t.rows - i;
    multiply(out.block(i, 0, rows, i + rows), t.block(i, i, depth, rows).transposed(),
             b.block(i, 0, depth, i + rows), scratch);
  }
}

namespace detail {

// Exchanges row k with row rows[k], for k in [0, count), or in reverse order.
template <bool Backwards, class Real>
void exchange_rows(const matrix_ref<Real>& m, const given<Real>* rows, Eigen::Index count) {
  const auto kth = [&](Eigen::Index k) { return Backwards ? count - 1 - k : k; };
  if (!m.by_columns) {
    for (Eigen::Index k = 0; k < count; ++k) {
      const Eigen::Index row = kth(k), other = index_of(rows[row]);
      if (other != row) std::swap_ranges(m.run(row), m.run(row) + m.columns, m.run(other));
    }
    return;
  }
  constexpr Eigen::Index few = 16;
  for (Eigen::Index first = 0; first < count; first += few) {
    Eigen::Index other[few];
    const Eigen::Index last = std::min(few, count - first);
    for (Eigen::Index k = 0; k < last; ++k) other[k] = index_of(rows[kth(first + k)]);
    for (Eigen::Index j = 0; j < m.columns; ++j) {
      Real* const column = m.run(j);
      for (Eigen::Index k = 0; k < last; ++k) std::swap(column[kth(first + k)], column[other[k]]);
    }
  }
}

}  // namespace detail

/// Exchanges row k with row rows[k], for k from 0 to count - 1 in order.
template <class Real>
void exchange_rows(const matrix_ref<Real>& m, const given<Real>* rows, Eigen::Index count) {
  detail::exchange_rows<false>(m, rows, count);
}
/// Applies the exchanges of `exchange_rows` in reverse order, which undoes them.
template <class Real>
void undo_exchanges(const matrix_ref<Real>& m, const given<Real>* rows, Eigen::Index count) {
  detail::exchange_rows<true>(m, rows, count);
}

/// Copies row place[i] of `from` to row i of `to`. They share no element.
template <class Real>
void copy_rows(const matrix_ref<Real>& to, const given<matrix_view<Real>>& from,
               const given<Real>* place) {
  if (!to.by_columns) {
    for (Eigen::Index i = 0; i < to.rows; ++i)
      copy(to.block(i, 0, 1, to.columns), from.block(index_of(place[i]), 0, 1, to.columns));
    return;
  }
  if (to.rows == 0) return;
  const Eigen::Index down = from.row_step(), right = from.column_step();
  Eigen::Index j = 0;
  const auto copy_columns = [&]<Eigen::Index Few>(std::integral_constant<Eigen::Index, Few>) {
    for (; j + Few <= to.columns; j += Few) {
      Real* const column = to.run(j);
      const Real* const origin = from.elements + j * right;
      for (Eigen::Index i = 0; i < to.rows; ++i) {
        const Real* const row = origin + index_of(place[i]) * down;
        for (Eigen::Index c = 0; c < Few; ++c) column[c * to.stride + i] = row[c * right];
      }
    }
  };
  // Looks up each place once for several columns: a cache line of a row-major matrix.
  if (!from.by_columns) copy_columns(std::integral_constant<Eigen::Index, 8>());
  copy_columns(std::integral_constant<Eigen::Index, 4>());
  copy_columns(std::integral_constant<Eigen::Index, 1>());
}

namespace detail {

// LU factors of a few columns, by rank-1 updates.
template <class Real>
void factorise_columns(const matrix_ref<Real>& a, given<Real>* rows) {
  for (Eigen::Index k = 0; k < a.columns; ++k) {
    const Eigen::Index below = a.rows - k - 1;
    Eigen::Index pivot = 0;
    vector_map<Real>(a.run(k) + k, below + 1).cwiseAbs().maxCoeff(&pivot);
    pivot += k;
    rows[k] = as_element<Real>(pivot);
    const Real value = a(pivot, k);
    vector_map<Real> factors(a.run(k) + k + 1, below);
    if (value != Real(0)) {
      if (pivot != k)
        for (Eigen::Index j = 0; j < a.columns; ++j) std::swap(a(k, j), a(pivot, j));
      factors /= value;
    }
    for (Eigen::Index j = k + 1; j < a.columns; ++j)
      vector_map<Real>(a.run(j) + k + 1, below) -= a(k, j) * factors;
  }
}

// Applies the first `done` columns of A = L·U to the others: exchanges, solution, product.
template <class Real>
void follow_factors(const matrix_ref<Real>& a, Eigen::Index done, const given<Real>* rows,
                    given<Real>* scratch) {
  const matrix_ref<Real> right = a.block(0, done, a.rows, a.columns - done);
  const matrix_ref<Real> top = right.block(0, 0, done, right.columns);
  exchange_rows(right, rows, done);
  solve_triangle(triangle::unit_lower, a.block(0, 0, done, done), top, scratch);
  add_product(right.block(done, 0, a.rows - done, right.columns), -1,
              a.block(done, 0, a.rows - done, done), top, scratch);
}

}  // namespace detail

/// Factorises P·A = L·U in place, for a column-major matrix with no fewer rows than columns; `rows`
/// receives the row that each row was exchanged with, in order. Matrices of any rank have factors:
/// a column without pivot keeps zeros. Recursive by halves for wide matrices, else by a few
/// columns. Scratch storage: `solve_scratch` elements for the extents of A, or null. Source: S.
/// Toledo, Locality of reference in LU decomposition with partial pivoting, 1997.
template <class Real>
void factorise_lu(const matrix_ref<Real>& a, given<Real>* rows, given<Real>* scratch = nullptr) {
  constexpr Eigen::Index few = 8;
  const Eigen::Index wide = detail::may_pack(scratch) ? 32 : 256;
  const Eigen::Index m = a.rows, n = a.columns;
  if (n <= few) return detail::factorise_columns(a, rows);
  const Eigen::Index step = n <= wide ? few : (n / 2 + few - 1) / few * few;
  for (Eigen::Index k = 0; k < n; k += step) {
    const Eigen::Index next = std::min(step, n - k);
    const matrix_ref<Real> rest = a.block(k, k, m - k, n - k);
    factorise_lu(rest.block(0, 0, m - k, next), rows + k, scratch);
    exchange_rows(a.block(k, 0, m - k, k), rows + k, next);
    if (k + next < n) detail::follow_factors(rest, next, rows + k, scratch);
    for (Eigen::Index i = k; i < k + next; ++i) rows[i] += as_element<Real>(k);
  }
}

/// Factorises A = L·L' in place, in the lower triangle of a column-major matrix, recursively by
/// halves; false if the square of a diagonal element is not positive. Elements above the diagonal
/// are unspecified. Scratch storage: `solve_scratch` elements for the extents of A, or null.
template <class Real>
bool factorise_cholesky(const matrix_ref<Real>& a, given<Real>* scratch = nullptr) {
  if (a.rows == 0) return true;
  constexpr Eigen::Index few = 32, step = 8;
  if (a.rows > few) {
    const Eigen::Index n = a.rows, half = (n / 2 + step - 1) / step * step;
    const matrix_ref<Real> top = a.block(0, 0, half, half),
                           below = a.block(half, 0, n - half, half);
    const matrix_ref<Real> rest = a.block(half, half, n - half, n - half);
    if (!factorise_cholesky(top, scratch)) return false;
    solve_triangle(triangle::lower, top, below.transposed(), scratch);
    subtract_symmetric(rest, below, matrix_view<Real>(below).transposed(), scratch);
    return factorise_cholesky(rest, scratch);
  }
  // Eigen::LLT would also compute a norm.
  auto map = detail::columns_of(a);
  return Eigen::internal::llt_inplace<Real, Eigen::Lower>::blocked(map) < 0;
}

}  // namespace wf::compute
