// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/version.hpp>

namespace wf {

/// A type-erased reference to a callable: code that takes a `callable&` is compiled once for all
/// types. Works at compile time and at run time. A `callable_to` creates it.
template <class Result, class... Arguments>
class callable {
 public:
  callable(const callable&) = delete;
  callable& operator=(const callable&) = delete;

  /// Calls the referenced callable.
  constexpr Result operator()(Arguments... arguments) const {
    return call_(*this, static_cast<Arguments&&>(arguments)...);
  }

 protected:
  /// Calls the target of an object of the derived class.
  using function = Result (*)(const callable&, Arguments...);
  /// Stores the function of the derived class.
  constexpr explicit callable(function call) : call_(call) {}
  constexpr ~callable() = default;

 private:
  function call_;
};

/// A `callable` that refers to an object of type `F`, which must outlive it.
template <class F, class Result, class... Arguments>
class callable_to : public callable<Result, Arguments...> {
 public:
  /// Refers to `target`.
  constexpr explicit callable_to(F& target) : base(&call), target_(target) {}

 private:
  using base = callable<Result, Arguments...>;

  static constexpr Result call(const base& self, Arguments... arguments) {
    return static_cast<Result>(
        static_cast<const callable_to&>(self).target_(static_cast<Arguments&&>(arguments)...));
  }

  F& target_;
};

}  // namespace wf
