// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Householder>
#include <Eigen/LU>

#include <wf/run/kernels/minors.hpp>
#include <wf/run/kernels/small_factors.hpp>
#include <wf/run/kernels/small_product.hpp>
#include <wf/run/values/scalar.hpp>

// The computations of operators on any Eigen matrix: fixed or dynamic, plain, mapped or transposed.
// Static plans use them all; the run-time executor shares the pivot test. A kernel returns false on
// failure (a singular or indefinite matrix); the result is then unspecified.
namespace wf::compute {

/// Matrices of at most this many rows are inverted in closed form (by cofactors), in a quarter of
/// the time of a factorisation.
inline constexpr int closed_form_size = 4;

/// Matrices and workspaces of more bytes than this are in static storage of the thread instead of
/// on the stack.
inline constexpr std::size_t max_stack_matrix = 32 * 1024;

namespace detail {

template <class A>
inline constexpr bool is_fixed =
    A::RowsAtCompileTime != Eigen::Dynamic && A::ColsAtCompileTime != Eigen::Dynamic;

template <class A>
inline constexpr bool is_tiny =
    A::RowsAtCompileTime != Eigen::Dynamic && A::RowsAtCompileTime <= closed_form_size &&
    A::RowsAtCompileTime == A::ColsAtCompileTime;

template <class A>
inline constexpr std::size_t fixed_bytes =
    is_fixed<A> ? sizeof(typename A::Scalar) * static_cast<std::size_t>(A::RowsAtCompileTime) *
                      static_cast<std::size_t>(A::ColsAtCompileTime)
                : 0;
template <class A>
inline constexpr bool is_large = fixed_bytes<A> > max_stack_matrix;

template <class A, class B>
inline constexpr bool same_size = int(A::RowsAtCompileTime) == int(B::RowsAtCompileTime) &&
                                  int(A::ColsAtCompileTime) == int(B::ColsAtCompileTime);

// An uninitialised matrix: on the stack, or in a buffer per thread, type and slot if it is large.
template <class Matrix, int Slot>
auto scratch(Eigen::Index rows, Eigen::Index columns) {
  if constexpr (is_large<Matrix>) {
    alignas(64) static thread_local std::byte buffer[fixed_bytes<Matrix>];
    return Eigen::Map<Matrix, Eigen::Aligned64>(reinterpret_cast<typename Matrix::Scalar*>(buffer));
  } else {
    return Matrix(rows, columns);
  }
}

// True if a pivot exceeds the rounding error that elimination leaves in place of zero, given the
// largest magnitude in the pivot's column of the matrix (its diagonal element for Cholesky): the
// error is within a small multiple of size·ε of it. The test is invariant under column scaling. A
// NaN is no pivot. Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 2002,
// theorems 9.3 and 10.3.
template <class Scalar>
bool is_pivot(Scalar magnitude, Scalar column, Eigen::Index size) {
  const Scalar threshold =
      column * std::numeric_limits<Scalar>::epsilon() * static_cast<Scalar>(4 * size);
  return std::isfinite(magnitude) && magnitude > threshold;
}

}  // namespace detail

namespace detail {

// Calls use(lu) with the factorisation; false if the matrix is singular to rounding.
template <class A, class Use>
bool with_lu(const A& a, Use use) {
  using plain = typename A::PlainObject;
  const auto finish = [&](const auto& lu) {
    const auto largest = a.cwiseAbs().maxCoeff();  // a pivot relative to it is one for its column
    for (Eigen::Index j = 0; j < a.cols(); ++j) {
      const auto pivot = std::abs(lu.matrixLU()(j, j));
      if (!is_pivot(pivot, largest, a.rows()) && !is_pivot(pivot, column_magnitude(a, j), a.rows()))
        return false;
    }
    use(lu);
    return true;
  };
  if (a.rows() == 0) return true;
  if constexpr (is_large<plain>) {
    auto copy = scratch<plain, 0>(a.rows(), a.cols());
    copy = a;
    Eigen::Ref<plain> factors(copy);
    return finish(Eigen::PartialPivLU<Eigen::Ref<plain>>(factors));
  } else {
    return finish(Eigen::PartialPivLU<plain>(a));
  }
}

// Calls use(llt) with the factorisation; false if the matrix is not positive definite, to rounding.
// The squares of the factor's diagonal are the pivots.
template <class A, class Use>
bool with_cholesky(const A& a, Use use) {
  using plain = typename A::PlainObject;
  const auto finish = [&](const auto& llt) {
    if (llt.info() != Eigen::Success) return false;
    for (Eigen::Index j = 0; j < a.cols(); ++j) {
      const auto root = llt.matrixLLT()(j, j);
      if (!is_pivot(root * root, a(j, j), a.rows())) return false;
    }
    use(llt);
    return true;
  };
  if (a.rows() == 0) return true;
  if constexpr (is_large<plain>) {
    auto copy = scratch<plain, 0>(a.rows(), a.cols());
    copy = a;
    Eigen::Ref<plain> factors(copy);
    return finish(Eigen::LLT<Eigen::Ref<plain>>(factors));
  } else {
    return finish(Eigen::LLT<plain>(a));
  }
}

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

// True if elimination by columns is fastest (see small_factors.hpp), for `Count` right-hand sides.
template <class A, int Count>
inline constexpr bool is_eliminated =
    is_fixed<A> && Count > 0 &&
    std::is_floating_point_v<typename A::Scalar>&& int(A::RowsAtCompileTime) >= 1 &&
    int(A::RowsAtCompileTime) <= max_small_factors&& Count <= 64;

// True if four equations are solved by determinants if these can be trusted (see minors.hpp).
template <class A, class B>
inline constexpr bool has_minors =
    int(A::RowsAtCompileTime) == 4 && int(A::ColsAtCompileTime) == 4 &&
    int(B::ColsAtCompileTime) == 1 && has_solid_columns<A> && has_solid_columns<B> &&
    (std::is_same_v<typename A::Scalar, double> || std::is_same_v<typename A::Scalar, float>);

// out with a·out = b, by elimination; many right-hand sides are solved together, as rows.
template <pivoting By, class Dst, class A, class B>
bool eliminate(Dst&& out, const A& a, const B& b) {
  using scalar = typename A::Scalar;
  constexpr int size = A::RowsAtCompileTime, count = B::ColsAtCompileTime;
  small_factors<scalar, size, By> factors;
  if constexpr (count == 1) return factors.factorise_and_solve(out, a, b);
  if (!factors.factorise(a)) return false;
  if constexpr (count <= 2) {
    for (Eigen::Index j = 0; j < count; ++j) factors.solve(out.col(j), b.col(j));
  } else {
    Eigen::Matrix<scalar, count, size> y = b.transpose(), x;
    factors.solve_rows(x, y);
    out = x.transpose();
  }
  return true;
}
template <class A>
auto transposed(const A& a) {
  if constexpr (has_solid_columns<A>)
    return rows_as_columns<A>{a};
  else
    return a.transpose();
}

// out = from, for fixed sizes.
template <class Dst, class A>
void assign(Dst& out, const A& from) {
  if constexpr (is_solid<Dst> && is_solid<A>)
    std::copy_n(from.data(), A::SizeAtCompileTime, out.data());
  else
    out = from;
}

// out with out·a = b, by elimination.
template <pivoting By, class Dst, class A, class B>
bool eliminate_right(Dst&& out, const A& a, const B& b) {
  using scalar = typename A::Scalar;
  constexpr int size = A::RowsAtCompileTime, count = B::RowsAtCompileTime;
  small_factors<scalar, size, By> factors;
  if constexpr (count == 1) return factors.factorise_and_solve(out, transposed(a), b);
  if (!factors.factorise(transposed(a))) return false;
  if constexpr (count <= 2) {
    for (Eigen::Index i = 0; i < count; ++i) factors.solve(out.row(i), b.row(i));
  } else {
    Eigen::Matrix<scalar, count, size> y, x;
    assign(y, b);
    factors.solve_rows(x, y);
    assign(out, x);
  }
  return true;
}

// The element that broadcasts to (i, j): dimensions align on the right, so a vector, stored as a
// column, acts as a row beside a matrix.
template <class A>
typename A::Scalar broadcast_at(const A& a, Eigen::Index i, Eigen::Index j, bool is_row) {
  if (is_row) return a(a.rows() == 1 ? 0 : j, 0);
  return a(a.rows() == 1 ? 0 : i, a.cols() == 1 ? 0 : j);
}

}  // namespace detail

/// out = f(a, b) elementwise with broadcasting; the ranks tell a vector beside a matrix. Always
/// true.
template <class Dst, class A, class B, class F>
bool elementwise(Dst&& out, const A& a, const B& b, unsigned rank_a, unsigned rank_b, F f) {
  using dst = std::remove_cvref_t<Dst>;
  using scalar = typename A::Scalar;
  if constexpr (detail::is_fixed<dst> && detail::same_size<dst, A> && detail::same_size<dst, B>) {
    out = a.binaryExpr(b, f);
  } else if constexpr (A::SizeAtCompileTime == 1 && detail::is_fixed<dst> &&
                       detail::same_size<dst, B>) {
    const scalar s = a(0, 0);
    out = b.unaryExpr([&](scalar x) { return f(s, x); });
  } else if constexpr (B::SizeAtCompileTime == 1 && detail::is_fixed<dst> &&
                       detail::same_size<dst, A>) {
    const scalar s = b(0, 0);
    out = a.unaryExpr([&](scalar x) { return f(x, s); });
  } else {
    const bool row_a = rank_a == 1 && rank_b > 1, row_b = rank_b == 1 && rank_a > 1;
    for (Eigen::Index j = 0; j < out.cols(); ++j)
      for (Eigen::Index i = 0; i < out.rows(); ++i)
        out(i, j) = f(detail::broadcast_at(a, i, j, row_a), detail::broadcast_at(b, i, j, row_b));
  }
  return true;
}

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

namespace detail {

// Quarter (i, j) of a matrix of even extents.
template <class A>
auto quarter(A& a, Eigen::Index i, Eigen::Index j) {
  constexpr auto half = [](int n) { return n == Eigen::Dynamic ? Eigen::Dynamic : n / 2; };
  constexpr int rows = half(A::RowsAtCompileTime), columns = half(A::ColsAtCompileTime);
  return Eigen::Block<A, rows, columns>(a, i * (a.rows() / 2), j * (a.cols() / 2), a.rows() / 2,
                                        a.cols() / 2);
}
template <class A>
using quarter_of = typename decltype(quarter(std::declval<const A&>(), 0, 0))::PlainObject;

}  // namespace detail

/// out = a·b by one level of Strassen's scheme; false if an extent is odd. The three temporaries
/// are quarters of a, b and out. `product(c, s, t)` writes the product of two quarters to a third
/// matrix.
template <class Dst, class A, class B, class Product>
bool strassen(Dst&& out, const A& a, const B& b, Product product) {
  if (a.rows() % 2 != 0 || a.cols() % 2 != 0 || b.cols() % 2 != 0) return false;
  using detail::quarter;
  const auto a11 = quarter(a, 0, 0), a12 = quarter(a, 0, 1);
  const auto a21 = quarter(a, 1, 0), a22 = quarter(a, 1, 1);
  const auto b11 = quarter(b, 0, 0), b12 = quarter(b, 0, 1);
  const auto b21 = quarter(b, 1, 0), b22 = quarter(b, 1, 1);
  auto c11 = quarter(out, 0, 0), c12 = quarter(out, 0, 1);
  auto c21 = quarter(out, 1, 0), c22 = quarter(out, 1, 1);
  using dst = std::remove_cvref_t<Dst>;
  auto s = detail::scratch<detail::quarter_of<A>, 1>(a11.rows(), a11.cols());
  auto t = detail::scratch<detail::quarter_of<B>, 2>(b11.rows(), b11.cols());
  auto m = detail::scratch<detail::quarter_of<dst>, 3>(c11.rows(), c11.cols());
  s = a11 + a22, t = b11 + b22, product(m, s, t), c11 = m, c22 = m;
  s = a21 + a22, product(m, s, b11), c21 = m, c22 -= m;
  t = b12 - b22, product(m, a11, t), c12 = m, c22 += m;
  t = b21 - b11, product(m, a22, t), c11 += m, c21 += m;
  s = a11 + a12, product(m, s, b22), c11 -= m, c12 += m;
  s = a21 - a11, t = b11 + b12, product(m, s, t), c22 += m;
  s = a12 - a22, t = b21 + b22, product(m, s, t), c11 += m;
  return true;
}

/// The same with `product` of this header.
template <class Dst, class A, class B>
bool strassen(Dst&& out, const A& a, const B& b) {
  return strassen(out, a, b, [](auto& c, const auto& s, const auto& t) { product(c, s, t); });
}

/// out = a⁻¹ by LU with partial pivoting, or in closed form; false if a is singular to rounding.
template <class Dst, class A>
bool inverse(Dst&& out, const A& a) {
  using plain = typename A::PlainObject;
  if constexpr (detail::is_tiny<A>)
    if (detail::invert_tiny(out, a)) return true;
  if constexpr (detail::is_eliminated<A, A::RowsAtCompileTime>)
    return detail::eliminate<detail::pivoting::largest>(out, a,
                                                        plain::Identity(a.rows(), a.cols()));
  else
    return detail::with_lu(
        a, [&](const auto& lu) { out = lu.solve(plain::Identity(a.rows(), a.cols())); });
}

/// out = a⁻¹ by Cholesky; false if a is not positive definite, to rounding.
template <class Dst, class A>
bool inverse_cholesky(Dst&& out, const A& a) {
  if constexpr (detail::is_eliminated<A, A::RowsAtCompileTime>)
    return detail::eliminate<detail::pivoting::none>(out, a,
                                                     A::PlainObject::Identity(a.rows(), a.cols()));
  else
    return detail::with_cholesky(a, [&](const auto& llt) {
      out.setIdentity();
      llt.solveInPlace(out);
    });
}

/// out with a·out = b by LU, or in closed form; false if a is singular to rounding.
template <class Dst, class A, class B>
bool solve(Dst&& out, const A& a, const B& b) {
  if constexpr (detail::is_tiny<A>) {
    if constexpr (detail::has_minors<A, B>)
      if (detail::solve_by_minors<false>(out, a.data(), a.outerStride(), b.data())) return true;
    if constexpr (A::RowsAtCompileTime == 4 && detail::is_eliminated<A, B::ColsAtCompileTime>)
      if (detail::eliminate<detail::pivoting::tame>(out, a, b)) return true;
    typename A::PlainObject inverted;
    if (detail::invert_tiny(inverted, a)) return product(out, inverted, b);
  }
  if constexpr (detail::is_eliminated<A, B::ColsAtCompileTime>)
    return detail::eliminate<detail::pivoting::largest>(out, a, b);
  else
    return detail::with_lu(a, [&](const auto& lu) { out = lu.solve(b); });
}

/// out = the factors L and U of the row-permuted a; rows(i) is the row of a that became row i.
/// False if a is singular to rounding.
template <class Dst, class Rows, class A>
bool lu_factor(Dst&& out, Rows&& rows, const A& a) {
  using index = typename std::remove_cvref_t<Rows>::Scalar;
  return detail::with_lu(a, [&](const auto& lu) {
    out = lu.matrixLU();
    for (Eigen::Index i = 0; i < out.rows(); ++i)
      rows(lu.permutationP().indices()(i)) = static_cast<index>(i);
  });
}

namespace detail {

// True if `rows` is a permutation of the numbers from 0 on.
template <class Rows>
bool is_permutation(const Rows& rows) {
  typename Rows::PlainObject seen = rows;
  seen.setZero();
  for (Eigen::Index i = 0; i < rows.size(); ++i) {
    if (rows(i) < 0 || rows(i) >= rows.size() || seen(rows(i)) != 0) return false;
    seen(rows(i)) = 1;
  }
  return true;
}
// True if the factors are usable: `rows` is a permutation, and no diagonal element is zero.
template <class F, class Rows>
bool is_solvable(const F& f, const Rows& rows) {
  return is_permutation(rows) && (f.diagonal().array() != typename F::Scalar(0)).all();
}

}  // namespace detail

/// out with a·out = b, from the output of `lu_factor`; false if `rows` is no permutation or U is
/// singular.
template <class Dst, class F, class Rows, class B>
bool solve_lu(Dst&& out, const F& f, const Rows& rows, const B& b) {
  if (!detail::is_solvable(f, rows)) return false;
  for (Eigen::Index i = 0; i < out.rows(); ++i) out.row(i) = b.row(rows(i));
  f.template triangularView<Eigen::UnitLower>().solveInPlace(out);
  f.template triangularView<Eigen::Upper>().solveInPlace(out);
  return true;
}

/// out with aᵀ·out = b, from the output of `lu_factor`; false if `rows` is no permutation or U is
/// singular.
template <class Dst, class F, class Rows, class B>
bool solve_lu_transposed(Dst&& out, const F& f, const Rows& rows, const B& b) {
  if (!detail::is_solvable(f, rows)) return false;
  out = b;
  f.transpose().template triangularView<Eigen::Lower>().solveInPlace(out);
  f.transpose().template triangularView<Eigen::UnitUpper>().solveInPlace(out);
  // Moves row i to row rows(i), along cycles.
  typename Rows::PlainObject to = rows;
  for (Eigen::Index i = 0; i < out.rows(); ++i)
    while (to(i) != i) {
      const Eigen::Index other = to(i);
      out.row(i).swap(out.row(other));
      to(i) = to(other);
      to(other) = other;
    }
  return true;
}

/// out with a·out = b by Cholesky; false if a is not positive definite, to rounding.
template <class Dst, class A, class B>
bool solve_cholesky(Dst&& out, const A& a, const B& b) {
  if constexpr (detail::has_minors<A, B>)
    if (detail::solve_by_minors<true>(out, a.data(), a.outerStride(), b.data())) return true;
  if constexpr (detail::is_eliminated<A, B::ColsAtCompileTime>)
    return detail::eliminate<detail::pivoting::none>(out, a, b);
  else
    return detail::with_cholesky(a, [&](const auto& llt) {
      out = b;
      llt.solveInPlace(out);
    });
}

/// out with the least norm of a·out - b, by Householder reflections; a has no fewer rows than
/// columns. False if a is not of full rank, to rounding.
template <class Dst, class A, class B>
bool least_squares(Dst&& out, const A& a, const B& b) {
  using plain = typename A::PlainObject;
  using sides = typename B::PlainObject;
  using scalar = typename A::Scalar;
  if (out.size() == 0) return true;
  auto factors = detail::scratch<plain, 0>(a.rows(), a.cols());
  auto right = detail::scratch<sides, 1>(b.rows(), b.cols());
  factors = a, right = b;
  Eigen::Matrix<scalar, 1, A::ColsAtCompileTime> work(a.cols());
  Eigen::Matrix<scalar, 1, B::ColsAtCompileTime> more(b.cols());
  for (Eigen::Index k = 0; k < a.cols(); ++k) {
    const Eigen::Index rows = a.rows() - k, columns = a.cols() - k - 1;
    scalar factor, made;
    factors.col(k).tail(rows).makeHouseholderInPlace(factor, made);
    if (!detail::is_pivot(std::abs(made), column_magnitude(a, k), a.rows())) return false;
    const auto vector = factors.col(k).tail(rows - 1);
    factors.bottomRightCorner(rows, columns).applyHouseholderOnTheLeft(vector, factor, work.data());
    right.bottomRows(rows).applyHouseholderOnTheLeft(vector, factor, more.data());
    factors(k, k) = made;
  }
  out = right.topRows(a.cols());
  factors.topRows(a.cols()).template triangularView<Eigen::Upper>().solveInPlace(out);
  return true;
}

/// out with out·a = b by LU, or in closed form; false if a is singular to rounding.
template <class Dst, class B, class A>
bool solve_right(Dst&& out, const B& b, const A& a) {
  if constexpr (detail::is_tiny<A>) {
    typename A::PlainObject inverted;
    if (detail::invert_tiny(inverted, a)) return product(out, b, inverted);
  }
  if constexpr (detail::is_eliminated<A, B::RowsAtCompileTime>)
    return detail::eliminate_right<detail::pivoting::largest>(out, a, b);
  else
    return detail::with_lu(a.transpose(),
                           [&](const auto& lu) { out.transpose() = lu.solve(b.transpose()); });
}

/// out with out·a = b by Cholesky; false if a is not positive definite, to rounding.
template <class Dst, class B, class A>
bool solve_right_cholesky(Dst&& out, const B& b, const A& a) {
  if constexpr (detail::is_eliminated<A, B::RowsAtCompileTime>)
    return detail::eliminate_right<detail::pivoting::none>(out, a, b);
  else
    return detail::with_cholesky(a, [&](const auto& llt) {
      out = b;
      auto flipped = out.transpose();
      llt.solveInPlace(flipped);
    });
}

/// out = softmax of a over each row, or over a vector. Always true.
template <class Dst, class A>
bool softmax(Dst&& out, const A& a, bool is_vector) {
  out = a;
  if (out.size() == 0) return true;
  if (is_vector) {
    out.array() = (out.array() - out.maxCoeff()).exp();
    out /= out.sum();
    return true;
  }
  for (Eigen::Index r = 0; r < out.rows(); ++r) {
    out.row(r).array() = (out.row(r).array() - out.row(r).maxCoeff()).exp();
    out.row(r) /= out.row(r).sum();
  }
  return true;
}

/// out = the elements of a in row-major order, in the shape of out. Always true.
template <class Dst, class A>
bool reshape(Dst&& out, const A& a) {
  for (Eigen::Index i = 0; i < a.size(); ++i)
    out(i / out.cols(), i % out.cols()) = a(i / a.cols(), i % a.cols());
  return true;
}

/// out = f over the columns of each row (axis 1), the rows of each column (axis 0), or all (-1).
template <class Dst, class A, class F>
bool reduce(Dst&& out, const A& a, std::int64_t axis, bool is_vector, F f) {
  if (axis < 0 || is_vector) {
    out(0, 0) = f(a);
    return true;
  }
  if (axis == 0)
    for (Eigen::Index c = 0; c < a.cols(); ++c) out(c) = f(a.col(c));
  else
    for (Eigen::Index r = 0; r < a.rows(); ++r) out(r) = f(a.row(r));
  return true;
}

}  // namespace wf::compute
