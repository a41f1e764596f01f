// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/pass/wrapper.hpp>

namespace wf {

/// What is compiled together with what is known of its arguments: the running value of front ends
/// whose steps mostly look at one of the two.
template <class Data, class Args>
struct concrete {
  /// The stage.
  Data data{};
  /// The arguments.
  Args args{};
  friend constexpr bool operator==(const concrete&, const concrete&) = default;
};

/// A step on the data of a `concrete`; see `on_data`.
template <class Args, step_type Step>
struct data_step {
  /// The stage it takes.
  using in = concrete<typename Step::in, Args>;
  /// The stage it returns.
  using out = concrete<typename Step::out, Args>;
  /// The name of the step inside.
  static constexpr text_view name() { return Step::name(); }
  /// True if the step may fail.
  static constexpr bool fallible = Step::fallible;

  /// The step.
  [[no_unique_address]] Step inner;

  /// Runs the step on the data and keeps the arguments.
  constexpr step_outcome<out, fallible> operator()(const in& x) const {
    auto context = detail::untraced();
    return run(x, context);
  }
  /// Runs the step on the data as a part of another one.
  template <class Context>
  constexpr step_outcome<out, fallible> run(const in& x, Context& context) const {
    return detail::and_then(detail::call_step(inner, x.data, context), [&](auto&& made) {
      return out{static_cast<decltype(made)>(made), x.args};
    });
  }
  /// The same adapter of another step.
  template <step_type Other>
  constexpr data_step<Args, Other> with_inner(Other other) const {
    return {static_cast<Other&&>(other)};
  }
};

/// A step that works on data alone, for stages that carry arguments: they are kept.
template <class Args, step_type Step>
constexpr data_step<Args, Step> on_data(Step step) {
  return {static_cast<Step&&>(step)};
}

/// A step on the arguments of a `concrete`; see `on_args`.
template <class Data, step_type Step>
struct args_step {
  /// The stage it takes.
  using in = concrete<Data, typename Step::in>;
  /// The stage it returns.
  using out = concrete<Data, typename Step::out>;
  /// The name of the step inside.
  static constexpr text_view name() { return Step::name(); }
  /// True if the step may fail.
  static constexpr bool fallible = Step::fallible;

  /// The step.
  [[no_unique_address]] Step inner;

  /// Runs the step on the arguments and keeps the data.
  constexpr step_outcome<out, fallible> operator()(const in& x) const {
    auto context = detail::untraced();
    return run(x, context);
  }
  /// Runs the step on the arguments as a part of another one.
  template <class Context>
  constexpr step_outcome<out, fallible> run(const in& x, Context& context) const {
    return detail::and_then(detail::call_step(inner, x.args, context), [&](auto&& made) {
      return out{x.data, static_cast<decltype(made)>(made)};
    });
  }
  /// The same adapter of another step.
  template <step_type Other>
  constexpr args_step<Data, Other> with_inner(Other other) const {
    return {static_cast<Other&&>(other)};
  }
};

/// A step that works on arguments alone, for stages that carry data: it is kept.
template <class Data, step_type Step>
constexpr args_step<Data, Step> on_args(Step step) {
  return {static_cast<Step&&>(step)};
}

/// A step on the data of a `concrete` that drops the arguments; see `drop_args`.
template <class Args, step_type Step>
struct dropping_step {
  /// The stage it takes.
  using in = concrete<typename Step::in, Args>;
  /// The stage it returns.
  using out = typename Step::out;
  /// The name of the step inside.
  static constexpr text_view name() { return Step::name(); }
  /// True if the step may fail.
  static constexpr bool fallible = Step::fallible;

  /// The step.
  [[no_unique_address]] Step inner;

  /// Runs the step on the data.
  constexpr step_outcome<out, fallible> operator()(const in& x) const { return inner(x.data); }
  /// Runs the step on the data as a part of another one.
  template <class Context>
  constexpr step_outcome<out, fallible> run(const in& x, Context& context) const {
    return detail::call_step(inner, x.data, context);
  }
  /// The same adapter of another step.
  template <step_type Other>
  constexpr dropping_step<Args, Other> with_inner(Other other) const {
    return {static_cast<Other&&>(other)};
  }
};

/// A step that works on data alone, after which nothing sees the arguments.
template <class Args, step_type Step>
constexpr dropping_step<Args, Step> drop_args(Step step) {
  return {static_cast<Step&&>(step)};
}

}  // namespace wf
