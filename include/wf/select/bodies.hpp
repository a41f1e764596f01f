// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/form/body.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/rewrite/hoist.hpp>
#include <wf/select/optimise.hpp>

namespace wf {

namespace detail {

// The number of nodes that run a body; 0 for a graph that `validate_references` rejects.
constexpr std::uint32_t number_of_bodies(const graph_view& g, const registry& kernels) {
  if (!validate_references(g)) return 0;
  std::uint32_t count = 0;
  for (const node& n : g.nodes) count += kernels.repeats(g.op_name(n)) ? 1U : 0U;
  return count;
}

// Copies a valid graph with other bodies: `replace(body)` makes the new one.
template <class Replace>
constexpr result<graph> with_bodies(const graph_view& g, const registry& kernels,
                                    Replace&& replace) {
  const auto order = topological_order(g);
  if (!order) return order.error();
  const auto copy = [&](node_id id, graph_copier& copier, graph_builder&) -> error {
    if (!kernels.repeats(g.op_name(g[id]))) return copier.copy(id);
    const auto body = body_of(g, id);
    if (!body) return body.error();
    const auto made = replace(body->view());
    if (!made) return in_body_of(g.label(id).view(), made.error());
    const text characters = to_text(made->view());
    table<attribute_value> attributes = attribute_values(g, g[id]);
    for (attribute_value& a : attributes)
      if (a.name == "body") a.characters = characters.view();
    return copier.copy(id, static_cast<table<attribute_value>&&>(attributes));
  };
  return copy_nodes(g, *order, copy);
}

}  // namespace detail

/// A workflow whose bodies (`kernel_spec::repeats`) are optimised for an objective.
struct body_choice {
  graph workflow;              ///< with the chosen bodies
  bool proven_optimal = true;  ///< no choice from the alternatives of a body is better
  std::uint32_t bodies = 0;    ///< number of bodies, those within bodies not counted
  bool hoisted = false;        ///< what does not vary is computed before
};

/// Chooses the bodies of a workflow: each is optimised for the objective, as it is, and without
/// what does not depend on what it carries (`hoist_invariants`), which is then computed once; of
/// both the cheaper workflow is taken. Bodies within bodies are, too. `optimise` then chooses for
/// the nodes around them. Errors: those of `validate`, `optimise` and `price`;
/// `workflow_not_static`.
template <class Callback = keep_going>
constexpr result<body_choice> optimise_bodies(const graph_view& workflow, const objective& o,
                                              const registry& kernels = builtin_registry(),
                                              const optimise_options& options = {},
                                              Callback&& callback = {}) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  body_choice out;
  const auto chosen = [&](const graph_view& g, bool& proven) {
    return detail::with_bodies(g, kernels, [&](const graph_view& body) -> result<graph> {
      auto inner = optimise_bodies(body, o, kernels, options, callback);
      if (!inner) return inner.error();
      auto made = optimise(inner->workflow.view(), o, {}, kernels, options, callback);
      if (!made) return made.error();
      proven = proven && inner->proven_optimal && made->proven_optimal;
      return static_cast<graph&&>(made->chosen);
    });
  };
  out.bodies = detail::number_of_bodies(*valid, kernels);
  if (out.bodies == 0) {
    out.workflow = graph(*valid);
    return out;
  }
  bool proven = true;
  auto plain = chosen(*valid, out.proven_optimal);
  if (!plain) return plain.error();
  auto moved = hoist_invariants(*valid, kernels);
  if (!moved) return moved.error();
  if (same(moved->view(), *valid)) {  // there is nothing to move
    out.workflow = static_cast<graph&&>(*plain);
    return out;
  }
  auto second = chosen(moved->view(), proven);
  if (!second) return second.error();
  const auto price_of = [&](const graph_view& g) -> result<std::int64_t> {
    auto made = optimise(g, o, {}, kernels, options, callback);
    if (!made) return made.error();
    return made->value;
  };
  const auto first_price = price_of(plain->view()), second_price = price_of(second->view());
  if (!first_price) return first_price.error();
  if (!second_price) return second_price.error();
  out.hoisted = *second_price < *first_price;
  out.proven_optimal = out.proven_optimal && proven;
  out.workflow = static_cast<graph&&>(out.hoisted ? *second : *plain);
  return out;
}

}  // namespace wf
