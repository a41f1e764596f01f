// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/text.hpp>

namespace wf {

/// A duration in its largest unit of at least one, with at most three decimals and no zeros at
/// their end; what follows is cut: "1.5 ms", "12 us", "-3 s". O(1).
constexpr text duration_text(std::int64_t nanoseconds) {
  constexpr text_view units[] = {"ns", "us", "ms", "s"};
  const bool negative = nanoseconds < 0;
  const std::uint64_t size = negative ? 0 - static_cast<std::uint64_t>(nanoseconds)
                                      : static_cast<std::uint64_t>(nanoseconds);
  std::uint64_t unit = 1;
  std::size_t which = 0;
  for (; which < 3 && size / unit >= 1000; ++which) unit *= 1000;
  text out(negative ? "-" : "");
  out << size / unit;
  std::uint64_t rest = which == 0 ? 0 : size % unit / (unit / 1000);
  if (rest != 0) {
    int digits = 3;
    for (; rest % 10 == 0; rest /= 10) --digits;
    out << '.';
    for (std::uint64_t least = digits == 3 ? 100 : digits == 2 ? 10 : 1; least > rest; least /= 10)
      out << '0';
    out << rest;
  }
  return out << ' ' << units[which];
}

}  // namespace wf
