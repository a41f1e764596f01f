// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <exception>
#include <type_traits>

#include <wf/core/diagnosis/ill_formed.hpp>
#include <wf/core/text/type_name.hpp>

namespace wf {

namespace detail {

// The default name of a stage; families of stages specialise it.
template <class T>
inline constexpr text_view given_stage_name = type_name<T>();

}  // namespace detail

/// The name of a stage (the value type between two steps) in reports and messages: the type's name,
/// unless it is specialised: `template <> inline constexpr wf::text_view wf::stage_name<ast> =
/// "AST";`.
template <class T>
inline constexpr text_view stage_name = detail::given_stage_name<T>;

namespace detail {

// The name of a stage with a suffix, as a constant: for families of stages.
template <class Stage, fixed_string Suffix>
inline constexpr auto extended_stage_name = [] {
  constexpr std::size_t size = stage_name<Stage>.size() + Suffix.size();
  return fix<size + 1>((text() << stage_name<Stage> << Suffix.view()).view());
}();

}  // namespace detail

/// True if a step that returns `From` may be followed by one that takes `To`. Types must be equal
/// unless a specialisation opts in to an implicit conversion.
template <class From, class To>
inline constexpr bool step_converts = std::same_as<From, To>;

/// True for types that can be steps of a toolchain: a callable with exactly one argument of type
/// `in` that returns an `out`, or, if `fallible`, a `result<out>`. Calling does not change it.
template <class S>
concept step_type = requires {
  typename S::in;
  typename S::out;
  { S::name() } -> std::same_as<text_view>;
  { S::fallible } -> std::convertible_to<bool>;
} && (std::invocable<const S&, const typename S::in&> || std::invocable<const S&, typename S::in>);

/// The return type of a step: its `out`, in a `result` if it may fail.
template <class Out, bool Fallible>
using step_outcome = std::conditional_t<Fallible, result<Out>, Out>;

/// A running step, as tracers see it.
struct step_info {
  /// The step's name.
  text_view name;
  /// The stage it takes, by `stage_name`.
  text_view in;
  /// The stage it returns, by `stage_name`.
  text_view out;
  /// The enclosing step, or null.
  const step_info* parent = nullptr;
  /// Number of enclosing steps.
  std::uint32_t depth = 0;
};

/// The path of a step: "back/translate".
constexpr text path_of(const step_info& step) {
  text out;
  if (step.parent != nullptr) out << path_of(*step.parent).view() << '/';
  return out << step.name;
}

/// The tracer of an untraced run; costs nothing.
struct no_tracer {};

/// An exception that left a step, with the exception itself nested in it
/// (`std::rethrow_if_nested`). Foreseen failures of steps are `wf::error`s, not exceptions.
class step_exception : public std::exception {
 public:
  /// Records that the exception being handled left this step.
  explicit step_exception(text_view step) : path_(step) { describe(); }
  /// Extends the path by an enclosing step.
  void enclose(text_view step) {
    text longer(step);
    longer << '/' << path_.view();
    path_ = longer;
    describe();
  }
  /// The path of the step that was left: "back/translate".
  const text& path() const { return path_; }
  /// The message: "an exception left step 'back/translate'".
  const char* what() const noexcept override { return message_.data(); }

 private:
  void describe() {
    message_ = text() << "an exception left step '" << path_.view() << "'" << '\0';
  }

