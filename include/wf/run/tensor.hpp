// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <wf/ir/shape.hpp>

// Operators on tensors of any number of dimensions, kept as their elements in row-major order.
// Shapes are static and those that the registry infers.
namespace wf::compute {

/// A tensor to read: its shape and its elements in row-major order.
struct tensor_view {
  wf::shape shape;                   ///< static
  const double* elements = nullptr;  ///< as many as the shape says

  /// The extent of a dimension.
  Eigen::Index extent(std::uint32_t dimension) const {
    return static_cast<Eigen::Index>(shape[dimension].size());
  }
  /// The product of the extents from dimension `first` to before `last`.
  Eigen::Index extents(std::uint32_t first, std::uint32_t last) const {
    Eigen::Index product = 1;
    for (std::uint32_t d = first; d < last; ++d) product *= extent(d);
    return product;
  }
  /// The number of elements.
  Eigen::Index size() const { return extents(0, shape.rank); }
};

/// A tensor to write.
struct tensor_ref {
  wf::shape shape;             ///< static
  double* elements = nullptr;  ///< as many as the shape says

  /// The same tensor to read.
  tensor_view view() const { return {shape, elements}; }
};

namespace detail {

using row_major = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using row_major_block = Eigen::Ref<row_major, 0, Eigen::OuterStride<>>;
using const_row_major_block = Eigen::Ref<const row_major, 0, Eigen::OuterStride<>>;

// out = a·b. Every product of the run-time executor is this one: products take long to compile.
inline void multiply(row_major_block out, const const_row_major_block& a,
                     const const_row_major_block& b) {
  out.noalias() = a * b;
}

// to = the transposed of a row-major matrix: in squares that stay in registers, inside of blocks
// whose rows do not push each other out of the cache.
inline void transpose_matrix(double* to, const double* from, Eigen::Index rows,
                             Eigen::Index columns) {
  constexpr Eigen::Index side = 4, block = 128;
  using square = Eigen::Matrix<double, side, side>;
  using stride = Eigen::OuterStride<>;
  const auto corner = [&](Eigen::Index i, Eigen::Index j) {
    double* const into = to + j * rows + i;
    const double* const origin = from + i * columns + j;
    if (i + side <= rows && j + side <= columns) {
      Eigen::Map<square, 0, stride>(into, stride(rows)) =
          Eigen::Map<const square, 0, stride>(origin, stride(columns)).transpose();
      return;
    }
    for (Eigen::Index c = 0; c < std::min(side, columns - j); ++c)
      for (Eigen::Index r = 0; r < std::min(side, rows - i); ++r)
        into[c * rows + r] = origin[r * columns + c];
  };
  for (Eigen::Index column = 0; column < columns; column += block)
    for (Eigen::Index row = 0; row < rows; row += block)
      for (Eigen::Index j = column; j < std::min(column + block, columns); j += side)
        for (Eigen::Index i = row; i < std::min(row + block, rows); i += side) corner(i, j);
}

// The step of each dimension of a loop in a tensor that it walks through.
struct strides {
  Eigen::Index of[max_rank] = {};
};

// The loop over a shape of `rank` dimensions that broadcasts a tensor: dimensions align on the
// right, those of extent 1 stand still. Of the tensor the last `skip` dimensions are left out.
inline strides broadcast_strides(const tensor_view& t, std::uint32_t rank, std::uint32_t skip = 0) {
  strides out;
  Eigen::Index stride = t.extents(t.shape.rank - std::min(skip, t.shape.rank), t.shape.rank);
  for (std::uint32_t back = skip + 1; back <= t.shape.rank && back <= rank; ++back) {
    const std::uint32_t d = t.shape.rank - back;
    out.of[rank - back] = t.extent(d) == 1 ? 0 : stride;
    stride *= t.extent(d);
  }
  return out;
}

// Calls f(i, offsets) for every index of the first `rank` dimensions of `shape`, number i in
// row-major order, with the offset of each walk.
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

// A loop over a shape in runs of its last dimension; of one run if every operand of the loop is a
// scalar or has that shape.
struct runs {
  Eigen::Index length = 1;
  std::uint32_t outer = 0;  // how many dimensions are outside of a run

  template <std::size_t N>
  runs(const tensor_ref& out, const tensor_view (&in)[N], strides (&walks)[N]) {
    const std::uint32_t rank = out.shape.rank;
    bool flat = true;
    for (const tensor_view& t : in) flat = flat && (t.shape == out.shape || t.size() == 1);
    for (std::size_t k = 0; k < N; ++k) {
      walks[k] = broadcast_strides(in[k], rank);
      if (flat) walks[k].of[0] = in[k].size() == 1 ? 0 : 1;
    }
    outer = flat || rank == 0 ? 0 : rank - 1;
    length = flat ? out.view().size() : rank == 0 ? 1 : out.view().extent(rank - 1);
  }
};

// Dimension `axis` taken apart: `outer` times `extent` blocks of `inner` consecutive elements.
struct axis_blocks {
  Eigen::Index outer, extent, inner;

