// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/symbol.hpp>
#include <wf/core/text/text.hpp>

namespace wf {

/// Maximum number of distinct symbols in one product of a polynomial.
inline constexpr std::size_t max_monomial_symbols = 12;
/// Maximum exponent of one symbol in a polynomial.
inline constexpr std::uint32_t max_monomial_exponent = 15;

namespace detail {

/// A symbol's name with its first character in the highest bits, so that numeric order is
/// alphabetical.
constexpr std::uint64_t alphabetical(symbol s) {
  std::uint64_t key = 0;
  int shift = 60;
  for (std::uint64_t rest = s.packed; rest != 0; rest >>= 6) key |= (rest & 63) << (shift -= 6);
  return key;
}

constexpr symbol from_alphabetical(std::uint64_t key) {
  std::uint64_t packed = 0;
  for (; key != 0; key = (key << 6) & ((std::uint64_t{1} << 60) - 1))
    packed = (packed >> 6) | ((key >> 54) << 54);
  // Aligns the name at bit 0, as the first character was shifted down once per later one.
  while (packed != 0 && (packed & 63) == 0) packed >>= 6;
  return {packed};
}

}  // namespace detail

/// A product of powers of symbols, such as M**2*N; a small structural value without allocation.
///
/// Invariant: the factors are sorted by name, each is 16 times the name's alphabetical key plus the
/// exponent, exponents are at least 1, unused places are zero, and `degree` is the sum of
/// exponents.
struct monomial {
  /// The powers: alphabetical key times 16, plus the exponent.
  std::uint64_t factors[max_monomial_symbols]{};
  /// Number of powers in use.
  std::uint32_t count = 0;
  /// The sum of the exponents.
  std::uint32_t degree = 0;

  constexpr monomial() = default;
  /// One symbol, to the first power.
  constexpr explicit monomial(symbol s) : count(1), degree(1) {
    factors[0] = (detail::alphabetical(s) << 4) | 1;
  }

  /// The symbol of power number `index`.
  constexpr symbol symbol_at(std::uint32_t index) const {
    return detail::from_alphabetical(factors[index] >> 4);
  }
  /// The exponent of power number `index`.
  constexpr std::uint32_t exponent_at(std::uint32_t index) const {
    return static_cast<std::uint32_t>(factors[index] & 15);
  }
  /// The exponent of a symbol, 0 if it does not occur. O(count).
  constexpr std::uint32_t exponent_of(symbol s) const {
    const std::uint64_t key = detail::alphabetical(s);
    for (std::uint32_t i = 0; i < count; ++i)
      if (factors[i] >> 4 == key) return exponent_at(i);
    return 0;
  }

  /// Equality of the products of powers.
  friend constexpr bool operator==(const monomial& a, const monomial& b) {
    return a.degree == b.degree && compare(a, b) == 0;
  }

  /// The canonical order of terms: negative if `a` comes before `b`. Higher degrees come first,
  /// then higher powers of alphabetically earlier symbols (the graded lexicographic order, a
  /// monomial order, so leading terms multiply). O(count).
  static constexpr int compare(const monomial& a, const monomial& b) {
    if (a.degree != b.degree) return a.degree > b.degree ? -1 : 1;
    std::uint32_t i = 0;
    while (i < a.count && i < b.count && a.factors[i] == b.factors[i]) ++i;
    if (i == a.count || i == b.count) return 0;  // equal degrees: both end together
    // A smaller key, or the same key with the larger exponent, comes first.
    return (a.factors[i] ^ 15) < (b.factors[i] ^ 15) ? -1 : 1;
  }
};

/// out = a * b; `errc::formula_limit` if that has more than 12 symbols or an exponent above 15.
/// `out` may be one of the operands. O(count).
constexpr errc multiply(const monomial& a, const monomial& b, monomial& out) {
  if (b.count == 0) return out = a, errc::none;
  if (a.count == 0) return out = b, errc::none;
  monomial product;
  std::uint32_t i = 0, j = 0;
  while (i < a.count || j < b.count) {
    const std::uint64_t left = i < a.count ? a.factors[i] : UINT64_MAX;
    const std::uint64_t right = j < b.count ? b.factors[j] : UINT64_MAX;
    if (product.count == max_monomial_symbols) return errc::formula_limit;
    if (left >> 4 == right >> 4) {
      if ((left & 15) + (right & 15) > max_monomial_exponent) return errc::formula_limit;
      product.factors[product.count++] = left + (right & 15);
      ++i, ++j;
    } else {
      product.factors[product.count++] = left < right ? left : right;
      left < right ? ++i : ++j;
    }
  }
  product.degree = a.degree + b.degree;
  out = product;
  return errc::none;
}

/// True, and out = a / b, if the exponents of `b` are at most those of `a`. `out` may be one of the
/// operands. O(count).
constexpr bool divide(const monomial& a, const monomial& b, monomial& out) {
  monomial quotient;
  std::uint32_t j = 0;
  for (std::uint32_t i = 0; i < a.count; ++i) {
    std::uint64_t factor = a.factors[i];
    if (j < b.count && b.factors[j] >> 4 == factor >> 4) {
      if ((b.factors[j] & 15) > (factor & 15)) return false;
      factor -= b.factors[j++] & 15;
      if ((factor & 15) == 0) continue;
    }
    quotient.factors[quotient.count++] = factor;
  }
  if (j != b.count) return false;
  quotient.degree = a.degree - b.degree;
  out = quotient;
  return true;
}

/// Splits a monomial: the exponent of `s`, and in `rest` the product of the other powers. O(count).
constexpr std::uint32_t split(const monomial& a, symbol s, monomial& rest) {
  const std::uint64_t key = detail::alphabetical(s);
  std::uint32_t exponent = 0;
  monomial others;
  for (std::uint32_t i = 0; i < a.count; ++i) {
    if (a.factors[i] >> 4 == key)
      exponent = a.exponent_at(i);
    else
      others.factors[others.count++] = a.factors[i];
  }
  others.degree = a.degree - exponent;
  rest = others;
  return exponent;
}

/// "M**2*N"; "1" for the empty product.
constexpr text to_text(const monomial& a) {
  text out;
  if (a.count == 0) out << '1';
  for (std::uint32_t i = 0; i < a.count; ++i) {
    out << (i == 0 ? "" : "*") << to_text(a.symbol_at(i)).view();
    if (a.exponent_at(i) != 1) out << "**" << a.exponent_at(i);
  }
  return out;
}

}  // namespace wf