  text path_;
  text message_;
};

namespace detail {

template <class T>
inline constexpr bool is_result = false;
template <class T>
inline constexpr bool is_result<result<T>> = true;

template <class T>
struct plain {
  using type = T;
};
template <class T>
struct plain<result<T>> {
  using type = T;
};
// The return type of a callable without its `result`.
template <class Returned>
using plain_of = typename plain<std::remove_cvref_t<Returned>>::type;

// The argument and result types of a callable with a single signature.
template <class F>
struct signature_of;
template <class Returned, class In>
struct signature_of<Returned (*)(In)> {
  using in = std::remove_cvref_t<In>;
  using out = plain_of<Returned>;
};
template <class Returned, class In>
struct signature_of<Returned (*)(In) noexcept> : signature_of<Returned (*)(In)> {};
template <class Returned, class C, class In>
struct signature_of<Returned (C::*)(In) const> : signature_of<Returned (*)(In)> {};
template <class Returned, class C, class In>
struct signature_of<Returned (C::*)(In) const noexcept> : signature_of<Returned (*)(In)> {};
template <class F>
  requires requires { &F::operator(); }
struct signature_of<F> : signature_of<decltype(&F::operator())> {};

template <class F>
concept has_one_signature = requires { typename signature_of<F>::in; };

// The context of a run, passed to every step: the tracer, and the running step.
template <class Tracer>
struct step_context {
  static constexpr bool traced = !std::same_as<std::remove_const_t<Tracer>, no_tracer>;
  Tracer& tracer;
  const step_info* running = nullptr;
};

// The context of a step that is called on its own.
inline constexpr no_tracer nobody{};
constexpr step_context<const no_tracer> untraced() { return {nobody}; }

// Applies a function to the value of an outcome, or passes its error on.
template <class Outcome, class Next>
constexpr auto and_then(Outcome&& outcome, Next next) {
  if constexpr (is_result<std::remove_cvref_t<Outcome>>) {
    using all = result<plain_of<decltype(next(*static_cast<Outcome&&>(outcome)))>>;
    if (!outcome) return all(outcome.error());
    return all(next(*static_cast<Outcome&&>(outcome)));
  } else {
    return next(static_cast<Outcome&&>(outcome));
  }
}

// Wraps the exception being handled in a `step_exception`, or extends its path.
[[noreturn]] inline void leave_by_exception(text_view step) {
  try {
    throw;
  } catch (step_exception& inside) {
    inside.enclose(step);
    throw;
  } catch (...) {
    std::throw_with_nested(step_exception(step));
  }
}

// Extends an error's path by an enclosing step.
constexpr error enclose(error e, text_view step) {
  text path(step);
  if (!e.step.empty()) path << '/' << e.step.view();
  e.step = static_cast<text&&>(path);
  return e;
}

template <class S, class X, class Context>
constexpr auto call_step(const S& step, X&& x, Context& context)
    -> step_outcome<typename S::out, S::fallible> {
  if constexpr (requires { step.run(static_cast<X&&>(x), context); })
    return step.run(static_cast<X&&>(x), context);
  else
    return step(static_cast<X&&>(x));
}

template <class S, class X, class Context>
constexpr auto watch_step(const S& step, X&& x, Context& context)
    -> step_outcome<typename S::out, S::fallible> {
  auto& tracer = context.tracer;
  const step_info info{S::name(), stage_name<typename S::in>, stage_name<typename S::out>,
                       context.running,
                       context.running == nullptr ? 0 : context.running->depth + 1};
  if constexpr (requires { tracer.enter(info, x); }) tracer.enter(info, x);
  step_context<std::remove_reference_t<decltype(tracer)>> inside{tracer, &info};
  try {
    auto out = call_step(step, static_cast<X&&>(x), inside);
    if constexpr (S::fallible) {
      if (!out) {
        if constexpr (requires { tracer.fail(info, out.error()); }) tracer.fail(info, out.error());
      } else if constexpr (requires { tracer.leave(info, *out); }) {
        tracer.leave(info, *out);
      }
    } else if constexpr (requires { tracer.leave(info, out); }) {
      tracer.leave(info, out);
    }
    return out;
  } catch (...) {
    if constexpr (requires(const error& e) { tracer.fail(info, e); })
      tracer.fail(info, make_error(errc::step_failed, S::name(), "an exception left the step"));
    throw;
  }
}

/// Runs a step as part of a toolchain or of another step: informs the tracer, and adds the step's
/// name to an error or exception.
template <class S, class X, class Context>
constexpr auto run_step(const S& step, X&& x, Context& context)
    -> step_outcome<typename S::out, S::fallible> {
  try {
    auto out = [&]() -> step_outcome<typename S::out, S::fallible> {
      if constexpr (Context::traced)
        return watch_step(step, static_cast<X&&>(x), context);
      else
        return call_step(step, static_cast<X&&>(x), context);
    }();
    if constexpr (S::fallible)
      if (!out) return enclose(out.error(), S::name());
    return out;
  } catch (...) {
    leave_by_exception(S::name());
  }
}

}  // namespace detail

/// A step made of a callable; see `step`.
template <fixed_string Name, class In, class Out, class F>
struct function_step {
  /// The stage the callable takes.
  using in = In;
  /// The stage the callable returns.
  using out = Out;
  /// The step's name.
  static constexpr text_view name() { return Name.view(); }
  /// True if it returns a `result`.
  static constexpr bool fallible =
      detail::is_result<std::remove_cvref_t<typename std::conditional_t<
          std::invocable<const F&, const In&>, std::invoke_result<const F&, const In&>,
          std::invoke_result<const F&, In>>::type>>;

