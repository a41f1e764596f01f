// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <system_error>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/character.hpp>

namespace wf::wfformat {

/// A number of a WfFormat file. It keeps the spelling of the file, so that nothing is rounded and
/// 1.50 stays 1.50; or it is absent.
class number {
 public:
  /// An absent number.
  constexpr number() = default;
  /// A whole number.
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char>)
  constexpr number(Integer value) {
    spelling_ << value;
  }
  /// The number that a JSON text spells. Precondition: it is a number by RFC 8259.
  static constexpr number spelled(text_view json) {
    number out;
    out.spelling_ = text(json);
    return out;
  }
  /// The number units / 10^places, without zeros at the end: `decimal(1500, 3)` is 1.5.
  static constexpr number decimal(std::int64_t units, std::uint32_t places) {
    for (; places != 0 && units % 10 == 0; --places) units /= 10;
    text digits;
    digits << (units < 0 ? -static_cast<int128>(units) : static_cast<int128>(units));
    number out;
    if (units < 0) out.spelling_ << '-';
    if (digits.size() <= places) {
      out.spelling_ << "0.";
      for (std::size_t i = digits.size(); i < places; ++i) out.spelling_ << '0';
      out.spelling_ << digits.view();
      return out;
    }
    const std::size_t whole = digits.size() - places;
    out.spelling_ << digits.view().part(0, whole);
    if (places != 0) out.spelling_ << '.' << digits.view().part(whole);
    return out;
  }
  /// The shortest decimal number that reads as this double. Errors: `no_exact_value` if it is
  /// infinite or no number.
  static result<number> of(double value) {
    if (!(value - value == 0))
      return make_error(errc::no_exact_value, "", "an infinite number has no JSON form");
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    return spelled({digits, static_cast<std::size_t>(end - digits)});
  }

  /// False if the file does not state it.
  constexpr bool is_stated() const { return !spelling_.empty(); }
  /// Its characters in JSON; none if it is absent.
  constexpr text_view spelling() const { return spelling_; }
  /// True if it is spelled without fraction and exponent, as the type "integer" of JSON Schema
  /// draft 4 demands.
  constexpr bool is_integer() const {
    for (const char c : spelling())
      if (!wf::detail::is_digit(c) && c != '-') return false;
    return is_stated();
  }
  /// -1, 0 or 1; 0 if it is absent.
  constexpr int sign() const {
    const parts p = read();
    return p.digits.empty() ? 0 : p.negative ? -1 : 1;
  }
  /// True if it is 1 or more; exact, however many digits it has.
  constexpr bool is_at_least_one() const {
    const parts p = read();
    return !p.negative && !p.digits.empty() && whole_digits(p) >= 1;
  }
  /// The integer nearest to the number times 10^power; halves are rounded away from 0. Errors:
  /// `no_exact_value` if it is absent, `overflow` if the integer does not fit 64 bits. O(size).
  constexpr result<std::int64_t> scaled(std::uint32_t power) const {
    if (!is_stated()) return make_error(errc::no_exact_value, "", "the number is absent");
    const parts p = read();
    const std::int64_t count = whole_digits(p) + power;
    const auto size = static_cast<std::int64_t>(p.digits.size());
    if (size == 0 || count < 0) return std::int64_t{0};
    if (count > 19) return too_large();
    int128 value = 0;
    for (std::int64_t i = 0; i < count; ++i)
      value = 10 * value + (i < size ? p.digits[static_cast<std::size_t>(i)] - '0' : 0);
    if (count < size && p.digits[static_cast<std::size_t>(count)] >= '5') ++value;
    if (value > INT64_MAX) return too_large();
    return static_cast<std::int64_t>(p.negative ? -value : value);
  }
  /// The nearest double. Errors: `no_exact_value` if it is absent, `overflow` if it is out of the
  /// range of doubles. At run time only.
  result<double> real() const {
    if (!is_stated()) return make_error(errc::no_exact_value, "", "the number is absent");
    double out = 0;
    const char* const first = spelling_.data();
    if (std::from_chars(first, first + spelling_.size(), out).ec != std::errc()) {
      if (sign() == 0 || !is_at_least_one_in_size()) return 0.0;
      return too_large();
    }
    return out;
  }

  /// True if both are spelled alike.
  friend constexpr bool operator==(const number&, const number&) = default;

 private:
  /// digits · 10^power; no zeros in front, no digits for 0.
  struct parts {
    bool negative = false;
    text digits;
    std::int64_t power = 0;
  };
  /// The number of digits before the point; not positive for numbers below 1.
  static constexpr std::int64_t whole_digits(const parts& p) {
    return static_cast<std::int64_t>(p.digits.size()) + p.power;
  }
  constexpr parts read() const {
    parts out;
    bool fraction = false;
    std::size_t at = 0;
    for (; at < spelling_.size() && spelling_[at] != 'e' && spelling_[at] != 'E'; ++at) {
      const char c = spelling_[at];
      if (c == '-') out.negative = true;
      if (c == '.') fraction = true;
      if (!wf::detail::is_digit(c)) continue;
      if (fraction) --out.power;
      if (c != '0' || !out.digits.empty()) out.digits << c;
    }
    if (at == spelling_.size()) return out;
    std::int64_t exponent = 0;
    bool down = false;
    for (++at; at < spelling_.size(); ++at) {
      if (spelling_[at] == '-') down = true;
      if (wf::detail::is_digit(spelling_[at]) && exponent < 1'000'000'000'000)
        exponent = 10 * exponent + (spelling_[at] - '0');
    }
    out.power += down ? -exponent : exponent;
    return out;
  }
  constexpr bool is_at_least_one_in_size() const { return whole_digits(read()) >= 1; }
  static constexpr error too_large() {
    return make_error(errc::overflow, "", "the number is too large");
  }

  text spelling_;
};

}  // namespace wf::wfformat
