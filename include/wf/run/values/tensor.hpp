// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <wf/ir/type/shape.hpp>
#include <wf/registry/einsum_equation.hpp>
#include <wf/run/kernels/matrix_copy.hpp>

// Operators on tensors of any rank, stored row-major, except for matrices, which may also be
// column-major. Shapes are static, and those that the registry infers.
namespace wf::compute {

/// Read-only view of a tensor: its elements are consecutive in row-major order, unless it is a
/// matrix (rank 2) with another layout.
template <class Real>
struct tensor_view {
  wf::shape shape;                 ///< static: all extents are known
  const Real* elements = nullptr;  ///< first element; their number is the product of the extents
  /// For a matrix: true if column-major.
  bool by_columns = false;
  /// For a matrix: leading dimension in elements, between rows, or columns if `by_columns`; 0 if
  /// there are no gaps.
  Eigen::Index stride = 0;

  /// Extent of a dimension, in elements.
  Eigen::Index extent(std::uint32_t dimension) const {
    return static_cast<Eigen::Index>(shape[dimension].size());
  }
  /// Product of the extents of dimensions [first, last), in elements.
  Eigen::Index extents(std::uint32_t first, std::uint32_t last) const {
    Eigen::Index product = 1;
    for (std::uint32_t d = first; d < last; ++d) product *= extent(d);
    return product;
  }
  /// Number of elements.
  Eigen::Index size() const { return extents(0, shape.rank); }
  /// True if the elements are consecutive in row-major order.
  bool is_plain() const {
    return shape.rank != 2 || (!by_columns && (stride == 0 || stride == extent(1)));
  }
};

/// Writable view of a tensor.
template <class Real>
struct tensor_ref {
  wf::shape shape;           ///< static: all extents are known
  Real* elements = nullptr;  ///< first element; their number is the product of the extents
  /// True if a column-major matrix, as in `tensor_view`.
  bool by_columns = false;
  /// Leading dimension in elements, as in `tensor_view`.
  Eigen::Index stride = 0;

  /// Read-only view of the same tensor.
  tensor_view<Real> view() const { return {shape, elements, by_columns, stride}; }
};

/// The tensor as a matrix, in its own layout; a vector is a column, a stack of matrices their rows
/// one below the other.
template <class Real>
matrix_view<Real> matrix(const tensor_view<Real>& t) {
  if (t.shape.rank < 2) return columns_at(t.elements, t.size(), Eigen::Index{1});
  const Eigen::Index rows = t.extents(0, t.shape.rank - 1), columns = t.extent(t.shape.rank - 1);
  const Eigen::Index plain = t.by_columns ? rows : columns;
  return {t.elements, rows, columns, t.stride != 0 ? t.stride : plain, t.by_columns};
}
/// The same for writing.
template <class Real>
matrix_ref<Real> matrix(const tensor_ref<Real>& t) {
  const matrix_view<Real> m = matrix(t.view());
  return {t.elements, m.rows, m.columns, m.stride, m.by_columns};
}

/// The matrix as a tensor of rank 2.
template <class Real>
tensor_view<Real> tensor_of(const matrix_view<Real>& m) {
  return {shape::of(m.rows, m.columns), m.elements, m.by_columns, m.stride};
}
/// The same for writing.
template <class Real>
tensor_ref<Real> tensor_of(const matrix_ref<Real>& m) {
  return {shape::of(m.rows, m.columns), m.elements, m.by_columns, m.stride};
}

namespace detail {

// Access to the elements of a tensor by row-major index, in any layout of a matrix.
template <class Element>
class numbered {
 public:
  numbered(const tensor_view<std::remove_const_t<Element>>& t, Element* elements)
      : elements_(elements), is_plain_(t.is_plain()) {
    if (is_plain_) return;
    const auto m = matrix(t);
    columns_ = m.columns, row_step_ = m.row_step(), column_step_ = m.column_step();
  }
  Element& operator[](Eigen::Index i) const {
    return is_plain_ ? elements_[i]
                     : elements_[i / columns_ * row_step_ + i % columns_ * column_step_];
  }

