// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <utility>

#include <wf/core/text/fixed_string.hpp>

namespace wf {

template <fixed_string Name, class... Steps>
class toolchain;

// A toolchain may be a step of another one, alone or in wrappers: steps with a member `inner`.
namespace detail {

template <class S>
inline constexpr bool is_toolchain = false;
template <fixed_string Name, class... Steps>
inline constexpr bool is_toolchain<toolchain<Name, Steps...>> = true;

// The toolchain inside a step's wrappers, or the step itself.
template <class S>
constexpr const auto& unwrapped(const S& step) {
  if constexpr (!is_toolchain<S> && requires { step.inner; })
    return unwrapped(step.inner);
  else
    return step;
}
template <class S>
using unwrapped_type = std::remove_cvref_t<decltype(unwrapped(std::declval<const S&>()))>;

// The step with its innermost step replaced, in the same wrappers.
template <class S, class Inner>
constexpr auto rewrapped(const S& step, Inner inner) {
  if constexpr (!is_toolchain<S> && requires { step.inner; })
    return step.with_inner(rewrapped(step.inner, static_cast<Inner&&>(inner)));
  else
    return inner;
}

}  // namespace detail
}  // namespace wf
