// SPDX-License-Identifier: BSL-1.0
#pragma once

namespace wf {

/// A callable of whatever type that lives elsewhere: code that takes it by reference is compiled
/// once for all of them. In both tiers. A `callable_to` makes it.
template <class Result, class... Arguments>
class callable {
 public:
  callable(const callable&) = delete;
  callable& operator=(const callable&) = delete;

  /// Calls it.
  constexpr Result operator()(Arguments... arguments) const {
    return call_(*this, static_cast<Arguments&&>(arguments)...);
  }

 protected:
  /// Calls the callable that an object of a derived class knows.
  using function = Result (*)(const callable&, Arguments...);
  /// Calls by this function.
  constexpr explicit callable(function call) : call_(call) {}
  constexpr ~callable() = default;

 private:
  function call_;
};

/// The callable that calls an object of type `F`, which must outlive it.
template <class F, class Result, class... Arguments>
class callable_to : public callable<Result, Arguments...> {
 public:
  /// Calls `target`.
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