 private:
  Element* elements_;
  bool is_plain_;
  Eigen::Index columns_ = 1, row_step_ = 0, column_step_ = 0;
};
template <class Real>
numbered<const Real> elements_of(const tensor_view<Real>& t) {
  return {t, t.elements};
}
template <class Real>
numbered<Real> elements_of(const tensor_ref<Real>& t) {
  return {t.view(), t.elements};
}

// Elements between consecutive positions along a dimension.
template <class Real>
Eigen::Index step_along(const tensor_view<Real>& t, std::uint32_t dimension) {
  if (t.shape.rank != 2) return t.extents(dimension + 1, t.shape.rank);
  return dimension == 0 ? matrix(t).row_step() : matrix(t).column_step();
}

// Stride of each loop dimension in one tensor, in elements.
struct strides {
  Eigen::Index of[max_rank] = {};
};

// Strides of a tensor in the loop over a shape of rank `rank` to which it broadcasts: dimensions
// align on the right, and extent 1 has stride 0. The last `skip` dimensions of the tensor are left
// out.
template <class Real>
strides broadcast_strides(const tensor_view<Real>& t, std::uint32_t rank, std::uint32_t skip = 0) {
  strides out;
  for (std::uint32_t back = skip + 1; back <= t.shape.rank && back <= rank; ++back) {
    const std::uint32_t d = t.shape.rank - back;
    out.of[rank - back] = t.extent(d) == 1 ? 0 : step_along(t, d);
  }
  return out;
}

// Calls f(i, offsets) for every index of the first `rank` dimensions of `shape`, with its row-major
// number i and the offset in each tensor.
template <std::size_t N, class F>
void for_each_index(const shape& s, std::uint32_t rank, const strides (&walks)[N], F f) {
  Eigen::Index count = 1, at[max_rank] = {}, offsets[N] = {};
  for (std::uint32_t d = 0; d < rank; ++d) count *= static_cast<Eigen::Index>(s[d].size());
  for (Eigen::Index i = 0; i < count; ++i) {
    f(i, offsets);
    for (std::uint32_t d = rank; d-- > 0;) {
      ++at[d];
      for (std::size_t k = 0; k < N; ++k) offsets[k] += walks[k].of[d];
      if (at[d] < static_cast<Eigen::Index>(s[d].size())) break;
      for (std::size_t k = 0; k < N; ++k) offsets[k] -= at[d] * walks[k].of[d];
      at[d] = 0;
    }
  }
}

// A tensor split at dimension `axis`: `outer` times `extent` blocks of `inner` consecutive
// elements.
struct axis_blocks {
  Eigen::Index outer, extent, inner;

  template <class Real>
  axis_blocks(const tensor_view<Real>& t, std::uint32_t axis)
      : outer(t.extents(0, axis)),
        extent(t.extent(axis)),
        inner(t.extents(axis + 1, t.shape.rank)) {}
};

// The index space of the letters of an equation, with the stride of each letter in each operand.
class letter_space {
 public:
  // A letter that occurs twice in one operand walks its diagonal: its strides add up.
  template <class Real>
  void add(text_view letters, const tensor_view<Real>& t, std::size_t operand) {
    for (std::uint32_t d = t.shape.rank; d-- > 0;) {
      letter& l = find(letters[d]);
      l.extent = t.extent(d);
      l.stride[operand] += step_along(t, d);
    }
  }
  // Calls f with the offsets of every index combination.
  template <class F>
  void for_each(F f) {
    Eigen::Index count = 1, offset[3] = {};
    for (std::size_t d = 0; d < count_; ++d) count *= letters_[d].extent;
    for (Eigen::Index i = 0; i < count; ++i) {
      f(offset);
      for (std::size_t d = count_; d-- > 0;) {
        letter& l = letters_[d];
        for (std::size_t o = 0; o < 3; ++o) offset[o] += l.stride[o];
        if (++l.at < l.extent) break;
        for (std::size_t o = 0; o < 3; ++o) offset[o] -= l.extent * l.stride[o];
        l.at = 0;
      }
    }
  }

