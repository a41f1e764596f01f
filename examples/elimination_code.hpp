// SPDX-License-Identifier: BSL-1.0
#pragma once

// Implementations of the operators of elimination.hpp.
#include <cmath>
#include <limits>
#include <type_traits>

#include <Eigen/Core>

#include <wf/run/plan/implement.hpp>

#include "elimination.hpp"

namespace elimination {

namespace detail {

// The row or column that an entry of a permutation names; -1 if it is out of range.
template <class P>
Eigen::Index entry_of(const P& p, Eigen::Index k, Eigen::Index count) {
  const auto named = static_cast<Eigen::Index>(p(k));
  return named >= 0 && named < count ? named : -1;
}

}  // namespace detail

// --8<-- [start:code]
/// The implementation of each operator, for both executors.
inline constexpr auto code = wf::implementations(
    wf::implement<identity_permutation>([](auto& p, const auto&) {
      using index = std::remove_cvref_t<decltype(p(0))>;
      for (Eigen::Index i = 0; i < p.size(); ++i) p(i) = static_cast<index>(i);
    }),
    wf::implement<column_magnitudes>([](auto& m, const auto& a) {
      for (Eigen::Index j = 0; j < a.cols(); ++j) m(j) = a.col(j).cwiseAbs().maxCoeff();
    }),
    wf::implement<find_pivot>([](auto& q, const auto& a, const auto& p, const wf::node_context& c) {
      using index = std::remove_cvref_t<decltype(q(0))>;
      const Eigen::Index step = c.integer("step");
      if (step < 0 || step >= a.rows() || step >= a.cols()) return false;
      Eigen::Index row = 0;
      a.col(step).tail(a.rows() - step).cwiseAbs().maxCoeff(&row);
      q = p;
      q(step) = static_cast<index>(row + step);
      return true;
    }),
    wf::implement<swap_rows>([](auto& to, const auto& a, const auto& p, const wf::node_context& c) {
      const Eigen::Index step = c.integer("step");
      if (step < 0 || step >= a.rows()) return false;
      const Eigen::Index other = detail::entry_of(p, step, a.rows());
      if (other < 0) return false;
      to = a;
      if (other != step) to.row(step).swap(to.row(other));
      return true;
    }),
    wf::implement<row_deconstruct>(
        [](auto& to, const auto& a, const auto& m, const wf::node_context& c) -> wf::text_view {
          using scalar = typename std::remove_cvref_t<decltype(to)>::Scalar;
          const Eigen::Index step = c.integer("step"), rows = a.rows();
          if (step < 0 || step >= rows || step >= a.cols()) return "there is no such step";
          const scalar pivot = a(step, step);
          // A pivot this small may be a rounded zero (Higham, Accuracy and Stability, theorem 9.3).
          if (!(std::abs(pivot) >
                m(step) * static_cast<scalar>(4 * rows) * std::numeric_limits<scalar>::epsilon()))
            return "the matrix is singular";
          to = a;
          const scalar reciprocal = scalar(1) / pivot;
          for (Eigen::Index r = 0; r < rows; ++r) {
            if (r == step) continue;
            const scalar factor = to(r, step) * reciprocal;
            to(r, step) = scalar(0);
            to.row(r) -= factor * to.row(step);
            to(r, step) = -factor;
          }
          to(step, step) = scalar(1);
          to.row(step) *= reciprocal;
          return {};
        }),
    wf::implement<permute_columns>([](auto& to, const auto& a, const auto& p) {
      to = a;
      for (Eigen::Index k = to.cols(); k-- > 0;) {
        const Eigen::Index other = detail::entry_of(p, k, to.cols());
        if (other < 0) return false;
        if (other != k) to.col(k).swap(to.col(other));
      }
      return true;
    }));
// --8<-- [end:code]

}  // namespace elimination
