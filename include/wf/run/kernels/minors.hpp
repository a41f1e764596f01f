// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstring>
#include <limits>

#include <Eigen/Core>

// Four equations by determinants: hardly more arithmetic than elimination, but without a chain of
// dependent divisions.
namespace wf::compute {

namespace detail {

// Largest condition number, in the Frobenius norm, for which determinants are trusted: the error of
// a solution may be this many times the rounding error of elimination.
inline constexpr int most_condition = 64;

// True if 2^-Exponent < square < 2^Exponent.
template <class Scalar, int Exponent>
bool is_moderate(Scalar square) {
  constexpr Scalar most = [] {
    Scalar power = 1;
    for (int i = 0; i < Exponent; ++i) power *= 2;
    return power;
  }();
  constexpr Scalar least = 1 / most;
  return square > least && square < most;
}

// Four numbers in a vector register.
template <class Scalar>
struct four_of;
template <>
struct four_of<float> {
  typedef float type __attribute__((vector_size(16)));
};
template <>
struct four_of<double> {
  typedef double type __attribute__((vector_size(32)));
};

// The solution of four equations, a·x = b, by Cramer's rule and Laplace's expansion in minors of
// the first two and of the last two rows. With D(i, j) the minors of columns i and j, an element of
// x sums three terms D(k, b)·D(i, j) with the first minor of the upper rows and the second of the
// lower ones, and three with the roles exchanged. So a register holds a minor of the upper rows in
// its first half and of the lower rows in the second.
//
// False if the result may be inaccurate: the condition number is at most |a|⁴/(4·|det a|) by
// Maclaurin's inequality for the singular values, and no intermediate may overflow or underflow.
// With `Definite` also false if a pivot of elimination, the quotient of two leading minors, is not
// clearly positive (see `small_factors`).
template <bool Definite, class Out, class Scalar>
bool solve_by_minors(Out&& out, const Scalar* a, Eigen::Index step, const Scalar* b) {
  using four = typename four_of<Scalar>::type;
  four column[5], turned[5];  // columns of (a b), and with the rows of each half exchanged
  for (int j = 0; j < 5; ++j) {
    std::memcpy(&column[j], j < 4 ? a + j * step : b, sizeof(four));
    turned[j] = __builtin_shufflevector(column[j], column[j], 1, 0, 3, 2);
  }
  const auto set_minor = [&](four& to, int i, int j) __attribute__((always_inline)) {
    to = column[i] * turned[j] - turned[i] * column[j];
  };
  // Minors of columns of a with their halves exchanged.
  const auto set_swapped = [](four& to, const four& d) __attribute__((always_inline)) {
    to = __builtin_shufflevector(d, d, 2, 3, 0, 1);
  };
  four u01, u02, u03, u12, u13, u23, d01, d02, d03, d12, d13, d23, d0b, d1b, d2b, d3b;
  set_minor(u01, 0, 1), set_minor(u02, 0, 2), set_minor(u03, 0, 3);
  set_minor(u12, 1, 2), set_minor(u13, 1, 3), set_minor(u23, 2, 3);
  set_swapped(d01, u01), set_swapped(d02, u02), set_swapped(d03, u03);
  set_swapped(d12, u12), set_swapped(d13, u13), set_swapped(d23, u23);
  set_minor(d0b, 0, 4), set_minor(d1b, 1, 4), set_minor(d2b, 2, 4), set_minor(d3b, 3, 4);
  const four halves = u01 * d23 - u02 * d13 + u03 * d12;
  const Scalar determinant = halves[0] + halves[2];
  const four squares = (column[0] * column[0] + column[1] * column[1]) +
                       (column[2] * column[2] + column[3] * column[3]);
  const four squares_b = column[4] * column[4];
  const Scalar square = (squares[0] + squares[1]) + (squares[2] + squares[3]);
  const Scalar square_b = (squares_b[0] + squares_b[1]) + (squares_b[2] + squares_b[3]);
  constexpr int range = std::numeric_limits<Scalar>::max_exponent;
  if (!(square * square < 4 * most_condition * std::abs(determinant)) ||
      !is_moderate<Scalar, range / 8>(square) || !is_moderate<Scalar, range / 2>(square_b))
    return false;
  if constexpr (Definite) {
    constexpr Scalar least = 32 * std::numeric_limits<Scalar>::epsilon();
    const Scalar *const third = a + 2 * step, *const fourth = a + 3 * step;
    const Scalar two = u01[0], three = third[0] * u12[0] - third[1] * u02[0] + third[2] * two;
    if (!(a[0] > 0) || !(two > least * a[0] * a[step + 1]) || !(three > least * two * third[2]) ||
        !(determinant > least * three * fourth[3]))
      return false;
  }
  const four x0 = d2b * d13 - d1b * d23 - d3b * d12, x1 = d0b * d23 - d2b * d03 + d3b * d02;
  const four x2 = d1b * d03 - d0b * d13 - d3b * d01, x3 = d0b * d12 - d1b * d02 + d2b * d01;
  const four upper = __builtin_shufflevector(x0, x1, 0, 5, 2, 7);
  const four lower = __builtin_shufflevector(x2, x3, 0, 5, 2, 7);
  const four x = (__builtin_shufflevector(upper, lower, 0, 1, 4, 5) +
                  __builtin_shufflevector(upper, lower, 2, 3, 6, 7)) *
                 (1 / determinant);
  for (int i = 0; i < 4; ++i) out(i) = x[i];
  return true;
}

}  // namespace detail

}  // namespace wf::compute
