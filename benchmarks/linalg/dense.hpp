// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <vector>

#include <Eigen/Core>

namespace linalg_benchmark {

template <class Number>
using dense = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
template <class Number>
using dense_map = Eigen::Map<const dense<Number>>;

/// A view of a matrix, perhaps transposed: stored by columns, contiguous.
template <class Number>
struct operand_view {
  const Number* data = nullptr;
  Eigen::Index stored_rows = 0, stored_columns = 0;
  bool transposed = false;

  operand_view() = default;
  operand_view(const Number* at, Eigen::Index rows, Eigen::Index columns, bool flipped)
      : data(at), stored_rows(rows), stored_columns(columns), transposed(flipped) {}
  explicit operand_view(const dense<Number>& m, bool flipped = false)
      : operand_view(m.data(), m.rows(), m.cols(), flipped) {}

  Eigen::Index rows() const { return transposed ? stored_columns : stored_rows; }
  Eigen::Index columns() const { return transposed ? stored_rows : stored_columns; }
  dense_map<Number> stored() const { return {data, stored_rows, stored_columns}; }
  /// The elements of a single row or column.
  Eigen::Map<const Eigen::Matrix<Number, Eigen::Dynamic, 1>> elements() const {
    return {data, stored_rows * stored_columns};
  }
  /// Calls f with the Eigen expression of the view.
  template <class F>
  void with(F f) const {
    if (transposed)
      f(stored().transpose());
    else
      f(stored());
  }
};

/// A term of a sum: a scalar times a matrix.
template <class Number>
struct summand {
  Number scalar = 1;
  operand_view<Number> matrix;
  bool identity = false;
};

/// out = the sum, block by block in one pass through memory, like a C++ expression template.
template <class Out, class Number>
void add_up(Out& out, const std::vector<summand<Number>>& terms) {
  constexpr Eigen::Index block_rows = 512, block_columns = 8;
  const bool flips = std::any_of(terms.begin(), terms.end(), [](const summand<Number>& s) {
    return s.matrix.transposed && s.matrix.rows() != 1 && s.matrix.columns() != 1;
  });
  const Eigen::Index height = flips ? 64 : block_rows, width = flips ? 64 : block_columns;
  for (Eigen::Index j = 0; j < out.cols(); j += width)
    for (Eigen::Index i = 0; i < out.rows(); i += height) {
      auto to = out.block(i, j, std::min(height, out.rows() - i), std::min(width, out.cols() - j));
      bool first = true;
      for (const summand<Number>& s : terms) {
        if (s.identity) continue;
        s.matrix.with([&](const auto& m) {
          const auto from = m.block(i, j, to.rows(), to.cols());
          if (first && s.scalar == Number(1))
            to = from;
          else if (first)
            to = s.scalar * from;
          else if (s.scalar == Number(1))
            to += from;
          else if (s.scalar == Number(-1))
            to -= from;
          else
            to += s.scalar * from;
        });
        first = false;
      }
      if (first) to.setZero();
    }
  for (const summand<Number>& s : terms)
    if (s.identity) out.diagonal().array() += s.scalar;
}

/// out = scalar·a·b, or out += scalar·a·b: with the Eigen product that fits the shapes.
template <bool Add, class Number>
void multiply(dense<Number>& out, Number scalar, const operand_view<Number>& a,
              const operand_view<Number>& b) {
  const auto put = [&](auto&& to, const auto& product) {
    if constexpr (Add)
      to.noalias() += product;
    else
      to.noalias() = product;
  };
  using column = Eigen::Matrix<Number, Eigen::Dynamic, 1>;
  Eigen::Map<column> elements(out.data(), out.size());
  if (a.rows() == 1 && b.columns() == 1) {
    const Number dot = scalar * a.elements().dot(b.elements());
    out(0, 0) = Add ? out(0, 0) + dot : dot;
  } else if (b.columns() == 1) {
    a.with([&](const auto& m) { put(elements, scalar * m * b.elements()); });
  } else if (a.rows() == 1) {
    b.with([&](const auto& m) { put(elements, scalar * m.transpose() * a.elements()); });
  } else if (a.columns() == 1) {
    put(out, scalar * a.elements() * b.elements().transpose());
  } else {
    a.with([&](const auto& l) { b.with([&](const auto& r) { put(out, scalar * l * r); }); });
  }
}

}  // namespace linalg_benchmark
