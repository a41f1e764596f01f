// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/toolchain/converted.hpp>
#include <wf/toolchain/step_path.hpp>

namespace wf {

/// Calls programs of a back end directly, with the containers of its executables.
struct native_calls {
  /// True if a call has a step with that path: never, there are no conversions.
  template <fixed_string Path>
  static constexpr bool has() {
    return false;
  }
  /// Runs a callable on the arguments.
  template <class Run, class X, class Context>
  constexpr auto call(const Run& run, const X& x, Context&) const {
    return run(x);
  }
  /// Applies a function to the arguments that programs are called with.
  template <class Look, class X, class Context>
  constexpr auto look(const Look& function, const X& x, Context&) const {
    return function(x);
  }
};

namespace detail {

// The middle of a call: a step made of a callable that also takes the context.
template <class In, class Out, class F>
struct running_step {
  using in = In;
  using out = Out;
  static constexpr text_view name() { return "run"; }
  static constexpr bool fallible = true;
  const F& function;

  constexpr result<Out> operator()(const In& x) const {
    auto context = untraced();
    return function(x, context);
  }
  template <class Context>
  constexpr result<Out> run(const In& x, Context& context) const {
    return function(x, context);
  }
};

template <class Wrap>
struct wrapped_stage;
template <class Made, class From>
struct wrapped_stage<made_from<Made, From>> {
  using made = Made;
  using from = From;
};

template <class Old, class New>
constexpr error replaced_call_failure() {
  return make_error(
      errc::step_mismatch, Old::name(),
      (text() << "step '" << Old::name() << "' makes " << stage_name<typename Old::out> << " of "
              << stage_name<typename Old::in> << ", what is to replace it "
              << stage_name<typename New::out> << " of " << stage_name<typename New::in>)
          .view());
}
template <fixed_string Path>
inline constexpr bool names_unwrap = Path.view() == "unwrap";
template <fixed_string Path>
inline constexpr bool names_wrap = Path.view() == "wrap";
template <fixed_string Path>
inline constexpr bool names_inside = head_of(Path.view()) == "run" && is_nested_path<Path>;

}  // namespace detail

/// Calls programs of a back end with conversions: arguments are unwrapped before, results wrapped
/// after the run. The steps "unwrap", "run" and "wrap" are seen by tracers and named in the paths
/// of errors. Made by `backend::with_arguments`; it nests, with the inner steps inside "run":
/// "run/unwrap".
template <class Inner, step_type Unwrap, step_type Wrap>
class converted_calls {
 public:
  /// The arguments of a call, before they are unwrapped.
  using in = typename Unwrap::in;
  /// The results of a call, after they are wrapped.
  using out = typename Wrap::out;

  /// Encloses inner calls between two steps.
  constexpr converted_calls(Inner inner, Unwrap unwrap, Wrap wrap)
      : inner_(static_cast<Inner&&>(inner)),
        unwrap_(static_cast<Unwrap&&>(unwrap)),
        wrap_(static_cast<Wrap&&>(wrap)) {}

  /// True if a call has a replaceable step with that path: "unwrap", "run/wrap".
  template <fixed_string Path>
  static constexpr bool has() {
    if constexpr (detail::names_inside<Path>)
      return Inner::template has<detail::path_tail<Path>>();
    else
      return detail::names_unwrap<Path> || detail::names_wrap<Path>;
  }
  /// The step with an existing path.
  template <fixed_string Path>
    requires(has<Path>())
  constexpr const auto& get() const {
    if constexpr (detail::names_inside<Path>)
      return inner_.template get<detail::path_tail<Path>>();
    else if constexpr (detail::names_unwrap<Path>)
      return unwrap_;
    else
      return wrap_;
  }

