// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/integer.hpp>
#include <wf/core/text/symbol.hpp>
#include <wf/formula/number/rational.hpp>
#include <wf/formula/polynomial/polynomial.hpp>
#include <wf/formula/polynomial/summation.hpp>

namespace wf {

/// The range of integers of a symbol: low, low + 1, ..., high.
struct symbol_domain {
  /// The symbol with this range.
  symbol name;
  /// Smallest value of the symbol.
  std::int64_t low = 1;
  /// Largest value of the symbol.
  std::int64_t high = 1;
};

/// An interval of integers on which a polynomial has one sign.
struct sign_interval {
  /// Lower end, included.
  std::int64_t low = 0;
  /// Upper end, included.
  std::int64_t high = 0;
  /// The sign: -1, 0 or 1.
  int sign = 0;
  friend constexpr bool operator==(const sign_interval&, const sign_interval&) = default;
};

namespace detail {

/// The least common multiple of the denominators.
constexpr bool common_denominator(const polynomial& p, int128& out) {
  out = 1;
  for (const polynomial_term& term : p.terms()) {
    const int128 d = term.coefficient.denominator;
    if (!checked_multiply(out, d / greatest_divisor(out, d), out)) return false;
  }
  return true;
}

/// The coefficients of a polynomial in one symbol, scaled by a positive integer to integers; the
/// constant first. The sum of their absolute values is below 2**126.
constexpr errc integer_coefficients(const polynomial& p, table<int128>& out) {
  int128 scale = 1, sum = 0;
  if (!common_denominator(p, scale)) return errc::overflow;
  out = table<int128>(p.degree() + 1, 0);
  for (const polynomial_term& term : p.terms()) {
    int128& c = out[term.powers.degree];
    if (!checked_multiply(term.coefficient.numerator, scale / term.coefficient.denominator, c) ||
        c < -largest_int128 || !checked_add(sum, absolute(c), sum))
      return errc::overflow;
  }
  return sum > largest_int128 / 2 ? errc::overflow : errc::none;
}

/// The exact sign of a polynomial with integer coefficients at an integer, without large numbers:
/// once Horner's partial value times |x| exceeds the sum of the remaining coefficients, they cannot
/// change the sign. O(degree).
constexpr int sign_at(view<int128> coefficients, std::int64_t x) {
  if (x == 0) return coefficients[0] < 0 ? -1 : coefficients[0] > 0 ? 1 : 0;
  int128 remaining = 0;
  for (const int128 c : coefficients) remaining += absolute(c);
  int128 value = 0;
  for (std::size_t i = coefficients.size(); i-- > 0;) {
    int128 product = 0;
    const bool fits =
        checked_multiply(value, static_cast<int128>(x), product) && product >= -largest_int128;
    if (!fits || absolute(product) > remaining) {
      const bool flipped = x < 0 && (i + 1) % 2 != 0;
      return (value < 0) != flipped ? -1 : 1;
    }
    // Neither summand exceeds 2**126 here.
    value = product + coefficients[i];
    remaining -= absolute(coefficients[i]);
  }
  return value < 0 ? -1 : value > 0 ? 1 : 0;
}

/// The coefficients of p(x + 1) - p(x), one degree lower.
constexpr errc forward_difference(view<int128> p, table<int128>& out) {
  const std::size_t degree = p.size() - 1;
  out = table<int128>(degree, 0);
  int128 sum = 0;
  for (std::size_t i = 1; i <= degree; ++i) {
    const table<int128> row = binomial_row(static_cast<std::uint32_t>(i));
    for (std::size_t j = 0; j < i; ++j) {
      int128 part = 0;
      if (!checked_multiply(p[i], row[j], part) || !checked_add(out[j], part, out[j]))
        return errc::overflow;
    }
  }
  for (const int128 c : out)
    if (c < -largest_int128 || !checked_add(sum, absolute(c), sum)) return errc::overflow;
  return sum > largest_int128 / 2 ? errc::overflow : errc::none;
}

constexpr void append_run(table<sign_interval>& runs, std::int64_t low, std::int64_t high,
                          int sign) {
  if (!runs.empty() && runs.back().sign == sign)
    runs.back().high = high;
  else
    runs.push_back({low, high, sign});
}

/// The last integer in [low, high] at which the sign is still that at `low`, given that the
/// polynomial is monotone there. O(log(high - low)) evaluations.
constexpr std::int64_t end_of_sign(view<int128> p, std::int64_t low, std::int64_t high, int sign) {
  std::int64_t first = low, last = high;
  while (first < last) {
    const std::uint64_t gap = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
    const std::int64_t middle =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + gap / 2 + gap % 2);
    if (sign_at(p, middle) == sign)
      first = middle;
    else
      last = middle - 1;
  }
  return first;
}

/// The signs of a monotone polynomial on [low, high]: at most three runs.
constexpr void append_monotone(view<int128> p, std::int64_t low, std::int64_t high,
                               table<sign_interval>& runs) {
  const int last_sign = sign_at(p, high);
  for (;;) {
    const int sign = sign_at(p, low);
    const std::int64_t end = sign == last_sign ? high : end_of_sign(p, low, high, sign);
    append_run(runs, low, end, sign);
    if (end == high) return;
    low = end + 1;
  }
}

/// The runs of one sign of a polynomial on [low, high]. A polynomial is monotone on integers where
/// its forward difference has one sign; so the differences are taken down to a constant, and the
/// runs of each give those of its predecessor. Integer arithmetic only: no roots are computed.
constexpr errc append_signs(const table<int128>& coefficients, std::int64_t low, std::int64_t high,
                            table<sign_interval>& runs) {
  table<table<int128>> differences;
  differences.push_back(coefficients);
  while (differences.back().size() > 1) {
    table<int128> next;
    if (const errc code = forward_difference(differences.back(), next); code != errc::none)
      return code;
    differences.push_back(next);
  }
  runs.clear();
  append_run(runs, low, high, sign_at(differences.back(), low));
  for (std::size_t level = differences.size() - 1; level-- > 0;) {
    table<sign_interval> finer;
    for (const sign_interval& run : runs) {
      // The difference at x relates x and x + 1, so a run up to `high` makes p monotone up to high
      // + 1; but that point starts the next run.
      append_monotone(differences[level], run.low, run.high, finer);
    }
    runs.swap(finer);
  }
  return errc::none;
}

}  // namespace detail

