// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/symbol.hpp>
#include <wf/core/text/text.hpp>
#include <wf/formula/number/function.hpp>
#include <wf/formula/number/rational.hpp>
#include <wf/formula/polynomial/monomial.hpp>

namespace wf {

/// One term of a polynomial: a coefficient times a product of powers.
struct polynomial_term {
  /// The coefficient; never zero inside a polynomial.
  rational coefficient;
  /// The product of powers of symbols.
  monomial powers;
  friend constexpr bool operator==(const polynomial_term&, const polynomial_term&) = default;
};

/// The value of a symbol, for evaluation at a point.
struct assignment {
  /// The symbol that is replaced.
  symbol name;
  /// The integer value of the symbol.
  std::int64_t value = 0;
};

class polynomial;
/// The canonical text, which `parse_polynomial` reads.
constexpr text to_text(const polynomial& a);

/// A polynomial in symbols with exact rational coefficients: a cost before the sizes are known. A
/// regular value; equal polynomials have equal terms.
///
/// Invariant: terms are in the order of `monomial::compare` (highest degree first) with distinct
/// products, and no coefficient is zero; so the zero polynomial has no terms.
class polynomial {
 public:
  constexpr polynomial() = default;
  /// A constant.
  constexpr polynomial(const rational& constant) {
    if (constant.numerator != 0) terms_.push_back({constant, {}});
  }
  /// An integer constant.
  template <detail::any_integer Integer>
  constexpr polynomial(Integer constant) : polynomial(rational(constant)) {}
  /// The polynomial of one symbol to the first power.
  constexpr polynomial(symbol s) { terms_.push_back({rational(1), monomial(s)}); }

  /// The terms, highest degree first.
  constexpr view<polynomial_term> terms() const { return {terms_.data(), terms_.size()}; }
  /// True for the zero polynomial.
  constexpr bool is_zero() const { return terms_.empty(); }
  /// True if no symbol occurs.
  constexpr bool is_constant() const {
    return terms_.empty() || (terms_.size() == 1 && terms_[0].powers.count == 0);
  }
  /// The constant term; the value, if `is_constant()`.
  constexpr rational constant() const {
    if (terms_.empty() || terms_.back().powers.count != 0) return {};
    return terms_.back().coefficient;
  }
  /// The total degree: the highest sum of exponents of a term; 0 for constants.
  constexpr std::uint32_t degree() const { return terms_.empty() ? 0 : terms_[0].powers.degree; }
  /// The degree in one symbol. O(terms).
  constexpr std::uint32_t degree_in(symbol s) const {
    std::uint32_t most = 0;
    for (const polynomial_term& term : terms_) {
      const std::uint32_t exponent = term.powers.exponent_of(s);
      if (exponent > most) most = exponent;
    }
    return most;
  }

  /// Adds one term in place. `errc::overflow` leaves the polynomial unspecified. O(terms).
  constexpr errc add_term(const rational& coefficient, const monomial& powers) {
    std::size_t i = 0;
    int order = 1;
    while (i < terms_.size() && (order = monomial::compare(terms_[i].powers, powers)) < 0) ++i;
    if (i < terms_.size() && order == 0) {
      const errc code = wf::add(terms_[i].coefficient, coefficient, terms_[i].coefficient);
      if (terms_[i].coefficient.numerator == 0) erase(i);
      return code;
    }
    if (coefficient.numerator == 0) return errc::none;
    terms_.push_back({coefficient, powers});
    for (std::size_t j = terms_.size() - 1; j > i; --j) terms_[j] = terms_[j - 1];
    if (i + 1 < terms_.size()) terms_[i] = {coefficient, powers};
    return errc::none;
  }

  friend constexpr bool operator==(const polynomial&, const polynomial&) = default;
  /// Writes the polynomial to a stream.
  template <character_stream Stream>
  friend Stream& operator<<(Stream& stream, const polynomial& a) {
    return stream << to_text(a).view();
  }

