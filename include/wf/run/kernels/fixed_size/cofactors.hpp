// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <limits>

#include <Eigen/Core>
#include <Eigen/LU>

#include <wf/run/values/scalar.hpp>

// Inverses in closed form.
namespace wf::compute {

/// Matrices of at most this many rows are inverted in closed form (by cofactors), in a quarter of
/// the time of a factorisation.
inline constexpr int closed_form_size = 4;

namespace detail {

template <class A>
inline constexpr bool is_tiny =
    A::RowsAtCompileTime != Eigen::Dynamic && A::RowsAtCompileTime <= closed_form_size &&
    A::RowsAtCompileTime == A::ColsAtCompileTime;

// to = the inverse of a matrix of up to 3 rows, by cofactors; both are column-major.
template <int Size, class Scalar>
void invert_by_cofactors(Scalar* to, const Scalar* a) {
  static_assert(Size >= 1 && Size <= 3);
  const auto minor = [a](int row, int column) __attribute__((always_inline)) {
    const int r = (row + 1) % 3, s = (row + 2) % 3, c = (column + 1) % 3, d = (column + 2) % 3;
    return a[r + 3 * c] * a[s + 3 * d] - a[r + 3 * d] * a[s + 3 * c];
  };
  if constexpr (Size == 1) {
    to[0] = Scalar(1) / a[0];
  } else if constexpr (Size == 2) {
    const Scalar factor = Scalar(1) / (a[0] * a[3] - a[2] * a[1]);
    to[0] = a[3] * factor, to[1] = -a[1] * factor, to[2] = -a[2] * factor, to[3] = a[0] * factor;
  } else {
    const Scalar x = minor(0, 0), y = minor(1, 0), z = minor(2, 0);
    const Scalar factor = Scalar(1) / (x * a[0] + y * a[1] + z * a[2]);
    to[0] = x * factor, to[1] = minor(0, 1) * factor, to[2] = minor(0, 2) * factor;
    to[3] = y * factor, to[4] = minor(1, 1) * factor, to[5] = minor(1, 2) * factor;
    to[6] = z * factor, to[7] = minor(2, 1) * factor, to[8] = minor(2, 2) * factor;
  }
}

// The inverse by cofactors; false if it cannot be trusted: cofactors lose the digits of
// ill-conditioned matrices, and overflow or vanish on badly scaled ones, which are left to LU. Up
// to 3 rows it avoids Eigen, whose expressions dominate the compile time here.
template <class Dst, class A>
bool invert_tiny(Dst& out, const A& a) {
  using scalar = typename A::Scalar;
  using real = magnitude_of<scalar>;
  constexpr int size = A::RowsAtCompileTime;
  real square;  // square of the condition number
  if constexpr (size <= 3) {
    scalar plain[size * size], inverted[size * size];
    real of_a = 0, of_inverse = 0;
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i) plain[i + size * j] = a(i, j);
    invert_by_cofactors<size>(inverted, plain);
    for (const scalar x : plain) of_a += Eigen::numext::abs2(x);
    for (const scalar x : inverted) of_inverse += Eigen::numext::abs2(x);
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i) out(i, j) = inverted[i + size * j];
    square = of_a * of_inverse;
  } else {
    typename A::PlainObject plain, inverted;
    plain.noalias() = a;
    inverted = plain.inverse();
    out = inverted;
    square = plain.squaredNorm() * inverted.squaredNorm();
  }
  return square >= real(1) &&  // below 1: the determinant overflowed
         square * std::sqrt(std::numeric_limits<real>::epsilon()) < real(1);
}

}  // namespace detail

}  // namespace wf::compute
