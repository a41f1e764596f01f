// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <memory>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>

#include <linalg/dense.hpp>
#include <linalg/structured.hpp>

namespace linalg_benchmark {

/// A factorisation of a matrix, chosen by its known structure and reused for every solution.
/// Diagonal, triangular and orthogonal matrices need none.
class eigen_factors {
 public:
  /// Factorises a matrix that the caller keeps and others read.
  eigen_factors(const dense<double>& m, structure kind, bool definite) : kind_(kind), matrix_(&m) {
    if (factorises()) factorise(dense<double>(m), definite);
  }
  /// Factorises a matrix in its own memory.
  eigen_factors(dense<double>&& m, bool definite) { factorise(std::move(m), definite); }

  /// x = a⁻¹·b, stored by columns, or by rows in the memory of `x`.
  void solve(dense<double>& x, bool by_rows, bool transposed, const operand_view<double>& b) const {
    const Eigen::Index rows = b.rows(), columns = b.columns();
    if (columns == 1) {
      Eigen::Map<Eigen::VectorXd> out(x.data(), rows);
      solve_into(out, transposed, b.elements());
    } else if (by_rows) {
      Eigen::Map<rows_first> out(x.data(), rows, columns);
      b.with([&](const auto& right) { solve_into(out, transposed, right); });
    } else {
      b.with([&](const auto& right) { solve_into(x, transposed, right); });
    }
  }

  /// out = a⁻¹, transposed on request.
  void inverse(dense<double>& out, bool transposed) const {
    if (kind_ == structure::orthogonal) {
      operand_view<double>(*matrix_, !transposed).with([&](const auto& m) { out = m; });
    } else if (kind_ == structure::diagonal) {
      out.setZero();
      out.diagonal() = matrix_->diagonal().cwiseInverse();
    } else if (lu_ && !transposed) {
      out = lu_->inverse();
    } else if (lu_) {
      out = lu_->inverse().transpose();
    } else {
      out.setIdentity();
      if (llt_) return llt_->solveInPlace(out);
      const structured_operand a{operand_view<double>(*matrix_, transposed), kind_as(transposed)};
      with_triangle(a, [&](const auto& t) { t.solveInPlace(out); });
    }
  }

 private:
  using reference = Eigen::Ref<dense<double>>;
  using rows_first = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  template <class Out, class Right>
  void solve_into(Out& out, bool transposed, const Right& right) const {
    if (lu_ && transposed) {
      out = lu_->transpose().solve(right);
    } else if (lu_) {
      out = lu_->solve(right);
    } else if (kind_ == structure::orthogonal && transposed) {
      out.noalias() = *matrix_ * right;
    } else if (kind_ == structure::orthogonal) {
      out.noalias() = matrix_->transpose() * right;
    } else if (kind_ == structure::diagonal) {
      out.noalias() = matrix_->diagonal().cwiseInverse().asDiagonal() * right;
    } else {
      out = right;
      if (llt_) return llt_->solveInPlace(out);
      const structured_operand a{operand_view<double>(*matrix_, transposed), kind_as(transposed)};
      with_triangle(a, [&](const auto& t) { t.solveInPlace(out); });
    }
  }

  bool factorises() const { return kind_ == structure::general || kind_ == structure::symmetric; }
  structure kind_as(bool flipped) const { return flipped ? transposed(kind_) : kind_; }
  template <class F>
  static void with_triangle(const structured_operand& a, F f) {
    const bool lower = a.kind == structure::lower;
    a.view.with([&](const auto& m) {
      if (lower)
        f(m.template triangularView<Eigen::Lower>());
      else
        f(m.template triangularView<Eigen::Upper>());
    });
  }
  void factorise(dense<double>&& m, bool definite) {
    storage_ = std::make_unique<dense<double>>(std::move(m));
    place_ = std::make_unique<reference>(*storage_);
    if (definite)
      llt_ = std::make_unique<Eigen::LLT<reference>>(*place_);
    else
      lu_ = std::make_unique<Eigen::PartialPivLU<reference>>(*place_);
  }

  structure kind_ = structure::general;
  const dense<double>* matrix_ = nullptr;
  std::unique_ptr<dense<double>> storage_;  // the matrix that is factorised in place
  std::unique_ptr<reference> place_;
  std::unique_ptr<Eigen::LLT<reference>> llt_;
  std::unique_ptr<Eigen::PartialPivLU<reference>> lu_;
};

}  // namespace linalg_benchmark
