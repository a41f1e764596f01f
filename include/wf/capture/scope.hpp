// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/graph_capture.hpp>
#include <wf/capture/handle.hpp>
#include <wf/core/diagnosis/ill_formed.hpp>
#include <wf/core/text/fixed_string.hpp>
#include <wf/ir/graph/translation.hpp>

namespace wf {

/// The results of an operation with several results; a tuple, for structured bindings.
template <class Deduced>
class bound_results;

namespace detail {
constexpr graph_capture& capture_of(scope& s);

// True for types that `scope::input` accepts as a whole: arrays of static size, and tuples of them.
template <class T>
inline constexpr bool is_component = [] {
  if constexpr (translatable<T>)
    return value_type_of<T>.shape.is_static();
  else
    return false;
}();
template <template <class...> class Tuple, class... T>
  requires is_tuple<Tuple<T...>>
inline constexpr bool is_component<Tuple<T...>> = (is_component<T> && ...);

}  // namespace detail

/// The target of a capture: the body of a workflow declares inputs, binds expressions and adds
/// outputs. The same class serves constant evaluation and run time. The first error is kept and
/// reported by `finish()`; after it, capture continues with values of unknown type.
class scope {
 public:
  /// Starts the capture of a workflow with a name.
  constexpr explicit scope(text_view name) : capture_(name) {}
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;

  /// Declares an input: `s.input<"P", double, 6, 6>(wf::spd)`, symbolic `s.input<"A", double, "M",
  /// "M">()`. Compile errors: WF105 for an invalid name or symbol, WF102 for an unsupported element
  /// type. Names must differ: WF104 when the capture finishes.
  ///
  /// Without extents the type may also be an array (`std::array<double, 3>`, an Eigen matrix of
  /// fixed size, a type with a `translation`), or a tuple: `s.input<"p", std::tuple<double,
  /// float>>()` is a tuple of the inputs "p.0" and "p.1".
  template <fixed_string Name, class T, extent... Extents, std::uint32_t Bits = 0>
  constexpr auto input(property_set<Bits> known = {}) {
    if constexpr (dtype_of<T> != dtype::unknown || sizeof...(Extents) != 0) {
      return element_input<Name, T, Bits, Extents...>(known);
    } else if constexpr (detail::is_component<T>) {
      capture_.check_name(Name.view());
      return component(Name.view(), std::type_identity<T>(), known);
    } else {
      return element_input<Name, T, Bits, Extents...>(known);
    }
  }

  /// Declares an input by value: name, shape and properties need not be constants. The handle's
  /// type carries the dtype alone. Compile error: WF102 for an unsupported element type.
  template <class T>
  constexpr dynamic_handle<T> input(text_view name, const shape& s, properties known = {}) {
    static_assert(dtype_of<T> != dtype::unknown, "WF102: wf does not know this element type");
    return {this, capture_.add_input(name, value_type{dtype_of<T>, known, s})};
  }

  /// Binds an expression: captures its operations as nodes, merging equal ones.
  template <operand E>
  constexpr typename E::handle_type let(const E& expression,
                                        const source_location& where = source_location::current()) {
    return {this, adopt(expression, where)};
  }
  /// Binds every result of an operation with several results: `auto [q, r] = s.let_each(qr(A))`.
  template <operand E>
    requires requires { E::deduced::count; }
  constexpr auto let_each(const E& expression,
                          const source_location& where = source_location::current()) {
    return bound_results<typename E::deduced>(this, adopt(expression, where));
  }
  /// Binds an expression and names the node that computes it: `s.let<"S">(H * P * trans(H) + R)`.
  template <fixed_string Name, operand E>
  constexpr typename E::handle_type let(const E& expression,
                                        const source_location& where = source_location::current()) {
    const value_id id = adopt(expression, where);
    capture_.name_node(id, Name.view());
    return {this, id};
  }
  /// Binds an expression and names its node by value.
  template <operand E>
  constexpr typename E::handle_type let(text_view name, const E& expression,
                                        const source_location& where = source_location::current()) {
    const value_id id = adopt(expression, where);
    capture_.name_node(id, name);
    return {this, id};
  }

  /// Adds an output: `s.output<"K">(P * trans(H) * inv(S))`. Compile error: WF105 for an invalid
  /// name.
  template <fixed_string Name, operand E>
  constexpr void output(const E& expression,
                        const source_location& where = source_location::current()) {
    if constexpr (!is_valid_name(Name.view()))
      (void)sizeof(
          report<ill_formed<Name, "WF105: a name is a letter, then", "letters, digits, _ . '">>);
    capture_.builder().graph().add_output(Name.view(), adopt(expression, where));
  }
  /// Adds every component of a tuple "q" as an output: "q.0", "q.1", ...
  template <fixed_string Name, is_tuple T>
  constexpr void output(const T& values,
                        const source_location& where = source_location::current()) {
    output(Name.view(), values, where);
  }
  /// The same for a tuple with a name by value.
  template <is_tuple T>
  constexpr void output(text_view name, const T& values,
                        const source_location& where = source_location::current()) {
    output_components(name, values, where, std::make_index_sequence<std::tuple_size<T>::value>());
  }
  /// Adds an output with a name by value.
  template <operand E>
  constexpr void output(text_view name, const E& expression,
                        const source_location& where = source_location::current()) {
    capture_.add_output(name, adopt(expression, where));
  }

