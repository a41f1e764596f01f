// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/formula/polynomial/sign.hpp>

namespace wf {

/// The Bernstein coefficients of polynomials in one symbol on an interval, times one positive
/// integer that makes all of them integers.
///
/// On the interval a polynomial is a convex combination of its coefficients, with weights that
/// depend on the argument alone. So its values lie between the least and the largest coefficient,
/// and an inequality between all coefficients of two linear combinations holds between their
/// values. Source: Farin, Curves and Surfaces for Computer-Aided Geometric Design, chapter 6.
class bernstein_form {
 public:
  /// A form of no polynomials.
  constexpr bernstein_form() = default;

  /// Computes the form of polynomials in `domain.name` alone (constants included) on [low, high],
  /// low < high. `errc::overflow` if a coefficient does not fit 61 bits, `errc::formula_limit`
  /// above degree 15; the form is then unspecified. O(polynomials · degree²).
  constexpr errc assign(view<polynomial> polynomials, const symbol_domain& domain) {
    degree_ = 0;
    int128 scale = 1;
    for (const polynomial& p : polynomials) {
      if (p.degree() > degree_) degree_ = p.degree();
      int128 own = 1;
      if (!detail::common_denominator(p, own)) return errc::overflow;
      if (!checked_multiply(scale, own / detail::greatest_divisor(scale, own), scale))
        return errc::overflow;
    }
    if (degree_ > 15) return errc::formula_limit;
    binomials_.clear();
    for (std::uint32_t n = 0; n <= degree_; ++n) binomials_.push_back(detail::binomial_row(n));
    int128 multiple = 1;  // least common multiple of the binomials in the change of basis
    for (const int128 b : binomials_[degree_])
      multiple *= b / detail::greatest_divisor(multiple, b);
    if (!checked_multiply(scale, multiple, scale_)) return errc::overflow;
    coefficients_ = table<std::int64_t>();
    coefficients_.reserve(polynomials.size() * (degree_ + 1));
    for (const polynomial& p : polynomials)
      if (const errc code = append(p, domain, scale, multiple); code != errc::none) return code;
    return errc::none;
  }

  /// The degree, common to all polynomials: each has `degree() + 1` coefficients.
  constexpr std::uint32_t degree() const { return degree_; }
  /// The positive integer by which the coefficients are multiplied.
  constexpr int128 scale() const { return scale_; }
  /// Coefficient number `k` of polynomial number `i`, times `scale()`; the first and the last are
  /// the values at the ends of the interval.
  constexpr std::int64_t coefficient(std::size_t i, std::uint32_t k) const {
    return coefficients_[i * (degree_ + 1) + k];
  }
  /// An integer lower bound of polynomial number `i` at those integers of the interval where its
  /// value is an integer.
  constexpr std::int64_t least(std::size_t i) const {
    std::int64_t value = coefficient(i, 0);
    for (std::uint32_t k = 1; k <= degree_; ++k)
      if (coefficient(i, k) < value) value = coefficient(i, k);
    return static_cast<std::int64_t>(-detail::floor_quotient(-int128{value}, scale_));
  }

 private:
  // With x = low + width · t: from powers of x over powers of t to the Bernstein basis.
  constexpr errc append(const polynomial& p, const symbol_domain& domain, int128 scale,
                        int128 multiple) {
    int128 power[16] = {}, moved[16] = {};
    for (const polynomial_term& term : p.terms())
      if (!checked_multiply(term.coefficient.numerator, scale / term.coefficient.denominator,
                            power[term.powers.degree]))
        return errc::overflow;
    for (std::uint32_t i = degree_ + 1; i-- > 0;) {  // Horner: moved = moved · (low + t) + power[i]
      for (std::uint32_t j = degree_ + 1; j-- > 0;) {
        int128 shifted = 0;
        if (!checked_multiply(moved[j], int128{domain.low}, shifted) ||
            !checked_add(shifted, j > 0 ? moved[j - 1] : power[i], moved[j]))
          return errc::overflow;
      }
    }
    const int128 width = int128{domain.high} - domain.low;
    for (std::uint32_t j = 1; j <= degree_; ++j)
      for (std::uint32_t times = 0; times < j; ++times)
        if (!checked_multiply(moved[j], width, moved[j])) return errc::overflow;
    for (std::uint32_t k = 0; k <= degree_; ++k) {
      int128 sum = 0;
      for (std::uint32_t j = 0; j <= k; ++j) {
        int128 part = 0;
        if (!checked_multiply(moved[j], binomials_[k][j] * (multiple / binomials_[degree_][j]),
                              part) ||
            !checked_add(sum, part, sum))
          return errc::overflow;
      }
      if (sum > INT64_MAX / 4 || sum < -(INT64_MAX / 4)) return errc::overflow;
      coefficients_.push_back(static_cast<std::int64_t>(sum));
    }
    return errc::none;
  }

  std::uint32_t degree_ = 0;
  int128 scale_ = 1;
  table<std::int64_t> coefficients_;
  table<table<int128>> binomials_;
};

}  // namespace wf
