// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/symbol.hpp>
#include <wf/formula/language/code.hpp>
#include <wf/formula/number/function.hpp>
#include <wf/formula/number/rational.hpp>
#include <wf/formula/polynomial/polynomial.hpp>
#include <wf/formula/polynomial/summation.hpp>

namespace wf {

// Operations of a number domain for evaluation, besides add, subtract, multiply and negate: those
// on rationals and their counterparts on polynomials, under the same names; those on enclosures are
// in formula/number/enclosure.hpp. One machine evaluates all three.

/// True if the value is a number, as every rational is; stores it in `out`.
constexpr bool known_value(const rational& a, rational& out) {
  out = a;
  return true;
}

/// True if the polynomial is constant; stores its value in `out`.
constexpr bool known_value(const polynomial& a, rational& out) {
  if (!a.is_constant()) return false;
  out = a.constant();
  return true;
}

/// The sign of a - b.
constexpr errc compare(const rational& a, const rational& b, int& sign) {
  const auto order = a <=> b;
  sign = order < 0 ? -1 : order > 0 ? 1 : 0;
  return errc::none;
}

/// The sign of a - b if it does not depend on symbols; else `errc::not_polynomial`.
constexpr errc compare(const polynomial& a, const polynomial& b, int& sign) {
  polynomial difference;
  const errc code = subtract(a, b, difference);
  sign = difference.constant().sign();
  return code != errc::none || difference.is_constant() ? code : errc::not_polynomial;
}

namespace detail {

constexpr bool has_bound_variable(const polynomial& a) {
  for (const symbol s : symbols_of(a))
    if (is_bound_variable(s)) return true;
  return false;
}

constexpr bool has_integer_coefficients(const polynomial& a) {
  for (const polynomial_term& term : a.terms())
    if (!term.coefficient.is_integer()) return false;
  return true;
}

}  // namespace detail

/// True if the polynomial takes integer values at all integers, as M*(M + 1)/2 does. Exact for up
/// to 4,096 test points, beyond which the answer is false.
///
/// A polynomial of degree d(i) in symbol i is integer-valued if and only if it is an integer on the
/// grid of the points 0..d(i): its forward differences at 0 are then integers, and they are its
/// coordinates in the binomial basis (Polya 1915).
constexpr bool is_integer_valued(const polynomial& a) {
  if (detail::has_integer_coefficients(a)) return true;
  const table<symbol> symbols = symbols_of(a);
  table<assignment> point;
  table<std::int64_t> degree;
  std::size_t points = 1;
  for (const symbol s : symbols) {
    point.push_back({s, 0});
    degree.push_back(a.degree_in(s));
    points *= a.degree_in(s) + 1;
    if (points > 4096) return false;
  }
  for (;;) {
    const result<rational> value = evaluate_at(a, point);
    if (!value || !value->is_integer()) return false;
    std::size_t i = 0;
    while (i < point.size() && point[i].value == degree[i]) point[i++].value = 0;
    if (i == point.size()) return true;
    ++point[i].value;
  }
}

/// A one-operand function of the formula language.
constexpr errc apply(formula_op op, const rational& a, rational& out) {
  using enum formula_op;
  return op == ceil         ? wf::ceil(a, out)
         : op == floor      ? wf::floor(a, out)
         : op == round      ? wf::round(a, out)
         : op == abs        ? wf::abs(a, out)
         : op == log2       ? wf::log2(a, out)
         : op == log        ? wf::log(a, out)
         : op == sqrt       ? wf::sqrt(a, out)
         : op == exp        ? wf::exp(a, out)
         : op == ceil_log2  ? wf::ceil_log2(a, out)
         : op == floor_log2 ? wf::floor_log2(a, out)
         : op == ceil_sqrt  ? wf::ceil_sqrt(a, out)
                            : wf::floor_sqrt(a, out);
}

/// A one-operand function of the formula language. A constant gives its value; rounding keeps an
/// integer-valued polynomial (symbols stand for integers); else `errc::not_polynomial`.
constexpr errc apply(formula_op op, const polynomial& a, polynomial& out) {
  using enum formula_op;
  rational value;
  if (known_value(a, value)) {
    const errc code = apply(op, value, value);
    out = polynomial(value);
    return code;
  }
  if ((op != ceil && op != floor && op != round) || !is_integer_valued(a))
    return errc::not_polynomial;
  if (&out != &a) out = a;
  return errc::none;
}

/// out = a / b. Division by the variable of a sum is refused: the quotient would hide a division by
/// zero in one term.
constexpr errc quotient(const polynomial& a, const polynomial& b, polynomial& out) {
  if (detail::has_bound_variable(b)) return errc::not_polynomial;
  return divide(a, b, out);
}

/// out = a / b, exactly.
constexpr errc quotient(const rational& a, const rational& b, rational& out) {
  return divide(a, b, out);
}

/// out = floor(a / b) for constants, or if a / b is an integer-valued polynomial; else
/// `errc::not_polynomial`.
constexpr errc floor_divide(const polynomial& a, const polynomial& b, polynomial& out) {
  const errc code = quotient(a, b, out);
  return code == errc::none ? apply(formula_op::floor, out, out) : code;
}

/// out = a - b * floor(a / b), under the conditions of `floor_divide`.
constexpr errc modulo(const polynomial& a, const polynomial& b, polynomial& out) {
  polynomial multiple;
  errc code = floor_divide(a, b, multiple);
  if (code == errc::none) code = multiply(multiple, b, multiple);
  return code == errc::none ? subtract(a, multiple, out) : code;
}

/// out = base ** exponent for constants, or for a nonnegative integer exponent; else
/// `errc::not_polynomial`.
constexpr errc power(const polynomial& base, const polynomial& exponent, polynomial& out) {
  rational times, value;
  if (!known_value(exponent, times)) return errc::not_polynomial;
  if (known_value(base, value)) {
    const errc code = power(value, times, value);
    out = polynomial(value);
    return code;
  }
  if (!times.is_integer() || times.sign() < 0) return errc::not_polynomial;
  if (times.numerator > max_monomial_exponent) return errc::formula_limit;
  return power(base, static_cast<std::uint64_t>(times.numerator), out);
}

}  // namespace wf
