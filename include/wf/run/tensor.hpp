// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
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

// Where broadcasting reads a tensor: dimensions align on the right, those of extent 1 stand still.
struct broadcast_strides {
  Eigen::Index of[max_rank] = {};

  broadcast_strides(const tensor_view& t, std::uint32_t rank, std::uint32_t skip) {
    Eigen::Index stride = t.extents(t.shape.rank - std::min(skip, t.shape.rank), t.shape.rank);
    for (std::uint32_t back = skip + 1; back <= t.shape.rank && back <= rank; ++back) {
      const std::uint32_t d = t.shape.rank - back;
      of[rank - back] = t.extent(d) == 1 ? 0 : stride;
      stride *= t.extent(d);
    }
  }
};

// Calls f(i, offset_a, offset_b) for every index of the first `rank` dimensions of `shape`.
template <class F>
void for_broadcast(const shape& s, std::uint32_t rank, const broadcast_strides& a,
                   const broadcast_strides& b, F f) {
  Eigen::Index count = 1, at[max_rank] = {}, offset_a = 0, offset_b = 0;
  for (std::uint32_t d = 0; d < rank; ++d) count *= static_cast<Eigen::Index>(s[d].size());
  for (Eigen::Index i = 0; i < count; ++i) {
    f(i, offset_a, offset_b);
    for (std::uint32_t d = rank; d-- > 0;) {
      offset_a += a.of[d], offset_b += b.of[d];
      if (++at[d] < static_cast<Eigen::Index>(s[d].size())) break;
      offset_a -= at[d] * a.of[d], offset_b -= at[d] * b.of[d];
      at[d] = 0;
    }
  }
}

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

/// out = f(a, b) elementwise, broadcasting.
template <class F>
void tensor_elementwise(const tensor_ref& out, const tensor_view& a, const tensor_view& b, F f) {
  const std::uint32_t rank = out.shape.rank;
  detail::for_broadcast(out.shape, rank, detail::broadcast_strides(a, rank, 0),
                        detail::broadcast_strides(b, rank, 0),
                        [&](Eigen::Index i, Eigen::Index at_a, Eigen::Index at_b) {
                          out.elements[i] = f(a.elements[at_a], b.elements[at_b]);
                        });
}

/// out = f(a) elementwise.
template <class F>
void tensor_map(const tensor_ref& out, const tensor_view& a, F f) {
  std::transform(a.elements, a.elements + a.extents(0, a.shape.rank), out.elements, f);
}

/// out = a·b for stacks of matrices; the stacks broadcast.
inline void tensor_matmul(const tensor_ref& out, const tensor_view& a, const tensor_view& b) {
  using map = Eigen::Map<const detail::row_major>;
  const std::uint32_t rank = out.shape.rank;
  const Eigen::Index m = out.view().extent(rank - 2), n = out.view().extent(rank - 1);
  const Eigen::Index k = a.extent(a.shape.rank - 1);
  detail::for_broadcast(out.shape, rank - 2, detail::broadcast_strides(a, rank, 2),
                        detail::broadcast_strides(b, rank, 2),
                        [&](Eigen::Index i, Eigen::Index at_a, Eigen::Index at_b) {
                          Eigen::Map<detail::row_major>(out.elements + i * m * n, m, n).noalias() =
                              map(a.elements + at_a, m, k) * map(b.elements + at_b, k, n);
                        });
}

/// out = a with its last two dimensions exchanged.
inline void tensor_transpose(const tensor_ref& out, const tensor_view& a) {
  const std::uint32_t rank = a.shape.rank;
  const Eigen::Index m = a.extent(rank - 2), n = a.extent(rank - 1);
  for (Eigen::Index i = 0; i < a.extents(0, rank - 2); ++i)
    Eigen::Map<detail::row_major>(out.elements + i * m * n, n, m) =
        Eigen::Map<const detail::row_major>(a.elements + i * m * n, m, n).transpose();
}

/// out = softmax of a over the last dimension.
inline void tensor_softmax(const tensor_ref& out, const tensor_view& a) {
  const Eigen::Index n = a.extent(a.shape.rank - 1);
  if (n == 0) return;
  for (Eigen::Index i = 0; i < a.extents(0, a.shape.rank - 1); ++i) {
    const Eigen::Map<const Eigen::ArrayXd> from(a.elements + i * n, n);
    Eigen::Map<Eigen::ArrayXd> to(out.elements + i * n, n);
    to = (from - from.maxCoeff()).exp();
    to /= to.sum();
  }
}

