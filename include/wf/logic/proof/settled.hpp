// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/evaluate/evaluate.hpp>

namespace wf::logic::detail {

/// A program without rules, all tensors of which are inputs: what a run made of another program.
/// Tensors have the numbers that they have there.
struct settled_program {
  tensor_program program;
  database facts;              ///< of every tensor, and of `given`
  table<std::uint32_t> given;  ///< by tensor: that of the facts that inputs have of a defined
                               ///< tensor; `none` without any
  table<bool> derived;         ///< by tensor: it had rules, or stated its entries
};

/// A tensor of a program that is being made, with axes of its own order.
constexpr std::uint32_t add_tensor(tensor_program& p, text name, bool boolean,
                                   view<std::uint32_t> axes) {
  tensor_info t;
  t.name = static_cast<text&&>(name);
  t.boolean = boolean;
  t.ranked = true;
  t.rank = static_cast<std::uint32_t>(axes.size());
  t.axes = {static_cast<std::uint32_t>(p.axes_of.size()), t.rank};
  for (const std::uint32_t a : axes) p.axes_of.push_back(a);
  p.tensors.push_back(static_cast<tensor_info&&>(t));
  return static_cast<std::uint32_t>(p.tensors.size() - 1);
}
/// The axes of a tensor.
constexpr table<std::uint32_t> axes_of(const tensor_program& p, std::uint32_t tensor) {
  const tensor_info& t = p.tensors[tensor];
  return table<std::uint32_t>(view<std::uint32_t>(p.axes_of).part(t.axes.first, t.rank));
}

/// Adds a node to a program's scalar expressions.
constexpr std::uint32_t leaf(tensor_program& p, scalar_kind kind, std::uint32_t index) {
  p.scalars.push_back({});
  p.scalars.back().kind = kind;
  p.scalars.back().index = index;
  return static_cast<std::uint32_t>(p.scalars.size() - 1);
}
constexpr std::uint32_t number(tensor_program& p, double value) {
  p.scalars.push_back({});
  p.scalars.back().number = value;
  return static_cast<std::uint32_t>(p.scalars.size() - 1);
}
constexpr std::uint32_t combined(tensor_program& p, scalar_kind kind, std::uint32_t left,
                                 std::uint32_t right = none) {
  p.scalars.push_back({});
  p.scalars.back().kind = kind;
  p.scalars.back().left = left;
  p.scalars.back().right = right;
  return static_cast<std::uint32_t>(p.scalars.size() - 1);
}
/// True for a derived tensor of which a rule may read that an entry is there, or its value.
constexpr bool has_two_readings(const tensor_info& t) {
  return !t.boolean && is_extreme(t.projection);
}
/// True if a rule reads only that the entry of a join is there, of a tensor of `min=` or `max=`.
constexpr bool reads_presence(const tensor_program& p, const rule& r, std::uint32_t join) {
  if (!has_two_readings(p.tensors[p.atoms[r.joins.first + join].tensor])) return false;
  bool reads = reads_join(p, r.value, join);
  for (std::uint32_t i = 0; i < r.comparisons.count; ++i) {
    const comparison& c = p.comparisons[r.comparisons.first + i];
    reads = reads || reads_join(p, c.left, join) || reads_join(p, c.right, join);
  }
  return !reads;
}

/// Lets a rule keep only the bindings that give an entry of a tensor of `min=` or `max=` the value
/// that it has, up to the order in which numbers are added: 1e-12 of it. `head` is the tensor at
/// the rule's head, `value` what the rule computes for a binding.
constexpr void match_value(tensor_program& p, rule& r, std::uint32_t value, const atom& head) {
  const bool least = p.tensors[head.tensor].projection == projection::minimum;
  const std::uint32_t own = leaf(p, scalar_kind::looked_up, r.lookups.count);
  r.lookups = copied(p.atoms, r.lookups, view<atom>(&head, 1));
  const std::uint32_t size = combined(p, scalar_kind::function, own);
  p.scalars[size].name = text(kernels::abs.name);
  const std::uint32_t slack = combined(p, scalar_kind::product, size, number(p, 1e-12));
  const comparison c{least ? comparison_sign::less_equal : comparison_sign::greater_equal, value,
                     combined(p, least ? scalar_kind::sum : scalar_kind::difference, own, slack)};
  r.comparisons = copied(p.comparisons, r.comparisons, view<comparison>(&c, 1));
}

/// Evaluates a program, and takes all its tensors as inputs of another one. Errors: those of
/// `evaluate`.
constexpr result<settled_program> settle(const stratified_program& strata, const database& inputs,
                                         const evaluation_options& options,
                                         const registry& operators) {
  stratified_program all = strata;
  for (tensor_info& t : all.program.tensors) t.exported = t.defined;
  auto solved = evaluate(all, inputs, options, operators);
  if (!solved) return solved.error();
  settled_program out;
  out.program = static_cast<tensor_program&&>(all.program);
  tensor_program& p = out.program;
  const auto literals = static_cast<table<tensor_literal>&&>(p.literals);
  p.rules.clear();
  p.literals.clear();
  const auto tensors = static_cast<std::uint32_t>(p.tensors.size());
  out.given = table<std::uint32_t>(tensors, none);
  for (std::uint32_t t = 0; t < tensors; ++t) {
    const text name = p.tensors[t].name;
    out.derived.push_back(p.tensors[t].defined);
    p.tensors[t].defined = p.tensors[t].temporary = p.tensors[t].exported = false;
    const named_relation* const input = inputs.find(name.view());
    if (!out.derived[t]) {
      if (input != nullptr) out.facts.relations.push_back(*input);
      continue;
    }
    solved_tensor& made = *solved->find(name.view());
    named_relation& entries = out.facts.add(name.view(), made.entries());
    entries.domains = made.domains;
    text given_name;
    given_name << name.view() << "#given";
    for (const tensor_literal& l : literals)
      if (l.tensor == t) out.facts.add_dense(given_name.view(), l.extents, l.values);
    if (input != nullptr) {
      out.facts.relations.push_back(*input);
      out.facts.relations.back().name = given_name;
    }
    if (out.facts.find(given_name.view()) != nullptr)
      out.given[t] = add_tensor(p, given_name, p.tensors[t].boolean, axes_of(p, t));
  }
  out.facts.domains = solved->domains;
  return out;
}

}  // namespace wf::logic::detail
