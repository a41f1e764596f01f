// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/pack.hpp>
#include <wf/toolchain/step.hpp>

namespace wf {

/// Combines several tracers: `w(x, wf::joined_tracer(dump, timing))`. The beginning of a step is
/// reported in their order, its end in the reverse order, so that for later tracers the work of the
/// earlier ones belongs to the enclosing step: a tracer that measures time comes last. Each may
/// lack any of the functions of a tracer. Refers to the tracers, which must outlive it.
template <class... Tracers>
class joined_tracer {
 public:
  /// Refers to the given tracers.
  constexpr explicit joined_tracer(Tracers&... tracers) : tracers_{{tracers}...} {}

  /// Called when a step begins.
  template <class In>
  constexpr void enter(const step_info& step, const In& x) {
    enter_from<0>(step, x);
  }
  /// Called when a step ends.
  template <class Out>
  constexpr void leave(const step_info& step, const Out& x) {
    leave_before<sizeof...(Tracers)>(step, x);
  }
  /// Called when a step fails.
  constexpr void fail(const step_info& step, const error& e) {
    fail_before<sizeof...(Tracers)>(step, e);
  }

 private:
  template <std::size_t I, class In>
  constexpr void enter_from(const step_info& step, const In& x) {
    if constexpr (I < sizeof...(Tracers)) {
      auto& tracer = pack_at<I>(tracers_);
      if constexpr (requires { tracer.enter(step, x); }) tracer.enter(step, x);
      enter_from<I + 1>(step, x);
    }
  }
  template <std::size_t I, class Out>
  constexpr void leave_before(const step_info& step, const Out& x) {
    if constexpr (I > 0) {
      auto& tracer = pack_at<I - 1>(tracers_);
      if constexpr (requires { tracer.leave(step, x); }) tracer.leave(step, x);
      leave_before<I - 1>(step, x);
    }
  }
  template <std::size_t I>
  constexpr void fail_before(const step_info& step, const error& e) {
    if constexpr (I > 0) {
      auto& tracer = pack_at<I - 1>(tracers_);
      if constexpr (requires { tracer.fail(step, e); }) tracer.fail(step, e);
      fail_before<I - 1>(step, e);
    }
  }

  pack<Tracers&...> tracers_;
};

}  // namespace wf
