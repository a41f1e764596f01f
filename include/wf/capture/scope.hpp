// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/handle.hpp>
#include <wf/core/diagnosis/ill_formed.hpp>
#include <wf/core/text/fixed_string.hpp>
#include <wf/ir/graph/builder.hpp>
#include <wf/ir/graph/topology.hpp>
#include <wf/ir/graph/translation.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/registry/infer.hpp>

namespace wf {

/// A kernel with the hash of its name, which capture needs for every node.
struct captured_kernel {
  /// The kernel's specification; never null in a capture.
  const kernel_spec* spec = nullptr;
  /// `hash_text(spec->name)`.
  std::uint64_t hash = 0;
  /// True for a kernel outside the registry: its costs are stored in the node.
  bool opaque = false;
};

/// The source location of a capture: in the user's program or in a text. Line 0: unknown.
struct place {
  text_view file;            ///< the file, or a label of the text
  std::uint32_t line = 0;    ///< the line, from 1
  std::uint32_t column = 0;  ///< the column, from 1
  bool in_text = false;      ///< true for a place in a text, whose errors have a position

  constexpr place() = default;
  /// The place of an operation in a text; line and column from 1.
  constexpr place(text_view where, std::uint32_t l, std::uint32_t c)
      : file(where), line(l), column(c), in_text(true) {}
  /// The place of an operation in the user's program.
  constexpr place(const site& where)
      : file(where.file_name()), line(where.line()), column(where.column()) {}
};

/// The results of an operation with several results; a tuple, for structured bindings.
template <class Deduced>
class bound_results;

namespace detail {
struct scope_access;

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
  constexpr explicit scope(text_view name) : builder_(name) {}
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
      check_name(Name.view());
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
    return {this, add_input(name, value_type{dtype_of<T>, known, s})};
  }

  /// Binds an expression: captures its operations as nodes, merging equal ones.
  template <operand E>
  constexpr typename E::handle_type let(const E& expression, const site& where = site::current()) {
    return {this, adopt(expression, where)};
  }
  /// Binds every result of an operation with several results: `auto [q, r] = s.let_each(qr(A))`.
  template <operand E>
    requires requires { E::deduced::count; }
  constexpr auto let_each(const E& expression, const site& where = site::current()) {
    return bound_results<typename E::deduced>(this, adopt(expression, where));
  }
  /// Binds an expression and names the node that computes it: `s.let<"S">(H * P * trans(H) + R)`.
  template <fixed_string Name, operand E>
  constexpr typename E::handle_type let(const E& expression, const site& where = site::current()) {
    const value_id id = adopt(expression, where);
    name_node(id, Name.view());
    return {this, id};
  }
  /// Binds an expression and names its node by value.
  template <operand E>
  constexpr typename E::handle_type let(text_view name, const E& expression,
                                        const site& where = site::current()) {
    const value_id id = adopt(expression, where);
    name_node(id, name);
    return {this, id};
  }

  /// Adds an output: `s.output<"K">(P * trans(H) * inv(S))`. Compile error: WF105 for an invalid
  /// name.
  template <fixed_string Name, operand E>
  constexpr void output(const E& expression, const site& where = site::current()) {
    if constexpr (!is_valid_name(Name.view()))
      (void)sizeof(
          report<ill_formed<Name, "WF105: a name is a letter, then", "letters, digits, _ . '">>);
    builder_.graph().add_output(Name.view(), adopt(expression, where));
  }
  /// Adds every component of a tuple "q" as an output: "q.0", "q.1", ...
  template <fixed_string Name, is_tuple T>
  constexpr void output(const T& values, const site& where = site::current()) {
    output(Name.view(), values, where);
  }
  /// The same for a tuple with a name by value.
  template <is_tuple T>
  constexpr void output(text_view name, const T& values, const site& where = site::current()) {
    output_components(name, values, where, std::make_index_sequence<std::tuple_size<T>::value>());
  }
  /// Adds an output with a name by value.
  template <operand E>
  constexpr void output(text_view name, const E& expression, const site& where = site::current()) {
    add_output(name, adopt(expression, where));
  }

