// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <type_traits>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>

#include <wf/run/kernels/fixed_size/storage.hpp>
#include <wf/run/kernels/pivot.hpp>

// Factors of Eigen matrices, and solutions with given factors. A kernel returns false on failure (a
// singular or indefinite matrix); the result is then unspecified.
namespace wf::compute {

namespace detail {

struct pivoted_lu {
  template <class Matrix>
  using type = Eigen::PartialPivLU<Matrix>;
};
struct lower_cholesky {
  template <class Matrix>
  using type = Eigen::LLT<Matrix>;
};
// finish(factorisation of a), which is made in place in a buffer if a is large; true without rows.
template <class Kind, class A, class Finish>
bool factorised(const A& a, const Finish& finish) {
  using plain = typename A::PlainObject;
  if (a.rows() == 0) return true;
  if constexpr (is_large<plain>) {
    auto copy = scratch<plain, 0>(a.rows(), a.cols());
    copy = a;
    Eigen::Ref<plain> factors(copy);
    return finish(typename Kind::template type<Eigen::Ref<plain>>(factors));
  } else {
    return finish(typename Kind::template type<plain>(a));
  }
}

// Calls use(lu) with the factorisation; false if the matrix is singular to rounding.
template <class A, class Use>
bool with_lu(const A& a, Use use) {
  return factorised<pivoted_lu>(a, [&](const auto& lu) {
    const auto largest = a.cwiseAbs().maxCoeff();  // a pivot relative to it is one for its column
    for (Eigen::Index j = 0; j < a.cols(); ++j) {
      const auto pivot = std::abs(lu.matrixLU()(j, j));
      if (!is_pivot(pivot, largest, a.rows()) && !is_pivot(pivot, column_magnitude(a, j), a.rows()))
        return false;
    }
    use(lu);
    return true;
  });
}

// Calls use(llt) with the factorisation; false if the matrix is not positive definite, to rounding.
// The squares of the factor's diagonal are the pivots.
template <class A, class Use>
bool with_cholesky(const A& a, Use use) {
  return factorised<lower_cholesky>(a, [&](const auto& llt) {
    if (llt.info() != Eigen::Success) return false;
    for (Eigen::Index j = 0; j < a.cols(); ++j) {
      const auto root = llt.matrixLLT()(j, j);
      if (!is_pivot(root * root, a(j, j), a.rows())) return false;
    }
    use(llt);
    return true;
  });
}

}  // namespace detail

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

}  // namespace wf::compute
