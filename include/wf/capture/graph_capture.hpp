// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/handle.hpp>
#include <wf/ir/graph/builder.hpp>
#include <wf/ir/graph/topology.hpp>
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

namespace detail {

/// Where an operation was written: in the user's C++ source, or in a text of equations. Line 0:
/// unknown.
struct node_location {
  text_view file;            ///< the file, or a label of the text
  std::uint32_t line = 0;    ///< the line, from 1
  std::uint32_t column = 0;  ///< the column, from 1
  bool in_text = false;      ///< true for a text, whose errors have a position

  constexpr node_location() = default;
  /// The location of an operation in a text; line and column from 1.
  constexpr node_location(text_view where, std::uint32_t l, std::uint32_t c)
      : file(where), line(l), column(c), in_text(true) {}
  /// The location of an operation in the user's program.
  constexpr node_location(const source_location& where)
      : file(where.file_name()), line(where.line()), column(where.column()) {}
};

/// The graph of a workflow under capture, which its `scope` hides from the body: operations and
/// values are appended by id. The first error is kept and reported by `finish`; after it, capture
/// continues with values of unknown type.
class graph_capture {
 public:
  /// Starts the capture of a workflow with a name.
  constexpr explicit graph_capture(text_view name) : builder_(name) {}

  /// Appends one operation and returns its first result; the others have the following ids. Called
  /// by expressions. `expected` holds the result types known at compile time; incomplete ones are
  /// inferred from the operands' types by value.
  constexpr value_id apply(const captured_kernel& k, view<attribute_value> attributes,
                           view<value_id> operands, view<value_type> expected,
                           const node_location& where) {
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
  /// Keeps `invalid_name` unless the name is valid.
  constexpr void check_name(text_view name) {
    if (!is_valid_name(name))
      fail(make_error(errc::invalid_name, name, "a name is a letter, then letters, digits, _ . '"));
  }
  /// Names the node that computes a value, unless it has a name or the value is an input.
  constexpr void name_node(value_id id, text_view name) {
    const node_id producer = builder_.graph()[id].producer;
    if (producer != node_id::none && builder_.graph()[producer].name.count == 0)
      builder_.graph().set_name(producer, name);
  }

  /// Orders two operations by a control edge: the one that computes `earlier`, unless that is an
  /// input, runs before the one that computes `later`. Errors, kept: `malformed_graph` if `later`
  /// is an input.
  constexpr void add_order(value_id earlier, value_id later, const source_location& where) {
    const node_id from = builder_.graph()[earlier].producer;
    const node_id to = builder_.graph()[later].producer;
    if (to == node_id::none)
      return fail(make_error(errc::malformed_graph, "",
                             (text() << "line " << where.line()
                                     << " orders an input after something, but inputs come first")
                                 .view()));
    if (from == node_id::none) return;
    builder_.graph().add_edge(edge_kind::control, from, to);
    has_edges_ = true;
  }
  /// Lets the operation that computes `result` overwrite `old`, after every other reader of it,
  /// also later ones. Errors, kept: `malformed_graph` if `result` is an input.
  constexpr void add_overwriting(value_id result, value_id old, const source_location& where) {
    const node_id writer = builder_.graph()[result].producer;
    if (writer == node_id::none)
      return fail(make_error(
          errc::malformed_graph, "",
          (text() << "line " << where.line() << " lets an input overwrite something").view()));
    overwritten_.push_back({writer, old});
    has_edges_ = true;
  }

  /// The class of machines that runs the operations from here on; empty: none.
  constexpr text_view role() const { return role_; }
  /// Sets the class of machines that runs the operations from here on, and returns the one before;
  /// empty: none. Its characters must outlive the operations.
  constexpr text_view enter_role(text_view role) {
    const text_view before = role_;
    role_ = role;
    return before;
  }

  /// Reports an error; only the first one is kept.
  constexpr void fail(error e) {
    if (error_.code == errc::none) error_ = static_cast<error&&>(e);
  }

  /// The graph captured so far; the view is valid until the next capture.
  constexpr graph_view captured() const { return builder_.graph().view(); }
  /// The graph under construction, for code that adds only what `validate` accepts.
  constexpr graph_builder& builder() { return builder_; }

  /// Adds a position in a text to the kept error, unless it has one; true if there is no error.
  constexpr bool locate_failure(const text_position& where) {
    if (error_.code == errc::none) return true;
    if (error_.where.line == 0) error_.where = where;
    return false;
  }

  /// Keeps the error `foreign_handle`: a handle of another workflow, or an unassigned one.
  constexpr void fail_foreign(const source_location& where) {
    fail(make_error(errc::foreign_handle, "",
                    (text() << "line " << where.line()
                            << " uses a handle of another workflow, or an unassigned one")
                        .view()));
  }

  /// Keeps `foreign_handle` and returns a substitute value, with which capture continues.
  constexpr value_id foreign_value(const value_type& type, const source_location& where) {
    fail_foreign(where);
    return builder_.graph().add_input("foreign", type);
  }

  /// Moves the captured graph out. It satisfies `validate` and is marked so: references are checked
  /// as they are made, and names here. Errors: the first one of the capture; `no_output`;
  /// `duplicate_name`; `cyclic_graph`.
  constexpr result<graph> finish() {
    if (error_.code != errc::none) return error_;
    if (builder_.graph().view().outputs.empty())
      return make_error(errc::no_output, builder_.graph().text_of(builder_.graph().view().name),
                        "the workflow hands nothing out: call s.output");
    if (auto names = validate_names(builder_.graph().view()); !names) return names.error();
    add_mutations();
    if (has_edges_)
      if (auto order = sorted_nodes(builder_.graph().view()); !order) return order.error();
    return made_valid(builder_.take());
  }

 private:
  constexpr value_id append(const node_description& d, view<value_id> operands,
                            view<value_type> results) {
    for (value_id operand : operands) check_value(d.op, operand);
    check_attributes(d);
    const node_id id = builder_.add_node(placed(d), operands, results);
    return graph_view::output_of(builder_.graph()[id]);
  }
  constexpr node_description placed(node_description d) const {
    if (d.peer.empty()) d.peer = role_;
    return d;
  }

  // --- what `validate` would find ---------------------------------------------------------------

  constexpr void check_value(text_view subject, value_id id) {
    if (index_of(id) >= builder_.graph().number_of_values())
      fail(malformed(subject, "there is no such value in this workflow"));
  }
  constexpr void check_type(text_view subject, const value_type& t) {
    bool fits = t.shape.rank <= max_rank && t.is_complete() && t.known.bits <= all_property_bits &&
                t.known == (t.known | t.known);
    for (std::uint32_t i = 0; fits && i < t.shape.rank; ++i)
      fits = is_defined(builder_.graph().view(), t.shape.extents[i]);
    if (!fits) fail(malformed(subject, "a type is not complete, or contradicts itself"));
  }
  constexpr void check_attributes(const node_description& d) {
    const view<attribute_value> list = d.attributes;
    for (std::size_t i = 0; i < list.size(); ++i) {
      bool fits = list[i].denominator > 0;
      if (list[i].kind == attribute_kind::extent) {
        extent e;
        e.code = list[i].number;
        fits = fits && (e.is_unknown() || is_defined(builder_.graph().view(), e));
      }
      for (std::size_t k = 0; k < i; ++k) fits = fits && list[k].name != list[i].name;
      if (!fits)
        fail(malformed(d.op, (text() << "the attribute '" << list[i].name
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

  // After an error, capture continues with results of unknown type.
  constexpr std::size_t infer_by_value(const kernel_spec& k, view<attribute_value> attributes,
                                       view<value_id> operands, const node_location& where,
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
  table<parsed_signature> signatures_;
  text_view role_;  // the class of machines of operations that follow
  error error_;
};

}  // namespace detail

}  // namespace wf
