// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <cmath>
#include <type_traits>

#include <wf/registry/domain/literal.hpp>
#include <wf/registry/element_rule.hpp>
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

namespace formulas = wf::detail::formulas;

// The functions of the executor, for numbers and for blocks of them.
template <class Real>
struct vector_functions {
  static Real number(double x) { return as_element<Real>(x); }
  template <class Numbers>
  static Numbers exp(const Numbers& x) {
    return exponential(x);
  }
};

template <class Real, tile_kernel<Real> Kernel>
text computed(const application<Real>& a) {
  return run_tile(a.out(), {&a.in(), a.operands()}, Kernel) ? text() : unfit<Real>();
}

// Of numbers and of Eigen arrays.
inline constexpr auto negative = [](const auto& x) { return compute::opposite(x); };

// Kernels of arithmetic: on fields they round, on integers they check overflow.
template <class Real>
constexpr tile_kernel<Real> sum_tile() {
  if constexpr (is_field_scalar<Real>)
    return &array_tile_of<formulas::plus, 2, Real>;
  else
    return &checked_tile_of<checked_sum, 2, Real>;
}
template <class Real>
constexpr tile_kernel<Real> difference_tile() {
  if constexpr (is_field_scalar<Real>)
    return &array_tile_of<formulas::minus, 2, Real>;
  else
    return &checked_tile_of<checked_difference, 2, Real>;
}
template <class Real>
constexpr tile_kernel<Real> product_tile() {
  if constexpr (is_field_scalar<Real>)
    return &array_tile_of<formulas::times, 2, Real>;
  else
    return &checked_product_tile<Real>;
}
template <class Real>
constexpr tile_kernel<Real> quotient_tile() {
  if constexpr (is_field_scalar<Real>)
    return &array_tile_of<formulas::quotient, 2, Real>;
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
    return tile_of<formulas::square, 1>(to, from, step, count);
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

// The logistic function by its temperature, the attribute of the node.
template <class Real>
bool sigmoid_tile(Real* to, const Real* const* from, const Eigen::Index* step, Eigen::Index count,
                  const parameter_of<Real>* temperature) {
  if (formulas::is_threshold(static_cast<double>(real_part(*temperature))))
    return tile_of<formulas::step, 1>(to, from, step, count);
  const Real slope = Real(-1) / *temperature;
  compute_blocks(
      [slope](const auto& x) { return formulas::logistic<vector_functions<Real>>(x, slope); }, to,
      from, step, count);
  return true;
}
template <class Real>
void read_temperature(const graph_view& g, const node& n, parameter_of<Real>* out) {
  *out = as_element<Real>(g.real_attribute(n, "T", 1));
}
inline text_view temperature_fault(const graph_view& g, const node& n) {
  const attribute* const a = g.find_attribute(n, "T");
  const bool number = a == nullptr || a->kind == attribute_kind::integer ||
                      a->kind == attribute_kind::rational || a->kind == attribute_kind::real;
  const double temperature = number ? g.real_attribute(n, "T", 1) : -1;
  return formulas::is_threshold(temperature) || temperature > 0
             ? ""
             : "its temperature T is negative or no number";
}
template <class Real>
constexpr operator_implementation<Real> sigmoid_row() {
  operator_implementation<Real> row =
      elementwise<Real, &sigmoid_tile<Real>>("sigmoid", [](const application<Real>& a) {
        parameter_of<Real> temperature{};
        read_temperature<Real>(a.graph(), a.node(), &temperature);
        run_tile<Real>(a.out(), {&a.in(), 1}, &sigmoid_tile<Real>, {&temperature, 1});
        return text();
      });
  row.fault = &temperature_fault;
  row.parameters = &read_temperature<Real>;
  return row;
}

// Operators on booleans, which numbers have, too.
template <class Real>
constexpr auto boolean_rows() {
  return std::to_array<operator_implementation<Real>>({
      binary<Real, formulas::both>("logical_and"),
      binary<Real, formulas::either>("logical_or"),
      unary<Real, formulas::complement>("logical_not"),
      {"constant", &constant<Real>},
      literal_row<Real>(),
      elementwise<Real, &tile_of<formulas::choice, 3, Real>>("where"),
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
      binary<Real, formulas::larger>("maximum"),
      binary<Real, formulas::smaller>("minimum"),
      of_sums<Real, opposite_tile<Real>()>("negate", tile_role::opposite),
      elementwise<Real, magnitude_tile<Real>()>("abs"),
      elementwise<Real, &square_tile<Real>>("square"),
      binary<Real, formulas::equal>("equal"),
      binary<Real, formulas::less>("less"),
      unary<Real, formulas::rectified>("relu"),
      unary<Real, formulas::step>("step"),
  });
}
// Operators on fields.
template <class Real>
constexpr auto field_rows() {
  return std::to_array<operator_implementation<Real>>({
      binary<Real, [](Real x, Real y) { return std::pow(x, y); }>("power"),
      unary<Real, formulas::inverse>("reciprocal"),
      unary<Real, [](Real x) { return std::sqrt(x); }>("sqrt"),
      smooth<Real, [](const auto& x) { return exponential(x); }>("exp"),
      smooth<Real, [](const auto& x) { return logarithm(x); }>("log"),
      smooth<Real, [](const auto& x) { return sine(x); }>("sin"),
      smooth<Real, [](const auto& x) { return cosine(x); }>("cos"),
      smooth<Real, [](const auto& x) { return hyperbolic_tangent(x); }>("tanh"),
      sigmoid_row<Real>(),
      smooth<Real,
             [](const auto& x) { return formulas::gaussian_unit<vector_functions<Real>>(x); }>(
          "gelu"),
      smooth<Real, [](const auto& x) { return formulas::sigmoid_unit<vector_functions<Real>>(x); }>(
          "silu"),
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
