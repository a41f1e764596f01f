// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include <Eigen/Core>

// Elimination on small matrices of fixed size, where what a library's blocks and checks cost is
// more than the arithmetic: whole columns at a time, rows never move.
namespace wf::compute {

namespace detail {

// Which row a step of an elimination takes.
enum class pivoting : std::uint8_t {
  largest,  // of those not taken yet the one of the largest element
  none,     // the next one, of a definite matrix
  tame,     // the next one, of a matrix whose elements do not grow by it: see `most_tame`
};
// By how much at most a row is multiplied in a tame elimination. Elements grow by at most 1 more a
// step. Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, lemma 9.6.
inline constexpr int most_tame = 4;

// The factors of a matrix of N rows, P·A = L·U: `taken` names the row of each step, `factors` has
// in column k what step k subtracts of that row from the others, `rest` the rows of U, where they
// were taken.
template <class Scalar, int N, pivoting By>
class small_factors {
 public:
  using square = Eigen::Matrix<Scalar, N, N>;
  using column = Eigen::Matrix<Scalar, N, 1>;

  // False if a pivot is not more than twice what the rounding of elimination leaves of zero (see
  // `is_pivot`; quotients are products with reciprocals here): of the magnitude in its column, or
  // of the diagonal element if nothing is exchanged.
  template <class A>
  bool factorise(const A& a) {
    rest_ = a;
    column least;
    column growth = column::Zero();  // of a tame elimination: by how much each row is multiplied
    if constexpr (By == pivoting::tame)
      least.setConstant(rest_.cwiseAbs().maxCoeff());  // no column's is larger
    else if constexpr (By == pivoting::largest)
      for (int j = 0; j < N; ++j) least(j) = rest_.col(j).cwiseAbs().maxCoeff();
    else
      least = rest_.diagonal();
    least *= std::numeric_limits<Scalar>::epsilon() * static_cast<Scalar>(8 * N);
    column open = column::Ones();  // 1 for a row that is not taken yet
    bool regular = true;
    for (int k = 0; k < N; ++k) {
      const int row = take(k, open);
      const Scalar pivot = rest_(row, k);
      const Scalar size = By == pivoting::none ? pivot : std::abs(pivot);
      regular = regular && size > least(k) && size < std::numeric_limits<Scalar>::infinity();
      reciprocal_(k) = 1 / pivot;
      open(row) = 0;
      factors_.col(k) = (rest_.col(k) * reciprocal_(k)).cwiseProduct(open);
      if constexpr (By == pivoting::tame) growth = growth.cwiseMax(factors_.col(k).cwiseAbs());
      for (int j = k + 1; j < N; ++j) rest_.col(j) -= factors_.col(k) * rest_(row, j);
    }
    if constexpr (By == pivoting::tame) regular = regular && growth.maxCoeff() <= most_tame;
    return regular;
  }

  // out = the solution for a column.
  template <class Out, class B>
  void solve(Out&& out, const B& b) const {
    column y = b;
    for (int k = 0; k < N - 1; ++k) y -= factors_.col(k) * y(taken(k));
    for (int k = N; k-- > 0;) {
      const Scalar x = y(taken(k)) * reciprocal_(k);
      out(k) = x;
      y -= rest_.col(k) * x;
    }
  }

  // Of many right sides, which are the rows of a matrix of N columns: their solutions are the rows
  // of out, which may be the same matrix only if nothing is exchanged.
  template <class Out, class Right>
  void solve_rows(Out&& out, Right& y) const {
    for (int k = 0; k < N - 1; ++k)
      for (int l = k + 1; l < N; ++l) y.col(taken(l)) -= factors_(taken(l), k) * y.col(taken(k));
    for (int k = N; k-- > 0;) {
      y.col(taken(k)) *= reciprocal_(k);
      for (int l = 0; l < k; ++l) y.col(taken(l)) -= rest_(taken(l), k) * y.col(taken(k));
    }
    for (int k = 0; k < N; ++k) out.col(k) = y.col(taken(k));
  }

 private:
  int taken(int k) const {
    if constexpr (By == pivoting::largest)
      return taken_[k];
    else
      return k;
  }
  int take(int k, const column& open) {
    if constexpr (By != pivoting::largest) {
      return k;
    } else {
      const column size = rest_.col(k).cwiseAbs().cwiseProduct(open);
      int row = 0;
      Scalar largest = size(0);
      for (int i = 1; i < N; ++i) {
        row = size(i) > largest ? i : row;
        largest = size(i) > largest ? size(i) : largest;
      }
      // A column of zeros, or of what is no number: any row that is left.
      if (!(largest > 0))
        for (int i = 0; i < N; ++i)
          if (open(i) != 0) row = i;
      taken_[k] = row;
      return row;
    }
  }

  square rest_, factors_;
  column reciprocal_;
  int taken_[N];
};

}  // namespace detail

}  // namespace wf::compute
