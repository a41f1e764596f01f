// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

#include <wf/run/kernels/elementary.hpp>
#include <wf/run/operators/tile_program.hpp>

// The loops of tile kernels, for functions of numbers, of arrays and of blocks.
namespace wf::compute {

namespace detail {

// An operand with consecutive elements, and one with a stride.
template <class Real>
struct next_source {
  const Real* from;
  Real operator[](Eigen::Index i) const { return from[i]; }
};
template <class Real>
struct step_source {
  const Real* from;
  Eigen::Index step;
  Real operator[](Eigen::Index i) const { return from[i * step]; }
};

// The loop of a kernel over blocks of 16 elements: compilers vectorise the inner loops, since each
// block is read completely before it is written.
template <class Real, class F, class... Sources>
void compute_tile(F f, Real* to, Eigen::Index count, Sources... from) {
  constexpr Eigen::Index lanes = 16;
  Eigen::Index i = 0;
  for (; i + lanes <= count; i += lanes) {
    Real block[lanes];
    for (Eigen::Index j = 0; j < lanes; ++j) block[j] = f(from[i + j]...);
    for (Eigen::Index j = 0; j < lanes; ++j) to[i + j] = block[j];
  }
  for (; i < count; ++i) to[i] = f(from[i]...);
}

template <class Real, class F, std::size_t... K>
void compute_tile(F f, std::index_sequence<K...>, Real* to, const Real* const* from,
                  const Eigen::Index* step, Eigen::Index count) {
  if (((step[K] == 1) && ...)) return compute_tile(f, to, count, next_source<Real>{from[K]}...);
  for (Eigen::Index i = 0; i < count; ++i) to[i] = f(from[K][i * step[K]]...);
}

// The loop of a kernel over blocks of numbers, or over single ones of types without blocks.
template <class Real, class F>
void compute_blocks(F f, Real* to, const Real* const* from, const Eigen::Index* step,
                    Eigen::Index count) {
  if constexpr (!std::is_floating_point_v<Real>) {
    compute_tile(f, std::make_index_sequence<1>(), to, from, step, count);
  } else {
    for (Eigen::Index first = 0; first < count; first += block_length) {
      const Eigen::Index length = std::min(block_length, count - first);
      const Real* const next = *from + first * *step;
      block<Real> x;
      if (*step == 1 && length == block_length) {
        x = Eigen::Map<const block<Real>>(next);
      } else {
        x.setOnes();
        for (Eigen::Index i = 0; i < length; ++i) x[i] = next[i * *step];
      }
      const block<Real> y = f(x);
      if (length == block_length)
        Eigen::Map<block<Real>>(to + first) = y;
      else
        for (Eigen::Index i = 0; i < length; ++i) to[first + i] = y[i];
    }
  }
}

}  // namespace detail

/// Tile kernel of a function of N numbers.
template <auto F, std::size_t N, class Real>
bool tile_of(Real* to, const Real* const* from, const Eigen::Index* step, Eigen::Index count,
             const parameter_of<Real>* = nullptr) {
  detail::compute_tile(F, std::make_index_sequence<N>(), to, from, step, count);
  return true;
}

/// Tile kernel of a function that also takes Eigen arrays, at the speed of Eigen.
template <auto F, std::size_t N, class Real>
bool array_tile_of(Real* to, const Real* const* from, const Eigen::Index* step, Eigen::Index count,
                   const parameter_of<Real>* = nullptr) {
  using detail::compute_tile, detail::next_source, detail::step_source;
  using array = Eigen::Map<const Eigen::Array<Real, Eigen::Dynamic, 1>>;
  Eigen::Map<Eigen::Array<Real, Eigen::Dynamic, 1>> out(to, count);
  if constexpr (N == 1) {
    if (step[0] == 1) {
      out = F(array(from[0], count));
      return true;
    }
  } else {
    static_assert(N == 2);
    const Real x = *from[0], y = *from[1];  // `to` may alias them
    if (step[0] == 1 && step[1] == 1)
      out = F(array(from[0], count), array(from[1], count));
    else if (step[0] == 0 && step[1] == 1)
      out = F(x, array(from[1], count));
    else if (step[0] == 1 && step[1] == 0)
      out = F(array(from[0], count), y);
    else if (step[0] == 1)
      compute_tile(F, to, count, next_source<Real>{from[0]}, step_source<Real>{from[1], step[1]});
    else if (step[1] == 1)
      compute_tile(F, to, count, step_source<Real>{from[0], step[0]}, next_source<Real>{from[1]});
    if (step[0] == 1 || step[1] == 1) return true;
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    if constexpr (N == 1)
      to[i] = F(from[0][i * step[0]]);
    else
      to[i] = F(from[0][i * step[0]], from[1][i * step[1]]);
  }
  return true;
}

/// Tile kernel of a function of one `block` of reals, and of a single number for other element
/// types. Every element is computed in a block, so that its value does not depend on its position.
template <auto F, class Real>
bool block_tile_of(Real* to, const Real* const* from, const Eigen::Index* step, Eigen::Index count,
                   const parameter_of<Real>* = nullptr) {
  detail::compute_blocks(F, to, from, step, count);
  return true;
}

}  // namespace wf::compute
