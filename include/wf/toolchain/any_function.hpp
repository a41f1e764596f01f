// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <wf/core/container/erased.hpp>

namespace wf {

template <class Result, class... Arguments>
class any_function;

namespace detail {
// Callables that may be none.
template <class F>
inline constexpr bool may_be_none = std::is_pointer_v<F>;
template <class Result, class... Arguments>
inline constexpr bool may_be_none<any_function<Result, Arguments...>> = true;
}  // namespace detail

/// Holds a callable of any type, or none, and copies it with itself: the part of `std::function`
/// that steps need, without its header (<functional> adds a ninth to the time of `toolchain.hpp`).
template <class Result, class... Arguments>
class any_function {
 public:
  /// Holds nothing.
  any_function() = default;
  /// Holds a copyable callable, no pointer to a member; nothing if it is a null pointer or an empty
  /// `any_function`.
  template <class F>
    requires(!std::same_as<F, any_function> && !std::is_member_pointer_v<F> &&
             std::is_invocable_r_v<Result, F&, Arguments...>)
  any_function(F function) {
    if constexpr (detail::may_be_none<F>)
      if (!function) return;
    target_ = {std::move(function), actions_on<F>};
  }

  /// True if there is a callable.
  explicit operator bool() const { return static_cast<bool>(target_); }
  /// Calls it; there must be one.
  Result operator()(Arguments... arguments) const {
    return target_->call(target_.object(), std::forward<Arguments>(arguments)...);
  }

 private:
  struct actions : detail::erased_functions {
    Result (*call)(void*, Arguments...);
  };
  template <class F>
  static constexpr actions actions_on{
      {detail::erased_functions_of<F>}, [](void* f, Arguments... arguments) -> Result {
        return static_cast<Result>((*static_cast<F*>(f))(std::forward<Arguments>(arguments)...));
      }};

  detail::erased<actions> target_;
};

}  // namespace wf