  /// The callable, which must not change when it is called.
  [[no_unique_address]] F function;

  /// Calls the function on the stage.
  constexpr step_outcome<Out, fallible> operator()(const In& x) const
    requires std::invocable<const F&, const In&>
  {
    return function(x);
  }
  /// Calls the function on a stage that it may consume.
  constexpr step_outcome<Out, fallible> operator()(In&& x) const
    requires std::invocable<const F&, In>
  {
    return function(static_cast<In&&>(x));
  }
};

/// A step under another name; see `rename`.
template <fixed_string Name, step_type Step>
struct renamed_step {
  /// The stage it takes.
  using in = typename Step::in;
  /// The stage it returns.
  using out = typename Step::out;
  /// The step's name.
  static constexpr text_view name() { return Name.view(); }
  /// True if it returns a `result`.
  static constexpr bool fallible = Step::fallible;

  /// The step under its old name.
  [[no_unique_address]] Step inner;

  /// Runs the inner step.
  template <class X>
    requires std::invocable<const Step&, X>
  constexpr step_outcome<out, fallible> operator()(X&& x) const {
    return inner(static_cast<X&&>(x));
  }
  /// Runs the step within another one.
  template <class X, class Context>
    requires std::invocable<const Step&, X>
  constexpr step_outcome<out, fallible> run(X&& x, Context& context) const {
    return detail::call_step(inner, static_cast<X&&>(x), context);
  }
  /// The same name for another step.
  template <step_type Other>
  constexpr renamed_step<Name, Other> with_inner(Other other) const {
    return {static_cast<Other&&>(other)};
  }
};

/// The same step under another name.
template <fixed_string Name, step_type Step>
constexpr auto rename(Step step) {
  return renamed_step<Name, Step>{static_cast<Step&&>(step)};
}
/// The function step under another name, without a wrapper.
template <fixed_string Name, fixed_string Old, class In, class Out, class F>
constexpr function_step<Name, In, Out, F> rename(function_step<Old, In, Out, F> step) {
  return {static_cast<F&&>(step.function)};
}

/// Makes a step of a callable with one signature: `step<"lower">([](const ast& a) -> ir { ... })`.
/// Its stages are the argument's and the result's types; a `result<T>` makes it fallible with stage
/// `T`. A function takes its stage by constant reference, by value, or, if it consumes the stage,
/// by rvalue reference.
template <fixed_string Name, class F>
  requires detail::has_one_signature<F> && (!step_type<F>)
constexpr auto step(F function) {
  using signature = detail::signature_of<F>;
  return function_step<Name, typename signature::in, typename signature::out, F>{
      static_cast<F&&>(function)};
}
/// Makes a step of any callable, also a generic one: `step<"lower", ast, ir>(f)`.
template <fixed_string Name, class In, class Out, class F>
  requires(std::invocable<const F&, const In&> || std::invocable<const F&, In>)
constexpr function_step<Name, In, Out, F> step(F function) {
  return {static_cast<F&&>(function)};
}

}  // namespace wf
