// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/pack.hpp>
#include <wf/toolchain/step.hpp>

namespace wf::detail {

template <class... Steps>
inline constexpr text_view step_names[sizeof...(Steps)] = {Steps::name()...};

// The index of the step with a name; the number of steps if there is none.
constexpr std::size_t find_step(view<text_view> names, text_view wanted) {
  std::size_t i = 0;
  while (i < names.size() && names[i] != wanted) ++i;
  return i;
}
// The index of the first true entry; the number of entries if there is none.
template <std::size_t N>
constexpr std::size_t first_true(const bool (&facts)[N]) {
  std::size_t i = 0;
  while (i < N && !facts[i]) ++i;
  return i;
}

// True if a step in [first, last) may fail.
template <class... Steps>
constexpr bool any_fallible(std::size_t first, std::size_t last) {
  const bool may_fail[] = {Steps::fallible...};
  for (std::size_t i = first; i < last; ++i)
    if (may_fail[i]) return true;
  return false;
}

}  // namespace wf::detail
