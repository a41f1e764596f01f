// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <Eigen/Core>

#include <wf/run/kernels/fixed_size/storage.hpp>
#include <wf/run/kernels/small_product.hpp>

// Products of Eigen matrices, with fixed extents without heap memory.
namespace wf::compute {

namespace detail {

// Eigen reserves stack space for both operands of a fixed-size product: large ones are multiplied
// in fixed-size tiles.
inline constexpr int tile = 64;

template <int M, int N, int K, class Dst, class A, class B>
void add_tiles(Dst& out, const A& a, const B& b, Eigen::Index i, Eigen::Index j) {
  constexpr Eigen::Index depth = A::ColsAtCompileTime;
  for (Eigen::Index k = 0; k + tile <= depth; k += tile)
    out.template block<M, N>(i, j).noalias() +=
        a.template block<M, tile>(i, k) * b.template block<tile, N>(k, j);
  if constexpr (K != 0)
    out.template block<M, N>(i, j).noalias() +=
        a.template block<M, K>(i, depth - K) * b.template block<K, N>(depth - K, j);
}

template <class Dst, class A, class B>
void tiled_product(Dst& out, const A& a, const B& b) {
  constexpr int m = A::RowsAtCompileTime % tile, n = B::ColsAtCompileTime % tile;
  constexpr int k = A::ColsAtCompileTime % tile;
  const Eigen::Index rows = out.rows(), columns = out.cols();
  out.setZero();
  for (Eigen::Index i = 0; i + tile <= rows; i += tile) {
    for (Eigen::Index j = 0; j + tile <= columns; j += tile)
      add_tiles<tile, tile, k>(out, a, b, i, j);
    if constexpr (n != 0) add_tiles<tile, n, k>(out, a, b, i, columns - n);
  }
  if constexpr (m != 0) {
    for (Eigen::Index j = 0; j + tile <= columns; j += tile)
      add_tiles<m, tile, k>(out, a, b, rows - m, j);
    if constexpr (n != 0) add_tiles<m, n, k>(out, a, b, rows - m, columns - n);
  }
}

}  // namespace detail

/// out = a·b, also for vectors. Always true.
template <class Dst, class A, class B>
bool product(Dst&& out, const A& a, const B& b) {
  constexpr bool fixed =
      detail::is_fixed<A> && detail::is_fixed<B> && detail::is_fixed<std::remove_cvref_t<Dst>>;
  if constexpr (is_small_product<std::remove_cvref_t<Dst>, A, B>)
    small_product(out, a, b);
  else if constexpr (fixed && B::ColsAtCompileTime != 1 && A::RowsAtCompileTime != 1 &&
                     (detail::is_large<A> || detail::is_large<B>))
    detail::tiled_product(out, a, b);
  else
    out.noalias() = a * b;
  return true;
}

}  // namespace wf::compute
