// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/functions/operators.hpp>
#include <wf/registry/domain/control.hpp>
#include <wf/registry/domain/linalg/diagonal.hpp>
#include <wf/registry/domain/linalg/vector.hpp>
#include <wf/registry/domain/movement.hpp>
#include <wf/registry/domain/nn.hpp>
#include <wf/registry/domain/quantum.hpp>
#include <wf/registry/domain/signal.hpp>

namespace wf {

/// A source location that is not constructible from `{}`, so that it is never taken for options.
struct explicit_source_location {
  /// Wraps a source location.
  constexpr explicit explicit_source_location(const source_location& at) : where(at) {}
  /// The location of the call.
  source_location where;
};

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

// Attributes by value, so that the result's shape is known by value only.
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

// The result's shape as extent attributes.
template <const kernel_spec& Spec, std::int64_t... Codes>
struct extents_ {
  static constexpr bool fixed = true;
  static constexpr captured_kernel kernel(view<value_type>) { return captured<Spec>; }
  static constexpr std::size_t attributes(attribute_value* out) {
    std::size_t n = 0;
    ((out[n] = attribute_value{stated_extent_names[n], attribute_kind::extent, Codes}, ++n), ...);
    return n;
  }
};

// Integer attributes with the names in the array `Names`.
template <const kernel_spec& Spec, const auto& Names, std::int64_t... Values>
struct integers_ {
  static constexpr bool fixed = true;
  static constexpr captured_kernel kernel(view<value_type>) { return captured<Spec>; }
  static constexpr std::size_t attributes(attribute_value* out) {
    std::size_t n = 0;
    ((out[n] = attribute_value::integer(Names[n], Values), ++n), ...);
    return n;
  }
};
inline constexpr const char* axis_names[] = {"axis", "start", "length"};
inline constexpr const char* pad_names[] = {"axis", "before", "after"};
inline constexpr const char* split_names[] = {"axis", "parts"};

template <const kernel_spec& Spec, std::int64_t Axis>
using along_ = integers_<Spec, axis_names, Axis>;

template <dtype Type>
struct cast_ {
  static constexpr bool fixed = true;
  static constexpr captured_kernel kernel(view<value_type>) { return captured<kernels::cast>; }
  static constexpr std::size_t attributes(attribute_value* out) {
    out[0] = attribute_value::string("dtype", name_of(Type));
    return 1;
  }
};

// One real attribute, with the first name in the array `Names`.
template <const kernel_spec& Spec, const auto& Names>
struct real_ {
  static constexpr bool fixed = true;
  double value = 0;
  static constexpr captured_kernel kernel(view<value_type>) { return captured<Spec>; }
  constexpr std::size_t attributes(attribute_value* out) const {
    out[0] = attribute_value::floating(Names[0], value);
    return 1;
  }
};
inline constexpr const char* scale_names[] = {"scale"};
inline constexpr const char* temperature_names[] = {"T"};

// A causal mask as an operand of an expression.
template <extent Queries, extent Keys>
struct causal_mask_ {
  using handle_type = handle<dtype::boolean, dims<Queries.code, Keys.code>>;
  static constexpr bool is_nullary = true;
  constexpr scope* owner() const { return nullptr; }
  constexpr value_id emit(scope& s, const source_location& where) const {
    constexpr value_type type = handle_type::type;
    const attribute_value shape[] = {attribute_value::dimension(stated_extent_names[0], Queries),
                                     attribute_value::dimension(stated_extent_names[1], Keys)};
    return capture_of(s).apply(captured<kernels::causal_mask>, shape, {}, {&type, 1}, where);
  }
};

}  // namespace detail

/// max(x, 0), elementwise.
template <operand X>
constexpr auto relu(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::relu>{}, x);
}

/// The softmax over the last dimension.
template <operand X>
constexpr auto softmax(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::softmax>{}, x);
}

