// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/toolchain/step.hpp>

namespace wf {

namespace detail {

/// The common part of steps that wrap another one: its stages and its name.
template <step_type Step, bool Fallible>
struct wrapper_base {
  /// The stage it takes.
  using in = typename Step::in;
  /// The stage it returns.
  using out = typename Step::out;
  /// The name of the inner step.
  static constexpr text_view name() { return Step::name(); }
  /// True if it returns a `result`.
  static constexpr bool fallible = Fallible;
};

// The error of a check's verdict, which may be an error, a result or a bool.
template <class Verdict>
constexpr error verdict_error(const Verdict& verdict, text_view step) {
  if constexpr (std::same_as<Verdict, error>) {
    return verdict;
  } else if constexpr (is_result<Verdict>) {
    return verdict.error();
  } else {
    static_assert(std::same_as<Verdict, bool>,
                  "a check returns bool, wf::error or wf::result<...>");
    if (verdict) return {};
    return make_error(errc::step_failed, step, "the check of its stage does not hold");
  }
}

}  // namespace detail

/// A step that skips some stages; see `skip_if`.
template <step_type Step, class Predicate>
struct skipped_step : detail::wrapper_base<Step, Step::fallible> {
  /// The stage it takes and returns.
  using stage = typename Step::in;

  /// True for stages that are returned unchanged.
  [[no_unique_address]] Predicate skips;
  /// The step for all other stages.
  [[no_unique_address]] Step inner;

  /// Wraps a step with a predicate.
  constexpr skipped_step(Predicate p, Step s)
      : skips(static_cast<Predicate&&>(p)), inner(static_cast<Step&&>(s)) {}

  /// Runs the step, or returns the stage unchanged.
  template <class X>
    requires std::invocable<const Step&, X>
  constexpr step_outcome<stage, Step::fallible> operator()(X&& x) const {
    auto context = detail::untraced();
    return run(static_cast<X&&>(x), context);
  }
  /// Runs the step within another one, or returns the stage unchanged.
  template <class X, class Context>
    requires std::invocable<const Step&, X>
  constexpr step_outcome<stage, Step::fallible> run(X&& x, Context& context) const {
    if (skips(static_cast<const stage&>(x))) return stage(static_cast<X&&>(x));
    return detail::call_step(inner, static_cast<X&&>(x), context);
  }
  /// The same wrapper for another step.
  template <step_type Other>
  constexpr auto with_inner(Other other) const {
    return skip_if(skips, static_cast<Other&&>(other));
  }
};

/// A step that runs only if `skips` is false for its stage; otherwise it returns the stage
/// unchanged. It takes and returns the same type.
template <class Predicate, step_type Step>
  requires std::same_as<typename Step::in, typename Step::out> &&
           std::predicate<const Predicate&, const typename Step::in&>
constexpr skipped_step<Step, Predicate> skip_if(Predicate skips, Step step) {
  return {static_cast<Predicate&&>(skips), static_cast<Step&&>(step)};
}

/// A step with a checked result; see `checked`.
template <step_type Step, class Invariant>
struct checked_step : detail::wrapper_base<Step, true> {
  /// The invariant of the returned stage.
  [[no_unique_address]] Invariant holds;
  /// The step whose result is checked.
  [[no_unique_address]] Step inner;

  /// Wraps a step with an invariant.
  constexpr checked_step(Step s, Invariant i)
      : holds(static_cast<Invariant&&>(i)), inner(static_cast<Step&&>(s)) {}

  /// Runs the step and checks its result. Errors: the step's, the invariant's own, or `step_failed`
  /// if the invariant returns false.
  template <class X>
    requires std::invocable<const Step&, X>
  constexpr result<typename Step::out> operator()(X&& x) const {
    auto context = detail::untraced();
    return run(static_cast<X&&>(x), context);
  }
  /// Runs the step within another one and checks its result. Errors as above.
  template <class X, class Context>
    requires std::invocable<const Step&, X>
  constexpr result<typename Step::out> run(X&& x, Context& context) const {
    result<typename Step::out> made = detail::call_step(inner, static_cast<X&&>(x), context);
    if (!made) return made;
    error e =
        detail::verdict_error(holds(static_cast<const typename Step::out&>(*made)), Step::name());
    if (e.code != errc::none) return e;
    return made;
  }
  /// The same invariant for another step.
  template <step_type Other>
  constexpr auto with_inner(Other other) const {
    return checked(static_cast<Other&&>(other), holds);
  }
};

/// A step whose result must satisfy an invariant: `holds(stage)` returns bool, an error, or a
/// result. Errors: the invariant's own, or `step_failed`.
template <step_type Step, class Invariant>
  requires std::invocable<const Invariant&, const typename Step::out&>
constexpr checked_step<Step, Invariant> checked(Step step, Invariant holds) {
  return {static_cast<Step&&>(step), static_cast<Invariant&&>(holds)};
}

/// Two alternative steps to the same stage; see `fallback`.
template <step_type First, step_type Second>
struct fallback_step : detail::wrapper_base<First, Second::fallible> {
  /// The step that runs first.
  [[no_unique_address]] First first;
  /// The step that runs if the first one fails.
  [[no_unique_address]] Second second;

  /// Combines two alternatives.
  constexpr fallback_step(First a, Second b)
      : first(static_cast<First&&>(a)), second(static_cast<Second&&>(b)) {}

