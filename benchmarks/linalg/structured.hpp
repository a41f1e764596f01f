// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include <wf/ir/type/properties.hpp>

#include <linalg/dense.hpp>

namespace linalg_benchmark {

/// The structure of a matrix as a library's interface distinguishes it.
enum class structure : std::uint8_t { general, symmetric, lower, upper, orthogonal, diagonal };

/// The most specific structure that the declared properties imply.
inline structure structure_of(wf::properties known) {
  if (known.has(wf::diagonal)) return structure::diagonal;
  if (known.has(wf::orthogonal)) return structure::orthogonal;
  if (known.has(wf::lower_triangular)) return structure::lower;
  if (known.has(wf::upper_triangular)) return structure::upper;
  return known.has(wf::symmetric) ? structure::symmetric : structure::general;
}

/// The structure of the transposed matrix.
inline structure transposed(structure s) {
  return s == structure::lower ? structure::upper : s == structure::upper ? structure::lower : s;
}

/// A factor and its structure as it occurs: transposing swaps the triangles.
struct structured_operand {
  operand_view<double> view;
  structure kind = structure::general;
};

namespace detail {

/// Calls f with the Eigen view of the factor that expresses its structure.
template <class F>
void with_view(const structured_operand& a, F f) {
  const dense_map<double> m = a.view.stored();
  const bool flipped = a.view.transposed;
  if (a.kind == structure::diagonal)
    f(m.diagonal().asDiagonal());
  else if (a.kind == structure::symmetric)
    f(m.selfadjointView<Eigen::Lower>());
  else if (a.kind == structure::lower && flipped)
    f(m.transpose().triangularView<Eigen::Lower>());
  else if (a.kind == structure::lower)
    f(m.triangularView<Eigen::Lower>());
  else if (a.kind == structure::upper && flipped)
    f(m.transpose().triangularView<Eigen::Upper>());
  else if (a.kind == structure::upper)
    f(m.triangularView<Eigen::Upper>());
}

inline bool has_view(structure s) { return s != structure::general && s != structure::orthogonal; }

template <bool Add, class Out, class Product>
void put(Out&& out, const Product& product) {
  if constexpr (Add)
    out.noalias() += product;
  else
    out.noalias() = product;
}

}  // namespace detail

/// out = scalar·a·b, or out += scalar·a·b, with Eigen's products for structured factors. If both
/// factors have a structure, a diagonal one takes precedence, then the left one.
template <bool Add>
void multiply_structured(dense<double>& out, double scalar, const structured_operand& a,
                         const structured_operand& b) {
  const bool left = detail::has_view(a.kind) && a.view.columns() != 1;
  const bool right = detail::has_view(b.kind) && b.view.rows() != 1;
  Eigen::Map<Eigen::VectorXd> elements(out.data(), out.size());
  if (left && (a.kind == structure::diagonal || !right || b.kind != structure::diagonal)) {
    detail::with_view(a, [&](const auto& l) {
      if (b.view.columns() == 1)
        return detail::put<Add>(elements, l * (scalar * b.view.elements()));
      b.view.with([&](const auto& r) { detail::put<Add>(out, l * (scalar * r)); });
    });
  } else if (right) {
    detail::with_view(b, [&](const auto& r) {
      if (a.view.rows() == 1)
        return detail::put<Add>(Eigen::Map<Eigen::RowVectorXd>(out.data(), out.size()),
                                (scalar * a.view.elements().transpose()) * r);
      a.view.with([&](const auto& l) { detail::put<Add>(out, (scalar * l) * r); });
    });
  } else {
    multiply<Add>(out, scalar, a.view, b.view);
  }
}

}  // namespace linalg_benchmark
