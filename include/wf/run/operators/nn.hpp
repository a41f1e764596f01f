// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include <wf/run/kernels/matrix_product.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/movement.hpp>
#include <wf/run/operators/reduction.hpp>
#include <wf/run/operators/tile_kernel.hpp>
#include <wf/run/values/scalar.hpp>

// Operators of neural networks.
namespace wf::compute {

/// The ε that normalisations add to a variance, unless the node has an attribute `epsilon`.
inline constexpr double default_epsilon = 1e-5;

namespace detail {

template <class Real>
using strided_array = Eigen::Map<Eigen::Array<Real, Eigen::Dynamic, 1>, 0, Eigen::InnerStride<>>;
template <class Real>
using const_strided_array =
    Eigen::Map<const Eigen::Array<Real, Eigen::Dynamic, 1>, 0, Eigen::InnerStride<>>;

// y = softmax(scale·x) over the first `visible` elements; the others become zero.
template <class To, class From>
void softmax_row(To& y, const From& x, Eigen::Index visible, typename To::Scalar scale) {
  if (visible > 0) {
    auto seen = y.head(visible);
    seen = scale * x.head(visible);
    seen = (seen - seen.real().maxCoeff()).exp();
    seen /= seen.sum();
  }
  y.tail(y.size() - visible).setZero();
}

// Calls f(to, from, row number) with each row of the last dimension as arrays.
template <class Real, class F>
void for_each_row(const application<Real>& a, F f) {
  const tensor_view<Real>&from = a.in(), to = a.out().view();
  const std::uint32_t last = from.shape.rank - 1;
  const Eigen::Index n = from.extent(last), rows = from.extents(0, last);
  if (from.is_plain() && to.is_plain()) {
    for (Eigen::Index r = 0; r < rows; ++r) {
      array_map<Real> y(a.out().elements + r * n, n);
      f(y, const_array_map<Real>(from.elements + r * n, n), r);
    }
    return;
  }
  const matrix_ref<Real> out = matrix(a.out());
  const matrix_view<Real> in = matrix(from);
  for (Eigen::Index r = 0; r < rows; ++r) {
    strided_array<Real> y(out.elements + r * out.row_step(), n,
                          Eigen::InnerStride<>(out.column_step()));
    f(y,
      const_strided_array<Real>(in.elements + r * in.row_step(), n,
                                Eigen::InnerStride<>(in.column_step())),
      r);
  }
}

template <class Real>
text softmax(const application<Real>& a) {
  for_each_row(a, [](auto& y, const auto& x, Eigen::Index) { softmax_row(y, x, x.size(), 1); });
  return {};
}
template <class Real>
text causal_softmax(const application<Real>& a) {
  const Eigen::Index queries = a.in().extent(a.in().shape.rank - 2);
  const Real scale = as_element<Real>(a.real("scale", 1));
  for_each_row(a, [&](auto& y, const auto& x, Eigen::Index r) {
    const Eigen::Index seen = x.size() - queries + r % queries + 1;
    softmax_row(y, x, std::max<Eigen::Index>(seen, 0), scale);
  });
  return {};
}
// y = softmax(y), where -∞ becomes zero. Exponentials are bounded below by normal numbers, since
// subnormal ones are slow; those at the bound are zero.
template <class Real, class Row>
void softmax_in_place(Row y) {
  using number = magnitude_of<Real>;
  constexpr number least = 2 * std::numeric_limits<number>::min();
  y -= y.real().maxCoeff();
  if constexpr (std::is_floating_point_v<Real>)
    y = y.max(sizeof(Real) == 4 ? Real(-87) : Real(-708)).exp();
  else
    y = y.exp();
  for (Eigen::Index i = 0; i < y.size(); ++i) y[i] = real_part(y[i]) < least ? Real(0) : y[i];
  y /= y.sum();
}
// Each element of the mask is read before its place is written, so that the result may overwrite
// either operand.
template <class Real>
text masked_softmax(const application<Real>& a) {
  constexpr double nothing = -std::numeric_limits<double>::infinity();
  const Real scale = as_element<Real>(a.real("scale", 1));
  const Real fill = as_element<Real>(a.real("fill", nothing));
  const auto score = [&](Real x, Real keeps) { return keeps != Real(0) ? scale * x : fill; };
  const tensor_view<Real>&x = a.in(0), &mask = a.in(1), y = a.out().view();
  const std::uint32_t last = y.shape.rank - 1;
  const strides walks[] = {broadcast_strides(x, last + 1), broadcast_strides(mask, last + 1),
                           broadcast_strides(y, last + 1)};
  const Eigen::Index n = y.extent(last), to_step = step_along(y, last);
  const Eigen::Index step[] = {walks[0].of[last], walks[1].of[last]};
  for_each_index(y.shape, last, walks, [&](Eigen::Index, const auto& at) {
    const Real* const from[] = {x.elements + at[0], mask.elements + at[1]};
    Real* const to = a.out().elements + at[2];
    strided_array<Real> row(to, n, Eigen::InnerStride<>(to_step));
    Eigen::Index hidden = 0;
    while (hidden < n && from[1][hidden * step[1]] == Real(0)) ++hidden;
    if (hidden == n) {
      row.setZero();
    } else if (to_step == 1) {
      compute_tile(score, std::make_index_sequence<2>(), to, from, step, n);
      softmax_in_place<Real>(array_map<Real>(to, n));
    } else {
      for (Eigen::Index i = 0; i < n; ++i)
        row[i] = score(from[0][i * step[0]], from[1][i * step[1]]);
      softmax_in_place<Real>(row);
    }
  });
  return {};
}
template <class Real>
text causal_mask(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out());
  const Eigen::Index queries = a.out().view().extent(a.out().shape.rank - 2);
  for (Eigen::Index r = 0; r < out.rows; ++r) {
    const Eigen::Index seen = out.columns - queries + r % queries + 1;
    for (Eigen::Index key = 0; key < out.columns; ++key)
      out(r, key) = static_cast<Real>(key < seen ? 1 : 0);
  }
  return {};
}
template <class Real>
text layer_norm(const application<Real>& a) {
  const Real *gain = a.in(1).elements, *bias = a.in(2).elements;
  const Real epsilon = as_element<Real>(a.real("epsilon", default_epsilon));
  const Eigen::Index n = a.in().extent(a.in().shape.rank - 1);
  const const_array_map<Real> gains(gain, n), biases(bias, n);
  for_each_row(a, [&](auto& y, const auto& x, Eigen::Index) {
    const Real count = as_element<Real>(n), mean = x.sum() / count;
    const Real variance = (x - mean).square().sum() / count;
    const Real scale = Real(1) / std::sqrt(variance + epsilon);
    // In one pass, since the result may overwrite any operand.
    y = (x - mean) * scale * gains + biases;
  });
  return {};
}
template <class Real>
text rms_norm(const application<Real>& a) {
  const Real* const gain = a.in(1).elements;
  const Real epsilon = as_element<Real>(a.real("epsilon", default_epsilon));
  const Eigen::Index n = a.in().extent(a.in().shape.rank - 1);
  const const_array_map<Real> gains(gain, n);
  for_each_row(a, [&](auto& y, const auto& x, Eigen::Index) {
    const Real mean = x.square().sum() / as_element<Real>(n);
    const Real scale = Real(1) / std::sqrt(mean + epsilon);
    y = x * scale * gains;
  });
  return {};
}
template <class Real>
text batch_norm(const application<Real>& a) {
  const Real epsilon = as_element<Real>(a.real("epsilon", default_epsilon));
  const Real *mean = a.in(1).elements, *variance = a.in(2).elements;
  const Real *gain = a.in(3).elements, *bias = a.in(4).elements;
  const Eigen::Index channels = a.in().extent(1), pixels = a.in().extents(2, 4);
  for (Eigen::Index plane = 0; plane < a.in().extents(0, 2); ++plane) {
    const Eigen::Index c = plane % channels;
    const Real slope = gain[c] / std::sqrt(variance[c] + epsilon);
    for (Eigen::Index i = plane * pixels; i < (plane + 1) * pixels; ++i)
      a.out().elements[i] = slope * (a.in().elements[i] - mean[c]) + bias[c];
  }
  return {};
}
// A tensor as the rows of all its matrices; a vector is one row.
template <class Tensor>
auto rows_of(const Tensor& t) {
  return t.shape.rank < 2 ? matrix(t).transposed() : matrix(t);
}
template <class Real>
text linear(const application<Real>& a) {
  const matrix_ref<Real> out = rows_of(a.out());
  multiply(out, rows_of(a.in()), matrix(a.in(1)));
  const Real* const bias = a.in(2).elements;
  for (Eigen::Index r = 0; r < out.runs(); ++r) {
    array_map<Real> run(out.run(r), out.run_length());
    if (out.by_columns)
      run += bias[r];
    else
      run += const_array_map<Real>(bias, out.columns);
  }
  return {};
}

// Checks that stride, window and padding are in range, so that indices cannot overflow.
inline text_view window_fault(const graph_view& g, const node& n) {
  const auto lies = [&](text_view name, std::int64_t least) {
    const std::int64_t x = g.integer_attribute(n, name, 1);
    return x >= least && x <= std::numeric_limits<std::int32_t>::max();
  };
  return lies("stride", 1) && lies("padding", 0) && lies("window", 1)
             ? ""
             : "its stride, padding or window is negative, zero or too large";
}

// A window of an image: its origin (row, column), possibly outside, and its part inside: rows [top,
// bottom) and columns [left, right).
struct window {
  Eigen::Index row, column, top, bottom, left, right;
};

// Calls f(to, plane, pixels, window) for each pixel of the result and its window of rows x columns
// in images [N, C, H, W].
template <class Real, class F>
void for_each_window(const application<Real>& a, Eigen::Index rows, Eigen::Index columns, F f) {
  const Eigen::Index stride = a.integer("stride", 1), padding = a.integer("padding", 0);
  const Eigen::Index height = a.in().extent(2), width = a.in().extent(3);
  const Eigen::Index out_width = a.out().view().extent(3), pixels = a.out().view().extents(2, 4);
  for (Eigen::Index plane = 0; plane < a.in().extents(0, 2); ++plane)
    for (Eigen::Index p = 0; p < pixels; ++p) {
      const Eigen::Index r = p / out_width * stride - padding, c = p % out_width * stride - padding;
      const window w{r,
                     c,
                     std::max<Eigen::Index>(r, 0),
                     std::min(r + rows, height),
                     std::max<Eigen::Index>(c, 0),
                     std::min(c + columns, width)};
      f(a.out().elements[plane * pixels + p], plane, a.in().elements + plane * height * width, w);
    }
}

// Elements of the windows of all pixels of one output image; a huge number if that overflows.
inline std::int64_t conv2d_scratch(const graph_view& g, const node& n) {
  const shape &filters = g[g.inputs_of(n)[1]].type.shape,
              &y = g[graph_view::output_of(n)].type.shape;
  std::int64_t windows = 1;
  for (const extent e : {filters[1], filters[2], filters[3], y[2], y[3]})
    if (!checked_multiply(windows, e.size(), windows)) return INT64_MAX / 2;
  return std::min(windows, INT64_MAX / 2) + exact_sums_scratch(g, n);
}
// Lowers each image to a matrix whose columns are its windows (im2col), multiplied by the filters.
// Scratch: C·R·S·pixels elements, of one output image.
template <class Real>
text conv2d(const application<Real>& a) {
  const tensor_view<Real>&x = a.in(0), &k = a.in(1), y = a.out().view();
  const Eigen::Index stride = a.integer("stride", 1), padding = a.integer("padding", 0);
  const Eigen::Index channels = x.extent(1), height = x.extent(2), width = x.extent(3);
  const Eigen::Index filters = k.extent(0), rows = k.extent(2), columns = k.extent(3);
  const Eigen::Index out_width = y.extent(3), pixels = y.extents(2, 4);
  const Eigen::Index window = channels * rows * columns;
  const matrix_view<Real> weights = rows_at(k.elements, filters, window);
  const matrix_ref<Real> patches =
      rows_at(a.scratch() + exact_sums_scratch(a.graph(), a.node()), window, pixels);
  for (Eigen::Index image = 0; image < x.extent(0); ++image) {
    const Real* pixel = x.elements + image * channels * height * width;
    for (Eigen::Index w = 0; w < window; ++w) {
      const Eigen::Index c = w / (rows * columns), r = w / columns % rows, s = w % columns;
      for (Eigen::Index p = 0; p < pixels; ++p) {
        const Eigen::Index h = p / out_width * stride - padding + r;
        const Eigen::Index v = p % out_width * stride - padding + s;
        const bool inside = h >= 0 && h < height && v >= 0 && v < width;
        patches(w, p) = inside ? pixel[(c * height + h) * width + v] : Real(0);
      }
    }
    multiply(rows_at(a.out().elements + image * filters * pixels, filters, pixels), weights,
             patches);
  }
  return {};
}
template <class Real>
text depthwise_conv2d(const application<Real>& a) {
  const Eigen::Index channels = a.in().extent(1), width = a.in().extent(3);
  const Eigen::Index rows = a.in(1).extent(1), columns = a.in(1).extent(2);
  for_each_window(a, rows, columns,
                  [&](Real& to, Eigen::Index plane, const Real* pixel, const window& w) {
                    const Real* filter = a.in(1).elements + plane % channels * rows * columns;
                    to = 0;
                    for (Eigen::Index h = w.top; h < w.bottom; ++h)
                      for (Eigen::Index v = w.left; v < w.right; ++v)
                        to += pixel[h * width + v] * filter[(h - w.row) * columns + v - w.column];
                  });
  return {};
}

// Padding is never the maximum.
template <class Real>
text max_pool2d(const application<Real>& a) {
  const Eigen::Index size = a.integer("window", 1), width = a.in().extent(3);
  constexpr Real smallest = is_field_scalar<Real>
                                ? Real(-std::numeric_limits<magnitude_of<Real>>::infinity())
                                : std::numeric_limits<Real>::lowest();
  bool all = true;  // false if an integer window is empty
  for_each_window(a, size, size, [&](Real& to, Eigen::Index, const Real* pixel, const window& w) {
    to = smallest;
    all = all && (is_field_scalar<Real> || (w.top < w.bottom && w.left < w.right));
    for (Eigen::Index h = w.top; h < w.bottom; ++h)
      for (Eigen::Index v = w.left; v < w.right; ++v)
        if (real_part(to) < real_part(pixel[h * width + v])) to = pixel[h * width + v];
  });
  return all ? text() : unfit<Real>();
}

// Divides sums by `count`; integer quotients are truncated.
template <class Real>
void divide_all(const application<Real>& a, Eigen::Index count) {
  if constexpr (is_field_scalar<Real>) {
    const bool integers = is_integer(a.result_type());
    const Real divisor = as_element<Real>(count);
    tensor_map(a.out(), a.out().view(), [&](Real sum) {
      return integers ? Real(std::trunc(real_part(sum / divisor))) : sum / divisor;
    });
  } else {
    tensor_map(a.out(), a.out().view(),
               [&](Real sum) { return static_cast<Real>(static_cast<Eigen::Index>(sum) / count); });
  }
}
template <class Real>
text average_pool2d(const application<Real>& a) {
  const Eigen::Index size = a.integer("window", 1);
  const auto terms = [size](const auto& of, auto largest) {
    return bounded_product(magnitude(size * size), largest(of.in()));
  };
  text why = exact_sums(a, terms, [size](const auto& sums) {
    for_each_window(sums, size, size,
                    [&](auto& to, Eigen::Index, const auto* pixel, const window& w) {
                      const Eigen::Index width = sums.in().extent(3);
                      to = 0;
                      for (Eigen::Index h = w.top; h < w.bottom; ++h)
                        for (Eigen::Index v = w.left; v < w.right; ++v) to += pixel[h * width + v];
                    });
    return text();
  });
  if (why.empty()) divide_all(a, size * size);
  return why;
}
template <class Real>
text global_average_pool(const application<Real>& a) {
  const Eigen::Index pixels = a.in().extents(2, 4);
  if (!is_field_scalar<Real> && pixels == 0 && a.out().view().size() != 0) return unfit<Real>();
  const auto terms = [pixels](const auto& of, auto largest) {
    return bounded_product(magnitude(pixels), largest(of.in()));
  };
  text why = exact_sums(a, terms, [pixels](const auto& sums) {
    using element = std::remove_cvref_t<decltype(*sums.out().elements)>;
    const auto to = elements_of(sums.out());
    for (Eigen::Index plane = 0; plane < sums.in().extents(0, 2); ++plane)
      to[plane] = std::accumulate(sums.in().elements + plane * pixels,
                                  sums.in().elements + (plane + 1) * pixels, element(0));
    return text();
  });
  if (why.empty()) divide_all(a, pixels);
  return why;
}

// Selects rows of a table by index.
template <class Real>
text embedding(const application<Real>& a) {
  const matrix_view<Real> table = matrix(a.in(0));
  const auto ids = elements_of(a.in(1));
  for (Eigen::Index e = 0; e < a.in(1).size(); ++e) {
    const Eigen::Index place = position_of(ids[e], table.rows);
    if (place < 0) return outside(ids[e], table.rows);
    const matrix_ref<Real> to =
        a.out().shape.rank == 2
            ? matrix(a.out()).block(e, 0, 1, table.columns)
            : rows_at(a.out().elements + e * table.columns, Eigen::Index{1}, table.columns);
    copy(to, table.block(place, 0, 1, table.columns));
  }
  return {};
}

// The mean over all rows; logits and class indices broadcast.
template <class Real>
text cross_entropy(const application<Real>& a) {
  const tensor_view<Real>&x = a.in(0), &ids = a.in(1);
  const Eigen::Index classes = x.extent(x.shape.rank - 1);
  shape rows;
  for (std::uint32_t back = std::max(x.shape.rank - 1, ids.shape.rank); back > 0; --back) {
    const extent of_x = back < x.shape.rank ? x.shape[x.shape.rank - 1 - back] : extent(1);
    const extent of_ids = back <= ids.shape.rank ? ids.shape[ids.shape.rank - back] : extent(1);
    rows.push_back(of_x == extent(1) ? of_ids : of_x);
  }
  if (rows.elements() == 0) return "there are no elements";
  const strides walks[] = {broadcast_strides(x, rows.rank + 1, 1),
                           broadcast_strides(ids, rows.rank)};
  text why;
  Real sum = 0;
  const Eigen::InnerStride<> step(step_along(x, x.shape.rank - 1));
  for_each_index(rows, rows.rank, walks, [&](Eigen::Index, const auto& at) {
    const const_strided_array<Real> row(x.elements + at[0], classes, step);
    const Eigen::Index right = position_of(ids.elements[at[1]], classes);
    if (right < 0) {
      why = outside(ids.elements[at[1]], classes);
    } else {
      const Real most = row.real().maxCoeff();
      sum += std::log((row - most).exp().sum()) - (row(right) - most);
    }
  });
  *a.out().elements = sum / as_element<Real>(rows.elements());
  return why;
}

}  // namespace detail

