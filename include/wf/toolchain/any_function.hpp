// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include <wf/core/version.hpp>

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
/// that steps need, without its header (<functional> is an eighth of the time of `toolchain.hpp`).
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
    target_ = new F(std::move(function));
    actions_ = &actions_on<F>;
  }
  any_function(const any_function& other)
      : target_(other ? other.actions_->copy(other.target_) : nullptr), actions_(other.actions_) {}
  any_function(any_function&& other) noexcept
      : target_(std::exchange(other.target_, nullptr)), actions_(other.actions_) {}
  /// Takes over a copy.
  any_function& operator=(any_function other) noexcept {
    std::swap(target_, other.target_);
    std::swap(actions_, other.actions_);
    return *this;
  }
  ~any_function() {
    if (*this) actions_->destroy(target_);
  }

  /// True if there is a callable.
  explicit operator bool() const { return target_ != nullptr; }
  /// Calls it; there must be one.
  Result operator()(Arguments... arguments) const {
    return actions_->call(target_, std::forward<Arguments>(arguments)...);
  }

 private:
  struct actions {
    void* (*copy)(const void*);
    void (*destroy)(void*);
    Result (*call)(void*, Arguments...);
  };
  template <class F>
  static constexpr actions actions_on{
      [](const void* f) -> void* { return new F(*static_cast<const F*>(f)); },
      [](void* f) { delete static_cast<F*>(f); },
      [](void* f, Arguments... arguments) -> Result {
        return static_cast<Result>((*static_cast<F*>(f))(std::forward<Arguments>(arguments)...));
      }};

  void* target_ = nullptr;
  const actions* actions_ = nullptr;
};

}  // namespace wf