/// The convolution of images [N, C, H, W] with filters [F, C, R, S]: `conv2d<2, 3>(x, w)` has
/// stride 2 and padding 3. Compile error: WF107 for a stride that is not positive or a negative
/// padding.
template <std::int64_t Stride = 1, std::int64_t Padding = 0, operand X, operand W>
constexpr auto conv2d(
    const X& x, const W& weights,
    const explicit_source_location& from = explicit_source_location(source_location::current())) {
  static_assert(Stride > 0 && Padding >= 0, "WF107: stride is positive, padding not negative");
  return apply_at(from.where, detail::conv2d_<Stride, Padding>{}, x, weights);
}

/// The convolution with stride and padding by value, for loops: the result's shape is known by
/// value only.
template <operand X, operand W>
constexpr auto conv2d(const X& x, const W& weights, const conv2d_options& options,
                      const source_location& where = source_location::current()) {
  return apply_at(where, detail::conv2d_by_value_{options}, x, weights);
}

/// The maximum over square windows of images [N, C, H, W]; the result's shape is known by value
/// only.
template <operand X>
constexpr auto max_pool2d(const X& x, const pool2d_options& options,
                          const source_location& where = source_location::current()) {
  return apply_at(where, detail::max_pool2d_by_value_{options}, x);
}

/// The mean of each channel of images [N, C, H, W] -> [N, C].
template <operand X>
constexpr auto global_average_pool(const X& x,
                                   const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::global_average_pool>{}, x);
}

/// Reshapes an operand: `reshape<2, 18>(x)`. The number of elements must not change.
template <extent... Extents, operand X>
constexpr auto reshape(const X& x, const source_location& where = source_location::current()) {
  static_assert(sizeof...(Extents) <= max_rank, "WF101: at most 8 dimensions");
  return apply_at(where, detail::extents_<kernels::reshape, Extents.code...>{}, x);
}

/// The sum of all elements.
template <operand X>
constexpr auto sum(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::reduce_sum>{}, x);
}
/// The sum over dimension `Axis`.
template <std::int64_t Axis, operand X>
constexpr auto sum(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::along_<kernels::reduce_sum, Axis>{}, x);
}
/// The maximum of all elements.
template <operand X>
constexpr auto max(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::reduce_max>{}, x);
}
/// The maximum over dimension `Axis`.
template <std::int64_t Axis, operand X>
constexpr auto max(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::along_<kernels::reduce_max, Axis>{}, x);
}
/// The mean of all elements.
template <operand X>
constexpr auto mean(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::reduce_mean>{}, x);
}
/// The mean over dimension `Axis`.
template <std::int64_t Axis, operand X>
constexpr auto mean(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::along_<kernels::reduce_mean, Axis>{}, x);
}

/// The exponential, elementwise.
template <operand X>
constexpr auto exp(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::exp>{}, x);
}
/// The natural logarithm, elementwise.
template <operand X>
constexpr auto log(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::log>{}, x);
}
/// The square root, elementwise.
template <operand X>
constexpr auto sqrt(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::sqrt>{}, x);
}
/// The absolute value, elementwise; the magnitude of complex elements.
template <operand X>
constexpr auto abs(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::abs>{}, x);
}
/// The hyperbolic tangent, elementwise.
template <operand X>
constexpr auto tanh(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::tanh>{}, x);
}
/// 1 / (1 + exp(-x)), elementwise.
template <operand X>
constexpr auto sigmoid(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::sigmoid>{}, x);
}
/// 1 / (1 + exp(-x/T)), elementwise, of the temperature T; `step` for T <= 1e-9. A run refuses a
/// negative temperature.
template <operand X>
constexpr auto sigmoid(const X& x, double temperature,
                       const source_location& where = source_location::current()) {
  return apply_at(where, detail::real_<kernels::sigmoid, detail::temperature_names>{temperature},
                  x);
}
/// 1 where x > 0, else 0, elementwise.
template <operand X>
constexpr auto step(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::step>{}, x);
}
/// The Gaussian error linear unit, elementwise.
template <operand X>
constexpr auto gelu(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::gelu>{}, x);
}
/// The maximum of a and b, elementwise, broadcasting.
template <operand A, operand B>
constexpr auto maximum(const A& a, const B& b,
                       const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::maximum>{}, a, b);
}
/// The minimum of a and b, elementwise, broadcasting.
template <operand A, operand B>
constexpr auto minimum(const A& a, const B& b,
                       const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::minimum>{}, a, b);
}
/// a where the condition holds, else b, elementwise, broadcasting.
template <operand P, operand A, operand B>
constexpr auto where(const P& condition, const A& a, const B& b,
                     const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::where>{}, condition, a, b);
}