  /// Binds an expression whose operations run on a class of machines: `auto g = s.at("servers",
  /// gradient(w, x))`. What is captured already, as what a handle refers to, stays where it is. A
  /// class within a class replaces it. The classes are checked when the workflow is placed
  /// (<wf/partition/place.hpp>).
  template <operand E>
  constexpr typename E::handle_type at(text_view role, const E& expression,
                                       const source_location& where = source_location::current()) {
    return at(role, [&] { return let(expression, where); }, where);
  }
  /// Calls `body` and returns what it returns; all operations that it captures run on a class of
  /// machines: `s.at("servers", [&] { ... })`. An expression that it returns is bound there. While
  /// compiling, clang 19 refuses lambdas that refer to a structured binding: refer to `auto bound =
  /// s.let(binding)` instead.
  template <class Body>
    requires(!operand<Body> && requires(Body& body) { body(); })
  constexpr decltype(auto) at(text_view role, Body&& body,
                              const source_location& where = source_location::current()) {
    struct left {
      detail::graph_capture& capture;
      text_view before;
      constexpr ~left() { capture.enter_role(before); }
    };
    const left leaving{capture_, capture_.enter_role(role)};
    if constexpr (operand<std::remove_cvref_t<decltype(body())>>)
      return let(body(), where);
    else
      return body();
  }

  /// Orders two operations without a data dependence: the one that computes `later` runs after the
  /// one that computes `earlier` (a control edge). No effect if `earlier` is an input. Errors:
  /// `malformed_graph` if `later` is an input; `cyclic_graph` when the capture finishes.
  template <operand Later, operand Earlier>
  constexpr void after(const Later& later, const Earlier& earlier,
                       const source_location& where = source_location::current()) {
    const value_id from = adopt(earlier, where);
    capture_.add_order(from, adopt(later, where), where);
  }

  /// Lets the operation that computes `result` overwrite the storage of `old`: it runs after all
  /// other readers of `old`, captured before or after this call (mutate edges). Errors:
  /// `malformed_graph` if `result` is an input; `cyclic_graph` when the capture finishes, if an
  /// operation that needs `result` reads `old`.
  template <operand Result, operand Old>
  constexpr void overwrite(const Result& result, const Old& old,
                           const source_location& where = source_location::current()) {
    const value_id overwritten = adopt(old, where);
    capture_.add_overwriting(adopt(result, where), overwritten, where);
  }

  /// Moves the captured graph out, which satisfies `validate` and is marked so. Errors: the first
  /// one of the capture; `no_output`; `duplicate_name`; `cyclic_graph`.
  constexpr result<graph> finish() { return capture_.finish(); }

 private:
  friend constexpr detail::graph_capture& detail::capture_of(scope& s);

  template <fixed_string Name, class T, std::uint32_t Bits, extent... Extents>
  constexpr handle<dtype_of<T>, dims<Extents.code...>, Bits> element_input(
      property_set<Bits> known) {
    if constexpr (dtype_of<T> == dtype::unknown)
      (void)sizeof(report<ill_formed<Name, "WF102: the element type is", "not one that wf knows">>);
    if constexpr (!is_valid_name(Name.view()))
      (void)sizeof(
          report<ill_formed<Name, "WF105: a name is a letter, then", "letters, digits, _ . '">>);
    if constexpr ((!(Extents.is_fixed() || Extents.is_symbol()) || ...))
      (void)sizeof(
          report<ill_formed<Name, "WF105: a symbolic extent is 1 to", "10 letters, digits, _">>);
    value_type t{dtype_of<T>, known, dims<Extents.code...>::value};
    return {this, capture_.builder().graph().add_input(Name.view(), t)};
  }
  // Declares an input, or a tuple of inputs, of a type that fixes the shape.
  template <class T, std::uint32_t Bits>
  constexpr auto component(text_view name, std::type_identity<T>, property_set<Bits> known) {
    if constexpr (translatable<T>)
      return array_input<T>(name, known, std::make_index_sequence<value_type_of<T>.shape.rank>());
    else
      return components(name, std::type_identity<T>(), known,
                        std::make_index_sequence<std::tuple_size<T>::value>());
  }
  template <class T, std::uint32_t Bits, std::size_t... Dimension>
  constexpr auto array_input(text_view name, property_set<Bits> known,
                             std::index_sequence<Dimension...>) {
    constexpr shape s = value_type_of<T>.shape;
    constexpr dtype element = value_type_of<T>.type;
    return handle<element, dims<s[Dimension].code...>, Bits>(
        this, capture_.builder().graph().add_input(name, value_type{element, known, s}));
  }
  template <template <class...> class Tuple, class... T, std::uint32_t Bits, std::size_t... Index>
  constexpr auto components(text_view name, std::type_identity<Tuple<T...>>,
                            property_set<Bits> known, std::index_sequence<Index...>) {
    return Tuple<decltype(component(name, std::type_identity<T>(), known))...>{
        component(component_name(name, Index).view(), std::type_identity<T>(), known)...};
  }
  template <class Tuple, std::size_t... Index>
  constexpr void output_components(text_view name, const Tuple& values,
                                   const source_location& where, std::index_sequence<Index...>) {
    (output(component_name(name, Index).view(), get<Index>(values), where), ...);
  }

  template <operand E>
  constexpr value_id adopt(const E& expression, const source_location& where) {
    if (expression.owner() != this && !detail::is_nullary<E>)
      return capture_.foreign_value(E::handle_type::type, where);
    return expression.emit(*this, where);
  }

  detail::graph_capture capture_;
};

namespace detail {
// The graph that a scope captures, for operands and front ends.
constexpr graph_capture& capture_of(scope& s) { return s.capture_; }

template <class Handle>
constexpr value_id value_in(scope& s, const Handle&, const source_location& where) {
  return capture_of(s).foreign_value(Handle::type, where);
}
}  // namespace detail

}  // namespace wf
