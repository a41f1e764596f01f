// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/tracer.hpp>
#include <wf/capture/workflow.hpp>

namespace wf {

/// The direction of a traced function's parameter.
enum class traced_side : std::uint8_t {
  in,   ///< an input of the workflow
  out,  ///< a reference that the function assigns: an output of the workflow
  both  ///< a reference that the function reads and assigns: an input and an output
};

/// A parameter known at compile time: the result of `input`, `output_argument` and `in_out`.
template <traced_side Side, fixed_string Name, class T, std::uint32_t Bits, extent... Extents>
struct static_parameter {
  /// Direction of the parameter.
  static constexpr traced_side side = Side;
  /// The name of its input or output in the workflow.
  static constexpr text_view name() { return Name.view(); }
  /// Declares the parameter in the scope if it is an input; else an unassigned value.
  static constexpr traced declare(scope& s) {
    if constexpr (Side == traced_side::out)
      return {};
    else
      return {&s, s.input<Name, T, Extents...>(property_set<Bits>()).id()};
  }
};

/// A parameter whose name, shape and properties are values.
template <traced_side Side, class T>
struct dynamic_parameter {
  /// Direction of the parameter, a constant.
  static constexpr traced_side side = Side;
  /// The name of its input or output; must outlive the parameter.
  text_view given_name;
  /// The shape of the input; unused for an output.
  wf::shape shape;
  /// Declared properties of the input.
  properties declared;
  /// The value of `given_name`.
  constexpr text_view name() const { return given_name; }
  /// Declares the input in the scope; an unassigned value for an output.
  constexpr traced declare(scope& s) const {
    if constexpr (Side == traced_side::out)
      return {};
    else
      return {&s, s.input<T>(given_name, shape, declared).id()};
  }
};

/// An input of a traced function: `wf::input<"P", double, 6, 6>(wf::spd)`.
template <fixed_string Name, class T, extent... Extents, std::uint32_t Bits = 0>
constexpr static_parameter<traced_side::in, Name, T, Bits, Extents...> input(
    property_set<Bits> = {}) {
  return {};
}
/// A parameter that a traced function reads and assigns through a reference.
template <fixed_string Name, class T, extent... Extents, std::uint32_t Bits = 0>
constexpr static_parameter<traced_side::both, Name, T, Bits, Extents...> in_out(
    property_set<Bits> = {}) {
  return {};
}
/// A parameter that a traced function only assigns through a reference.
template <fixed_string Name>
constexpr static_parameter<traced_side::out, Name, void, 0> output_argument() {
  return {};
}
/// An input by value: `wf::input<double>("P", wf::shape::of(n, n))`.
template <class T>
constexpr dynamic_parameter<traced_side::in, T> input(text_view name, const shape& s,
                                                      properties known = {}) {
  return {name, s, known};
}
/// A parameter that is read and assigned, by value.
template <class T>
constexpr dynamic_parameter<traced_side::both, T> in_out(text_view name, const shape& s,
                                                         properties known = {}) {
  return {name, s, known};
}
/// A parameter that is only assigned, by value.
constexpr dynamic_parameter<traced_side::out, void> output_argument(text_view name) {
  return {name, {}, {}};
}

/// The names of a traced function's results, in order: `wf::outputs<"K", "S">()`.
template <fixed_string... Name>
struct output_names {
  /// Number of names.
  static constexpr std::size_t size = sizeof...(Name);
  /// Name `i`, from 0; below `size`.
  static constexpr text_view name(std::size_t i) {
    const text_view names[size + 1] = {Name.view()..., text_view()};
    return names[i];
  }
};
/// Names the results of a traced function at compile time.
template <fixed_string... Name>
constexpr output_names<Name...> outputs() {
  return {};
}

/// The names of a traced function's results, by value; the texts must outlive it.
template <std::size_t N>
struct dynamic_output_names {
  /// Number of names, without the unused last one.
  static constexpr std::size_t size = N;
  /// The first `size` are the outputs' names in order; the last is unused.
  text_view names[N + 1];
  /// The name of result `i`, below `size`.
  constexpr text_view name(std::size_t i) const { return names[i]; }
};
/// Names the results of a traced function by value: `wf::outputs("K", "S")`.
template <std::convertible_to<text_view>... Name>
constexpr dynamic_output_names<sizeof...(Name)> outputs(const Name&... names) {
  return {{text_view(names)..., text_view()}};
}

namespace detail {

template <class T>
concept tuple_like = requires { std::tuple_size<std::remove_cvref_t<T>>::value; };

// Passes inputs as constants, so that a function cannot assign them by accident.
template <traced_side Side>
constexpr auto& passed(traced& value) {
  if constexpr (Side == traced_side::in)
    return static_cast<const traced&>(value);
  else
    return value;
}

// Component `Index` by the protocol of structured bindings.
template <std::size_t Index, class Tuple>
constexpr decltype(auto) element(const Tuple& tuple) {
  if constexpr (requires { tuple.template get<Index>(); }) {
    return tuple.template get<Index>();
  } else {
    using std::get;
    return get<Index>(tuple);
  }
}

template <class Names, class Result, std::size_t... Index>
constexpr void hand_out(scope& s, const Names& names, const Result& result,
                        std::index_sequence<Index...>) {
  static_assert(sizeof...(Index) == Names::size,
                "WF111: wf::outputs needs one name for each value the function returns");
  (s.output(names.name(Index), element<Index>(result)), ...);
}
template <class Names, class Result>
constexpr void hand_out(scope& s, const Names& names, const Result& result) {
  if constexpr (tuple_like<Result>) {
    hand_out(s, names, result,
             std::make_index_sequence<std::tuple_size<std::remove_cvref_t<Result>>::value>());
  } else {
    static_assert(operand<Result>,
                  "WF111: a traced function returns a traced value, a tuple of them, or nothing");
    static_assert(Names::size == 1,
                  "WF111: wf::outputs needs one name for each value the function returns");
    s.output(names.name(0), result);
  }
}

template <class F, class Names, class... Parameter, std::size_t... Index>
constexpr void trace_into(scope& s, F& f, const Names& names, std::index_sequence<Index...>,
                          const Parameter&... parameters) {
  traced values[sizeof...(Parameter) + 1] = {parameters.declare(s)..., traced()};
  static_assert(
      requires { f(passed<Parameter::side>(values[Index])...); },
      "WF111: the function cannot be called with these traced parameters");
  using result_type = decltype(f(passed<Parameter::side>(values[Index])...));
  if constexpr (std::is_void_v<result_type>) {
    static_assert(Names::size == 0, "WF111: the function returns nothing: give no wf::outputs");
    f(passed<Parameter::side>(values[Index])...);
  } else {
    hand_out(s, names, f(passed<Parameter::side>(values[Index])...));
  }
  ((Parameter::side != traced_side::in ? s.output(parameters.name(), values[Index]) : void()), ...);
}

// The body of a workflow that traces a stateless function.
template <class F, class Names, class... Parameter>
struct traced_body {
  constexpr void operator()(scope& s) const {
    F f{};
    trace_into(s, f, Names{}, std::index_sequence_for<Parameter...>{}, Parameter{}...);
  }
};

}  // namespace detail

/// Captures an existing function at compile time, by calling it with traced values: `constexpr auto
/// gain = wf::trace<"gain">(f, wf::outputs<"K">(), wf::input<"P", double, 6, 6>(wf::spd),
/// wf::input<"H", double, 3, 6>());`. `f` is a captureless generic lambda, or an object of an empty
/// class, that accepts any matrix-like type (wrap a function template in a lambda); loops, helper
/// functions and local variables work as usual. It returns a value, a tuple of values, or nothing
/// if it assigns `output_argument`s. Compile errors: WF109 for a function with state, WF111 for
/// code that cannot be traced, and those of every capture.
template <fixed_string Name, class F, fixed_string... Output, class... Parameter>
constexpr auto trace(F, output_names<Output...>, Parameter...) {
  static_assert(std::is_empty_v<F>,
                "WF109: a function traced while compiling captures no variables; trace it at run "
                "time: wf::trace(name, f, ...)");
  return workflow<Name>(detail::traced_body<F, output_names<Output...>, Parameter...>{});
}

/// The same at run time, for functions with state and shapes by value:
/// `wf::trace("gain", f, wf::outputs("K"), wf::input<double>("P", wf::shape::of(n, n)))`. Errors:
/// those of `capture`; `not_traceable`.
template <class F, class Names, class... Parameter>
constexpr result<graph> trace(text_view name, F&& f, const Names& names,
                              const Parameter&... parameters) {
  scope s(name);
  detail::trace_into(s, f, names, std::index_sequence_for<Parameter...>{}, parameters...);
  return s.finish();
}

}  // namespace wf