  /// Runs the first step and, if it fails, the second one.
  constexpr step_outcome<typename First::out, Second::fallible> operator()(
      const typename First::in& x) const {
    auto context = detail::untraced();
    return run(x, context);
  }
  /// Runs the first step and, if it fails, the second one, within another step.
  template <class Context>
  constexpr step_outcome<typename First::out, Second::fallible> run(const typename First::in& x,
                                                                    Context& context) const {
    auto made = detail::run_step(first, x, context);
    if (made) return *static_cast<decltype(made)&&>(made);
    return detail::run_step(second, x, context);
  }
};

/// A step that runs `first` and, if that fails with an error, runs `second` on the same stage. It
/// has the name of `first`; an exception does not count as an error and propagates.
template <step_type First, step_type Second>
  requires First::fallible && std::same_as<typename First::in, typename Second::in> &&
           std::same_as<typename First::out, typename Second::out>
constexpr fallback_step<First, Second> fallback(First first, Second second) {
  return {static_cast<First&&>(first), static_cast<Second&&>(second)};
}

/// A pair of stages, for the tracks of a `diamond`.
template <class First, class Second>
struct both {
  /// The stage of the left track.
  First first{};
  /// The stage of the right track.
  Second second{};
  friend constexpr bool operator==(const both&, const both&) = default;
};

/// Two tracks between a split and a combination; see `diamond`.
template <fixed_string Name, step_type Split, step_type Left, step_type Right, step_type Combine>
struct diamond_step {
  /// The stage that `split` takes.
  using in = typename Split::in;
  /// The stage that `combine` returns.
  using out = typename Combine::out;
  /// The step's name.
  static constexpr text_view name() { return Name.view(); }
  /// True if one of its steps may fail.
  static constexpr bool fallible =
      Split::fallible || Left::fallible || Right::fallible || Combine::fallible;

  /// Makes the stages of both tracks.
  [[no_unique_address]] Split split;
  /// The step on the left track, which runs first.
  [[no_unique_address]] Left left;
  /// The step on the right track, which runs second.
  [[no_unique_address]] Right right;
  /// Combines the results of both tracks.
  [[no_unique_address]] Combine combine;

  /// Runs split, left, right and combine, in this order.
  constexpr step_outcome<out, fallible> operator()(const in& x) const {
    auto context = detail::untraced();
    return run(x, context);
  }
  /// Runs split, left, right and combine within another step.
  template <class Context>
  constexpr step_outcome<out, fallible> run(const in& x, Context& context) const {
    result<typename Split::out> halves = detail::run_step(split, x, context);
    if constexpr (fallible)
      if (!halves) return halves.error();
    result<typename Left::out> a = detail::run_step(left, halves->first, context);
    if constexpr (fallible)
      if (!a) return a.error();
    result<typename Right::out> b = detail::run_step(right, halves->second, context);
    if constexpr (fallible)
      if (!b) return b.error();
    return detail::run_step(
        combine,
        typename Combine::in{*static_cast<decltype(a)&&>(a), *static_cast<decltype(b)&&>(b)},
        context);
  }
};

/// A step with two tracks: `split` returns a `both` of the stages that `left` and `right` take, and
/// `combine` takes a `both` of their results. The tracks run one after the other, left first.
/// Stages must be default constructible.
template <fixed_string Name, step_type Split, step_type Left, step_type Right, step_type Combine>
  requires std::same_as<typename Split::out, both<typename Left::in, typename Right::in>> &&
           std::same_as<typename Combine::in, both<typename Left::out, typename Right::out>>
constexpr diamond_step<Name, Split, Left, Right, Combine> diamond(Split split, Left left,
                                                                  Right right, Combine combine) {
  return {static_cast<Split&&>(split), static_cast<Left&&>(left), static_cast<Right&&>(right),
          static_cast<Combine&&>(combine)};
}

namespace detail {

// Calls an observer and passes the stage on.
template <class T, class Observer>
struct observing {
  [[no_unique_address]] Observer observe;
  constexpr T operator()(const T& x) const {
    observe(x);
    return x;
  }
  constexpr T operator()(T&& x) const {
    observe(static_cast<const T&>(x));
    return static_cast<T&&>(x);
  }
};

// Passes the stage on if a check holds.
template <class T, class Check>
struct verifying {
  [[no_unique_address]] Check check;
  text_view name;
  constexpr result<T> operator()(const T& x) const {
    if (error e = verdict_error(check(x), name); e.code != errc::none) return e;
    return x;
  }
  constexpr result<T> operator()(T&& x) const {
    if (error e = verdict_error(check(static_cast<const T&>(x)), name); e.code != errc::none)
      return e;
    return static_cast<T&&>(x);
  }
};

}  // namespace detail

/// A step that shows its stage to an observer and passes it on: `tee<"log">([](const ir& x) { ...
/// })`.
template <fixed_string Name, class Observer>
  requires detail::has_one_signature<Observer>
constexpr auto tee(Observer observer) {
  using stage = typename detail::signature_of<Observer>::in;
  return step<Name, stage, stage>(
      detail::observing<stage, Observer>{static_cast<Observer&&>(observer)});
}

/// A step that passes its stage on if a check holds, and fails otherwise: `check(stage)` returns
/// bool, an error, or a result. It preserves the stage's type, so it can always be dropped. Errors:
/// the check's own, or `step_failed`.
template <fixed_string Name, class Check>
  requires detail::has_one_signature<Check>
constexpr auto verify(Check check) {
  using stage = typename detail::signature_of<Check>::in;
  return step<Name, stage, stage>(
      detail::verifying<stage, Check>{static_cast<Check&&>(check), Name.view()});
}

}  // namespace wf
