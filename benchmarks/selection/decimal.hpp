// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>

#include <wf/core/integer.hpp>
#include <wf/core/text_view.hpp>

#include <selection/instance.hpp>

namespace selection_benchmark {

/// A number as written, exactly: digits / 10^decimals.
struct decimal {
  std::int64_t digits = 0;
  int decimals = 0;
};

/// The most decimals of any public instance.
inline constexpr int most_decimals = 3;

/// Reads "-12.50"; false if it is anything else, too large or too fine. Zeros at the end of the
/// decimals do not count.
inline bool read_decimal(wf::text_view text, decimal& out) {
  const bool negative = !text.empty() && text[0] == '-';
  std::size_t at = negative ? 1 : 0;
  const std::size_t point = text.find('.');
  std::size_t end = text.size();
  if (point < text.size()) {
    while (end > point + 1 && text[end - 1] == '0') --end;
    if (text.size() == point + 1) return false;
    for (std::size_t i = end; i < text.size(); ++i)
      if (text[i] != '0') return false;
  }
  if (at == text.size() || at == point) return false;
  out = {};
  for (; at < end; ++at) {
    if (at == point) continue;
    if (text[at] < '0' || text[at] > '9') return false;
    out.digits = 10 * out.digits + (text[at] - '0');
    out.decimals += at > point;
    if (out.digits > largest_number || out.decimals > most_decimals) return false;
  }
  if (negative) out.digits = -out.digits;
  return true;
}

/// 10^decimals.
inline std::int64_t power_of_ten(int decimals) {
  std::int64_t out = 1;
  for (int i = 0; i < decimals; ++i) out *= 10;
  return out;
}

/// The number times 10^decimals, which must be at least the number's own.
inline std::int64_t scaled(const decimal& number, int decimals) {
  return number.digits * power_of_ten(decimals - number.decimals);
}

/// A total in the publisher's units: "153", "12.5".
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

/// A published value as a total of the problem's objective; false if it is no such value.
inline bool total_of(const instance& i, wf::text_view value, std::int64_t& out) {
  decimal number;
  if (!read_decimal(value, number) || power_of_ten(number.decimals) > i.scale) return false;
  const std::int64_t exact = number.digits * (i.scale / power_of_ten(number.decimals));
  out = i.maximised ? i.offset - exact : exact;
  return true;
}

}  // namespace selection_benchmark