  /// Orders two operations without a data dependence: the one that computes `later` runs after the
  /// one that computes `earlier` (a control edge). No effect if `earlier` is an input. Errors:
  /// `malformed_graph` if `later` is an input; `cyclic_graph` when the capture finishes.
  template <operand Later, operand Earlier>
  constexpr void after(const Later& later, const Earlier& earlier,
                       const site& where = site::current()) {
    const node_id from = builder_.graph()[adopt(earlier, where)].producer;
    const node_id to = builder_.graph()[adopt(later, where)].producer;
    if (to == node_id::none)
      return fail(make_error(errc::malformed_graph, "",
                             (text() << "line " << where.line()
                                     << " orders an input after something, but inputs come first")
                                 .view()));
    if (from == node_id::none) return;
    builder_.graph().add_edge(edge_kind::control, from, to);
    has_edges_ = true;
  }

  /// Lets the operation that computes `result` overwrite the storage of `old`: it runs after all
  /// other readers of `old`, captured before or after this call (mutate edges). Errors:
  /// `malformed_graph` if `result` is an input; `cyclic_graph` when the capture finishes, if an
  /// operation that needs `result` reads `old`.
  template <operand Result, operand Old>
  constexpr void overwrite(const Result& result, const Old& old,
                           const site& where = site::current()) {
    const value_id overwritten = adopt(old, where);
    const node_id writer = builder_.graph()[adopt(result, where)].producer;
    if (writer == node_id::none)
      return fail(make_error(
          errc::malformed_graph, "",
          (text() << "line " << where.line() << " lets an input overwrite something").view()));
    overwritten_.push_back({writer, overwritten});
    has_edges_ = true;
  }

  /// Appends one operation and returns its first result; the others have the following ids. Called
  /// by expressions. `expected` holds the result types known at compile time; incomplete ones are
  /// inferred from the operands' types by value.
  constexpr value_id apply(const captured_kernel& k, view<attribute_value> attributes,
                           view<value_id> operands, view<value_type> expected, const place& where) {
    node_description d;
    d.op = k.spec->name;
    d.domain = k.spec->domain;
    d.attributes = attributes;
    d.hash = k.hash;
    d.effects = k.spec->effects;
    table<cost_formula> declared;
    if (k.opaque) declared = costs_of(*k.spec);
    d.costs = declared;
    d.file = where.file;
    d.line = where.line;
    d.column = where.column;
    bool complete = !expected.empty();
    for (const value_type& t : expected) complete = complete && t.is_complete();
    if (complete) return append(d, operands, expected);
    value_type types[max_results];
    const std::size_t count =
        infer_by_value(*k.spec, attributes, operands, where, expected.size(), types);
    return append(d, operands, {types, count});
  }

  /// Appends a node and returns its first result; the others have the following ids. Errors, kept:
  /// `malformed_graph` for an operand that does not exist, an incomplete type, and a repeated or
  /// out-of-range attribute.
  constexpr value_id add_node(const node_description& d, view<value_id> operands,
                              view<value_type> results) {
    for (const value_type& t : results) check_type(d.op, t);
    return append(d, operands, results);
  }

  /// Element type, shape and properties of a captured value.
  constexpr const value_type& type_of(value_id id) const { return builder_.graph()[id].type; }

  /// The first error so far; its code is `none` if there is no error.
  constexpr const error& failure() const { return error_; }
  /// The extent of a polynomial in symbols, given as canonical text.
  constexpr extent derived_extent(text_view polynomial) {
    return builder_.graph().add_derived(polynomial);
  }
  /// Declares an input of a type. Errors, kept: `invalid_name`; `malformed_graph` for an incomplete
  /// type.
  constexpr value_id add_input(text_view name, const value_type& type) {
    check_name(name);
    check_type(name, type);
    return builder_.graph().add_input(name, type);
  }
  /// Makes a captured value an output. Errors, kept: `invalid_name`; `malformed_graph` for a value
  /// that does not exist.
  constexpr void add_output(text_view name, value_id id) {
    check_name(name);
    check_value(name, id);
    builder_.graph().add_output(name, id);
  }
  /// Names the node that computes a value, unless it has a name or the value is an input.
  constexpr void name_node(value_id id, text_view name) {
    const node_id producer = builder_.graph()[id].producer;
    if (producer != node_id::none && builder_.graph()[producer].name.count == 0)
      builder_.graph().set_name(producer, name);
  }

