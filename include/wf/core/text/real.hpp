// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/hexadecimal.hpp>
#include <wf/core/text/nearest_normal.hpp>

namespace wf {

namespace detail {

/// Maximum number of decimal places, and of powers of ten: 10^19 still fits 64 bits.
inline constexpr std::uint32_t max_decimal_places = 19;

constexpr std::uint64_t power_of_ten(std::uint32_t exponent) {
  std::uint64_t power = 1;
  for (std::uint32_t i = 0; i < exponent; ++i) power *= 10;
  return power;
}

/// The double nearest to digits / 10^places, ties to even. The quotient has at least 64 bits, and
/// the remainder states whether it is exact, so that rounding is correct.
constexpr double decimal_fraction(std::uint64_t digits, std::uint32_t places) {
  if (digits == 0) return 0;
  const int shift = std::countl_zero(digits) + 64;
  const uint128 dividend = uint128{digits} << shift, divisor = power_of_ten(places);
  return nearest_normal(dividend / divisor, -shift, dividend % divisor != 0);
}

/// Computes n · 2^exponent; false if it is no double.
constexpr bool exact_binary(std::uint64_t n, int exponent, double& out) {
  if (n == 0) return out = 0, true;
  const int zeros = std::countr_zero(n);
  n >>= zeros;
  exponent += zeros;
  const int width = static_cast<int>(std::bit_width(n)), top = exponent + width - 1;
  if (width > 53 || top > 1023 || exponent < -1074) return false;
  if (top < -1022) {
    out = std::bit_cast<double>(n << (exponent + 1074));
  } else {
    out = nearest_normal(n, exponent, false);
  }
  return true;
}

/// The decimal with the fewest places that reads back as `size`, which must not be negative; false
/// if there is none within 17 digits and 19 places.
constexpr bool shortest_decimal(double size, std::uint64_t& digits, std::uint32_t& places) {
  const auto bits = std::bit_cast<std::uint64_t>(size);
  const int exponent = static_cast<int>(bits >> 52) - 1075;
  const std::uint64_t mantissa = (bits & ((std::uint64_t{1} << 52) - 1)) | (std::uint64_t{1} << 52);
  if (exponent > 3 || exponent < -120) return false;
  std::uint64_t power = 1;
  for (places = 0; places <= max_decimal_places; ++places, power *= 10) {
    const uint128 scaled = uint128{mantissa} * power;
    const uint128 nearest = exponent >= 0 ? scaled << exponent
                                          : (scaled + (uint128{1} << (-exponent - 1))) >> -exponent;
    if (nearest >= 100'000'000'000'000'000U) return false;
    digits = static_cast<std::uint64_t>(nearest);
    if (digits != 0 && decimal_fraction(digits, places) == size) return true;
  }
  return false;
}

}  // namespace detail

/// The text of a double, which `parse_real` converts to the same bits: a short decimal fraction if
/// one suffices ("0.1", "-2.0"), else hexadecimal ("0x1.8p+200"), "inf", "nan", or "nan:" and the
/// 64 bits of an unusual NaN. Never the text of an integer.
constexpr text real_text(double number) {
  auto bits = std::bit_cast<std::uint64_t>(number);
  text out;
  if (bits == 0x7ff8000000000000U) return text("nan");
  if (number != number) {
    out << "nan:";
    detail::append_hexadecimal(out, bits, 16);
    return out;
  }
  if ((bits >> 63) != 0) out << '-';
  bits &= ~std::uint64_t{0} >> 1;
  std::uint64_t digits = 0;
  std::uint32_t places = 0;
  if (bits == 0) return out << "0.0", out;
  if (bits == 0x7ff0000000000000U) return out << "inf", out;
  if (detail::shortest_decimal(std::bit_cast<double>(bits), digits, places)) {
    const std::uint64_t power = detail::power_of_ten(places);
    out << digits / power << '.';
    text fraction;
    fraction << digits % power;
    for (std::size_t i = fraction.size(); i < places; ++i) out << '0';
    out << fraction.view();
    return out;
  }
  std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
  const int exponent = static_cast<int>(bits >> 52);
  int count = 13;
  while (count > 1 && (mantissa & 15) == 0) mantissa >>= 4, --count;
  out << (exponent == 0 ? "0x0." : "0x1.");
  detail::append_hexadecimal(out, mantissa, count);
  const int power = exponent == 0 ? -1022 : exponent - 1023;
  out << 'p' << (power < 0 ? "" : "+") << power;
  return out;
}

namespace detail {

/// Parses the output of `real_text`, and decimals and hexadecimals in general.
class real_reader {
 public:
  constexpr explicit real_reader(text_view source) : rest_(source) {}