  /// Runs a callable between the steps. Errors: those of the steps and of the callable, with paths.
  template <class Run, class Context>
  constexpr result<out> call(const Run& run, const in& x, Context& context) const {
    using native = typename Unwrap::out;
    using made = typename detail::wrapped_stage<typename Wrap::in>::made;
    const auto inside = [&](const native& n, auto& c) -> result<made> {
      return inner_.call(run, n, c);
    };
    const detail::running_step<native, made, decltype(inside)> middle{inside};
    return detail::run_converted(unwrap_, middle, wrap_, x, context);
  }
  /// Applies a function to the unwrapped arguments and returns its result. Errors: those of the
  /// steps that unwrap, with their paths; the function's.
  template <class Look, class Context>
  constexpr auto look(const Look& function, const in& x, Context& context) const
      -> decltype(std::declval<const Inner&>().look(function,
                                                    std::declval<const typename Unwrap::out&>(),
                                                    context)) {
    const result<typename Unwrap::out> native = detail::run_step(unwrap_, x, context);
    if (!native) return native.error();
    auto seen = inner_.look(function, *native, context);
    if (!seen) return detail::enclose(seen.error(), "run");
    return seen;
  }

  /// The same calls with one step replaced by another with the same stages; only the outermost
  /// `wrap` may return another stage. Compile errors: WF801 if it does not fit.
  template <fixed_string Path, class F>
    requires(has<Path>())
  constexpr auto replace(F f) const {
    if constexpr (detail::names_inside<Path>) {
      auto inner = inner_.template replace<detail::path_tail<Path>>(static_cast<F&&>(f));
      constexpr bool fits = std::same_as<typename decltype(inner)::out, typename Inner::out>;
      (void)sizeof(
          detail::step_check<fits,
                             &detail::replaced_call_failure<named<Inner>, named<decltype(inner)>>>);
      return converted_calls<decltype(inner), Unwrap, Wrap>(static_cast<decltype(inner)&&>(inner),
                                                            unwrap_, wrap_);
    } else if constexpr (detail::names_unwrap<Path>) {
      auto made = detail::unwrap_step<in>(static_cast<F&&>(f));
      using other = decltype(made);
      constexpr bool fits = std::same_as<typename other::in, in> &&
                            std::same_as<typename other::out, typename Unwrap::out>;
      (void)sizeof(detail::step_check<fits, &detail::replaced_call_failure<Unwrap, other>>);
      return converted_calls<Inner, other, Wrap>(inner_, static_cast<other&&>(made), wrap_);
    } else {
      using stage = detail::wrapped_stage<typename Wrap::in>;
      constexpr bool fits = detail::makes_wrap_step<F, typename stage::made, in>;
      (void)sizeof(detail::step_check<fits, &detail::unwrapped_failure<typename stage::made, in>>);
      if constexpr (fits) {
        auto made = detail::wrap_step<typename stage::made, in>(static_cast<F&&>(f));
        using other = decltype(made);
        return converted_calls<Inner, Unwrap, other>(inner_, unwrap_, static_cast<other&&>(made));
      } else {
        return *this;
      }
    }
  }

 private:
  // Presents the calls as a step, for messages.
  template <class Calls>
  struct named {
    using in = typename Calls::in;
    using out = typename Calls::out;
    static constexpr text_view name() { return "run"; }
  };

  [[no_unique_address]] Inner inner_;
  [[no_unique_address]] Unwrap unwrap_;
  [[no_unique_address]] Wrap wrap_;
};

/// A loaded program with other containers: the executable between the steps that unwrap arguments
/// and wrap results.
template <class Executable, class Calls>
class converted_program {
 public:
  /// The arguments of a call, before they are unwrapped.
  using in = typename Calls::in;
  /// The results of a call, after they are wrapped.
  using out = typename Calls::out;

  /// Combines an executable with its conversions.
  constexpr converted_program(Executable run, Calls calls)
      : run_(static_cast<Executable&&>(run)), calls_(static_cast<Calls&&>(calls)) {}

  /// Unwraps the arguments, runs, and wraps the results. Errors: those of the steps "unwrap", "run"
  /// (the program itself) and "wrap", with their paths.
  constexpr result<out> operator()(const in& x) const {
    auto context = detail::untraced();
    return calls_.call(run_, x, context);
  }
  /// The same under a tracer. Errors as above.
  template <class Tracer>
  constexpr result<out> operator()(const in& x, Tracer&& tracer) const {
    detail::step_context<std::remove_reference_t<Tracer>> context{tracer};
    return calls_.call(run_, x, context);
  }

 private:
  [[no_unique_address]] Executable run_;
  [[no_unique_address]] Calls calls_;
};

}  // namespace wf
