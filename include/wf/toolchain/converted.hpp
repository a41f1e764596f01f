// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/toolchain/checks.hpp>

namespace wf {

/// The result of a step beside the original stage from which its input was unwrapped: the stage of
/// steps that wrap results; see `converted`.
template <class Made, class From>
struct made_from {
  /// The result of the step.
  Made made{};
  /// The original stage, before it was unwrapped; it lives as long as the step runs.
  const From* from = nullptr;
};

namespace detail {

template <class Made, class From>
inline constexpr text_view given_stage_name<made_from<Made, From>> =
    extended_stage_name<Made, " and what it was made from">.view();

// Adapts a callable `wrap(made, from)` to a step's callable.
template <class Made, class From, class F>
struct wrapping {
  [[no_unique_address]] F wrap;
  constexpr auto operator()(made_from<Made, From>&& x) const
    requires std::invocable<const F&, Made, const From&>
  {
    return wrap(static_cast<Made&&>(x.made), *x.from);
  }
  constexpr auto operator()(const made_from<Made, From>& x) const
    requires std::invocable<const F&, const Made&, const From&>
  {
    return wrap(x.made, *x.from);
  }
};
template <class F, class Made, class From>
concept wraps = std::invocable<const F&, Made, const From&>;

// The stage that a callable unwraps: the step's, or the type of its only argument.
template <class F>
struct unwrapped_stage : signature_of<F> {};
template <step_type F>
struct unwrapped_stage<F> {
  using in = typename F::in;
};

// Makes the step "unwrap" from a step or a callable.
template <class From, class F>
constexpr auto unwrap_step(F f) {
  if constexpr (step_type<F>)
    return rename<"unwrap">(static_cast<F&&>(f));
  else
    return step<"unwrap", From, plain_of<std::invoke_result_t<const F&, const From&>>>(
        static_cast<F&&>(f));
}
// Makes the step "wrap" from a step or a callable; void if it does not take the result.
template <class Made, class From, class F>
constexpr auto wrap_step(F f) {
  using stage = made_from<Made, From>;
  if constexpr (step_type<F>)
    return rename<"wrap">(static_cast<F&&>(f));
  else if constexpr (wraps<F, Made, From>)
    return step<"wrap", stage, plain_of<std::invoke_result_t<const F&, Made, const From&>>>(
        wrapping<Made, From, F>{static_cast<F&&>(f)});
}
template <class F, class Made, class From>
inline constexpr bool makes_wrap_step = [] {
  if constexpr (step_type<F>)
    return std::same_as<typename F::in, made_from<Made, From>>;
  else
    return wraps<F, Made, From>;
}();

template <class First, class Second>
constexpr error conversion_failure() {
  return mismatch_error(First::name(), stage_name<typename First::out>, Second::name(),
                        stage_name<typename Second::in>);
}
template <class Made, class From>
constexpr error unwrapped_failure() {
  return make_error(
      errc::step_mismatch, "wrap",
      (text() << "step 'wrap' does not take " << stage_name<Made> << " and " << stage_name<From>)
          .view());
}

/// Unwraps a stage, runs a step on it, and wraps the result.
template <class Unwrap, class Step, class Wrap, class Context>
constexpr auto run_converted(const Unwrap& unwrap, const Step& step, const Wrap& wrap,
                             const typename Unwrap::in& x, Context& context)
    -> step_outcome<typename Wrap::out, Unwrap::fallible || Step::fallible || Wrap::fallible> {
  auto inside = run_step(unwrap, x, context);
  if constexpr (Unwrap::fallible)
    if (!inside) return inside.error();
  const auto plain = []<class Made>(Made&& made) -> decltype(auto) {
    if constexpr (is_result<Made>)
      return *static_cast<Made&&>(made);
    else
      return static_cast<Made&&>(made);
  };
  auto made = run_step(step, plain(static_cast<decltype(inside)&&>(inside)), context);
  if constexpr (Step::fallible)
    if (!made) return made.error();
  return run_step(wrap, typename Wrap::in{plain(static_cast<decltype(made)&&>(made)), &x}, context);
}

}  // namespace detail

/// A step on stages of another type; see `converted`.
template <step_type Unwrap, step_type Step, step_type Wrap>
struct converted_step {
  /// The original stage, which is unwrapped.
  using in = typename Unwrap::in;
  /// The wrapped result.
  using out = typename Wrap::out;
  /// The name of the inner step.
  static constexpr text_view name() { return Step::name(); }
  /// True if one of the three steps may fail.
  static constexpr bool fallible = Unwrap::fallible || Step::fallible || Wrap::fallible;

  /// Makes the stage that the inner step takes.
  [[no_unique_address]] Unwrap unwrap;
  /// The inner step.
  [[no_unique_address]] Step converts;
  /// Makes the returned stage from the result.
  [[no_unique_address]] Wrap wrap;

  /// Unwraps, runs the step, and wraps.
  constexpr step_outcome<out, fallible> operator()(const in& x) const {
    auto context = detail::untraced();
    return run(x, context);
  }
  /// Unwraps, runs the step, and wraps, within another step.
  template <class Context>
  constexpr step_outcome<out, fallible> run(const in& x, Context& context) const {
    return detail::run_converted(unwrap, converts, wrap, x, context);
  }
};

/// A step for stages of another type, under the inner step's name: the step "unwrap" converts the
/// stage to the inner step's input, and the step "wrap" converts its result back. `unwrap` is a
/// step or a callable with one signature, `wrap` a step on a `made_from` or a callable `wrap(made,
/// from)`, where `from` is the original stage. All three are seen by tracers, and named in the
/// paths of errors: "lower/unwrap". Conversions nest. Compile errors: WF801 if they do not fit.
template <class Unwrap, step_type Step, class Wrap>
constexpr auto converted(Unwrap unwrap, Step step, Wrap wrap) {
  using from = typename detail::unwrapped_stage<Unwrap>::in;
  using made = typename Step::out;
  using first = decltype(detail::unwrap_step<from>(static_cast<Unwrap&&>(unwrap)));
  constexpr bool enters = std::same_as<typename first::out, typename Step::in>;
  (void)sizeof(detail::step_check<enters, &detail::conversion_failure<first, Step>>);
  constexpr bool leaves = detail::makes_wrap_step<Wrap, made, from>;
  (void)sizeof(detail::step_check<leaves, &detail::unwrapped_failure<made, from>>);
  if constexpr (enters && leaves) {
    using last = decltype(detail::wrap_step<made, from>(static_cast<Wrap&&>(wrap)));
    return converted_step<first, Step, last>{
        detail::unwrap_step<from>(static_cast<Unwrap&&>(unwrap)), static_cast<Step&&>(step),
        detail::wrap_step<made, from>(static_cast<Wrap&&>(wrap))};
  } else {
    return step;
  }
}

}  // namespace wf