/// Layer normalisation over the last dimension, with gain and bias.
template <operand X, operand G, operand B>
constexpr auto layer_norm(const X& x, const G& gain, const B& bias,
                          const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::layer_norm>{}, x, gain, bias);
}
/// The softmax of scores [..., S, T] times `scale`; future keys are masked.
template <operand X>
constexpr auto causal_softmax(const X& x, double scale,
                              const source_location& where = source_location::current()) {
  return apply_at(where, detail::real_<kernels::causal_softmax, detail::scale_names>{scale}, x);
}
/// The softmax of scores [..., N] times `scale` over the elements whose mask is true; the others,
/// and rows without such an element, are zero.
template <operand X, operand M>
constexpr auto masked_softmax(const X& x, const M& mask, double scale = 1,
                              const source_location& where = source_location::current()) {
  return apply_at(where, detail::real_<kernels::masked_softmax, detail::scale_names>{scale}, x,
                  mask);
}
/// True for the keys that each query sees in `causal_softmax`, as a matrix: `masked_softmax(x,
/// causal_mask<8, 8>())`.
template <extent Queries, extent Keys>
constexpr auto causal_mask() {
  return detail::causal_mask_<Queries, Keys>{};
}
/// The affine map x·w + b over the last dimension of x.
template <operand X, operand W, operand B>
constexpr auto linear(const X& x, const W& weights, const B& bias,
                      const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::linear>{}, x, weights, bias);
}
/// The rows of a table [V, D] at indices [...] -> [..., D].
template <operand W, operand I>
constexpr auto embedding(const W& table, const I& indices,
                         const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::embedding>{}, table, indices);
}

/// Permutes the dimensions: `permute<1, 0, 2>(x)` has dimension 1 of x first.
template <std::int64_t... Dimensions, operand X>
constexpr auto permute(const X& x, const source_location& where = source_location::current()) {
  static_assert(sizeof...(Dimensions) <= max_rank, "WF101: at most 8 dimensions");
  return apply_at(
      where, detail::integers_<kernels::permute, permuted_dimension_names, Dimensions...>{}, x);
}
/// The elements `Start` to `Start + Length - 1` of dimension `Axis`.
template <std::int64_t Axis, std::int64_t Start, std::int64_t Length, operand X>
constexpr auto slice(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where,
                  detail::integers_<kernels::slice, detail::axis_names, Axis, Start, Length>{}, x);
}
/// A row of a matrix, as a matrix of one row.
template <std::int64_t Row, operand X>
constexpr auto row(const X& x, const source_location& where = source_location::current()) {
  return slice<0, Row, 1>(x, where);
}
/// A column of a matrix, as a matrix of one column.
template <std::int64_t Column, operand X>
constexpr auto column(const X& x, const source_location& where = source_location::current()) {
  return slice<1, Column, 1>(x, where);
}
/// An element of a matrix, as a matrix of one row and one column.
template <std::int64_t Row, std::int64_t Column, operand X>
constexpr auto element(const X& x, const source_location& where = source_location::current()) {
  return column<Column>(row<Row>(x, where), where);
}
/// Pads dimension `Axis` with `Before` zeros before and `After` zeros after its elements.
template <std::int64_t Axis, std::int64_t Before, std::int64_t After, operand X>
constexpr auto pad(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::integers_<kernels::pad, detail::pad_names, Axis, Before, After>{},
                  x);
}
/// Concatenates up to `max_operands` values along dimension `Axis`.
template <std::int64_t Axis, operand... X>
  requires(sizeof...(X) >= 1 && sizeof...(X) <= max_operands)
