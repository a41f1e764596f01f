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

template <auto F>
text unary(const application& a) {
  tensor_map(a.out(), a.in(), F);
  return {};
}
template <auto F>
text binary(const application& a) {
  tensor_elementwise(a.out(), {a.in(0), a.in(1)}, F);
  return {};
}

// Quotients of integers are cut off. Those that do not exist become infinite, which no integer is.
inline text divided(const application& a) {
  if (is_integer(a.result_type()))
    return binary<[](double x, double y) { return std::trunc(x / y); }>(a);
  return binary<[](double x, double y) { return x / y; }>(a);
}
inline text selected(const application& a) {
  tensor_elementwise(a.out(), {a.in(0), a.in(1), a.in(2)},
                     [](double p, double x, double y) { return p != 0 ? x : y; });
  return {};
}
inline text constant(const application& a) {
  *a.out().elements = a.real("value", 0);
  return {};
}

}  // namespace detail

/// The elementwise operators. Where a number has no result (the logarithm of a negative one) it is
/// not a number, as in C++; of maximum and minimum, then, the first operand.
inline view<executable_operator> elementwise_operators() {
  static constexpr executable_operator all[] = {
      {"add", &detail::binary<[](double x, double y) { return x + y; }>},
      {"subtract", &detail::binary<[](double x, double y) { return x - y; }>},
      {"multiply", &detail::binary<[](double x, double y) { return x * y; }>},
      {"divide", &detail::divided},
      {"power", &detail::binary<[](double x, double y) { return std::pow(x, y); }>},
      {"maximum", &detail::binary<[](double x, double y) { return x < y ? y : x; }>},
      {"minimum", &detail::binary<[](double x, double y) { return y < x ? y : x; }>},
      {"negate", &detail::unary<[](double x) { return -x; }>},
      {"abs", &detail::unary<[](double x) { return std::abs(x); }>},
      {"reciprocal", &detail::unary<[](double x) { return 1 / x; }>},
      {"square", &detail::unary<[](double x) { return x * x; }>},
      {"sqrt", &detail::unary<[](double x) { return std::sqrt(x); }>},
      {"exp", &detail::unary<[](double x) { return std::exp(x); }>},
      {"log", &detail::unary<[](double x) { return std::log(x); }>},
      {"sin", &detail::unary<[](double x) { return std::sin(x); }>},
      {"cos", &detail::unary<[](double x) { return std::cos(x); }>},
      {"tanh", &detail::unary<[](double x) { return std::tanh(x); }>},
      {"sigmoid", &detail::unary<[](double x) { return detail::logistic(x); }>},
      {"equal", &detail::binary<[](double x, double y) { return x == y ? 1.0 : 0.0; }>},
      {"less", &detail::binary<[](double x, double y) { return x < y ? 1.0 : 0.0; }>},
      {"logical_and", &detail::binary<[](double x, double y) { return x * y; }>},
      {"logical_or", &detail::binary<[](double x, double y) { return 0 < x + y ? 1.0 : 0.0; }>},
      {"logical_not", &detail::unary<[](double x) { return 1 - x; }>},
      {"constant", &detail::constant},
      {"select", &detail::selected},
      {"relu", &detail::unary<[](double x) { return 0 < x ? x : 0.0; }>},
      {"gelu", &detail::unary<[](double x) { return detail::gaussian_unit(x); }>},
      {"silu", &detail::unary<[](double x) { return x * detail::logistic(x); }>},
  };
  return all;
}

}  // namespace wf::compute
