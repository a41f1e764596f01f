// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/functions/opaque.hpp>
#include <wf/run/plan/implement.hpp>

namespace wf {

namespace detail {

// A function that captures a node when called on values of a workflow, and that executors call.
template <class F, fixed_string Name, fixed_string Signature, auto... Argument>
struct captured_function : implementation<opaque_kernel<Name, Signature, Argument...>, F, false> {
  template <operand... Operand>
  constexpr auto operator()(const Operand&... operands) const {
    return opaque<Name, Signature, Argument...>(operands...);
  }
};

}  // namespace detail

/// A function opaque to wf, with the signature and the costs that `opaque` takes, together with its
/// implementation:
///
///     inline constexpr auto smooth = wf::opaque_function<"dsp.smooth", "x: floating [N] -> y[N]",
///                                                        wf::declare("flops", "3*N")>(
///         [](auto& y, const auto& x) { ... });
///
/// Called on values of a workflow, `smooth(x)`, it captures the node `::opaque::dsp.smooth`; in a
/// list of `implementations` it implements that node. The requirements on the function are those of
/// `implement`. Compile error: WF707 for a function with state.
template <fixed_string Name, fixed_string Signature, auto... Argument, class F>
constexpr detail::captured_function<F, Name, Signature, Argument...> opaque_function(F) {
  static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
                "WF707: the function of an operator has no state: use attributes");
  return {};
}

}  // namespace wf
