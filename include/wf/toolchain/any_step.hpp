// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/toolchain/any_function.hpp>
#include <wf/toolchain/step.hpp>

namespace wf {

/// A step whose callable is chosen at run time, behind a fixed name and fixed stages: for
/// toolchains whose steps depend on a user's file or a command line. It may always fail; an empty
/// one fails with `step_failed`.
template <fixed_string Name, class In, class Out>
class any_step {
 public:
  /// The stage it takes.
  using in = In;
  /// The stage it returns.
  using out = Out;
  /// The step's name.
  static constexpr text_view name() { return Name.view(); }
  /// True: the callable is not known at compile time.
  static constexpr bool fallible = true;

  any_step() = default;
  /// Wraps a callable that takes the stage and returns the other one, or a result of it; a step,
  /// too.
  template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, any_step>) &&
            std::is_invocable_r_v<result<Out>, const F&, const In&>
  any_step(F function) : function_(static_cast<F&&>(function)) {}

  /// True if a callable was chosen.
  explicit operator bool() const { return static_cast<bool>(function_); }
  /// Runs the callable. Errors: its own; `step_failed` if there is none.
  result<Out> operator()(const In& x) const {
    if (!function_) return make_error(errc::step_failed, name(), "nothing was chosen to run here");
    return function_(x);
  }

 private:
  any_function<result<Out>, const In&> function_;
};

}  // namespace wf
