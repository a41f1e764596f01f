// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/operators.hpp>
#include <wf/registry/movement.hpp>
#include <wf/registry/nn.hpp>
#include <wf/registry/quantum.hpp>

namespace wf {

/// Stride and zero padding of a convolution, the same in both directions.
struct conv2d_options {
  /// Step between windows, in pixels; positive.
  std::int64_t stride = 1;
  /// Pixels of zeros around the image; not negative.
  std::int64_t padding = 0;
};

/// Window, stride and zero padding of a pooling, the same in both directions.
struct pool2d_options {
  /// Height and width of a window; positive.
  std::int64_t window = 2;
  /// Step between windows, in pixels; positive.
  std::int64_t stride = 2;
  /// Pixels of zeros around the image; not negative.
  std::int64_t padding = 0;
};

namespace detail {

template <std::int64_t Stride, std::int64_t Padding>
struct conv2d_ {
  static constexpr bool fixed = true;
  static constexpr captured_kernel kernel(view<value_type>) { return captured<kernels::conv2d>; }
  static constexpr std::size_t attributes(attribute_value* out) {
    out[0] = attribute_value::integer("stride", Stride);
    out[1] = attribute_value::integer("padding", Padding);
    return 2;
  }
};

// The attributes are values, so the result's shape is known by value only.
struct conv2d_by_value_ {
  static constexpr bool fixed = false;
  conv2d_options options;
  static constexpr captured_kernel kernel(view<value_type>) { return captured<kernels::conv2d>; }
  constexpr std::size_t attributes(attribute_value* out) const {
    out[0] = attribute_value::integer("stride", options.stride);
    out[1] = attribute_value::integer("padding", options.padding);
    return 2;
  }
};

struct max_pool2d_by_value_ {
  static constexpr bool fixed = false;
  pool2d_options options;
  static constexpr captured_kernel kernel(view<value_type>) {
    return captured<kernels::max_pool2d>;
  }
  constexpr std::size_t attributes(attribute_value* out) const {
    out[0] = attribute_value::integer("window", options.window);
    out[1] = attribute_value::integer("stride", options.stride);
    out[2] = attribute_value::integer("padding", options.padding);
    return 3;
  }
};

template <std::int64_t... Codes>
struct reshape_ {
  static constexpr bool fixed = true;
  static constexpr captured_kernel kernel(view<value_type>) { return captured<kernels::reshape>; }
  static constexpr std::size_t attributes(attribute_value* out) {
    constexpr text_view names[] = {"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"};
    std::size_t n = 0;
    ((out[n] = attribute_value{names[n], attribute_kind::extent, Codes}, ++n), ...);
    return n;
  }
};

template <const kernel_spec& Spec, std::int64_t Axis>
struct reduce_ {
  static constexpr bool fixed = true;
  static constexpr captured_kernel kernel(view<value_type>) { return captured<Spec>; }
  static constexpr std::size_t attributes(attribute_value* out) {
    out[0] = attribute_value::integer("axis", Axis);
    return 1;
  }
};

}  // namespace detail

/// max(x, 0), elementwise.
template <operand X>
constexpr auto relu(const X& x) {
  return apply(detail::plain_<kernels::relu>{}, x);
}

/// The softmax over the last dimension.
template <operand X>
constexpr auto softmax(const X& x) {
  return apply(detail::plain_<kernels::softmax>{}, x);
}

/// The convolution of images [N, C, H, W] with filters [F, C, R, S]: `conv2d<2, 3>(x, w)` has
/// stride 2 and padding 3.
template <std::int64_t Stride = 1, std::int64_t Padding = 0, operand X, operand W>
constexpr auto conv2d(const X& x, const W& weights) {
  static_assert(Stride > 0 && Padding >= 0, "WF107: stride is positive, padding not negative");
  return apply(detail::conv2d_<Stride, Padding>{}, x, weights);
}

/// The same with stride and padding by value, for loops: the result has any shape.
template <operand X, operand W>
constexpr auto conv2d(const X& x, const W& weights, const conv2d_options& options) {
  return apply(detail::conv2d_by_value_{options}, x, weights);
}

/// The maximum over square windows of images [N, C, H, W]; the result has any shape.
template <operand X>
constexpr auto max_pool2d(const X& x, const pool2d_options& options) {
  return apply(detail::max_pool2d_by_value_{options}, x);
}

/// The mean of each channel of images [N, C, H, W] -> [N, C].
template <operand X>
constexpr auto global_average_pool(const X& x) {
  return apply(detail::plain_<kernels::global_average_pool>{}, x);
}

/// The same elements in another shape: `reshape<2, 18>(x)`. The number of elements must stay.
template <extent... Extents, operand X>
constexpr auto reshape(const X& x) {
  static_assert(sizeof...(Extents) <= max_rank, "WF101: at most 8 dimensions");
  return apply(detail::reshape_<Extents.code...>{}, x);
}

/// The sum of all elements.
template <operand X>
constexpr auto sum(const X& x) {
  return apply(detail::plain_<kernels::reduce_sum>{}, x);
}
/// The sum over dimension `Axis`.
template <std::int64_t Axis, operand X>
constexpr auto sum(const X& x) {
  return apply(detail::reduce_<kernels::reduce_sum, Axis>{}, x);
}
/// The largest of all elements.
template <operand X>
constexpr auto max(const X& x) {
  return apply(detail::plain_<kernels::reduce_max>{}, x);
}
/// The largest over dimension `Axis`.
template <std::int64_t Axis, operand X>
constexpr auto max(const X& x) {
  return apply(detail::reduce_<kernels::reduce_max, Axis>{}, x);
}
/// The mean of all elements.
template <operand X>
constexpr auto mean(const X& x) {
  return apply(detail::plain_<kernels::reduce_mean>{}, x);
}
/// The mean over dimension `Axis`.
template <std::int64_t Axis, operand X>
constexpr auto mean(const X& x) {
  return apply(detail::reduce_<kernels::reduce_mean, Axis>{}, x);
}

/// A Hadamard gate on every qubit of a register.
template <operand Q>
constexpr auto hadamard_gate(const Q& q) {
  return apply(detail::plain_<kernels::hadamard>{}, q);
}
/// The quantum Fourier transform of a register.
template <operand Q>
constexpr auto quantum_fourier(const Q& q) {
  return apply(detail::plain_<kernels::quantum_fourier>{}, q);
}
/// The measurement of a register in the computational basis.
template <operand Q>
constexpr auto measure(const Q& q) {
  return apply(detail::plain_<kernels::measure>{}, q);
}

}  // namespace wf
