// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/domain/arithmetic.hpp>
#include <wf/registry/kernel.hpp>

// The formulas of elementwise operators, each once: for `kernel_spec::constant` and
// `kernel_spec::element`, and for the numbers, arrays and vectors of the executor.
namespace wf::detail::formulas {

// The part of an element by which it is compared: executors hold real elements in complex numbers,
// too.
template <class T>
constexpr auto real_of(const T& x) {
  if constexpr (requires { x.real(); })
    return x.real();
  else
    return x;
}

inline constexpr auto plus = [](const auto& x, const auto& y) { return x + y; };
inline constexpr auto minus = [](const auto& x, const auto& y) { return x - y; };
inline constexpr auto times = [](const auto& x, const auto& y) { return x * y; };
inline constexpr auto quotient = [](const auto& x, const auto& y) { return x / y; };
inline constexpr auto opposite = [](const auto& x) { return -x; };
inline constexpr auto square = [](const auto& x) { return x * x; };
inline constexpr auto inverse = []<class T>(const T& x) { return T(1) / x; };

// The first of two equal elements, and of two that a NaN leaves unordered.
inline constexpr auto larger = []<class T>(const T& x, const T& y) {
  return real_of(x) < real_of(y) ? y : x;
};
// The first of two equal elements, and of two that a NaN leaves unordered.
inline constexpr auto smaller = []<class T>(const T& x, const T& y) {
  return real_of(y) < real_of(x) ? y : x;
};
inline constexpr auto equal = []<class T>(const T& x, const T& y) { return x == y ? T(1) : T(0); };
inline constexpr auto less = []<class T>(const T& x, const T& y) {
  return real_of(x) < real_of(y) ? T(1) : T(0);
};
// x where it is positive, else 0; of a NaN 0.
inline constexpr auto rectified = []<class T>(const T& x) { return 0 < real_of(x) ? x : T(0); };
// 1 where x is positive, else 0; of a NaN 0.
inline constexpr auto step = []<class T>(const T& x) { return 0 < real_of(x) ? T(1) : T(0); };

// Of elements that are 0 or 1, of numbers and of booleans.
inline constexpr auto both = []<class T>(const T& x, const T& y) {
  if constexpr (requires { x & y; })
    return static_cast<T>(x & y);
  else
    return x * y;
};
inline constexpr auto either = []<class T>(const T& x, const T& y) {
  if constexpr (requires { x | y; })
    return static_cast<T>(x | y);
  else
    return 0 < real_of(x + y) ? T(1) : T(0);
};
inline constexpr auto complement = []<class T>(const T& x) { return static_cast<T>(T(1) - x); };
inline constexpr auto choice = []<class T>(const T& p, const T& x, const T& y) {
  return p != T(0) ? x : y;
};

// Elementary functions of one number, as the C library computes them at run time.
struct c_library {
  static double number(double x) { return x; }
  static double exp(double x) { return __builtin_exp(x); }
  static double log(double x) { return __builtin_log(x); }
  static double sin(double x) { return __builtin_sin(x); }
  static double cos(double x) { return __builtin_cos(x); }
  static double tanh(double x) { return __builtin_tanh(x); }
  static double sqrt(double x) { return __builtin_sqrt(x); }
  static double abs(double x) { return __builtin_fabs(x); }
  static double trunc(double x) { return __builtin_trunc(x); }
  static double power(double x, double y) { return __builtin_pow(x, y); }
};

// 1/(1 + exp(slope·x)) by the exponential of `Functions`, for numbers and blocks of them; the
// logistic function of x/T for slope = -1/T.
template <class Functions, class Numbers, class Number>
Numbers logistic(const Numbers& x, const Number& slope) {
  const auto one = Functions::number(1);
  return one / (one + Functions::exp(Numbers(slope * x)));
}
// True if a logistic function of this temperature is a threshold: 1 for positive numbers, else 0.
constexpr bool is_threshold(double temperature) {
  return -1e-9 <= temperature && temperature <= 1e-9;
}

// x·logistic(x).
template <class Functions, class Numbers>
Numbers sigmoid_unit(const Numbers& x) {
  return x * logistic<Functions>(x, Functions::number(-1));
}
// x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))), where (1 + tanh y)/2 is the logistic function of 2y.
// Source: Hendrycks, Gimpel, Gaussian error linear units, arXiv:1606.08415, section 2.
template <class Functions, class Numbers>
Numbers gaussian_unit(const Numbers& x) {
  const auto slope = Functions::number(1.5957691216057308);  // 2·√(2/π)
  const auto cubic = Functions::number(0.044715);
  return x * logistic<Functions>(Numbers(slope * (x + cubic * x * x * x)), Functions::number(-1));
}

}  // namespace wf::detail::formulas

namespace wf::kernels::detail {

namespace formulas = wf::detail::formulas;

inline double quotient_element(const constant_operands& x) {
  const double r = formulas::quotient(x[0], x[1]);
  return is_integer(x.result) ? formulas::c_library::trunc(r) : r;
}
inline double relu_element(const constant_operands& x) { return formulas::rectified(x[0]); }
inline double maximum_element(const constant_operands& x) { return formulas::larger(x[0], x[1]); }
inline double minimum_element(const constant_operands& x) { return formulas::smaller(x[0], x[1]); }
inline double abs_element(const constant_operands& x) { return formulas::c_library::abs(x[0]); }
inline double square_element(const constant_operands& x) { return formulas::square(x[0]); }
inline double sqrt_element(const constant_operands& x) { return formulas::c_library::sqrt(x[0]); }
inline double exp_element(const constant_operands& x) { return formulas::c_library::exp(x[0]); }
inline double log_element(const constant_operands& x) { return formulas::c_library::log(x[0]); }
inline double tanh_element(const constant_operands& x) { return formulas::c_library::tanh(x[0]); }
inline double first_element(const constant_operands& x) { return x[0]; }
// NaN if no element of the type is the number.
inline double converted_element(const constant_operands& x) {
  double r = x[0];
  if (is_floating(x.result) || wf::detail::convert_element(x.type_of(0), x.result, r)) return r;
  return __builtin_nan("");
}
// A negative temperature has no value.
inline double sigmoid_element(const constant_operands& x) {
  const double temperature = x.node.real("T", 1);
  if (formulas::is_threshold(temperature)) return formulas::step(x[0]);
  if (!(temperature > 0)) return __builtin_nan("");
  return formulas::logistic<formulas::c_library>(x[0], -1 / temperature);
}

}  // namespace wf::kernels::detail
