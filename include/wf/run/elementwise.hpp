// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>

#include <wf/run/application.hpp>

// Operators that compute each element of their result from the elements at the same place of their
// operands. Integers and booleans lie in doubles: their sums, differences and products are exact,
// and the executor refuses those that do not fit their type.
namespace wf::compute {

namespace detail {

inline double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// Source: Hendrycks, Gimpel, Gaussian error linear units, arXiv:1606.08415, section 2.
inline double gaussian_unit(double x) {
  const double slope = 0.7978845608028654;  // √(2/π)
  return 0.5 * x * (1 + std::tanh(slope * (x + 0.044715 * x * x * x)));
}

template <tile_kernel Kernel>
text computed(const application& a) {
  run_tile(a.out(), {&a.in(), a.operands()}, Kernel);
  return {};
}

// Of numbers and of Eigen's arrays.
inline constexpr auto plus = [](const auto& x, const auto& y) { return x + y; };
inline constexpr auto minus = [](const auto& x, const auto& y) { return x - y; };
inline constexpr auto times = [](const auto& x, const auto& y) { return x * y; };
inline constexpr auto quotient = [](const auto& x, const auto& y) { return x / y; };
inline constexpr auto negative = [](const auto& x) { return -x; };

// Quotients of integers are cut off. Those that do not exist become infinite, which no integer is.
inline text divided(const application& a) {
  constexpr auto whole = [](double x, double y) { return std::trunc(x / y); };
  return is_integer(a.result_type()) ? computed<&tile_of<whole, 2>>(a)
                                     : computed<&array_tile_of<quotient, 2>>(a);
}
inline text constant(const application& a) {
  *a.out().elements = a.real("value", 0);
  return {};
}

// Rows of the table.
template <tile_kernel Kernel>
constexpr executable_operator elementwise(text_view name, implementation run = &computed<Kernel>,
                                          tile_role role = tile_role::other) {
  using enum storage_order;
  return {name, run, nullptr, nullptr, either, either, Kernel, role, ~0u};
}
template <tile_kernel Kernel>
constexpr executable_operator of_sums(text_view name, tile_role role) {
  return elementwise<Kernel>(name, &computed<Kernel>, role);
}
template <auto F>
constexpr executable_operator unary(text_view name) {
  return elementwise<&tile_of<F, 1>>(name);
}
template <auto F>
constexpr executable_operator binary(text_view name) {
  return elementwise<&tile_of<F, 2>>(name);
}

}  // namespace detail

/// The elementwise operators. Where a number has no result (the logarithm of a negative one) it is
/// not a number, as in C++; of maximum and minimum, then, the first operand.
inline view<executable_operator> elementwise_operators() {
  using namespace detail;
  static constexpr executable_operator all[] = {
      of_sums<&array_tile_of<plus, 2>>("add", tile_role::sum),
      of_sums<&array_tile_of<minus, 2>>("subtract", tile_role::gap),
      of_sums<&array_tile_of<times, 2>>("multiply", tile_role::product),
      elementwise<&array_tile_of<quotient, 2>>("divide", &divided),
      binary<[](double x, double y) { return std::pow(x, y); }>("power"),
      binary<[](double x, double y) { return x < y ? y : x; }>("maximum"),
      binary<[](double x, double y) { return y < x ? y : x; }>("minimum"),
      of_sums<&array_tile_of<negative, 1>>("negate", tile_role::opposite),
      unary<[](double x) { return std::abs(x); }>("abs"),
      unary<[](double x) { return 1 / x; }>("reciprocal"),
      unary<[](double x) { return x * x; }>("square"),
      unary<[](double x) { return std::sqrt(x); }>("sqrt"),
      unary<[](double x) { return std::exp(x); }>("exp"),
      unary<[](double x) { return std::log(x); }>("log"),
      unary<[](double x) { return std::sin(x); }>("sin"),
      unary<[](double x) { return std::cos(x); }>("cos"),
      unary<[](double x) { return std::tanh(x); }>("tanh"),
      unary<[](double x) { return logistic(x); }>("sigmoid"),
      binary<[](double x, double y) { return x == y ? 1.0 : 0.0; }>("equal"),
      binary<[](double x, double y) { return x < y ? 1.0 : 0.0; }>("less"),
      elementwise<&array_tile_of<times, 2>>("logical_and"),
      binary<[](double x, double y) { return 0 < x + y ? 1.0 : 0.0; }>("logical_or"),
      unary<[](double x) { return 1 - x; }>("logical_not"),
      {"constant", &constant},
      elementwise<&tile_of<[](double p, double x, double y) { return p != 0 ? x : y; }, 3>>(
          "select"),
      unary<[](double x) { return 0 < x ? x : 0.0; }>("relu"),
      unary<[](double x) { return gaussian_unit(x); }>("gelu"),
      unary<[](double x) { return x * logistic(x); }>("silu"),
  };
  return all;
}

}  // namespace wf::compute