/// The maximal runs of integers in a domain on which a polynomial in its one symbol has one sign,
/// in order. Exact; `errc::overflow` if the coefficients, scaled to integers, do not fit 126 bits.
/// O(degree**3 log(domain)).
constexpr errc sign_intervals(const polynomial& p, const symbol_domain& domain,
                              table<sign_interval>& out) {
  table<int128> coefficients;
  const errc code = detail::integer_coefficients(p, coefficients);
  return code == errc::none ? detail::append_signs(coefficients, domain.low, domain.high, out)
                            : code;
}

namespace detail {

constexpr errc sign_at_corner(const polynomial& p, view<symbol_domain> box, bool upper, int& sign) {
  table<assignment> point;
  for (const symbol_domain& side : box) point.push_back({side.name, upper ? side.high : side.low});
  const result<rational> value = evaluate_at(p, point);
  sign = value->sign();
  return value.error().code;
}

/// 1 or -1 if all terms with the symbol have coefficients of that sign, else 0.
constexpr int direction(const polynomial& p, symbol s) {
  bool rises = true, falls = true;
  for (const polynomial_term& term : p.terms()) {
    if (term.powers.exponent_of(s) == 0) continue;
    (term.coefficient.sign() < 0 ? rises : falls) = false;
  }
  return rises ? 1 : falls ? -1 : 0;
}

/// A polynomial on a box that is translated to the origin: each symbol runs from 0 to its width.
struct shifted_box {
  polynomial p;
  table<symbol_domain> sides;
};

/// Translates the lower corner to the origin and eliminates symbols with a single value or in which
/// the polynomial is monotone term by term: the minimum lies at one end of their range. Exact.
constexpr errc simplify(shifted_box& box) {
  for (symbol_domain& side : box.sides) {
    polynomial moved(side.name);
    errc code = add(moved, polynomial(side.low), moved);
    if (code == errc::none && side.low != 0) code = substitute(box.p, side.name, moved, box.p);
    std::int64_t width = 0;
    if (code != errc::none || !checked_subtract(side.high, side.low, width)) return errc::overflow;
    side.low = 0;
    side.high = width;
  }
  for (bool again = true; again;) {
    again = false;
    table<symbol_domain> kept;
    for (const symbol_domain& side : box.sides) {
      const int way = direction(box.p, side.name);
      if (way == 0 && side.high != 0) {
        kept.push_back(side);
        continue;
      }
      again = true;
      const rational end(way > 0 ? 0 : side.high);
      if (const errc code = substitute(box.p, side.name, end, box.p); code != errc::none)
        return code;
    }
    box.sides.swap(kept);
    again = again && !box.sides.empty();
  }
  return errc::none;
}

/// A lower bound of a polynomial on a box at the origin: its constant and negative terms at the far
/// corner.
constexpr errc lower_bound(const shifted_box& box, rational& out) {
  polynomial negative;
  errc code = errc::none;
  for (const polynomial_term& term : box.p.terms())
    if (code == errc::none && (term.coefficient.sign() < 0 || term.powers.count == 0))
      code = negative.add_term(term.coefficient, term.powers);
  for (const symbol_domain& side : box.sides)
    if (code == errc::none) code = substitute(negative, side.name, rational(side.high), negative);
  out = negative.constant();
  return code;
}

/// The verdict on one box: the sign of the minimum is known, the box must be halved, or overflow.
enum class box_verdict : std::uint8_t { decided, open, failed };

/// Finds the sign of the minimum on a box, or an upper bound of it in `sign`.
constexpr box_verdict examine(shifted_box& box, int& sign) {
  if (simplify(box) != errc::none) return box_verdict::failed;
  if (box.sides.empty()) return sign = box.p.constant().sign(), box_verdict::decided;
  if (box.sides.size() == 1) {
    table<sign_interval> runs;
    if (sign_intervals(box.p, box.sides[0], runs) != errc::none) return box_verdict::failed;
    sign = 1;
    for (const sign_interval& run : runs) sign = run.sign < sign ? run.sign : sign;
    return box_verdict::decided;
  }
  int near = 0, far = 0;
  rational bound;
  if (sign_at_corner(box.p, box.sides, false, near) != errc::none ||
      sign_at_corner(box.p, box.sides, true, far) != errc::none ||
      lower_bound(box, bound) != errc::none)
    return box_verdict::failed;
  sign = near < far ? near : far;
  if (sign < 0 || bound.sign() > 0) return box_verdict::decided;
  return box_verdict::open;
}

constexpr void halve(const shifted_box& box, table<shifted_box>& out) {
  std::size_t widest = 0;
  for (std::size_t i = 1; i < box.sides.size(); ++i)
    if (box.sides[i].high > box.sides[widest].high) widest = i;
  const std::int64_t middle = box.sides[widest].high / 2;
  shifted_box lower = box, upper = box;
  lower.sides[widest].high = middle;
  upper.sides[widest].low = middle + 1;
  out.push_back(static_cast<shifted_box&&>(upper));
  out.push_back(static_cast<shifted_box&&>(lower));
}

/// The sign of the minimum of a polynomial at the integer points of a box. False if it is not
/// decided after `budget` boxes, or on overflow. Source: interval branch and bound (Moore 1966),
/// with term-wise monotonicity and exact treatment of boxes with one symbol.
constexpr bool least_sign(const polynomial& p, const table<symbol_domain>& box,
                          std::uint32_t budget, int& least) {
  table<shifted_box> open;
  open.push_back({p, box});
  least = 1;
  bool undecided = false;
  for (std::uint32_t looked = 0; !open.empty(); ++looked) {
    if (looked == budget) return false;
    shifted_box current = static_cast<shifted_box&&>(open.back());
    open.pop_back();
    int sign = 1;
    const box_verdict verdict = examine(current, sign);
    if (verdict == box_verdict::failed) {
      undecided = true;  // another box may still decide with a negative point
      continue;
    }
    if (sign < least) least = sign;
    if (least < 0) return true;
    if (verdict == box_verdict::open) halve(current, open);
  }
  return !undecided;
}

}  // namespace detail

}  // namespace wf