namespace detail {

template <class Real>
constexpr auto boolean_layers() {
  return std::to_array<operator_implementation<Real>>({{"causal_mask", &causal_mask<Real>}});
}
template <class Real>
constexpr auto number_layers() {
  using enum storage_order;
  using operation = operator_implementation<Real>;
  return std::to_array<operation>({
      sums<Real, [](const auto& a) { return linear(a); }, last_extent>("linear"),
      {"conv2d",
       [](const application<Real>& a) {
         constexpr auto terms = [](const auto& of) { return of.in(1).extents(1, 4); };
         return exact_sums(a, bound_of_products<terms>, [](const auto& of) { return conv2d(of); });
       },
       &window_fault, &conv2d_scratch},
      {"depthwise_conv2d",
       [](const application<Real>& a) {
         constexpr auto terms = [](const auto& of) { return of.in(1).extents(1, 3); };
         return exact_sums(a, bound_of_products<terms>,
                           [](const auto& of) { return depthwise_conv2d(of); });
       },
       &window_fault, &exact_sums_scratch},
      {"max_pool2d", &max_pool2d<Real>, &window_fault},
      {"average_pool2d", &average_pool2d<Real>, &window_fault, &exact_sums_scratch},
      {"global_average_pool", &global_average_pool<Real>, nullptr, &exact_sums_scratch},
      operation{"embedding", &embedding<Real>}.in_order(either, rows),
  });
}
template <class Real>
constexpr auto field_layers() {
  return std::to_array<operator_implementation<Real>>({
      {"softmax", &softmax<Real>},
      {"causal_softmax", &causal_softmax<Real>},
      {"masked_softmax", &masked_softmax<Real>},
      {"layer_norm", &layer_norm<Real>},
      {"rms_norm", &rms_norm<Real>},
      {"batch_norm", &batch_norm<Real>},
      {"cross_entropy", &cross_entropy<Real>},
  });
}

}  // namespace detail

/// The operators of neural networks for an element type. Padding counts as zero in sums and means,
/// and is never the maximum of a window. A query that sees no key, and a row without a true mask,
/// give zeros. An index out of range of the classes, or of an embedding's table, is a failure.
template <class Real>
view<operator_implementation<Real>> neural_operators() {
  using namespace detail;
  if constexpr (std::is_same_v<Real, bool>)
    return rows_of<&boolean_layers<Real>>();
  else if constexpr (!is_field_scalar<Real>)
    return rows_of<&number_layers<Real>, &boolean_layers<Real>>();
  else
    return rows_of<&number_layers<Real>, &boolean_layers<Real>, &field_layers<Real>>();
}

}  // namespace wf::compute