  /// Reports an error; only the first one is kept.
  constexpr void fail(error e) {
    if (error_.code == errc::none) error_ = static_cast<error&&>(e);
  }

  /// The graph captured so far; the view is valid until the next capture.
  constexpr graph_view captured() const { return builder_.graph().view(); }
  /// The graph under construction, for front ends. Its changes are checked when the capture
  /// finishes.
  constexpr graph_builder& builder() {
    is_checked_ = false;
    return builder_;
  }

  /// Adds a position in a text to the kept error, unless it has one; true if there is no error.
  constexpr bool locate_failure(const position& where) {
    if (error_.code == errc::none) return true;
    if (error_.where.line == 0) error_.where = where;
    return false;
  }

  /// Keeps the error `foreign_handle`: a handle of another workflow, or an unassigned one.
  constexpr void fail_foreign(const site& where) {
    fail(make_error(errc::foreign_handle, "",
                    (text() << "line " << where.line()
                            << " uses a handle of another workflow, or an unassigned one")
                        .view()));
  }

  /// Keeps `foreign_handle` and returns a substitute value, with which capture continues.
  constexpr value_id foreign_value(const value_type& type, const site& where) {
    fail_foreign(where);
    return builder_.graph().add_input("foreign", type);
  }

  /// Moves the captured graph out. It satisfies `validate` and is marked so: references are checked
  /// as they are made, and names here. Errors: the first one of the capture; `no_output`;
  /// `duplicate_name`; those of `validate` if `builder` was used.
  constexpr result<graph> finish() {
    if (error_.code != errc::none) return error_;
    if (builder_.graph().view().outputs.empty())
      return make_error(errc::no_output, builder_.graph().text_of(builder_.graph().view().name),
                        "the workflow hands nothing out: call s.output");
    if (auto names = validate_names(builder_.graph().view()); !names) return names.error();
    add_mutations();
    if (!is_checked_) return validated(builder_.take());
    if (has_edges_)
      if (auto order = detail::sorted_nodes(builder_.graph().view()); !order) return order.error();
    return detail::made_valid(builder_.take());
  }

 private:
  friend struct detail::scope_access;

  constexpr value_id append(const node_description& d, view<value_id> operands,
                            view<value_type> results) {
    for (value_id operand : operands) check_value(d.op, operand);
    check_attributes(d);
    const node_id id = builder_.add_node(d, operands, results);
    return graph_view::output_of(builder_.graph()[id]);
  }

  // --- what `validate` would find ---------------------------------------------------------------

  constexpr void check_name(text_view name) {
    if (!is_valid_name(name))
      fail(make_error(errc::invalid_name, name, "a name is a letter, then letters, digits, _ . '"));
  }
  constexpr void check_value(text_view subject, value_id id) {
    if (index_of(id) >= builder_.graph().number_of_values())
      fail(detail::malformed(subject, "there is no such value in this workflow"));
  }
  constexpr void check_type(text_view subject, const value_type& t) {
    bool fits = t.shape.rank <= max_rank && t.is_complete() &&
                t.known.bits <= detail::all_property_bits && t.known == (t.known | t.known);
    for (std::uint32_t i = 0; fits && i < t.shape.rank; ++i)
      fits = detail::is_defined(builder_.graph().view(), t.shape.extents[i]);
    if (!fits) fail(detail::malformed(subject, "a type is not complete, or contradicts itself"));
  }
  constexpr void check_attributes(const node_description& d) {
    const view<attribute_value> list = d.attributes;
    for (std::size_t i = 0; i < list.size(); ++i) {
      bool fits = list[i].denominator > 0;
      if (list[i].kind == attribute_kind::extent) {
        extent e;
        e.code = list[i].number;
        fits = fits && (e.is_unknown() || detail::is_defined(builder_.graph().view(), e));
      }
      for (std::size_t k = 0; k < i; ++k) fits = fits && list[k].name != list[i].name;
      if (!fits)
        fail(detail::malformed(d.op, (text() << "the attribute '" << list[i].name
                                             << "' is there twice or out of range")
                                         .view()));
    }
  }

