// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/choice_graph.hpp>
#include <wf/registry/registry.hpp>

namespace wf {

/// What a transform does at one node. Errors end the growth.
using proposal = result<nothing> (*)(choice_graph&, node_id);

/// A rule that proposes alternatives: looks at one node and adds equal candidates to the choice
/// graph
/// (`choice_graph::add`, then `unite` with the node's result). It must only unite values that are
/// equal for every input that the workflow's declared properties admit.
struct transform {
  /// The family it belongs to.
  text_view domain;
  /// Its name: "chain_order".
  text_view name;
  /// One sentence for `explain`.
  text_view summary;
  /// Proposes alternatives to a node. Errors end the growth.
  proposal propose = nullptr;
  /// True if it also looks at nodes that transforms added.
  bool repeat = true;
  /// The operator at whose nodes it looks; empty: at all.
  text_view op = {};
  /// A condition on these nodes, such as "min(M, N, K) >= 512": a formula over what the costs of
  /// the operator's kernel may name. It does not hold where it depends on an extent that is not
  /// fixed, or on an attribute that has no value. Empty: always.
  text_view guard = {};
};

/// What is wrong with a transform, if anything, given the kernels of a registry: `invalid_problem`
/// for one that proposes nothing, or has a guard for all operators; `unknown_operator` if no kernel
/// has its operator's name; `unknown_symbol` and others for a guard (see `find_guard_fault`).
constexpr registry_fault find_fault(const transform& t, const registry& kernels) {
  if (t.propose == nullptr)
    return {make_error(errc::invalid_problem, t.name, "a transform that proposes nothing"), {}};
  if (t.op.empty() && t.guard.empty()) return {};
  if (t.op.empty())
    return {make_error(errc::invalid_problem, t.name,
                       "a guard needs the operator whose symbols it names"),
            {}};
  const kernel_spec* k = kernels.find(t.op);
  if (k == nullptr)
    return {
        make_error(errc::unknown_operator, t.name, unknown_kernel_message(kernels, t.op).view()),
        t.op};
  if (t.guard.empty()) return {};
  return find_guard_fault(t.name, t.guard, *k);
}

/// How far a choice graph may grow.
struct growth_limits {
  /// The most nodes; growth stops before a transform that finds the graph larger.
  std::uint32_t max_nodes = 20000;
};

namespace detail {

// The operators and guards of transforms, checked and parsed once for a growth.
class guard_table {
 public:
  constexpr error prepare(view<transform> transforms, const registry& kernels) {
    for (std::size_t t = 0; t < transforms.size(); ++t) {
      if (transforms[t].op.empty() && transforms[t].guard.empty()) continue;
      if (registry_fault f = find_fault(transforms[t], kernels)) return f.failure;
      prepared_guard made;
      made.transform = t;
      made.op = hash_text(transforms[t].op);
      if (!transforms[t].guard.empty()) {
        made.parsed = *parse_signature(kernels.find(transforms[t].op)->signature);
        made.condition = *parse_formula(transforms[t].guard);
        made.has_condition = true;
      }
      guards_.push_back(static_cast<prepared_guard&&>(made));
    }
    return {};
  }

  constexpr bool empty() const { return guards_.empty(); }
  // Whether a transform looks at a node. Errors of formulas: a division by zero, an overflow.
  constexpr result<bool> admits(std::size_t transform, const graph_view& g, node_id id) const {
    const node& n = g[id];
    for (const prepared_guard& guard : guards_) {
      if (guard.transform != transform) continue;
      if (g.operations[n.op].hash != guard.op) return false;
      if (!guard.has_condition) return true;
      const auto holds = evaluate(guard.condition, node_symbols(g, n, guard.parsed));
      if (holds) return !(*holds == rational(0));
      if (holds.error().code == errc::unknown_symbol) return false;
      return holds.error();
    }
    return true;
  }

 private:
  struct prepared_guard {
    std::size_t transform = 0;
    std::uint64_t op = 0;
    signature parsed;
    formula condition;
    bool has_condition = false;
  };

  table<prepared_guard> guards_;
};

}  // namespace detail

/// Applies transforms to every node that their operators and guards admit, the added ones included,
/// until nothing is new or the limit is reached. Node by node, transform by transform:
/// deterministic. `kernels` declares what guards name. Errors: those of transforms and of
/// `find_fault`.
constexpr result<choice_graph> grow(const graph_view& workflow, view<transform> transforms,
                                    const growth_limits& limits = {},
                                    const registry& kernels = builtin_registry()) {
  detail::guard_table guards;
  if (error e = guards.prepare(transforms, kernels); e.code != errc::none) return e;
  choice_graph choices(workflow);
  const std::size_t captured = choices.view().nodes.size();
  for (std::uint32_t i = 0; i < choices.view().nodes.size(); ++i) {
    for (std::uint16_t t = 0; t < transforms.size(); ++t) {
      const auto id = static_cast<node_id>(i);
      if (i >= captured && !transforms[t].repeat) continue;
      if (choices.view().nodes[i].effects != effect::pure) continue;
      if (choices.view().nodes.size() >= limits.max_nodes) return choices;
      if (!guards.empty()) {
        const auto admitted = guards.admits(t, choices.view(), id);
        if (!admitted) return admitted.error();
        if (!*admitted) continue;
      }
      choices.set_origin(static_cast<origin_id>(t + 1));
      if (auto done = transforms[t].propose(choices, id); !done) return done.error();
    }
  }
  return choices;
}

}  // namespace wf