 private:
  struct letter {
    char name = 0;
    Eigen::Index extent = 1, at = 0;
    Eigen::Index stride[3] = {};
  };
  letter& find(char name) {
    for (std::size_t d = 0; d < count_; ++d)
      if (letters_[d].name == name) return letters_[d];
    letters_[count_].name = name;
    return letters_[count_++];
  }
  letter letters_[3 * max_rank];
  std::size_t count_ = 0;
};

}  // namespace detail

/// out = f(a) elementwise; the shapes are equal.
template <class Real, class F>
void tensor_map(const tensor_ref<Real>& out, const given<tensor_view<Real>>& a, F f) {
  if (out.view().is_plain() && a.is_plain()) {
    std::transform(a.elements, a.elements + a.size(), out.elements, f);
    return;
  }
  const auto to = detail::elements_of(out);
  const auto from = detail::elements_of(a);
  for (Eigen::Index i = 0; i < a.size(); ++i) to[i] = f(from[i]);
}

/// out = the elements of a, in row-major order of their indices; nothing to do if both share
/// storage.
template <class Real>
void tensor_copy(const tensor_ref<Real>& out, const given<tensor_view<Real>>& a) {
  if (out.elements == a.elements) return;
  if (a.shape.rank == 2 && (a.shape == out.shape || out.view().is_plain()))
    return copy(
        a.shape == out.shape ? matrix(out) : rows_at(out.elements, a.extent(0), a.extent(1)),
        matrix(a));
  if (out.shape.rank == 2 && a.is_plain())
    return copy(matrix(out), rows_at(a.elements, out.view().extent(0), out.view().extent(1)));
  tensor_map(out, a, [](Real x) { return x; });
}

/// out = a with its last two dimensions exchanged. Matrices may have any layout.
template <class Real>
void tensor_transpose(const tensor_ref<Real>& out, const given<tensor_view<Real>>& a) {
  const std::uint32_t rank = a.shape.rank;
  if (rank == 2) return copy(matrix(out), matrix(a).transposed());
  const Eigen::Index m = a.extent(rank - 2), n = a.extent(rank - 1);
  for (Eigen::Index i = 0; i < a.extents(0, rank - 2); ++i)
    copy(rows_at(out.elements + i * m * n, n, m),
         rows_at(a.elements + i * m * n, m, n).transposed());
}

/// out = the contraction of a and b by an equation such as "bij,bjk->bik", one letter per
/// dimension: each element of the result sums the products over the letters that the result lacks.
/// Letters are ASCII; the equation fits the shapes. Matrices may have any layout.
template <class Real>
void tensor_einsum(const tensor_ref<Real>& out, const given<tensor_view<Real>>& a,
                   const given<tensor_view<Real>>& b, text_view equation) {
  const einsum_equation parts{equation};
  const bool two = parts.operands() == 2;  // the second may be a scalar, without letters
  detail::letter_space space;
  space.add(parts.result(), out.view(), 0);
  space.add(parts.operand(0), a, 1);
  space.add(parts.operand(1), b, 2);
  fill(matrix(out), 0);
  space.for_each([&](const Eigen::Index* offset) {
    out.elements[offset[0]] += a.elements[offset[1]] * (two ? b.elements[offset[2]] : Real(1));
  });
}

/// out = the elements of a permuted, or a diagonal of it, by an equation such as "ij->ji".
template <class Real>
void tensor_rearrange(const tensor_ref<Real>& out, const given<tensor_view<Real>>& a,
                      text_view equation) {
  tensor_einsum(out, a, {}, equation);
}

}  // namespace wf::compute
