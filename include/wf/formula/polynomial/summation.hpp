// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/symbol.hpp>
#include <wf/formula/number/rational.hpp>
#include <wf/formula/polynomial/polynomial.hpp>

namespace wf {

namespace detail {

/// Pascal's rule, exact: row `n` of the binomial coefficients, for small n.
constexpr table<int128> binomial_row(std::uint32_t n) {
  table<int128> row(n + 1);
  row[0] = 1;
  for (std::uint32_t k = 1; k <= n; ++k) row[k] = row[k - 1] * (n - k + 1) / k;
  return row;
}

/// The Bernoulli numbers B(0) to B(most) with B(1) = +1/2, by the recurrence
/// sum over k <= m of binomial(m + 1, k) B(k) = m + 1.
constexpr errc bernoulli_numbers(std::uint32_t most, table<rational>& out) {
  for (std::uint32_t m = 0; m <= most; ++m) {
    const table<int128> row = binomial_row(m + 1);
    rational rest(m + 1);
    for (std::uint32_t k = 0; k < m; ++k) {
      rational part;
      errc code = multiply(out[k], rational(row[k]), part);
      if (code == errc::none) code = subtract(rest, part, rest);
      if (code != errc::none) return code;
    }
    if (const errc code = divide(rest, rational(m + 1), rest); code != errc::none) return code;
    out.push_back(rest);
  }
  return errc::none;
}

}  // namespace detail

/// out = the sum of `body` for variable = low, low + 1, ..., high, in closed form; the bounds are
/// polynomials that do not contain the variable. The identity holds wherever high >= low - 1.
///
/// Source: Faulhaber's formula, sum of k**j for k = 1..n = 1/(j+1) * sum over i <= j of
/// binomial(j+1, i) B(i) n**(j+1-i), taken at `high` and at `low - 1`. O(degree**2) operations.
constexpr errc sum_polynomial(const polynomial& body, symbol variable, const polynomial& low,
                              const polynomial& high, polynomial& out) {
  const std::uint32_t degree = body.degree_in(variable);
  table<rational> bernoulli;
  polynomial before, total;
  errc code = detail::bernoulli_numbers(degree, bernoulli);
  if (code == errc::none) code = subtract(low, polynomial(1), before);
  // differences[p] = high**p - before**p
  table<polynomial> differences(degree + 2);
  polynomial high_power(1), before_power(1);
  for (std::uint32_t p = 1; p <= degree + 1 && code == errc::none; ++p) {
    code = multiply(high_power, high, high_power);
    if (code == errc::none) code = multiply(before_power, before, before_power);
    if (code == errc::none) code = subtract(high_power, before_power, differences[p]);
  }
  for (std::uint32_t j = 0; j <= degree && code == errc::none; ++j) {
    polynomial coefficient, powers;
    code = coefficient_of(body, variable, j, coefficient);
    if (code != errc::none || coefficient.is_zero()) continue;
    const table<int128> row = detail::binomial_row(j + 1);
    for (std::uint32_t i = 0; i <= j && code == errc::none; ++i) {
      rational factor;
      code = multiply(bernoulli[i], rational(row[i]), factor);
      if (code == errc::none) code = divide(factor, rational(j + 1), factor);
      if (code == errc::none) code = add_scaled(powers, differences[j + 1 - i], factor);
    }
    if (code == errc::none) code = multiply(powers, coefficient, powers);
    if (code == errc::none) code = accumulate(total, powers);
  }
  if (code == errc::none) out = static_cast<polynomial&&>(total);
  return code;
}

namespace detail {

/// The variable of a sum as a symbol, with its bounds, which may contain the variables of enclosing
/// sums.
struct sum_range {
  symbol variable;
  polynomial low;
  polynomial high;
};

/// The variable of sum number `slot` as a symbol that no user can name.
constexpr symbol bound_variable(std::size_t slot) {
  return {54 | (static_cast<std::uint64_t>(slot + 1) << 6)};
}

/// True for the variable of a sum: the packed name starts with a digit, unlike users' names.
constexpr bool is_bound_variable(symbol s) { return (s.packed & 63) >= 54; }

/// True if every term with the symbol has a positive coefficient and no other variable of a sum,
/// which might be negative.
constexpr bool rises_in(const polynomial& p, symbol s) {
  for (const polynomial_term& term : p.terms()) {
    if (term.powers.exponent_of(s) == 0) continue;
    if (term.coefficient.sign() < 0) return false;
    for (std::uint32_t i = 0; i < term.powers.count; ++i)
      if (is_bound_variable(term.powers.symbol_at(i)) && term.powers.symbol_at(i) != s)
        return false;
  }
  return true;
}

/// Replaces the variable by the end of its range at which `p` is smallest, if that is evident: `p`
/// then rises term by term with the distance from that end (other symbols are sizes, hence
/// nonnegative).
constexpr bool minimise_over(const sum_range& range, polynomial& p) {
  const polynomial distance(range.variable);
  polynomial from_low, from_high;
  if (add(range.low, distance, from_low) != errc::none ||
      subtract(range.high, distance, from_high) != errc::none ||
      substitute(p, range.variable, from_low, from_low) != errc::none ||
      substitute(p, range.variable, from_high, from_high) != errc::none)
    return false;
  const bool low_end = rises_in(from_low, range.variable);
  if (!low_end && !rises_in(from_high, range.variable)) return false;
  return substitute(p, range.variable, low_end ? range.low : range.high, p) == errc::none;
}

/// True if the closed form of a sum from `low` to `high` may be used inside the sums over `ranges`
/// (outermost first): high >= low - 1 for all values of their variables. Conditions on other
/// symbols are up to the caller.
constexpr bool closed_form_holds(const polynomial& low, const polynomial& high,
                                 view<sum_range> ranges) {
  polynomial length;
  if (subtract(high, low, length) != errc::none || accumulate(length, polynomial(1)) != errc::none)
    return false;
  bool involved = false;
  for (std::size_t i = ranges.size(); i-- > 0;) {
    if (length.degree_in(ranges[i].variable) == 0) continue;
    involved = true;
    if (!minimise_over(ranges[i], length)) return false;
  }
  return !involved || !length.is_constant() || length.constant().sign() >= 0;
}

}  // namespace detail

}  // namespace wf