  axis_blocks(const tensor_view& t, std::uint32_t axis)
      : outer(t.extents(0, axis)),
        extent(t.extent(axis)),
        inner(t.extents(axis + 1, t.shape.rank)) {}
};

// The indices that the letters of an equation run over, and where they are in each operand.
class letter_space {
 public:
  // A letter that stands twice in one operand walks its diagonal.
  void add(text_view letters, const tensor_view& t, std::size_t operand) {
    Eigen::Index stride = 1;
    for (std::uint32_t d = t.shape.rank; d-- > 0;) {
      letter& l = find(letters[d]);
      l.extent = t.extent(d);
      l.stride[operand] += stride;
      stride *= t.extent(d);
    }
  }
  // Calls f with the offsets of every combination.
  template <class F>
  void for_each(F f) {
    Eigen::Index count = 1, offset[3] = {};
    for (const letter& l : letters_) count *= l.extent;
    for (Eigen::Index i = 0; i < count; ++i) {
      f(offset);
      for (std::size_t d = letters_.size(); d-- > 0;) {
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
    for (letter& l : letters_)
      if (l.name == name) return l;
    letters_.push_back({name});
    return letters_.back();
  }
  std::vector<letter> letters_;
};

}  // namespace detail

/// out = f(in[0], in[1], ...) elementwise, broadcasting.
template <std::size_t N, class F>
void tensor_elementwise(const tensor_ref& out, const tensor_view (&in)[N], F f) {
  detail::strides walks[N];
  const detail::runs runs(out, in, walks);
  const auto run = [&]<std::size_t... K>(std::index_sequence<K...>) {
    const Eigen::Index step[] = {walks[K].of[runs.outer]...};
    detail::for_each_index(out.shape, runs.outer, walks, [&](Eigen::Index i, const auto& at) {
      const double* from[] = {in[K].elements + at[K]...};
      double* const to = out.elements + i * runs.length;
      for (Eigen::Index j = 0; j < runs.length; ++j) to[j] = f(from[K][j * step[K]]...);
    });
  };
  run(std::make_index_sequence<N>());
}

/// out = f(a) elementwise.
template <class F>
void tensor_map(const tensor_ref& out, const tensor_view& a, F f) {
  std::transform(a.elements, a.elements + a.size(), out.elements, f);
}

/// out = the elements of a, in the same order.
inline void tensor_copy(const tensor_ref& out, const tensor_view& a) {
  std::copy_n(a.elements, a.size(), out.elements);
}

/// out = a·b for stacks of matrices; the stacks broadcast.
inline void tensor_matmul(const tensor_ref& out, const tensor_view& a, const tensor_view& b) {
  using map = Eigen::Map<const detail::row_major>;
  const std::uint32_t rank = out.shape.rank;
  const Eigen::Index m = out.view().extent(rank - 2), n = out.view().extent(rank - 1);
  const Eigen::Index k = a.extent(a.shape.rank - 1);
  const detail::strides walks[] = {detail::broadcast_strides(a, rank, 2),
                                   detail::broadcast_strides(b, rank, 2)};
  detail::for_each_index(out.shape, rank - 2, walks, [&](Eigen::Index i, const auto& at) {
    detail::multiply(Eigen::Map<detail::row_major>(out.elements + i * m * n, m, n),
                     map(a.elements + at[0], m, k), map(b.elements + at[1], k, n));
  });
}

/// out = a with its last two dimensions exchanged.
inline void tensor_transpose(const tensor_ref& out, const tensor_view& a) {
  const std::uint32_t rank = a.shape.rank;
  const Eigen::Index m = a.extent(rank - 2), n = a.extent(rank - 1);
  for (Eigen::Index i = 0; i < a.extents(0, rank - 2); ++i)
    detail::transpose_matrix(out.elements + i * m * n, a.elements + i * m * n, m, n);
}

/// out = the contraction of a and b by an equation such as "bij,bjk->bik", one letter a dimension:
/// for every index of the result the sum of the products over the letters it lacks. Letters are
/// ASCII; the equation fits the shapes.
inline void tensor_einsum(const tensor_ref& out, const tensor_view& a, const tensor_view& b,
                          text_view equation) {
  const std::size_t arrow = equation.find('-');
  const std::size_t comma = equation.find(',') < arrow ? equation.find(',') : arrow;
  const text_view of_a = equation.part(0, comma), of_out = equation.part(arrow + 2);
  const bool two = comma < arrow;  // the second may be a scalar, without letters
  const text_view of_b = two ? equation.part(comma + 1, arrow - comma - 1) : text_view();
  detail::letter_space space;
  space.add(of_out, out.view(), 0);
  space.add(of_a, a, 1);
  space.add(of_b, b, 2);
  std::fill(out.elements, out.elements + out.view().size(), 0.0);
  space.for_each([&](const Eigen::Index* offset) {
    out.elements[offset[0]] += a.elements[offset[1]] * (two ? b.elements[offset[2]] : 1.0);
  });
}

/// out = the elements of a in another order, or a diagonal of it, by an equation such as "ij->ji".
inline void tensor_rearrange(const tensor_ref& out, const tensor_view& a, text_view equation) {
  tensor_einsum(out, a, {}, equation);
}

}  // namespace wf::compute