 private:
  constexpr void erase(std::size_t index) {
    for (std::size_t j = index + 1; j < terms_.size(); ++j) terms_[j - 1] = terms_[j];
    terms_.pop_back();
  }

  friend constexpr errc scale(const polynomial&, const rational&, const monomial&, polynomial&);

  table<polynomial_term> terms_;
};

/// Maximum number of term products in one multiplication or division. A power of a sum of many
/// symbols has millions of terms although its formula is short.
inline constexpr std::size_t max_term_products = 4096;

// As with rationals: codes instead of results, `out` unspecified on an error, and `out` may be one
// of the operands.

/// out = a * coefficient * powers. O(terms), in place if `out` is `a`.
constexpr errc scale(const polynomial& a, const rational& coefficient, const monomial& powers,
                     polynomial& out) {
  if (&out != &a) out = a;
  if (coefficient.numerator == 0) out.terms_.clear();
  for (polynomial_term& term : out.terms_) {  // a monomial order keeps the order of terms
    errc code = multiply(term.coefficient, coefficient, term.coefficient);
    if (code == errc::none) code = multiply(term.powers, powers, term.powers);
    if (code != errc::none) return code;
  }
  return errc::none;
}

/// total += a * factor, in place: the cheapest way to accumulate. O(terms of a * terms of total).
constexpr errc add_scaled(polynomial& total, const polynomial& a, const rational& factor) {
  for (const polynomial_term& term : a.terms()) {
    rational coefficient;
    errc code = multiply(term.coefficient, factor, coefficient);
    if (code == errc::none) code = total.add_term(coefficient, term.powers);
    if (code != errc::none) return code;
  }
  return errc::none;
}

/// total += a, in place. O(terms of a * terms of total).
constexpr errc accumulate(polynomial& total, const polynomial& a) {
  if (&total == &a) return scale(a, rational(2), {}, total);
  for (const polynomial_term& term : a.terms())
    if (const errc code = total.add_term(term.coefficient, term.powers); code != errc::none)
      return code;
  return errc::none;
}

/// out = a + b.
constexpr errc add(const polynomial& a, const polynomial& b, polynomial& out) {
  if (&out == &b) return accumulate(out, a);
  if (&out != &a) out = a;
  return accumulate(out, b);
}

/// out = -a.
constexpr errc negate(const polynomial& a, polynomial& out) {
  return scale(a, rational(-1), {}, out);
}

/// out = a - b.
constexpr errc subtract(const polynomial& a, const polynomial& b, polynomial& out) {
  polynomial difference = a;
  const errc code = add_scaled(difference, b, rational(-1));
  out = static_cast<polynomial&&>(difference);
  return code;
}

/// out = a * b. `errc::formula_limit` beyond `max_term_products`, unless a factor has one term.
/// O(terms of a * terms of b * terms of out).
constexpr errc multiply(const polynomial& a, const polynomial& b, polynomial& out) {
  if (a.terms().size() == 1 || b.terms().size() == 1) {
    const bool first = b.terms().size() == 1;
    const polynomial_term factor =
        first ? b.terms()[0] : a.terms()[0];  // a copy: out may be either
    return scale(first ? a : b, factor.coefficient, factor.powers, out);
  }
  if (a.terms().size() * b.terms().size() > max_term_products) return errc::formula_limit;
  polynomial product, part;
  for (const polynomial_term& term : b.terms()) {
    errc code = scale(a, term.coefficient, term.powers, part);
    if (code == errc::none) code = accumulate(product, part);
    if (code != errc::none) return code;
  }
  out = static_cast<polynomial&&>(product);
  return errc::none;
}

/// out = a / b if `b` divides `a` exactly (the identity holds wherever `b` is not zero), for
/// instance by a constant; else `errc::not_polynomial`. `errc::formula_limit` beyond
/// `max_term_products`, unless `b` has one term. O(terms of the quotient * terms of b).
constexpr errc divide(const polynomial& a, const polynomial& b, polynomial& out) {
  if (b.is_zero()) return errc::division_by_zero;
  polynomial rest = a, quotient;
  const polynomial_term& leading = b.terms()[0];
  while (!rest.is_zero()) {
    polynomial_term term;
    if (b.terms().size() > 1 && quotient.terms().size() * b.terms().size() > max_term_products)
      return errc::formula_limit;
    if (!divide(rest.terms()[0].powers, leading.powers, term.powers)) return errc::not_polynomial;
    errc code = divide(rest.terms()[0].coefficient, leading.coefficient, term.coefficient);
    polynomial part;
    if (code == errc::none) code = scale(b, term.coefficient, term.powers, part);
    if (code == errc::none) code = add_scaled(rest, part, rational(-1));
    if (code == errc::none) code = quotient.add_term(term.coefficient, term.powers);
    if (code != errc::none) return code;
  }
  out = static_cast<polynomial&&>(quotient);
  return errc::none;
}

/// out = a ** exponent by repeated multiplication; `errc::formula_limit` beyond exponents of 15 per
/// symbol.
constexpr errc power(const polynomial& a, std::uint64_t exponent, polynomial& out) {
  if (a.is_constant()) {
    rational value;
    const errc code = power(a.constant(), rational(exponent), value);
    out = polynomial(value);
    return code;
  }
  if (exponent > max_monomial_exponent) return errc::formula_limit;
  polynomial product(1);
  for (; exponent > 0; --exponent)
    if (const errc code = multiply(product, a, product); code != errc::none) return code;
  out = static_cast<polynomial&&>(product);
  return errc::none;
}

/// out = the coefficient of s ** exponent, a polynomial in the other symbols. O(terms).
constexpr errc coefficient_of(const polynomial& a, symbol s, std::uint32_t exponent,
                              polynomial& out) {
  polynomial found;
  for (const polynomial_term& term : a.terms()) {
    monomial rest;
    if (split(term.powers, s, rest) == exponent)
      if (const errc code = found.add_term(term.coefficient, rest); code != errc::none) return code;
  }
  out = static_cast<polynomial&&>(found);
  return errc::none;
}

/// out = a with the symbol replaced by `value`. O(terms * exponent).
constexpr errc substitute(const polynomial& a, symbol s, const rational& value, polynomial& out) {
  polynomial replaced;
  for (const polynomial_term& term : a.terms()) {
    monomial rest;
    rational factor;
    errc code = power(value, rational(split(term.powers, s, rest)), factor);
    if (code == errc::none) code = multiply(factor, term.coefficient, factor);
    if (code == errc::none) code = replaced.add_term(factor, rest);
    if (code != errc::none) return code;
  }
  out = static_cast<polynomial&&>(replaced);
  return errc::none;
}

/// out = a with the symbol replaced by a polynomial (Horner's scheme). O(degree) multiplications.
constexpr errc substitute(const polynomial& a, symbol s, const polynomial& value, polynomial& out) {
  polynomial replaced, part;
  for (std::uint32_t exponent = a.degree_in(s) + 1; exponent-- > 0;) {
    errc code = multiply(replaced, value, replaced);
    if (code == errc::none) code = coefficient_of(a, s, exponent, part);
    if (code == errc::none) code = accumulate(replaced, part);
    if (code != errc::none) return code;
  }
  out = static_cast<polynomial&&>(replaced);
  return errc::none;
}

/// The symbols that occur, sorted by name. O(terms * symbols).
constexpr table<symbol> symbols_of(const polynomial& a) {
  table<std::uint64_t> keys;
  for (const polynomial_term& term : a.terms())
    for (std::uint32_t i = 0; i < term.powers.count; ++i) {
      const std::uint64_t key = term.powers.factors[i] >> 4;
      std::size_t place = 0;
      while (place < keys.size() && keys[place] < key) ++place;
      if (place < keys.size() && keys[place] == key) continue;
      keys.push_back(key);
      for (std::size_t j = keys.size() - 1; j > place; --j) keys[j] = keys[j - 1];
      keys[place] = key;
    }
  table<symbol> out;
  for (const std::uint64_t key : keys) out.push_back(detail::from_alphabetical(key));
  return out;
}

/// The value at a point. Errors: `errc::unknown_symbol` if a symbol has no value, `errc::overflow`.
constexpr result<rational> evaluate_at(const polynomial& a, view<assignment> point) {
  rational total;
  for (const polynomial_term& term : a.terms()) {
    rational product = term.coefficient;
    for (std::uint32_t i = 0; i < term.powers.count; ++i) {
      std::size_t j = 0;
      const symbol wanted = term.powers.symbol_at(i);
      while (j < point.size() && point[j].name != wanted) ++j;
      if (j == point.size()) {
        text message("no value for the symbol '");
        message << to_text(wanted).view() << "'";
        return make_error(errc::unknown_symbol, "", message.view());
      }
      rational factor;
      if (power(rational(point[j].value), rational(term.powers.exponent_at(i)), factor) !=
              errc::none ||
          multiply(product, factor, product) != errc::none)
        return make_error(errc::overflow, "", "a term of the polynomial does not fit 128 bits");
    }
    if (add(total, product, total) != errc::none)
      return make_error(errc::overflow, "", "the value of the polynomial does not fit 128 bits");
  }
  return total;
}

/// The canonical text, which `parse_polynomial` reads back: "M**3 + 3*M**2 - 1/2*M + 4"; "0" for
/// zero.
constexpr text to_text(const polynomial& a) {
  text out;
  if (a.is_zero()) out << '0';
  bool first = true;
  for (const polynomial_term& term : a.terms()) {
    rational size = term.coefficient;
    const bool negative = size.sign() < 0;
    if (negative) negate(size, size);
    out << (first ? (negative ? "-" : "") : (negative ? " - " : " + "));
    first = false;
    if (term.powers.count == 0) {
      out << to_text(size).view();
    } else {
      if (size != rational(1)) out << to_text(size).view() << '*';
      out << to_text(term.powers).view();
    }
  }
  return out;
}

namespace detail {

constexpr result<polynomial> arithmetic_result(errc code, polynomial&& value) {
  if (code == errc::none) return static_cast<polynomial&&>(value);
  return make_error(code, "",
                    code == errc::overflow        ? "a coefficient does not fit 128 bits"
                    : code == errc::formula_limit ? "the polynomial has too many symbols in a term "
                                                    "(12), too high an exponent (15), or too many "
                                                    "terms"
                                                  : "the polynomials cannot be combined");
}

}  // namespace detail

/// a + b, for expressions: an error of an operand, or an overflow, becomes the result.
constexpr result<polynomial> operator+(const result<polynomial>& a, const result<polynomial>& b) {
  if (!a) return a;
  if (!b) return b;
  polynomial out;
  const errc code = add(*a, *b, out);
  return detail::arithmetic_result(code, static_cast<polynomial&&>(out));
}

/// a - b, for expressions: an error of an operand, or an overflow, becomes the result.
constexpr result<polynomial> operator-(const result<polynomial>& a, const result<polynomial>& b) {
  if (!a) return a;
  if (!b) return b;
  polynomial out;
  const errc code = subtract(*a, *b, out);
  return detail::arithmetic_result(code, static_cast<polynomial&&>(out));
}

/// a * b, for expressions: an error of an operand, or an overflow, becomes the result.
constexpr result<polynomial> operator*(const result<polynomial>& a, const result<polynomial>& b) {
  if (!a) return a;
  if (!b) return b;
  polynomial out;
  const errc code = multiply(*a, *b, out);
  return detail::arithmetic_result(code, static_cast<polynomial&&>(out));
}

}  // namespace wf
