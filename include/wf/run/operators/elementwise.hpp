// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cmath>
#include <type_traits>

#include <wf/registry/domain/literal.hpp>
#include <wf/run/kernels/elementary.hpp>
#include <wf/run/kernels/opposite.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/checked_tile.hpp>
#include <wf/run/operators/integer_arithmetic.hpp>
#include <wf/run/operators/tile_kernel.hpp>
#include <wf/run/operators/tile_program.hpp>
#include <wf/run/operators/tiles.hpp>
#include <wf/run/values/scalar.hpp>

// Operators that compute each element of the result from the operands' elements at the same
// position. Integers and booleans in doubles have exact sums, differences and products, and the
// executor refuses those that do not fit their type; for integer elements the kernels check.
namespace wf::compute {

namespace detail {

// The logistic function, for numbers and for blocks of them, as the two functions that follow.
template <class Real, class Numbers>
Numbers logistic(const Numbers& x) {
  return Real(1) / (Real(1) + exponential(Numbers(-x)));
}
// x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))), where (1 + tanh y)/2 is the logistic function of 2y.
// Source: Hendrycks, Gimpel, Gaussian error linear units, arXiv:1606.08415, section 2.
template <class Real, class Numbers>
Numbers gaussian_unit(const Numbers& x) {
  const Real slope = as_element<Real>(1.5957691216057308);  // 2·√(2/π)
  return x * logistic<Real>(Numbers(slope * (x + as_element<Real>(0.044715) * x * x * x)));
}
template <class Real, class Numbers>
Numbers sigmoid_unit(const Numbers& x) {
  return x * logistic<Real>(x);
}

template <class Real, tile_kernel<Real> Kernel>
text computed(const application<Real>& a) {
  return run_tile(a.out(), {&a.in(), a.operands()}, Kernel) ? text() : unfit<Real>();
}

// Operations on numbers and on Eigen arrays.
inline constexpr auto plus = [](const auto& x, const auto& y) { return x + y; };
inline constexpr auto minus = [](const auto& x, const auto& y) { return x - y; };
inline constexpr auto times = [](const auto& x, const auto& y) { return x * y; };
inline constexpr auto quotient = [](const auto& x, const auto& y) { return x / y; };
inline constexpr auto negative = [](const auto& x) { return compute::opposite(x); };

// Kernels of arithmetic: on fields they round, on integers they check overflow.
template <class Real>
constexpr tile_kernel<Real> sum_tile() {
  if constexpr (is_field_scalar<Real>)
    return &array_tile_of<plus, 2, Real>;
  else
    return &checked_tile_of<checked_sum, 2, Real>;
}
template <class Real>
constexpr tile_kernel<Real> difference_tile() {
  if constexpr (is_field_scalar<Real>)
    return &array_tile_of<minus, 2, Real>;
  else
    return &checked_tile_of<checked_difference, 2, Real>;
}
template <class Real>
constexpr tile_kernel<Real> product_tile() {
  if constexpr (is_field_scalar<Real>)
    return &array_tile_of<times, 2, Real>;
  else
    return &checked_product_tile<Real>;
}
template <class Real>
constexpr tile_kernel<Real> quotient_tile() {
  if constexpr (is_field_scalar<Real>)
    return &array_tile_of<quotient, 2, Real>;
  else
    return &checked_tile_of<checked_quotient<Real>, 2, Real>;
}
template <class Real>
constexpr tile_kernel<Real> opposite_tile() {
  if constexpr (is_field_scalar<Real>)
    return &array_tile_of<negative, 1, Real>;
  else
    return &checked_tile_of<checked_opposite, 1, Real>;
}
template <class Real>
constexpr tile_kernel<Real> magnitude_tile() {
  if constexpr (is_field_scalar<Real>)
    return &tile_of<[](Real x) { return Real(std::abs(x)); }, 1, Real>;
  else
    return &checked_tile_of<checked_magnitude<Real>, 1, Real>;
}
template <class Real>
bool square_tile(Real* to, const Real* const* from, const Eigen::Index* step, Eigen::Index count,
                 const parameter_of<Real>*) {
  if constexpr (is_field_scalar<Real>) {
    return tile_of<[](Real x) { return x * x; }, 1>(to, from, step, count);
  } else {
    const Real* const twice[] = {*from, *from};
    const Eigen::Index steps[] = {*step, *step};
    return checked_product_tile(to, twice, steps, count);
  }
}

// Integer quotients are truncated. A quotient by zero becomes infinite, which no integer type
// accepts.
template <class Real>
text divided(const application<Real>& a) {
  if constexpr (is_field_scalar<Real>) {
    constexpr auto whole = [](Real x, Real y) { return Real(std::trunc(real_part(x / y))); };
    if (is_integer(a.result_type())) return computed<Real, &tile_of<whole, 2, Real>>(a);
  }
  return computed<Real, quotient_tile<Real>()>(a);
}
template <class Real>
text constant(const application<Real>& a) {
  if constexpr (is_field_scalar<Real>) {
    *a.out().elements = as_element<Real>(a.real("value", 0));
  } else {
    const auto value = a.template whole<Real>("value");
    if (!value) return unfit<Real>();
    *a.out().elements = *value;
  }
  return {};
}

// Parses the elements of a literal, in row-major order.
template <class Real>
void read_literal(const graph_view& g, const node& n, Real* out) {
  const dtype type = g[graph_view::output_of(n)].type.type;
  const text_view digits = wf::detail::literal_digits(g, n);
  const std::size_t each = characters_of_element(type);
  for (std::size_t at = 0; at < digits.size(); at += each)
    *out++ = element_as<Real>(type, digits.data() + at);
}
template <class Real>
text literal(const application<Real>& a) {
  const tensor_view<Real> all{a.out().shape, a.constants()};
  copy(matrix(a.out()), matrix(all));
  return {};
}
template <class Real>
constexpr operator_implementation<Real> literal_row() {
  using enum storage_order;
  operator_implementation<Real> row =
      operator_implementation<Real>{"literal", &literal<Real>, &wf::detail::literal_fault}.in_order(
          either, either);
  row.constants = &read_literal<Real>;
  return row;
}

// Table rows.
template <class Real, tile_kernel<Real> Kernel>
constexpr operator_implementation<Real> elementwise(
    text_view name, operator_function<Real> run = &computed<Real, Kernel>,
    tile_role role = tile_role::other) {
  using enum storage_order;
  return {name, run, nullptr, nullptr, either, either, Kernel, role, ~0u};
}
template <class Real, tile_kernel<Real> Kernel>
constexpr operator_implementation<Real> of_sums(text_view name, tile_role role) {
  return elementwise<Real, Kernel>(name, &computed<Real, Kernel>, role);
}
template <class Real, auto F>
constexpr operator_implementation<Real> unary(text_view name) {
  return elementwise<Real, &tile_of<F, 1, Real>>(name);
}
// For a function of numbers and of blocks.
template <class Real, auto F>
constexpr operator_implementation<Real> smooth(text_view name) {
  return elementwise<Real, &block_tile_of<F, Real>>(name);
}
template <class Real, auto F>
constexpr operator_implementation<Real> binary(text_view name) {
  return elementwise<Real, &tile_of<F, 2, Real>>(name);
}

// Operators on booleans, which numbers have, too.
template <class Real>
constexpr auto boolean_rows() {
  constexpr auto both = [](Real x, Real y) {
    if constexpr (is_field_scalar<Real>)
      return x * y;
    else
      return static_cast<Real>(x & y);
  };
  constexpr auto one = [](Real x, Real y) {
    if constexpr (is_field_scalar<Real>)
      return 0 < real_part(x + y) ? Real(1) : Real(0);
    else
      return static_cast<Real>(x | y);
  };
  return std::to_array<operator_implementation<Real>>({
      binary<Real, both>("logical_and"),
      binary<Real, one>("logical_or"),
      unary<Real, [](Real x) { return static_cast<Real>(Real(1) - x); }>("logical_not"),
      {"constant", &constant<Real>},
      literal_row<Real>(),
      elementwise<Real,
                  &tile_of<[](Real p, Real x, Real y) { return p != Real(0) ? x : y; }, 3, Real>>(
          "where"),
  });
}
// Operators on all numbers.
template <class Real>
constexpr auto number_rows() {
  return std::to_array<operator_implementation<Real>>({
      of_sums<Real, sum_tile<Real>()>("add", tile_role::sum),
      of_sums<Real, difference_tile<Real>()>("subtract", tile_role::gap),
      of_sums<Real, product_tile<Real>()>("multiply", tile_role::product),
      elementwise<Real, quotient_tile<Real>()>("divide", &divided<Real>),
      binary<Real, [](Real x, Real y) { return real_part(x) < real_part(y) ? y : x; }>("maximum"),
      binary<Real, [](Real x, Real y) { return real_part(y) < real_part(x) ? y : x; }>("minimum"),
      of_sums<Real, opposite_tile<Real>()>("negate", tile_role::opposite),
      elementwise<Real, magnitude_tile<Real>()>("abs"),
      elementwise<Real, &square_tile<Real>>("square"),
      binary<Real, [](Real x, Real y) { return x == y ? Real(1) : Real(0); }>("equal"),
      binary<Real, [](Real x, Real y) { return real_part(x) < real_part(y) ? Real(1) : Real(0); }>(
          "less"),
      unary<Real, [](Real x) { return 0 < real_part(x) ? x : Real(0); }>("relu"),
  });
}
// Operators on fields.
template <class Real>
constexpr auto field_rows() {
  return std::to_array<operator_implementation<Real>>({
      binary<Real, [](Real x, Real y) { return std::pow(x, y); }>("power"),
      unary<Real, [](Real x) { return Real(1) / x; }>("reciprocal"),
      unary<Real, [](Real x) { return std::sqrt(x); }>("sqrt"),
      smooth<Real, [](const auto& x) { return exponential(x); }>("exp"),
      smooth<Real, [](const auto& x) { return logarithm(x); }>("log"),
      smooth<Real, [](const auto& x) { return sine(x); }>("sin"),
      smooth<Real, [](const auto& x) { return cosine(x); }>("cos"),
      smooth<Real, [](const auto& x) { return hyperbolic_tangent(x); }>("tanh"),
      smooth<Real, [](const auto& x) { return logistic<Real>(x); }>("sigmoid"),
      smooth<Real, [](const auto& x) { return gaussian_unit<Real>(x); }>("gelu"),
      smooth<Real, [](const auto& x) { return sigmoid_unit<Real>(x); }>("silu"),
  });
}

}  // namespace detail

/// The elementwise operators for an element type. A result that does not exist (the logarithm of a
/// negative number) is a NaN, as in C++; `maximum` and `minimum` return the first operand if either
/// is a NaN.
template <class Real>
view<operator_implementation<Real>> elementwise_operators() {
  using namespace detail;
  if constexpr (std::is_same_v<Real, bool>)
    return rows_of<&boolean_rows<Real>>();
  else if constexpr (!is_field_scalar<Real>)
    return rows_of<&number_rows<Real>, &boolean_rows<Real>>();
  else
    return rows_of<&number_rows<Real>, &boolean_rows<Real>, &field_rows<Real>>();
}

}  // namespace wf::compute
