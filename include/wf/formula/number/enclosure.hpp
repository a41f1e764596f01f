// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/formula/language/domain.hpp>
#include <wf/formula/number/binary.hpp>

namespace wf {

/// A real number, exact as a fraction or enclosed by two bounds. Exact operands give an exact
/// result if it is a fraction of 128-bit integers; otherwise the result is enclosed, with a
/// relative width of about 2**-60 per operation (interval arithmetic with outward rounding: Moore,
/// Interval Analysis, 1966). Comparisons and rounding that the bounds do not decide are
/// `errc::undecided`.
///
/// Invariant: low <= number <= high; if it is exact, the bounds are unused.
struct enclosure {
  rational exact;        ///< the number, if `is_exact`
  bool is_exact = true;  ///< true if `exact` is the number, false if `low` and `high` enclose it
  binary low;            ///< lower bound, if not exact
  binary high;           ///< upper bound, if not exact

  constexpr enclosure() = default;
  /// An exact number.
  constexpr enclosure(const rational& number) : exact(number) {}

  /// The lower bound for `rounding::down`, the upper bound for `rounding::up`. Errors: none for
  /// numbers whose exponent has at most six digits.
  constexpr errc bound(rounding side, binary& out) const {
    if (is_exact) return to_binary(exact, side, out);
    out = side == rounding::down ? low : high;
    return errc::none;
  }
};

namespace detail {

// Function pointers to bounds and loops over both sides: templates would cost compile time in every
// file that prices anything.
using bound_function = errc (*)(const binary&, rounding, binary&);
using bound_operation = errc (*)(const binary&, const binary&, rounding, binary&);
inline constexpr rounding both_sides[] = {rounding::down, rounding::up};

/// A number between two bounds.
constexpr enclosure between(const binary& low, const binary& high) {
  enclosure out;
  out.is_exact = false;
  out.low = low;
  out.high = high;
  return out;
}

/// True if a result needs bounds: it is no fraction, or no fraction of 128-bit integers.
constexpr bool needs_bounds(errc exact) {
  return exact == errc::no_exact_value || exact == errc::overflow;
}

/// Applies an increasing function to both bounds.
constexpr errc enclose_monotone(bound_function function, const enclosure& a, enclosure& out) {
  binary made[2];
  for (const rounding side : both_sides) {
    binary x;
    errc code = a.bound(side, x);
    if (code == errc::none) code = function(x, side, made[static_cast<int>(side)]);
    if (code != errc::none) return code;
  }
  out = between(made[0], made[1]);
  return errc::none;
}

/// Applies an operation that is monotone in each operand: its extreme results are attained at one
/// of the four pairs of bounds.
constexpr errc enclose_corners(bound_operation operation, const enclosure& a, const enclosure& b,
                               enclosure& out) {
  binary made[2];
  for (const rounding side : both_sides)
    for (int corner = 0; corner < 4; ++corner) {
      binary x, y, value;
      errc code = a.bound(both_sides[corner % 2], x);
      if (code == errc::none) code = b.bound(both_sides[corner / 2], y);
      if (code == errc::none) code = operation(x, y, side, value);
      if (code != errc::none) return code;
      binary& best = made[static_cast<int>(side)];
      if (corner == 0 || (side == rounding::down ? value < best : best < value)) best = value;
    }
  out = between(made[0], made[1]);
  return errc::none;
}

/// The maximum, or the minimum, of each bound.
constexpr errc enclose_extreme(bool largest, const enclosure& a, const enclosure& b,
                               enclosure& out) {
  binary made[2];
  for (const rounding side : both_sides) {
    binary& bound = made[static_cast<int>(side)];
    binary other;
    errc code = a.bound(side, bound);
    if (code == errc::none) code = b.bound(side, other);
    if (code != errc::none) return code;
    if (largest == (bound < other)) bound = other;
  }
  out = between(made[0], made[1]);
  return errc::none;
}

/// The sign if both bounds agree on it.
constexpr errc sign_of(const enclosure& a, int& sign) {
  sign = a.is_exact ? a.exact.sign() : a.low.sign();
  return a.is_exact || (sign == a.high.sign() && sign != 0) ? errc::none : errc::undecided;
}

}  // namespace detail

/// True if the number is exact; stores it in `out`.
constexpr bool known_value(const enclosure& a, rational& out) {
  out = a.exact;
  return a.is_exact;
}

/// out = -a.
constexpr errc negate(const enclosure& a, enclosure& out) {
  if (a.is_exact) {
    const errc code = negate(a.exact, out.exact);
    out.is_exact = true;
    return code;
  }
  const binary low = negated(a.high), high = negated(a.low);
  out = a;
  out.low = low;
  out.high = high;
  return errc::none;
}

/// out = a + b.
constexpr errc add(const enclosure& a, const enclosure& b, enclosure& out) {
  if (rational sum; a.is_exact && b.is_exact) {
    const errc code = add(a.exact, b.exact, sum);
    if (code == errc::none) out = sum;
    if (!detail::needs_bounds(code)) return code;
  }
  return detail::enclose_corners(static_cast<detail::bound_operation>(add), a, b, out);
}

/// out = a - b.
constexpr errc subtract(const enclosure& a, const enclosure& b, enclosure& out) {
  enclosure minus;
  const errc code = negate(b, minus);
  return code == errc::none ? add(a, minus, out) : code;
}

/// out = a * b.
constexpr errc multiply(const enclosure& a, const enclosure& b, enclosure& out) {
  if (rational product; a.is_exact && b.is_exact) {
    const errc code = multiply(a.exact, b.exact, product);
    if (code == errc::none) out = product;
    if (!detail::needs_bounds(code)) return code;
  }
  if ((a.is_exact && a.exact.numerator == 0) || (b.is_exact && b.exact.numerator == 0))
    return out = enclosure(), errc::none;
  return detail::enclose_corners(static_cast<detail::bound_operation>(multiply), a, b, out);
}

/// out = a / b. `division_by_zero`; `undecided` if b may be 0.
constexpr errc quotient(const enclosure& a, const enclosure& b, enclosure& out) {
  if (rational ratio; a.is_exact && b.is_exact) {
    const errc code = divide(a.exact, b.exact, ratio);
    if (code == errc::none) out = ratio;
    if (!detail::needs_bounds(code)) return code;
  }
  int sign = 0;
  if (const errc code = detail::sign_of(b, sign); code != errc::none) return code;
  if (sign == 0) return errc::division_by_zero;
  if (a.is_exact && a.exact.numerator == 0) return out = enclosure(), errc::none;
  return detail::enclose_corners(static_cast<detail::bound_operation>(divide), a, b, out);
}

/// The sign of a - b; `undecided` where the bounds overlap.
constexpr errc compare(const enclosure& a, const enclosure& b, int& sign) {
  if (a.is_exact && b.is_exact) return compare(a.exact, b.exact, sign);
  enclosure difference;
  const errc code = subtract(a, b, difference);
  return code == errc::none ? detail::sign_of(difference, sign) : code;
}

/// The minimum, or the maximum, of two numbers; their bounds may overlap.
constexpr errc extreme(bool largest, const enclosure& a, const enclosure& b, enclosure& out) {
  int sign = 0;
  const errc compared = compare(a, b, sign);
  if (compared != errc::undecided) {
    if (const enclosure& chosen = largest == (sign < 0) ? b : a; &chosen != &out) out = chosen;
    return compared;
  }
  return detail::enclose_extreme(largest, a, b, out);
}

namespace detail {

/// floor, ceil or round of a bound. A tie is undecided: the bound may be the number itself.
constexpr errc nearby(formula_op op, const binary& a, rational& out) {
  int128 whole = 0;
  errc code = errc::none;
  if (op == formula_op::round) {
    binary shifted;
    code = add(a, {std::int64_t{1} << 61, -62}, rounding::down, shifted);
    if (code == errc::none) code = floor(shifted, whole);
    binary again;
    if (code == errc::none) code = to_binary(whole, rounding::down, again);
    if (code == errc::none && again == shifted && a.exponent < 0) return errc::undecided;
  } else {
    code = floor(op == formula_op::ceil ? negated(a) : a, whole);
    if (op == formula_op::ceil) whole = -whole;
  }
  out = rational(whole);
  return code;
}

/// The integer to which both bounds round; `undecided` if they differ.
constexpr errc round_bounds(formula_op op, const enclosure& a, enclosure& out) {
  rational low, high;
  errc code = nearby(op, a.low, low);
  if (code == errc::none) code = nearby(op, a.high, high);
  if (code == errc::overflow && a.low == a.high) return out = a, errc::none;  // an integer itself
  if (code != errc::none) return code == errc::overflow ? errc::undecided : code;
  if (low != high) return errc::undecided;
  out = low;
  return errc::none;
}

/// `no_exact_value` if the number is not positive: the function has no real value there.
constexpr errc check_positive(const enclosure& a) {
  int sign = 0;
  const errc code = sign_of(a, sign);
  return code != errc::none ? code : sign > 0 ? errc::none : errc::no_exact_value;
}

constexpr errc enclose_log2(const enclosure& a, enclosure& out) {
  if (const errc code = check_positive(a); code != errc::none) return code;
  return enclose_monotone(static_cast<bound_function>(log2), a, out);
}

constexpr errc enclose_exp2(const enclosure& a, enclosure& out) {
  return enclose_monotone(exp2, a, out);
}

constexpr errc enclose_sqrt(const enclosure& a, enclosure& out) {
  if (const errc code = check_positive(a); code != errc::none) return code;
  return enclose_monotone(static_cast<bound_function>(sqrt), a, out);
}

/// base ** times by repeated squaring.
constexpr errc whole_power(enclosure base, std::uint64_t times, enclosure& out) {
  errc code = errc::none;
  for (out = enclosure(1); times != 0 && code == errc::none; times /= 2) {
    if (times % 2 != 0) code = multiply(out, base, out);
    if (code == errc::none && times > 1) code = multiply(base, base, base);
  }
  return code;
}

}  // namespace detail

/// A one-operand function of the formula language. `no_exact_value` if there is no real value,
/// `undecided` if the bounds do not determine the requested integer or the existence of a value.
constexpr errc apply(formula_op op, const enclosure& a, enclosure& out) {
  using enum formula_op;
  if (rational value; a.is_exact) {
    const errc code = apply(op, a.exact, value);
    if (code == errc::none) out = value;
    if (!detail::needs_bounds(code)) return code;
  }
  if (op == floor || op == ceil || op == round) return detail::round_bounds(op, a, out);
  if (op == sqrt) return detail::enclose_sqrt(a, out);
  if (op == abs) {
    int sign = 0;
    const errc code = detail::sign_of(a, sign);
    if (code == errc::none) return sign < 0 ? wf::negate(a, out) : (out = a, code);
    enclosure minus;
    const errc negated = wf::negate(a, minus);
    return negated == errc::none ? extreme(true, a, minus, out) : negated;
  }
  if (op == exp) {
    const enclosure rate =
        detail::between(detail::log2_of_e(rounding::down), detail::log2_of_e(rounding::up));
    const errc code = wf::multiply(a, rate, out);
    return code == errc::none ? detail::enclose_exp2(out, out) : code;
  }
  if (op == ceil_sqrt || op == floor_sqrt) {
    const errc code = detail::enclose_sqrt(a, out);
    return code == errc::none ? apply(op == ceil_sqrt ? ceil : floor, out, out) : code;
  }
  errc code = detail::enclose_log2(a, out);
  if (code != errc::none || op == log2) return code;
  if (op != log) return apply(op == ceil_log2 ? ceil : floor, out, out);
  return wf::multiply(
      out, detail::between(detail::log_of_two(rounding::down), detail::log_of_two(rounding::up)),
      out);
}

/// out = floor(a / b).
constexpr errc floor_divide(const enclosure& a, const enclosure& b, enclosure& out) {
  const errc code = quotient(a, b, out);
  return code == errc::none ? apply(formula_op::floor, out, out) : code;
}

/// out = a - b * floor(a / b).
constexpr errc modulo(const enclosure& a, const enclosure& b, enclosure& out) {
  enclosure multiple;
  errc code = floor_divide(a, b, multiple);
  if (code == errc::none) code = multiply(multiple, b, multiple);
  return code == errc::none ? subtract(a, multiple, out) : code;
}

/// out = base ** exponent. `no_exact_value` if the power is not real.
constexpr errc power(const enclosure& base, const enclosure& exponent, enclosure& out) {
  if (rational value; base.is_exact && exponent.is_exact) {
    const errc code = power(base.exact, exponent.exact, value);
    if (code == errc::none) out = value;
    if (!detail::needs_bounds(code)) return code;
  }
  const int128 times = exponent.is_exact ? detail::absolute(exponent.exact.numerator) : 0;
  if (exponent.is_exact && exponent.exact.is_integer() && times <= UINT32_MAX) {
    const bool inverted = exponent.exact.sign() < 0;
    const errc code = detail::whole_power(base, static_cast<std::uint64_t>(times), out);
    return code == errc::none && inverted ? quotient(enclosure(1), out, out) : code;
  }
  enclosure logarithm;
  errc code = apply(formula_op::log2, base, logarithm);
  if (code == errc::none) code = multiply(logarithm, exponent, logarithm);
  return code == errc::none ? detail::enclose_exp2(logarithm, out) : code;
}

namespace detail {

/// Writes a bound with six decimals, or as `digits * 2**exponent` if it is too large for that.
constexpr void write_bound(text& out, const binary& bound, rounding to) {
  binary million;
  int128 millionths = 0;
  bool fits = to_binary(1'000'000, to, million) == errc::none &&
              multiply(bound, million, to, million) == errc::none && million.exponent <= 0;
  if (fits && to == rounding::up) million = negated(million);
  fits = fits && floor(million, millionths) == errc::none;
  if (!fits) {
    out << bound.digits << "*2**" << bound.exponent;
    return;
  }
  if (to == rounding::up) millionths = -millionths;
  if (millionths < 0) out << '-';
  const int128 size = absolute(millionths);
  out << size / 1'000'000 << '.';
  for (int128 digit = 100'000, rest = size % 1'000'000; digit != 0; rest %= digit, digit /= 10)
    out << static_cast<char>('0' + static_cast<int>(rest / digit));
}

}  // namespace detail

/// The number if it is exact; otherwise the two bounds, rounded outwards to six decimals:
/// "[3321.928094, 3321.928095]". Bounds beyond 2**42 are written as products with powers of two.
constexpr text to_text(const enclosure& a) {
  if (a.is_exact) return to_text(a.exact);
  text out("[");
  detail::write_bound(out, a.low, rounding::down);
  out << ", ";
  detail::write_bound(out, a.high, rounding::up);
  return out << "]", out;
}

/// True if the number is at most `maximum`. Errors: `undecided` if `maximum` lies between the
/// bounds.
constexpr result<bool> at_most(const enclosure& a, const rational& maximum) {
  int sign = 0;
  const errc code = compare(a, enclosure(maximum), sign);
  if (code == errc::none) return sign <= 0;
  return make_error(code, "",
                    (text() << to_text(a).view() << " may be at most " << to_text(maximum).view()
                            << ", and may be more")
                        .view());
}

}  // namespace wf
