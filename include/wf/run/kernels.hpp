// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <Eigen/Core>
#include <Eigen/Cholesky>
#include <Eigen/LU>

// What each operator computes, on anything Eigen calls a matrix: fixed or dynamic, plain, mapped or
// transposed. Static and dynamic executors share these. A kernel returns false where it cannot go on
// (a singular or indefinite matrix); the result is then unspecified.
namespace wf::compute {

/// Matrices up to this size are inverted in closed form (by cofactors), which takes a quarter of the
/// time of a factorisation there.
inline constexpr int closed_form_size = 4;

namespace detail {

template <class A>
inline constexpr bool is_tiny = A::RowsAtCompileTime != Eigen::Dynamic &&
                                A::RowsAtCompileTime <= closed_form_size &&
                                A::RowsAtCompileTime == A::ColsAtCompileTime;

// Pivots that are zero to rounding: U's diagonal against its largest entry.
template <class Factorisation>
bool is_regular(const Factorisation& lu) {
  using scalar = typename Factorisation::Scalar;
  const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
  const auto largest = pivots.maxCoeff();
  const auto threshold = largest * std::numeric_limits<scalar>::epsilon() *
                         static_cast<scalar>(lu.matrixLU().rows());
  return std::isfinite(largest) && pivots.minCoeff() > threshold;
}

template <class Dst, class A>
bool invert_tiny(Dst&& out, const A& a) {
  bool invertible = false;
  a.eval().computeInverseWithCheck(out, invertible,
                                   std::numeric_limits<typename A::Scalar>::min());
  return invertible;
}

// The elementwise operations align dimensions on the right: a vector is a row beside a matrix.
template <class A>
auto as_operand(const A& a, Eigen::Index rows, Eigen::Index columns, bool is_row) {
  using plain = Eigen::Matrix<typename A::Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  plain full(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < columns; ++j)
      full(i, j) = is_row ? a(a.size() == 1 ? 0 : j, 0)
                          : a(a.rows() == 1 ? 0 : i, a.cols() == 1 ? 0 : j);
  return full;
}

}  // namespace detail

/// out = f(a, b) elementwise, broadcasting; the ranks say which operand is a vector beside a matrix.
template <class Dst, class A, class B, class F>
bool elementwise(Dst&& out, const A& a, const B& b, unsigned rank_a, unsigned rank_b, F f) {
  using scalar = typename A::Scalar;
  if constexpr (A::SizeAtCompileTime == 1 && B::SizeAtCompileTime != 1) {
    const scalar s = a(0, 0);
    out = b.unaryExpr([&](scalar x) { return f(s, x); });
  } else if constexpr (B::SizeAtCompileTime == 1 && A::SizeAtCompileTime != 1) {
    const scalar s = b(0, 0);
    out = a.unaryExpr([&](scalar x) { return f(x, s); });
  } else if constexpr (A::SizeAtCompileTime != Eigen::Dynamic &&
                       int(A::RowsAtCompileTime) == int(B::RowsAtCompileTime) &&
                       int(A::ColsAtCompileTime) == int(B::ColsAtCompileTime)) {
    out = a.binaryExpr(b, f);
  } else {
    if (a.rows() == b.rows() && a.cols() == b.cols() && rank_a == rank_b) {
      out = a.binaryExpr(b, f);
      return true;
    }
    const bool row_a = rank_a == 1 && rank_b > 1, row_b = rank_b == 1 && rank_a > 1;
    out = detail::as_operand(a, out.rows(), out.cols(), row_a)
              .binaryExpr(detail::as_operand(b, out.rows(), out.cols(), row_b), f);
  }
  return true;
}

/// out = a·b; for vectors too.
template <class Dst, class A, class B>
bool product(Dst&& out, const A& a, const B& b) {
  out.noalias() = a * b;
  return true;
}

/// out = a·b by one level of Strassen's scheme; all extents are even.
template <class Dst, class A, class B>
bool strassen(Dst&& out, const A& a, const B& b) {
  using matrix = Eigen::Matrix<typename A::Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  const Eigen::Index m = a.rows() / 2, k = a.cols() / 2, n = b.cols() / 2;
  const auto a11 = a.topLeftCorner(m, k), a12 = a.topRightCorner(m, k);
  const auto a21 = a.bottomLeftCorner(m, k), a22 = a.bottomRightCorner(m, k);
  const auto b11 = b.topLeftCorner(k, n), b12 = b.topRightCorner(k, n);
  const auto b21 = b.bottomLeftCorner(k, n), b22 = b.bottomRightCorner(k, n);
  const matrix m1 = (a11 + a22) * (b11 + b22);
  const matrix m2 = (a21 + a22) * b11;
  const matrix m3 = a11 * (b12 - b22);
  const matrix m4 = a22 * (b21 - b11);
  const matrix m5 = (a11 + a12) * b22;
  const matrix m6 = (a21 - a11) * (b11 + b12);
  const matrix m7 = (a12 - a22) * (b21 + b22);
  out.topLeftCorner(m, n) = m1 + m4 - m5 + m7;
  out.topRightCorner(m, n) = m3 + m5;
  out.bottomLeftCorner(m, n) = m2 + m4;
  out.bottomRightCorner(m, n) = m1 - m2 + m3 + m6;
  return true;
}

/// out = a⁻¹ by LU with partial pivoting, or in closed form; false if a is singular to rounding.
template <class Dst, class A>
bool inverse(Dst&& out, const A& a) {
  if constexpr (detail::is_tiny<A>) return detail::invert_tiny(out, a);
  const Eigen::PartialPivLU<typename A::PlainObject> lu(a);
  if (!detail::is_regular(lu)) return false;
  out = lu.inverse();
  return true;
}

/// out = a⁻¹ by Cholesky; false if a is not positive definite.
template <class Dst, class A>
bool inverse_cholesky(Dst&& out, const A& a) {
  const Eigen::LLT<typename A::PlainObject> llt(a);
  if (llt.info() != Eigen::Success) return false;
  out.setIdentity();
  llt.solveInPlace(out);
  return true;
}

/// out with a·out = b by LU, or in closed form; false if a is singular to rounding.
template <class Dst, class A, class B>
bool solve(Dst&& out, const A& a, const B& b) {
  if constexpr (detail::is_tiny<A>) {
    typename A::PlainObject inverted;
    if (!detail::invert_tiny(inverted, a)) return false;
    out.noalias() = inverted * b;
    return true;
  }
  const Eigen::PartialPivLU<typename A::PlainObject> lu(a);
  if (!detail::is_regular(lu)) return false;
  out = lu.solve(b);
  return true;
}

/// out with a·out = b by Cholesky; false if a is not positive definite.
template <class Dst, class A, class B>
bool solve_cholesky(Dst&& out, const A& a, const B& b) {
  const Eigen::LLT<typename A::PlainObject> llt(a);
  if (llt.info() != Eigen::Success) return false;
  out = b;
  llt.solveInPlace(out);
  return true;
}

/// out with out·a = b by LU, or in closed form; false if a is singular to rounding.
template <class Dst, class B, class A>
bool solve_right(Dst&& out, const B& b, const A& a) {
  if constexpr (detail::is_tiny<A>) {
    typename A::PlainObject inverted;
    if (!detail::invert_tiny(inverted, a)) return false;
    out.noalias() = b * inverted;
    return true;
  }
  const Eigen::PartialPivLU<typename A::PlainObject> lu(a.transpose());
  if (!detail::is_regular(lu)) return false;
  out.transpose() = lu.solve(b.transpose());
  return true;
}

/// out with out·a = b by Cholesky; false if a is not positive definite.
template <class Dst, class B, class A>
bool solve_right_cholesky(Dst&& out, const B& b, const A& a) {
  const Eigen::LLT<typename A::PlainObject> llt(a);
  if (llt.info() != Eigen::Success) return false;
  out = b;
  auto flipped = out.transpose();
  llt.solveInPlace(flipped);
  return true;
}

/// out = p with p[step] = the row of the largest entry of column `step` from row `step` on.
template <class Dst, class A, class P>
bool find_pivot(Dst&& out, const A& a, const P& p, Eigen::Index step) {
  using index_type = typename P::Scalar;
  Eigen::Index row = 0;
  a.col(step).tail(a.rows() - step).cwiseAbs().maxCoeff(&row);
  out = p;
  out(step) = static_cast<index_type>(row + step);
  return true;
}

/// out = a with the rows `step` and p[step] exchanged.
template <class Dst, class A, class P>
bool swap_rows(Dst&& out, const A& a, const P& p, Eigen::Index step) {
  out = a;
  const auto other = static_cast<Eigen::Index>(p(step));
  if (other != step) out.row(step).swap(out.row(other));
  return true;
}

/// One step of Gauss-Jordan elimination in place at column `step`; false if the pivot is zero to
/// rounding against the largest entry of the matrix.
template <class Dst, class A>
bool row_deconstruct(Dst&& out, const A& a, Eigen::Index step) {
  using scalar = typename A::Scalar;
  out = a;
  const scalar pivot = out(step, step);
  const scalar threshold = out.cwiseAbs().maxCoeff() * std::numeric_limits<scalar>::epsilon();
  if (!(std::abs(pivot) > threshold)) return false;
  const scalar reciprocal = scalar(1) / pivot;
  for (Eigen::Index r = 0; r < out.rows(); ++r) {
    if (r == step) continue;
    const scalar factor = out(r, step) * reciprocal;
    out(r, step) = scalar(0);
    out.row(r) -= factor * out.row(step);
    out(r, step) = -factor;
  }
  out(step, step) = scalar(1);
  out.row(step) *= reciprocal;
  return true;
}

/// out = a with the columns k and p[k] exchanged, for k from the last to the first.
template <class Dst, class A, class P>
bool permute_columns(Dst&& out, const A& a, const P& p) {
  out = a;
  for (Eigen::Index k = out.cols(); k-- > 0;) {
    const auto other = static_cast<Eigen::Index>(p(k));
    if (other != k) out.col(k).swap(out.col(other));
  }
  return true;
}

/// out = softmax of a over each row, or over a vector.
template <class Dst, class A>
bool softmax(Dst&& out, const A& a, bool is_vector) {
  out = a;
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

/// out = the same elements in another shape, in row-major order.
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
