// SPDX-License-Identifier: BSL-1.0
#pragma once

// A small compiler: the text "73" is parsed, a half is added, and the sum is printed.

#include <wf/toolchain/toolchain.hpp>

namespace stages {

struct source {
  wf::text characters;
  friend constexpr bool operator==(const source&, const source&) = default;
};
struct number {
  long tenths = 0;
  friend constexpr bool operator==(const number&, const number&) = default;
};
struct listing {
  wf::text characters;
  friend constexpr bool operator==(const listing&, const listing&) = default;
};

constexpr wf::result<long> digits(const source& s) {
  long value = 0;
  for (std::size_t i = 0; i < s.characters.size(); ++i) {
    const char c = s.characters[i];
    if (c < '0' || c > '9')
      return wf::make_error(wf::errc::formula_syntax, "source", "expected a digit",
                            wf::position_at(s.characters.view(), i));
    value = value * 10 + (c - '0');
  }
  return value;
}
constexpr number add_half(long value) { return {value * 10 + 5}; }
constexpr listing write(const number& n) {
  return {wf::text() << n.tenths / 10 << '.' << n.tenths % 10};
}

inline constexpr auto parse = wf::step<"parse">(&digits);
inline constexpr auto operate = wf::step<"operate">(&add_half);
inline constexpr auto print = wf::step<"print">(&write);
inline constexpr auto compiler = parse | operate | print;

// The same compiler with its last two steps in a nested toolchain.
inline constexpr auto back = wf::chain<"back">(operate, print);
inline constexpr auto nested = wf::chain(parse, back);

constexpr source text_of(const char* characters) { return {wf::text(characters)}; }

// Records all events.
struct diary {
  wf::text lines;
  template <class In>
  constexpr void enter(const wf::step_info& step, const In&) {
    lines << '>' << wf::path_of(step).view() << ' ';
  }
  template <class Out>
  constexpr void leave(const wf::step_info& step, const Out&) {
    lines << '<' << wf::path_of(step).view() << ' ';
  }
  constexpr void fail(const wf::step_info& step, const wf::error& e) {
    lines << '!' << wf::path_of(step).view() << ' ' << static_cast<int>(e.code) << ' ';
  }
};

}  // namespace stages
