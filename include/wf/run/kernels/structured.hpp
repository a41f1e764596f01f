// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <type_traits>

#include <Eigen/Core>

#include <wf/run/kernels/fixed_size/factors.hpp>
#include <wf/run/kernels/fixed_size/inverse.hpp>
#include <wf/run/kernels/fixed_size/product.hpp>
#include <wf/run/kernels/fixed_size/solve.hpp>
#include <wf/run/kernels/fixed_size/storage.hpp>
#include <wf/run/kernels/mirror.hpp>
#include <wf/run/values/scalar.hpp>

// Operators on matrices of known structure: one triangle determines them, or their other elements
// are zero. They take any Eigen matrix, fixed or dynamic, plain, mapped or transposed, and return
// false on failure.
namespace wf::compute {

namespace detail {

inline constexpr Eigen::Index structured_block = 64;

template <class Dst>
void mirror_lower(Dst& out) {
  mirror_triangle(out, out.rows(),
                  [&](Eigen::Index i, Eigen::Index j, Eigen::Index rows, Eigen::Index columns) {
                    out.block(j, i, columns, rows) = out.block(i, j, rows, columns).transpose();
                  });
}

template <class A>
bool has_zero_on_diagonal(const A& a) {
  return !((a.diagonal().array() != typename A::Scalar(0)).all());
}

}  // namespace detail

/// out = a·b, known to be symmetric: multiplies the lower triangle and mirrors it.
template <class Dst, class A, class B>
bool gemmt(Dst&& out, const A& a, const B& b) {
  using dst = std::remove_cvref_t<Dst>;
  if constexpr (detail::is_fixed<dst> && !detail::is_large<dst>) {
    if (!product(out, a, b)) return false;  // a triangle saves nothing in unrolled code
  } else {
    if (a.size() == 0) return out.setZero(), true;  // Eigen's blocks would have no size
    out.template triangularView<Eigen::Lower>() = a * b;
  }
  // With fused multiply-adds an element and its mirror image may round differently.
  detail::mirror_lower(out);
  return true;
}

/// out = a·b + (a·b)'; out is square.
template <class Dst, class A, class B>
bool syr2k(Dst&& out, const A& a, const B& b) {
  if (!product(out, a, b)) return false;
  for (Eigen::Index j = 0; j < out.cols(); ++j)
    for (Eigen::Index i = j; i < out.rows(); ++i) out(i, j) = out(j, i) = out(i, j) + out(j, i);
  return true;
}

/// out = t·b for the lower triangular t with p = t + t', of a symmetric p.
template <class Dst, class P, class B>
bool matmul_half(Dst&& out, const P& p, const B& b) {
  if (out.size() == 0) return true;
  out.noalias() = p.template triangularView<Eigen::StrictlyLower>() * b;
  out += (typename P::Scalar(0.5) * p.diagonal()).asDiagonal() * b;
  return true;
}

/// out = a·b for a symmetric a, of which only the lower triangle is read, except for small
/// fixed-size results and complex numbers.
template <class Dst, class A, class B>
bool matmul_symmetric(Dst&& out, const A& a, const B& b) {
  using dst = std::remove_cvref_t<Dst>;
  if constexpr (detail::is_fixed<dst> && !detail::is_large<dst>) {
    return product(out, a, b);
  } else {
    if (out.size() == 0) return true;  // Eigen's blocks would have no size
    if constexpr (is_complex_scalar<typename A::Scalar>)
      out.noalias() = a * b;  // Eigen supports only Hermitian matrices
    else
      out.noalias() = a.template selfadjointView<Eigen::Lower>() * b;
    return true;
  }
}

/// out with a·out = b for a symmetric a; false if a is singular to rounding. By LU: up to 64 rows,
/// for which elimination is unrolled, symmetric factorisation takes 1.7 to 4.9 times as long for 16
/// rows or more, and 25 times for 4, as measured.
template <class Dst, class A, class B>
bool solve_symmetric(Dst&& out, const A& a, const B& b) {
  return solve(out, a, b);
}

/// out = a⁻¹ for a symmetric a, by LU as `solve_symmetric`; false if a is singular to rounding.
template <class Dst, class A>
bool inverse_symmetric(Dst&& out, const A& a) {
  return inverse(out, a);
}

/// out = a·b for a lower or upper triangular a.
template <class Dst, class A, class B>
bool matmul_triangular(Dst&& out, const A& a, const B& b, bool lower) {
  if (out.size() == 0) return true;
  if (lower)
    out.noalias() = a.template triangularView<Eigen::Lower>() * b;
  else
    out.noalias() = a.template triangularView<Eigen::Upper>() * b;
  return true;
}

/// out = a·b for a diagonal a.
template <class Dst, class A, class B>
bool matmul_diagonal(Dst&& out, const A& a, const B& b) {
  out = a.diagonal().asDiagonal() * b;
  return true;
}

/// out = p·b for a permutation p; false if p is not a permutation.
template <class Dst, class P, class B>
bool matmul_permutation(Dst&& out, const P& p, const B& b) {
  Eigen::Array<bool, P::RowsAtCompileTime, 1> is_taken(p.rows());
  is_taken.setConstant(false);
  for (Eigen::Index j = 0; j < p.cols(); ++j) {
    Eigen::Index row = -1;
    for (Eigen::Index i = 0; i < p.rows(); ++i) {
      if (p(i, j) == typename P::Scalar(0)) continue;
      if (p(i, j) != typename P::Scalar(1) || row >= 0) return false;
      row = i;
    }
    if (row < 0 || is_taken(row)) return false;
    is_taken(row) = true;
    out.row(row) = b.row(j);
  }
  return true;
}

/// out with a·out = b for a lower or upper triangular a; false if a is singular.
template <class Dst, class A, class B>
bool solve_triangular(Dst&& out, const A& a, const B& b, bool lower) {
  if (detail::has_zero_on_diagonal(a)) return false;
  out = b;
  if (lower)
    a.template triangularView<Eigen::Lower>().solveInPlace(out);
  else
    a.template triangularView<Eigen::Upper>().solveInPlace(out);
  return true;
}

/// out with a·out = b for a diagonal a; false if a is singular.
template <class Dst, class A, class B>
bool solve_diagonal(Dst&& out, const A& a, const B& b) {
  if (detail::has_zero_on_diagonal(a)) return false;
  out = a.diagonal().cwiseInverse().asDiagonal() * b;
  return true;
}

/// out = the lower triangular factor with out·outᵀ = a; may be in place. False if a is not positive
/// definite, to rounding.
template <class Dst, class A>
bool cholesky(Dst&& out, const A& a) {
  const bool done = detail::with_cholesky(
      a, [&](const auto& llt) { out.template triangularView<Eigen::Lower>() = llt.matrixLLT(); });
  out.template triangularView<Eigen::StrictlyUpper>().setZero();
  return done;
}

/// out = the diagonal of a·b: the inner products of the rows of a and the columns of b.
template <class Dst, class A, class B>
bool product_diagonal(Dst&& out, const A& a, const B& b) {
  out = a.cwiseProduct(b.transpose()).rowwise().sum();
  return true;
}

/// out = the inverse of a diagonal a; false if a is singular.
template <class Dst, class A>
bool inverse_diagonal(Dst&& out, const A& a) {
  if (detail::has_zero_on_diagonal(a)) return false;
  out.setZero();
  out.diagonal() = a.diagonal().cwiseInverse();
  return true;
}

/// out = the inverse of a lower or upper triangular a; false if a is singular. Solves for blocks of
/// columns of the identity, each from its first nonzero row.
template <class Dst, class A>
bool inverse_triangular(Dst&& out, const A& a, bool lower) {
  if (detail::has_zero_on_diagonal(a)) return false;
  const Eigen::Index size = a.rows();
  out.setIdentity();
  for (Eigen::Index j = 0; j < size; j += detail::structured_block) {
    const Eigen::Index columns = std::min(detail::structured_block, size - j);
    if (lower) {
      auto part = out.block(j, j, size - j, columns);
      a.bottomRightCorner(size - j, size - j)
          .template triangularView<Eigen::Lower>()
          .solveInPlace(part);
    } else {
      auto part = out.block(0, j, j + columns, columns);
      a.topLeftCorner(j + columns, j + columns)
          .template triangularView<Eigen::Upper>()
          .solveInPlace(part);
    }
  }
  return true;
}

}  // namespace wf::compute
