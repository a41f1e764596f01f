// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/toolchain/wrapper.hpp>

namespace wf {

/// Data of a compilation together with its arguments: the stage of front ends whose steps mostly
/// use one of the two.
template <class Data, class Args>
struct concrete {
  /// The stage that is compiled, such as a graph.
  Data data{};
  /// The known arguments.
  Args args{};
  friend constexpr bool operator==(const concrete&, const concrete&) = default;
};

namespace detail {

// Policies of steps on a part of a `concrete`: the part they see, and how their result is completed
// to a stage.
template <class Args>
struct keeping_args {
  template <class Data>
  using in = concrete<Data, Args>;
  template <class Data>
  using out = concrete<Data, Args>;
  static constexpr const auto& part_of(const auto& x) { return x.data; }
  template <class Data>
  static constexpr out<Data> whole(Data&& made, const auto& x) {
    return {static_cast<Data&&>(made), x.args};
  }
};
template <class Data>
struct keeping_data {
  template <class Args>
  using in = concrete<Data, Args>;
  template <class Args>
  using out = concrete<Data, Args>;
  static constexpr const auto& part_of(const auto& x) { return x.args; }
  template <class Args>
  static constexpr out<Args> whole(Args&& made, const auto& x) {
    return {x.data, static_cast<Args&&>(made)};
  }
};
template <class Args>
struct dropping_args {
  template <class Data>
  using in = concrete<Data, Args>;
  template <class Data>
  using out = Data;
  static constexpr const auto& part_of(const auto& x) { return x.data; }
  template <class Data>
  static constexpr Data whole(Data&& made, const auto&) {
    return static_cast<Data&&>(made);
  }
};

}  // namespace detail

/// A step on a part of a `concrete`; see `on_data`, `on_args` and `drop_args`.
template <class Policy, step_type Step>
struct adapted_step {
  /// The stage it takes, a `concrete`.
  using in = typename Policy::template in<typename Step::in>;
  /// The stage it returns; a `concrete` except for `drop_args`.
  using out = typename Policy::template out<typename Step::out>;
  /// The name of the inner step.
  static constexpr text_view name() { return Step::name(); }
  /// True if the inner step may fail.
  static constexpr bool fallible = Step::fallible;

  /// The step on the part.
  [[no_unique_address]] Step inner;

  /// Runs the inner step on its part.
  constexpr step_outcome<out, fallible> operator()(const in& x) const {
    auto context = detail::untraced();
    return run(x, context);
  }
  /// Runs the inner step on its part, within another step.
  template <class Context>
  constexpr step_outcome<out, fallible> run(const in& x, Context& context) const {
    return detail::and_then(detail::call_step(inner, Policy::part_of(x), context),
                            [&](typename Step::out&& made) {
                              return Policy::whole(static_cast<typename Step::out&&>(made), x);
                            });
  }
  /// The same adapter for another step.
  template <step_type Other>
  constexpr adapted_step<Policy, Other> with_inner(Other other) const {
    return {static_cast<Other&&>(other)};
  }
};

/// Adapts a step on data to stages that carry arguments; the arguments are kept.
template <class Args, step_type Step>
constexpr adapted_step<detail::keeping_args<Args>, Step> on_data(Step step) {
  return {static_cast<Step&&>(step)};
}

/// Adapts a step on arguments to stages that carry data; the data is kept.
template <class Data, step_type Step>
constexpr adapted_step<detail::keeping_data<Data>, Step> on_args(Step step) {
  return {static_cast<Step&&>(step)};
}

/// Adapts a step on data to stages that carry arguments; the arguments are dropped.
template <class Args, step_type Step>
constexpr adapted_step<detail::dropping_args<Args>, Step> drop_args(Step step) {
  return {static_cast<Step&&>(step)};
}

}  // namespace wf