/// out = `combine` of the elements over dimension `axis`, or over all if it is negative; starts
/// from `first`.
template <class F>
void tensor_reduce(const tensor_ref& out, const tensor_view& a, std::int64_t axis, double first,
                   F combine) {
  const std::uint32_t rank = a.shape.rank;
  const auto d = static_cast<std::uint32_t>(axis < 0 ? 0 : axis);
  const Eigen::Index outer = axis < 0 ? 1 : a.extents(0, d);
  const Eigen::Index middle = axis < 0 ? a.extents(0, rank) : a.extent(d);
  const Eigen::Index inner = axis < 0 ? 1 : a.extents(d + 1, rank);
  std::fill(out.elements, out.elements + outer * inner, first);
  for (Eigen::Index o = 0; o < outer; ++o)
    for (Eigen::Index m = 0; m < middle; ++m)
      for (Eigen::Index i = 0; i < inner; ++i) {
        double& to = out.elements[o * inner + i];
        to = combine(to, a.elements[(o * middle + m) * inner + i]);
      }
}

/// out = the contraction of a and b by an equation such as "bij,bjk->bik", one letter a dimension:
/// for every index of the result the sum of the products over the letters it lacks. Letters are
/// ASCII; the equation fits the shapes.
inline void tensor_einsum(const tensor_ref& out, const tensor_view& a, const tensor_view& b,
                          text_view equation) {
  const std::size_t arrow = equation.find('-');
  const std::size_t comma = equation.find(',') < arrow ? equation.find(',') : arrow;
  const text_view of_a = equation.part(0, comma), of_out = equation.part(arrow + 2);
  const text_view of_b = comma < arrow ? equation.part(comma + 1, arrow - comma - 1) : text_view();
  detail::letter_space space;
  space.add(of_out, out.view(), 0);
  space.add(of_a, a, 1);
  space.add(of_b, b, 2);
  std::fill(out.elements, out.elements + out.view().extents(0, out.shape.rank), 0.0);
  space.for_each([&](const Eigen::Index* offset) {
    out.elements[offset[0]] += a.elements[offset[1]] * (of_b.empty() ? 1.0 : b.elements[offset[2]]);
  });
}

/// out = the elements of a in another order, or a diagonal of it, by an equation such as "ij->ji".
inline void tensor_rearrange(const tensor_ref& out, const tensor_view& a, text_view equation) {
  tensor_einsum(out, a, {}, equation);
}

/// out = the convolution of images a [N, C, H, W] with filters k [F, C, R, S], stride and padding
/// the same in both directions: each image's windows become columns of a matrix that the filters
/// multiply. Scratch: C·R·S·pixels of one output image.
inline void tensor_conv2d(const tensor_ref& out, const tensor_view& a, const tensor_view& k,
                          Eigen::Index stride, Eigen::Index padding) {
  const Eigen::Index channels = a.extent(1), height = a.extent(2), width = a.extent(3);
  const Eigen::Index filters = k.extent(0), rows = k.extent(2), columns = k.extent(3);
  const Eigen::Index out_width = out.view().extent(3), pixels = out.view().extents(2, 4);
  const Eigen::Index window = channels * rows * columns;
  const Eigen::Map<const detail::row_major> weights(k.elements, filters, window);
  detail::row_major patches(window, pixels);
  for (Eigen::Index image = 0; image < a.extent(0); ++image) {
    const double* pixel = a.elements + image * channels * height * width;
    for (Eigen::Index w = 0; w < window; ++w) {
      const Eigen::Index c = w / (rows * columns), r = w / columns % rows, s = w % columns;
      for (Eigen::Index p = 0; p < pixels; ++p) {
        const Eigen::Index h = p / out_width * stride - padding + r;
        const Eigen::Index v = p % out_width * stride - padding + s;
        const bool inside = h >= 0 && h < height && v >= 0 && v < width;
        patches(w, p) = inside ? pixel[(c * height + h) * width + v] : 0.0;
      }
    }
    Eigen::Map<detail::row_major>(out.elements + image * filters * pixels, filters, pixels)
        .noalias() = weights * patches;
  }
}

/// out = the largest element of each window of images a [N, C, H, W]; padding never is the largest.
inline void tensor_max_pool2d(const tensor_ref& out, const tensor_view& a, Eigen::Index window,
                              Eigen::Index stride, Eigen::Index padding) {
  const Eigen::Index height = a.extent(2), width = a.extent(3);
  const Eigen::Index out_width = out.view().extent(3), pixels = out.view().extents(2, 4);
  for (Eigen::Index plane = 0; plane < a.extents(0, 2); ++plane) {
    const double* pixel = a.elements + plane * height * width;
    for (Eigen::Index p = 0; p < pixels; ++p) {
      double largest = -std::numeric_limits<double>::infinity();
      for (Eigen::Index w = 0; w < window * window; ++w) {
        const Eigen::Index h = p / out_width * stride - padding + w / window;
        const Eigen::Index v = p % out_width * stride - padding + w % window;
        if (h >= 0 && h < height && v >= 0 && v < width)
          largest = std::max(largest, pixel[h * width + v]);
      }
      out.elements[plane * pixels + p] = largest;
    }
  }
}

}  // namespace wf::compute
