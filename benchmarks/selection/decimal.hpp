// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>

#include <wf/core/integer.hpp>
#include <wf/core/text/view.hpp>

#include <selection/instance.hpp>

namespace selection_benchmark {

/// A decimal number, exactly: digits / 10^decimals.
struct decimal {
  std::int64_t digits = 0;
  int decimals = 0;
};

/// The most decimals that can be read; public instances have up to nine.
inline constexpr int most_decimals = 9;

/// Reads "-12.50", "1e3" and "2.5E-3"; false for anything else, for numbers above `largest_number`
/// and for more than `most_decimals` decimals. Trailing zeros do not count.
inline bool read_decimal(wf::text_view text, decimal& out) {
  const auto digit = [&](std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  const bool negative = !text.empty() && text[0] == '-';
  std::size_t at = negative ? 1 : 0;
  wf::int128 digits = 0;
  int decimals = 0, zeros = 0;  // pending zeros, not yet in `digits`
  bool fraction = false;
  if (!digit(at)) return false;
  for (; digit(at) || (!fraction && at < text.size() && text[at] == '.' && digit(at + 1)); ++at) {
    if (text[at] == '.') {
      fraction = true;
      continue;
    }
    if (text[at] == '0' && digits == 0 && !fraction) continue;
    decimals += fraction;
    ++zeros;
    if (text[at] == '0') continue;
    for (; zeros > 0; --zeros) {
      digits *= 10;
      if (digits > largest_number) return false;
    }
    digits += text[at] - '0';
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    const bool down = ++at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    int power = 0;
    if (!digit(at)) return false;
    for (; digit(at); ++at)
      if ((power = 10 * power + (text[at] - '0')) > 1000) return false;
    decimals += down ? power : -power;
  }
  if (at != text.size()) return false;
  decimals -= zeros;  // the number is digits / 10^decimals, without trailing zeros
  if (digits == 0) decimals = 0;
  for (; decimals < 0; ++decimals)
    if ((digits *= 10) > largest_number) return false;
  if (digits > largest_number || decimals > most_decimals) return false;
  out = {static_cast<std::int64_t>(negative ? -digits : digits), decimals};
  return true;
}

/// 10^decimals.
inline std::int64_t power_of_ten(int decimals) {
  std::int64_t out = 1;
  for (int i = 0; i < decimals; ++i) out *= 10;
  return out;
}

/// The number times 10^decimals, for at least as many decimals as the number has; false if the
/// result is above `largest_number`.
inline bool scaled(const decimal& number, int decimals, std::int64_t& out) {
  const wf::int128 exact = wf::int128(number.digits) * power_of_ten(decimals - number.decimals);
  out = static_cast<std::int64_t>(exact);
  return exact <= largest_number && exact >= -largest_number;
}

/// A total as text in the publisher's units: "153", "12.5".
inline std::string published(const instance& i, std::int64_t total) {
  std::int64_t value = i.maximised ? i.offset - total : total;
  std::string out = value < 0 ? "-" : "";
  if (value < 0) value = -value;
  out += std::to_string(value / i.scale);
  if (std::int64_t rest = value % i.scale; rest != 0) {
    out += '.';
    for (std::int64_t unit = i.scale / 10; rest != 0; unit /= 10) {
      out += static_cast<char>('0' + rest / unit);
      rest %= unit;
    }
  }
  return out;
}

/// Converts a published value to a total of the objective; false if that is impossible.
inline bool total_of(const instance& i, wf::text_view value, std::int64_t& out) {
  decimal number;
  if (!read_decimal(value, number) || power_of_ten(number.decimals) > i.scale) return false;
  const wf::int128 exact = wf::int128(number.digits) * (i.scale / power_of_ten(number.decimals));
  const wf::int128 total = i.maximised ? i.offset - exact : exact;
  out = static_cast<std::int64_t>(total);
  return out == total;
}

}  // namespace selection_benchmark