  constexpr result<double> read() {
    const bool negative = rest_.starts_with("-");
    if (negative || rest_.starts_with("+")) rest_ = rest_.part(1);
    double size = 0;
    if (rest_ == "inf") {
      size = std::bit_cast<double>(std::uint64_t{0x7ff0000000000000U});
    } else if (rest_.starts_with("nan")) {
      return negative ? wrong("expected a number") : read_nan();
    } else if (const error e = rest_.starts_with("0x") ? hexadecimal(size) : decimal(size);
               e.code != errc::none) {
      return e;
    }
    return negative ? -size : size;
  }

 private:
  static constexpr error wrong(text_view message) {
    return make_error(errc::graph_syntax, "", message);
  }
  constexpr result<double> read_nan() {
    if (rest_ == "nan") return std::bit_cast<double>(std::uint64_t{0x7ff8000000000000U});
    if (rest_.size() != 20 || rest_[3] != ':')
      return wrong("expected 'nan', or 'nan:' and 16 hexadecimal digits");
    std::uint64_t bits = 0;
    for (char c : rest_.part(4)) {
      const int digit = hexadecimal_digit(c);
      if (digit < 0) return wrong("expected 16 hexadecimal digits after 'nan:'");
      bits = (bits << 4) | static_cast<std::uint64_t>(digit);
    }
    if ((bits << 1) <= 0xffe0000000000000U) return wrong("these are not the bits of a nan");
    return std::bit_cast<double>(bits);
  }
  // Parses digits with at most one point: their value, and the number of digits after the point.
  constexpr error digits(std::uint64_t base, std::uint64_t& value, int& after_point) {
    bool point = false, any = false;
    int zeros = 0;  // trailing zeros count only before a further digit
    for (; !rest_.empty(); rest_ = rest_.part(1)) {
      if (rest_[0] == '.' && !point) {
        point = true;
        continue;
      }
      const int digit = hexadecimal_digit(rest_[0]);
      if (digit < 0 || static_cast<std::uint64_t>(digit) >= base) break;
      any = true;
      if (point) ++after_point;
      ++zeros;
      if (digit == 0) continue;
      for (; zeros > 0; --zeros)
        if (value != 0 && !checked_multiply(value, base, value)) return too_many();
      if (!checked_add(value, static_cast<std::uint64_t>(digit), value)) return too_many();
    }
    if (!any) return wrong("expected a digit");
    after_point -= zeros;
    return {};
  }
  static constexpr error too_many() {
    return wrong("the number has more digits than can be read exactly");
  }
  // Parses an optional signed exponent after `mark`.
  constexpr error exponent(char mark, int& value) {
    if (rest_.empty()) return {};
    if (rest_[0] != mark && rest_[0] != mark - 'a' + 'A') return wrong("this is not a number");
    rest_ = rest_.part(1);
    const bool negative = rest_.starts_with("-");
    if (negative || rest_.starts_with("+")) rest_ = rest_.part(1);
    if (rest_.empty()) return wrong("expected the digits of the exponent");
    for (char c : rest_) {
      if (c < '0' || c > '9') return wrong("expected the digits of the exponent");
      if (value < 100'000) value = 10 * value + (c - '0');
    }
    if (negative) value = -value;
    return {};
  }
  constexpr error decimal(double& out) {
    std::uint64_t value = 0;
    int after_point = 0, power = 0;
    if (error e = digits(10, value, after_point); e.code != errc::none) return e;
    if (error e = exponent('e', power); e.code != errc::none) return e;
    power -= after_point;
    constexpr int limit = static_cast<int>(max_decimal_places);
    if (value == 0) {
      out = 0;
    } else if (power < -limit || power > limit) {
      return wrong("the number has too high a power of ten: write it in hexadecimal (0x1.8p+200)");
    } else if (power < 0) {
      out = decimal_fraction(value, static_cast<std::uint32_t>(-power));
    } else {
      out = nearest_normal(uint128{value} * power_of_ten(static_cast<std::uint32_t>(power)), 0,
                           false);
    }
    return {};
  }
  constexpr error hexadecimal(double& out) {
    rest_ = rest_.part(2);
    std::uint64_t value = 0;
    int after_point = 0, power = 0;
    if (error e = digits(16, value, after_point); e.code != errc::none) return e;
    if (error e = exponent('p', power); e.code != errc::none) return e;
    // With more digits the exponent is out of range in any case.
    if (after_point > 100'000 || after_point < -100'000) return too_many();
    if (!exact_binary(value, power - 4 * after_point, out))
      return wrong("the number is no double: it has more than 53 bits or too high an exponent");
    return {};
  }

  text_view rest_;
};

}  // namespace detail

/// Parses a double: a decimal of about 19 digits at most, rounded to nearest, ties to even; a
/// hexadecimal, which must be exact; "inf", "nan". Errors: `graph_syntax`, without a position.
/// O(size).
constexpr result<double> parse_real(text_view source) { return detail::real_reader(source).read(); }

}  // namespace wf
