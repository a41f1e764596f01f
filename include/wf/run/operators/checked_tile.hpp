// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include <Eigen/Core>

#include <wf/run/operators/integer_arithmetic.hpp>
#include <wf/run/operators/tile_kernel.hpp>
#include <wf/run/operators/tile_program.hpp>

// Tile kernels of integers, which record overflow.
namespace wf::compute {

namespace detail {

// A scalar operand of a kernel.
template <class Real>
struct same_source {
  Real value;
  Real operator[](Eigen::Index) const { return value; }
};

// A vector of consecutive or repeated elements of an operand.
template <class Integer>
auto vector_from(const next_source<Integer>& source, Eigen::Index i) {
  return load_vector(reinterpret_cast<const bits_of_integer<Integer>*>(source.from + i));
}
template <class Integer>
auto vector_from(const same_source<Integer>& source, Eigen::Index) {
  return vector_of<bits_of_integer<Integer>>{} +
         static_cast<bits_of_integer<Integer>>(source.value);
}
// As `compute_tile`, for a function of integers that records overflow in its first argument.
template <class F, class Integer, class... Sources>
bool compute_checked_tile(Integer* to, Eigen::Index count, Sources... from) {
  using bits = bits_of_integer<Integer>;
  constexpr Eigen::Index lanes = F::makes_vectors ? vector_lanes<Integer> : 16;
  bits lost[lanes] = {};
  Eigen::Index i = 0;
  if constexpr (F::makes_vectors) {
    vector_of<bits> note{};
#pragma GCC unroll 4
    for (; i + lanes <= count; i += lanes) {
      vector_of<bits> seen = note;  // a local copy stays in a register
      const vector_of<bits> made = F::of(seen, vector_from(from, i)...);
      note = seen;
      std::memcpy(to + i, &made, sizeof made);
    }
    for (Eigen::Index j = 0; j < lanes; ++j) lost[j] = note[j];
  } else {
    for (; i + lanes <= count; i += lanes) {
      bits block[lanes];
      for (Eigen::Index j = 0; j < lanes; ++j)
        block[j] = F::of(lost[j], static_cast<bits>(from[i + j])...);
      for (Eigen::Index j = 0; j < lanes; ++j) to[i + j] = static_cast<Integer>(block[j]);
    }
  }
  for (; i < count; ++i)
    to[i] = static_cast<Integer>(F::of(lost[0], static_cast<bits>(from[i])...));
  for (Eigen::Index j = 1; j < lanes; ++j) lost[0] |= lost[j];
  return static_cast<Integer>(lost[0]) >= 0;
}
template <class F, class Integer, std::size_t... K>
bool compute_checked_tile(std::index_sequence<K...>, Integer* to, const Integer* const* from,
                          const Eigen::Index* step, Eigen::Index count) {
  if (((step[K] == 1) && ...))
    return compute_checked_tile<F>(to, count, next_source<Integer>{from[K]}...);
  if constexpr (sizeof...(K) == 2) {
    if (step[0] == 0 && step[1] == 1)
      return compute_checked_tile<F>(to, count, same_source<Integer>{*from[0]},
                                     next_source<Integer>{from[1]});
    if (step[0] == 1 && step[1] == 0)
      return compute_checked_tile<F>(to, count, next_source<Integer>{from[0]},
                                     same_source<Integer>{*from[1]});
  }
  // Strided operands are gathered, 64 elements at a time.
  constexpr Eigen::Index few = 64;
  Integer near[sizeof...(K)][few];
  for (Eigen::Index first = 0; first < count; first += few) {
    const Eigen::Index length = std::min(few, count - first);
    for (std::size_t k = 0; k < sizeof...(K); ++k)
      for (Eigen::Index i = 0; i < length; ++i) near[k][i] = from[k][(first + i) * step[k]];
    if (!compute_checked_tile<F>(to + first, length, next_source<Integer>{near[K]}...))
      return false;
  }
  return true;
}

}  // namespace detail

/// Tile kernel of a function of N integers that records overflow in its first argument, as
/// `detail::checked_sum` does.
template <class F, std::size_t N, class Integer>
bool checked_tile_of(Integer* to, const Integer* const* from, const Eigen::Index* step,
                     Eigen::Index count, const double* = nullptr) {
  return detail::compute_checked_tile<F>(std::make_index_sequence<N>(), to, from, step, count);
}

/// Tile kernel of integer products. 32-bit products are vectorised tile by tile if a bound on
/// magnitudes excludes overflow; there are no vectors of 64-bit products.
template <class Integer>
bool checked_product_tile(Integer* to, const Integer* const* from, const Eigen::Index* step,
                          Eigen::Index count, const double* = nullptr) {
  constexpr auto pair = std::make_index_sequence<2>();
  using every = detail::checked_product<Integer>;
  if (sizeof(Integer) == 8 || step[0] > 1 || step[1] > 1)
    return detail::compute_checked_tile<every>(pair, to, from, step, count);
  for (Eigen::Index first = 0; first < count; first += tile_length) {
    const Eigen::Index length = std::min(tile_length, count - first);
    const Integer* const part[] = {from[0] + first * step[0], from[1] + first * step[1]};
    const auto bound = [&](std::size_t k) {
      return magnitude_bound(part[k], step[k] == 0 ? 1 : length);
    };
    constexpr std::uint64_t most = std::numeric_limits<Integer>::max();
    const bool fits = bounded_product(bound(0), bound(1)) <= most;
    Integer* const into = to + first;
    if (!(fits ? detail::compute_checked_tile<detail::small_product>(pair, into, part, step, length)
               : detail::compute_checked_tile<every>(pair, into, part, step, length)))
      return false;
  }
  return true;
}

}  // namespace wf::compute
