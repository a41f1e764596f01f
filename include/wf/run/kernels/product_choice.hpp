// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <Eigen/Core>

#include <wf/run/kernels/direct_product.hpp>
#include <wf/run/kernels/fused_product.hpp>
#include <wf/run/kernels/inner_products.hpp>
#include <wf/run/values/scalar.hpp>
#include <wf/run/values/strided_matrix.hpp>

// The kernels of products of matrices, and which of them is fastest for which extents and orders.
namespace wf::compute {

namespace detail {

// True if products are computed here: complex ones are left to Eigen, those of symbolic integers to
// plain loops.
template <class Real>
inline constexpr bool multiplies_here = !is_complex_scalar<Real> && !is_symbolic_scalar<Real>;

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

}  // namespace wf::compute
