// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <wf/run/values/named_matrices.hpp>

#include <linalg/hand.hpp>
#include <linalg/rival.hpp>

// Common parts of the programs by hand, which an expert would write with Eigen alone: outputs and
// temporaries are allocated once, products are computed in place, only one half of a symmetric
// result is computed, definite matrices are factorised in place, and the formula is first rewritten
// on paper with the declared properties, as each program documents.
namespace linalg_benchmark::by_hand {

using matrix = Eigen::MatrixXd;
using vector = Eigen::VectorXd;
using input_vector = Eigen::Map<const vector>;
using Eigen::Index;
using Eigen::Lower;
using Eigen::OnTheRight;
using Eigen::Upper;

/// The inputs of a problem by their names.
class input_reader {
 public:
  explicit input_reader(const wf::named_matrices& all) : all_(all) {}

  const matrix& operator[](const char* name) const { return all_.find(name)->second; }
  input_vector column(const char* name) const {
    const matrix& m = (*this)[name];
    return {m.data(), m.size()};
  }
  double scalar(const char* name) const { return (*this)[name](0, 0); }

 private:
  const wf::named_matrices& all_;
};

/// Outputs that are vectors are matrices of one column.
template <std::size_t Count>
class program {
 public:
  static constexpr std::size_t count = Count;
  const matrix& output(std::size_t k) const { return outputs_[k]; }

 protected:
  matrix& out(std::size_t k = 0) { return outputs_[k]; }
  auto column(std::size_t k = 0) { return outputs_[k].col(0); }

 private:
  matrix outputs_[Count];
};

/// The entry of a program in the list of hand plans.
template <class Program>
hand_plan plan_of(const char* name) {
  return {name, Program::formula, [](const wf::named_matrices& inputs) {
            return make_rival("hand", std::make_shared<Program>(input_reader(inputs)),
                              Program::count);
          }};
}

inline auto lower(const matrix& of) { return of.triangularView<Lower>(); }
inline auto lower(matrix& of) { return of.triangularView<Lower>(); }

/// Copies the lower triangle to the upper one block by block.
inline void mirror(matrix& out) {
  constexpr Index side = 64;
  for (Index j = 0; j < out.cols(); j += side)
    for (Index i = j; i < out.rows(); i += side) {
      const Index rows = std::min(side, out.rows() - i);
      const Index columns = std::min(side, out.cols() - j);
      if (i == j)
        out.block(i, j, rows, columns).triangularView<Eigen::StrictlyUpper>() =
            out.block(i, j, rows, columns).transpose();
      else
        out.block(j, i, columns, rows) = out.block(i, j, rows, columns).transpose();
    }
}

/// Replaces the lower triangle of A = L·L' by L. Eigen::LLT of the whole matrix would read it once
/// more, row by row, for a norm that only the condition estimate needs.
inline void factorise(matrix& a) {
  const Index n = a.rows(), side = std::clamp<Index>(n / 8 / 16 * 16, 32, 128);
  for (Index k = 0; k < n; k += side) {
    const Index here = std::min(side, n - k), rest = n - k - here;
    Eigen::Ref<matrix> diagonal = a.block(k, k, here, here);
    const Eigen::LLT<Eigen::Ref<matrix>> factors(diagonal);
    if (rest == 0) break;
    auto below = a.block(k + here, k, rest, here);
    diagonal.triangularView<Lower>().adjoint().solveInPlace<OnTheRight>(below);
    a.bottomRightCorner(rest, rest).selfadjointView<Lower>().rankUpdate(below, -1);
  }
}

/// x = (L·L')⁻¹·x, in place.
template <class Right>
void solve(const matrix& l, Right&& x) {
  lower(l).solveInPlace(x);
  lower(l).adjoint().solveInPlace(x);
}

/// out = (L·L')⁻¹, as the lower half of L⁻ᵀ·L⁻¹, mirrored. `spare` has the same size.
inline void invert(matrix& out, const matrix& l, matrix& spare) {
  spare.setIdentity();
  lower(l).solveInPlace(spare);
  lower(out) = spare.transpose() * spare;
  mirror(out);
}

/// out = a·b + c, or a·b if `c` is null, for results larger than the caches: computes panels of the
/// product in `panel`, as many columns as it has, and writes each to `out` once.
template <class Left>
void multiply_by_panels(matrix& out, const Left& a, const matrix& b, const matrix* c,
                        matrix& panel) {
  for (Index j = 0; j < out.cols(); j += panel.cols()) {
    const Index columns = std::min(panel.cols(), out.cols() - j);
    auto made = panel.leftCols(columns);
    made.noalias() = a * b.middleCols(j, columns);
    if (c != nullptr)
      out.middleCols(j, columns) = c->middleCols(j, columns) + made;
    else
      out.middleCols(j, columns) = made;
  }
}
inline constexpr Index panel_columns = 100;

}  // namespace linalg_benchmark::by_hand
