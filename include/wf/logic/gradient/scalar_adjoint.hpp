// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/text.hpp>
#include <wf/logic/program/attribute_number.hpp>
#include <wf/logic/program/factors.hpp>
#include <wf/logic/program/scalar_writer.hpp>
#include <wf/registry/registry.hpp>
#include <wf/registry/signature.hpp>

namespace wf::logic::detail {

/// A kind of scalar expression and what it means.
struct kind_meaning {
  scalar_kind kind;
  wf::meaning meaning;
};
inline constexpr kind_meaning kind_meanings[] = {{scalar_kind::sum, meaning::addition},
                                                 {scalar_kind::difference, meaning::subtraction},
                                                 {scalar_kind::product, meaning::multiplication},
                                                 {scalar_kind::quotient, meaning::division},
                                                 {scalar_kind::negation, meaning::negation},
                                                 {scalar_kind::power, meaning::power},
                                                 {scalar_kind::choice, meaning::choice}};

/// The adjoint of a node of a scalar expression: the equations of its operator's kernel, which it
/// writes as scalar expressions.
class node_adjoint {
 public:
  constexpr node_adjoint(tensor_program& p, const registry& operators, std::uint32_t node)
      : program_(p), operators_(operators), write_(p), node_(node) {}

  /// Finds the equations. Errors: `no_adjoint`.
  constexpr error prepare() {
    const scalar_node& n = program_.scalars[node_];
    for (const std::uint32_t operand : {n.left, n.right, n.other})
      if (operand != none) operands_.push_back(operand);
    kernel_ = kernel_of(n);
    if (kernel_ == nullptr) return fail(errc::no_adjoint, "is no operator with an adjoint");
    signature_ = *parse_signature(kernel_->signature);
    attributes_ = table<attribute_value>(
        view<attribute_value>(program_.attributes).part(n.attributes.first, n.attributes.count));
    types_ = table<value_type>(operands_.size(), {dtype::f64, {}, shape::of()});
    text_view source = kernel_->adjoint;
    if (kernel_->write_adjoint != nullptr)
      source = program_.made.keep(kernel_->write_adjoint(call()));
    if (source.empty()) return {};
    auto parsed = parse_equations(source);
    if (!parsed) return fail(errc::no_adjoint, parsed.error().message.view());
    tree_ = static_cast<equation_program&&>(*parsed);
    text missing;
    return settle_numbers(call(), tree_.attributes, missing)
               ? error()
               : fail(errc::no_adjoint,
                      (text() << "has an adjoint with an unknown " << missing.view()).view());
  }
  /// Number of operands.
  constexpr std::size_t operands() const { return operands_.size(); }
  /// Operand `i`, as a node.
  constexpr std::uint32_t operand(std::size_t i) const { return operands_[i]; }
  /// The derivative by operand `i`, from that of the node: a node. Truth values have none. Errors:
  /// `no_adjoint`.
  constexpr error derivative(std::size_t i, std::uint32_t of_node, std::uint32_t& out) {
    derivative_ = of_node;
    const parameter& p = signature_.operand(static_cast<std::uint32_t>(i), operands_.size());
    const parameter& result = signature_.result(0, 1);
    const text name = text() << 'd' << p.name;
    const std::size_t statement = find(name.view(), tree_.statements.size());
    if (statement == tree_.statements.size()) {
      if (is_truth(p) || is_truth(result)) return out = write_.number(0), error();
      return fail(errc::no_adjoint, (text() << "states no derivative " << name.view()).view());
    }
    out = value(statement);
    return failure_;
  }

 private:
  static constexpr bool is_truth(const parameter& p) { return p.bound == name_of(dtype::boolean); }
  constexpr error fail(errc code, text_view message) const {
    return make_error(code, kernel_ != nullptr ? kernel_->name : text_view(), message);
  }
  constexpr const kernel_spec* kernel_of(const scalar_node& n) const {
    if (n.kind == scalar_kind::function) return operators_.find(n.name.view());
    for (const kind_meaning& m : kind_meanings)
      if (m.kind == n.kind)
        for (const kernel_spec* k : operators_.kernels())
          if (k->meaning == m.meaning) return k;
    return nullptr;
  }
  constexpr rule_input call() const { return {types_, attributes_, nullptr, nullptr, &signature_}; }