constexpr auto concat(const X&... x) {
  return apply(detail::along_<kernels::concat, Axis>{}, x...);
}
/// Splits dimension `Axis` into equal parts, up to `max_results`: `auto [q, k, v] =
/// s.let_each(split<3, 1>(x))`.
template <std::int64_t Parts, std::int64_t Axis, operand X>
  requires(Parts >= 1 && Parts <= std::int64_t{max_results})
constexpr auto split(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::integers_<kernels::split, detail::split_names, Axis, Parts>{}, x);
}
/// The elements of dimension `Axis` at indices [...].
template <std::int64_t Axis, operand X, operand I>
constexpr auto gather(const X& x, const I& indices,
                      const source_location& where = source_location::current()) {
  return apply_at(where, detail::along_<kernels::gather, Axis>{}, x, indices);
}
/// Overwrites the elements of dimension `Axis` from position `at`, a scalar i64, with `part`: the
/// update of a growing cache.
template <std::int64_t Axis, operand X, operand Y, operand P>
constexpr auto update_slice(const X& whole, const Y& part, const P& at,
                            const source_location& where = source_location::current()) {
  return apply_at(where, detail::along_<kernels::update_slice, Axis>{}, whole, part, at);
}
/// Broadcasts an operand to a larger shape: `broadcast_to<4, 3>(x)`.
template <extent... Extents, operand X>
constexpr auto broadcast_to(const X& x, const source_location& where = source_location::current()) {
  static_assert(sizeof...(Extents) <= max_rank, "WF101: at most 8 dimensions");
  return apply_at(where, detail::extents_<kernels::broadcast_to, Extents.code...>{}, x);
}
/// Converts the elements to another type: `cast<float>(x)`.
template <class T, operand X>
constexpr auto cast(const X& x, const source_location& where = source_location::current()) {
  static_assert(dtype_of<T> != dtype::unknown, "WF102: wf does not know this element type");
  return apply_at(where, detail::cast_<dtype_of<T>>{}, x);
}

/// The diagonal of a square matrix, as a vector.
template <operand X>
constexpr auto diag(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::diagonal>{}, x);
}
/// The inner product of two vectors.
template <operand X, operand Y>
constexpr auto dot(const X& x, const Y& y,
                   const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::dot>{}, x, y);
}
/// The outer product of two vectors.
template <operand X, operand Y>
constexpr auto outer(const X& x, const Y& y,
                     const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::outer>{}, x, y);
}
/// The Euclidean norm of a vector.
template <operand X>
constexpr auto norm(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::norm>{}, x);
}
/// The discrete Fourier transform of the last dimension.
template <operand X>
constexpr auto fft(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::fft>{}, x);
}
/// The inverse discrete Fourier transform of the last dimension; undoes `fft`.
template <operand X>
constexpr auto inverse_fft(const X& x, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::inverse_fft>{}, x);
}

/// A Hadamard gate on every qubit of a register.
template <operand Q>
constexpr auto hadamard_gate(const Q& q,
                             const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::hadamard>{}, q);
}
/// The quantum Fourier transform of a register.
template <operand Q>
constexpr auto quantum_fourier(const Q& q,
                               const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::quantum_fourier>{}, q);
}
/// The measurement of a register in the computational basis.
template <operand Q>
constexpr auto measure(const Q& q, const source_location& where = source_location::current()) {
  return apply_at(where, detail::plain_<kernels::measure>{}, q);
}

}  // namespace wf
