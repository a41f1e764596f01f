// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

// One function for constant evaluation and for run time, whose code a program may have compiled
// once: headers call it through `call_compiled`, and next to it declare its instantiation of
// `compiled` where the macro WF_COMPILED says that the program links `wf::compiled`, which defines
// it (<wf/run/static/definitions.hpp>). Without the macro each file that calls it compiles it.
namespace wf::detail {

/// `Function` behind a function that is not inline, so that an explicit instantiation declaration
/// keeps its code, and all that only it calls, out of an object file.
template <auto Function>
struct compiled;
template <class Result, class... Parameters, Result (*Function)(Parameters...)>
struct compiled<Function> {
  /// `Function(arguments...)`.
  static Result call(Parameters... arguments);
};
template <class Result, class... Parameters, Result (*Function)(Parameters...)>
Result compiled<Function>::call(Parameters... arguments) {
  return Function(static_cast<Parameters&&>(arguments)...);
}

/// `Function(arguments...)`: in constant evaluation directly, at run time by `compiled`.
template <auto Function, class... Arguments>
constexpr decltype(auto) call_compiled(Arguments&&... arguments) {
  if (std::is_constant_evaluated()) return Function(static_cast<Arguments&&>(arguments)...);
  return compiled<Function>::call(static_cast<Arguments&&>(arguments)...);
}

}  // namespace wf::detail