  // The definition of a name among the first statements; their number if there is none.
  constexpr std::size_t find(text_view name, std::size_t before) const {
    for (std::size_t i = before; i-- > 0;)
      if (tree_.statements[i].kind == equation_statement_kind::definition &&
          tree_.statements[i].name == name)
        return i;
    return tree_.statements.size();
  }
  constexpr std::uint32_t value(std::size_t statement) {
    return expression(tree_.statements[statement].root, statement);
  }
  // What a name stands for in a statement.
  constexpr std::uint32_t named(text_view name, std::size_t statement) {
    for (std::uint32_t i = 0; i < operands_.size(); ++i)
      if (signature_.operand(i, operands_.size()).name == name) return operands_[i];
    const text_view result = signature_.result(0, 1).name;
    if (name == result) return node_;
    if (name.starts_with("d") && name.part(1) == result) return derivative_;
    if (const std::size_t found = find(name, statement); found != tree_.statements.size())
      return value(found);
    double number = 0;
    if (!find_number(call(), name, number)) refuse(name);
    return write_.number(number);
  }
  constexpr void refuse(text_view name) {
    if (failure_.code == errc::none)
      failure_ = fail(errc::no_adjoint,
                      (text() << "has an adjoint with " << name << ", which is no scalar").view());
  }
  constexpr std::uint32_t expression(std::uint32_t root, std::size_t statement) {
    const equation_node& n = tree_.nodes[root];
    if (n.kind == equation_kind::number) return write_.number(n.number);
    if (n.kind == equation_kind::reference) return named(n.name, statement);
    std::uint32_t parts[3] = {none, none, none};
    if (n.children.count > 3) refuse(n.name);
    for (std::uint32_t i = 0; i < n.children.count && i < 3; ++i)
      parts[i] = expression(wf::detail::child_of(tree_, n, i), statement);
    scalar_kind kind = arithmetic_of(n.kind);
    if (n.kind == equation_kind::call) {
      const kernel_spec* const k = operators_.find(n.name);
      for (const kind_meaning& m : kind_meanings)
        if (k != nullptr && k->meaning == m.meaning) kind = m.kind;
      if (kind == scalar_kind::number) return function(n, k, parts);
    }
    if (kind == scalar_kind::number) {
      refuse(name_of(n.kind));
      return write_.number(0);
    }
    return write_.simplified(kind, parts[0], parts[1], parts[2]);
  }
  constexpr std::uint32_t function(const equation_node& n, const kernel_spec* k,
                                   const std::uint32_t (&parts)[3]) {
    if (k == nullptr || !k->laws.elementwise) refuse(n.name);
    scalar_node f;
    f.kind = scalar_kind::function;
    f.name = text(n.name);
    f.left = parts[0];
    f.right = parts[1];
    f.other = parts[2];
    f.attributes = {static_cast<std::uint32_t>(program_.attributes.size()), n.attributes.count};
    for (std::uint32_t i = 0; i < n.attributes.count; ++i)
      program_.attributes.push_back(tree_.attributes[n.attributes.first + i]);
    return write_.scalar(f);
  }

  tensor_program& program_;
  const registry& operators_;
  scalar_writer write_;
  std::uint32_t node_;
  const kernel_spec* kernel_ = nullptr;
  signature signature_;
  table<value_type> types_;
  table<attribute_value> attributes_;
  table<std::uint32_t> operands_;
  equation_program tree_;
  std::uint32_t derivative_ = none;
  error failure_;
};

/// True if a scalar expression depends on a join or lookup for which `counts(node)` is true.
/// O(size of the expression).
template <class Counts>
constexpr bool depends_on(const tensor_program& p, std::uint32_t root, const Counts& counts) {
  return p.any_scalar(root, [&](const scalar_node& n) {
    return (n.kind == scalar_kind::joined || n.kind == scalar_kind::looked_up) && counts(n);
  });
}

/// Passes the derivative of a scalar expression down to the joins and lookups for which
/// `counts(node)` is true, and calls `visit(node, derivative)` for each occurrence. Errors:
/// `no_adjoint`, with the operator's name. O(size of the expression · depth).
template <class Counts, class Visit>
constexpr error pass_derivative(tensor_program& p, const registry& operators, std::uint32_t root,
                                std::uint32_t derivative, const Counts& counts,
                                const Visit& visit) {
  if (!depends_on(p, root, counts) || scalar_writer(p).is(derivative, 0)) return {};
  const scalar_kind kind = p.scalars[root].kind;
  if (kind == scalar_kind::joined || kind == scalar_kind::looked_up) {
    const scalar_node leaf = p.scalars[root];
    visit(leaf, derivative);
    return {};
  }
  node_adjoint node(p, operators, root);
  if (error e = node.prepare(); e.code != errc::none) return e;
  for (std::size_t i = 0; i < node.operands(); ++i) {
    if (!depends_on(p, node.operand(i), counts)) continue;
    std::uint32_t passed = none;
    if (error e = node.derivative(i, derivative, passed); e.code != errc::none) return e;
    if (error e = pass_derivative(p, operators, node.operand(i), passed, counts, visit);
        e.code != errc::none)
      return e;
  }
  return {};
}

}  // namespace wf::logic::detail
