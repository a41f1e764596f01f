// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/lowering.hpp>
#include <wf/capture/equations/text.hpp>
#include <wf/capture/tracer.hpp>
#include <wf/capture/workflow.hpp>

namespace wf {

/// A name with the type of what it stands for.
struct named_type {
  /// The name in a text of equations.
  text_view name;
  /// Its element type, properties and shape.
  value_type type;
};

namespace detail {

// Captures a program with inputs of given types before those that it declares. Without an export,
// what it defines are its outputs.
constexpr bool capture_program(graph_capture& to, const equation_program& p, text_view source,
                               view<named_type> inputs = {}) {
  equation_capture capture(to, p, source);
  for (const named_type& input : inputs)
    capture.bind(input.name, to.add_input(input.name, input.type));
  if (!capture.run()) return false;
  for (const equation_statement& s : p.statements)
    if (s.kind == equation_statement_kind::exported) return true;
  table<text_view> known;
  for (const equation_statement& s : p.statements)
    if (s.kind == equation_statement_kind::definition && !has_label(known, s.name)) {
      known.push_back(s.name);
      to.add_output(s.name, capture.find(s.name));
    }
  return true;
}

// The body of a workflow written as a text.
template <fixed_string Text>
struct equation_body {
  constexpr void operator()(scope& s) const {
    auto program = parse_equations(Text.view());
    graph_capture& to = capture_of(s);
    if (!program) return to.fail(program.error());
    capture_program(to, *program, Text.view());
  }
};

// The operands of an equation: the names on its right side in the order of appearance.
constexpr table<text_view> equation_operands(const equation_program& p) {
  table<text_view> names;
  for (const equation_node& n : p.nodes) {
    if (n.kind != equation_kind::reference) continue;
    bool known = false;
    for (text_view name : names) known = known || name == n.name;
    if (!known) names.push_back(n.name);
  }
  return names;
}

// Captures one equation on captured values; `none` after an error, which the capture keeps.
constexpr value_id capture_equation(graph_capture& to, text_view source, view<value_id> operands) {
  const auto program = parse_equations(source);
  if (!program) return to.fail(program.error()), value_id::none;
  const table<text_view> names = equation_operands(*program);
  if (program->statements.size() != 1 ||
      program->statements[0].kind != equation_statement_kind::definition)
    return to.fail(
               make_error(errc::bad_equation, "", "one equation is wanted: Y[i] = A[i,j] x[j]")),
           value_id::none;
  if (names.size() != operands.size()) {
    to.fail(make_error(
        errc::bad_equation, program->statements[0].name,
        (text() << "the equation names " << names.size() << " operands, not " << operands.size())
            .view()));
    return value_id::none;
  }
  equation_capture capture(to, *program, source);
  for (std::size_t i = 0; i < names.size(); ++i) capture.bind(names[i], operands[i]);
  if (!capture.run()) return value_id::none;
  return capture.find(program->statements[0].name);
}

// The result type of an equation, as far as it is known at compile time: captures it on inputs of
// the operands' types.
template <fixed_string Text, class... Handle>
struct equation_outcome {
  static constexpr result<value_type> infer() {
    graph_capture to("equation");
    const value_id ids[sizeof...(Handle) + 1] = {to.add_input("operand", Handle::type)...,
                                                 value_id::none};
    const value_id made = capture_equation(to, Text.view(), {ids, sizeof...(Handle)});
    if (made == value_id::none) return to.failure();
    return to.type_of(made);
  }
  static constexpr error failure() {
    error e = infer().error();
    if (e.subject.empty()) e.subject = text("equation");
    append_position(e.message, e.where);
    return e;
  }
  static constexpr bool known = (Handle::type.shape.has_rank() && ...);
  static constexpr value_type make() {
    if constexpr (known) {
      auto made = infer();
      value_type t = made ? *made : value_type{dtype::unknown, {}, shape::unknown()};
      for (std::uint32_t i = 0; t.shape.has_rank() && i < t.shape.rank; ++i)
        if (t.shape.extents[i].is_derived()) t.shape.extents[i] = extent();
      return t;
    } else {
      value_type t{dtype::unknown, {}, shape::unknown()};
      ((t.type = t.type == dtype::unknown ? Handle::type.type : t.type), ...);
      return t;
    }
  }
  static constexpr value_type type = make();
  static constexpr bool ok = !known || type.type != dtype::unknown;
  using handle_type = decltype(handle_for<equation_outcome>());
};

}  // namespace detail

/// Captures one equation; the operands replace the names on its right side in the order of
/// appearance: `auto Y = wf::equation<"Y[i,k] = A[i,j] B[j,k]">(a, b)`. Captured immediately; the
/// handle carries shape and type. Compile errors: as for `equations`.
template <fixed_string Text, operand... Operand>
  requires(sizeof...(Operand) > 0)
constexpr auto equation(const Operand&... operands) {
  constexpr bool any_traced = (std::same_as<Operand, traced> || ...);
  scope* owner = nullptr;
  ((owner = owner == nullptr ? operands.owner() : owner), ...);
  bool foreign = owner == nullptr;
  ((foreign = foreign || (operands.owner() != owner && operands.owner() != nullptr)), ...);
  if constexpr (!any_traced) {
    using outcome = detail::equation_outcome<Text, typename Operand::handle_type...>;
    if constexpr (!outcome::ok) (void)sizeof(report<diagnose<&outcome::failure>>);
  }
  value_id made = value_id::none;
  if (foreign) {
    if (owner != nullptr) detail::capture_of(*owner).fail_foreign(source_location());
  } else {
    const value_id ids[] = {operands.emit(*owner, source_location())...};
    made = detail::capture_equation(detail::capture_of(*owner), Text.view(),
                                    {ids, sizeof...(Operand)});
    if (made == value_id::none) made = ids[0];  // the scope has the error
  }
  if constexpr (any_traced) {
    return traced(owner, made);
  } else {
    using outcome = detail::equation_outcome<Text, typename Operand::handle_type...>;
    return typename outcome::handle_type(owner, made);
  }
}

/// Captures a workflow written as equations, at compile time:
///
///     constexpr auto layer = wf::equations<"layer", R"(
///       input X : f32[64, 256]
///       input W : f32[256, 10]
///       input b : f32[10]
///       Y[n,k] = relu(X[n,i] W[i,k] + b[k])
///       export Y
///     )">();
///
/// An index that is missing on the left is summed over (Einstein's convention); `+=` sums over one
/// that stands once, too, `max=`, `min=` and `avg=` combine otherwise. Equations with the same left
/// side add up. Operands are aligned by the names of their indices, not by position. Names without
/// indices are whole tensors with the operators of C++ expressions: `S = H P trans(H) + R`. Any
/// operator can be called by name. Without an export, what is defined are the outputs. A product of
/// two factors becomes the operator that fits (matrix product, matrix times vector, elementwise,
/// with transposes and broadcasting as the indices require), else an `einsum`. Products of more
/// factors are evaluated from the left, unless that exceeds the maximum rank; choosing a better
/// order is left to `optimise`. Compile errors, with line and column: WF112, WF113, and those of
/// every capture.
template <fixed_string Name, fixed_string Text>
constexpr auto equations() {
  return workflow<Name>(detail::equation_body<Text>{});
}

/// Captures a tree of any dialect (`parse_equations`, `parse_legacy_equations`,
/// `parse_v2_equations`), which was read from `source`, with inputs of these types besides those
/// that it declares, in order and before these. Errors: `bad_equation`, those of every capture,
/// with position. O(length) without the inference of shapes.
constexpr result<graph> equations(text_view name, const equation_program& tree, text_view source,
                                  view<named_type> inputs = {}) {
  detail::graph_capture to(name);
  if (!detail::capture_program(to, tree, source, inputs)) return to.failure();
  return to.finish();
}

/// Captures a text in wf's own notation at run time. Errors: `equation_syntax`, and those of the
/// tree.
constexpr result<graph> equations(text_view name, text_view source, view<named_type> inputs = {}) {
  const auto program = parse_equations(source);
  if (!program) return program.error();
  return equations(name, *program, source, inputs);
}

}  // namespace wf
