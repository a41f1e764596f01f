// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <wf/toolchain/step.hpp>

// Three steps from number to number, of which the second may fail.
namespace number_steps {

inline constexpr auto half = wf::step<"half">([](int n) { return n / 2.0; });
inline constexpr auto round_off = wf::step<"round">([](double x) -> wf::result<int> {
  if (x < 0) return wf::make_error(wf::errc::overflow, "x", "below zero");
  return static_cast<int>(x);
});
inline constexpr auto negate = wf::step<"negate">([](int n) { return -n; });
using half_t = std::remove_const_t<decltype(half)>;
using round_t = std::remove_const_t<decltype(round_off)>;
using negate_t = std::remove_const_t<decltype(negate)>;

}  // namespace number_steps