  constexpr void add_mutations() {
    for (const overwriting& o : overwritten_) {
      const node_id producer = builder_.graph()[o.old].producer;
      if (producer != node_id::none)
        builder_.graph().add_edge(edge_kind::mutate, producer, o.writer);
      const std::size_t count = builder_.graph().view().nodes.size();
      for (std::uint32_t i = 0; i < count; ++i) {
        const auto reader = static_cast<node_id>(i);
        bool reads = false;
        const graph_view g = builder_.graph().view();
        for (value_id operand : g.inputs_of(g[reader])) reads = reads || operand == o.old;
        if (reads && reader != o.writer)
          builder_.graph().add_edge(edge_kind::mutate, reader, o.writer);
      }
    }
  }

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
    return {this, builder_.graph().add_input(Name.view(), t)};
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
        this, builder_.graph().add_input(name, value_type{element, known, s}));
  }
  template <template <class...> class Tuple, class... T, std::uint32_t Bits, std::size_t... Index>
  constexpr auto components(text_view name, std::type_identity<Tuple<T...>>,
                            property_set<Bits> known, std::index_sequence<Index...>) {
    return Tuple<decltype(component(name, std::type_identity<T>(), known))...>{
        component(component_name(name, Index).view(), std::type_identity<T>(), known)...};
  }
  template <class Tuple, std::size_t... Index>
  constexpr void output_components(text_view name, const Tuple& values, const site& where,
                                   std::index_sequence<Index...>) {
    (output(component_name(name, Index).view(), get<Index>(values), where), ...);
  }

  template <operand E>
  constexpr value_id adopt(const E& expression, const site& where) {
    if (expression.owner() != this && !detail::is_nullary<E>)
      return foreign_value(E::handle_type::type, where);
    return expression.emit(*this, where);
  }

  // After an error, capture continues with results of unknown type.
  constexpr std::size_t infer_by_value(const kernel_spec& k, view<attribute_value> attributes,
                                       view<value_id> operands, const place& where,
                                       std::size_t expected, value_type* results) {
    value_type types[max_operands];
    for (std::size_t i = 0; i < operands.size() && i < max_operands; ++i)
      types[i] = type_of(operands[i]);
    const graph_view g = builder_.graph().view();
    auto inferred = infer(k, signature_of(k), {{types, operands.size()}, attributes, &g});
    if (!inferred) {
      text message = inferred.error().message;
      if (!where.in_text) message << ", line " << where.line;
      fail(make_error(inferred.error().code, inferred.error().subject.view(), message.view()));
      for (std::uint32_t r = 0; r < max_results; ++r)
        results[r] = value_type{dtype::unknown, {}, shape::unknown()};
      return expected > 0 ? expected : 1;
    }
    for (std::uint32_t r = 0; r < inferred->count; ++r) {
      value_type& t = results[r] = inferred->results[r];
      for (std::uint32_t i = 0; i < t.shape.rank && t.shape.has_rank(); ++i)
        if (t.shape.extents[i].is_derived())
          t.shape.extents[i] =
              builder_.graph().add_derived(inferred->derived[t.shape.extents[i].index()].view());
    }
    return inferred->count;
  }

  // A signature is parsed once per kernel and capture.
  constexpr const signature& signature_of(const kernel_spec& k) {
    for (const parsed_signature& p : signatures_)
      if (p.kernel == k.name) return p.parsed;
    auto parsed = parse_signature(k.signature);
    if (!parsed) fail(parsed.error());
    signatures_.push_back({k.name, *static_cast<result<signature>&&>(parsed)});
    return signatures_.back().parsed;
  }

  struct parsed_signature {
    text_view kernel;
    signature parsed;
  };

  struct overwriting {
    node_id writer = node_id::none;
    value_id old = value_id::none;
  };

  graph_builder builder_;
  table<overwriting> overwritten_;
  bool has_edges_ = false;
  bool is_checked_ = true;  // true: every change was checked when it was made
  table<parsed_signature> signatures_;
  error error_;
};

namespace detail {
// Access to a scope's builder for code that adds only valid content.
struct scope_access {
  static constexpr graph_builder& builder(scope& s) { return s.builder_; }
};

template <class Handle>
constexpr value_id value_in(scope& s, const Handle&, const site& where) {
  return s.foreign_value(Handle::type, where);
}
}  // namespace detail

}  // namespace wf
