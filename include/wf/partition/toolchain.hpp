// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/deployment.hpp>
#include <wf/partition/expand.hpp>
#include <wf/partition/rewrite.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/rewrite/inline.hpp>
#include <wf/toolchain/graph_stage.hpp>
#include <wf/toolchain/toolchain.hpp>
#include <wf/types/solve.hpp>

namespace wf {

/// How a workflow becomes a deployment.
struct deployment_settings {
  registry kernels = builtin_registry();         ///< the operators
  std::int64_t per_hop_budget = 100'000'000;     ///< time for a message, in nanoseconds: 100 ms
  guard_rules guards = guard_rules::standard();  ///< what guards the messages
  table<slot_binding> bindings = {};             ///< the operators of slots
  table<bootstrap> bootstraps = {};              ///< what machines run when they start
  cut_options cutting = {};                      ///< whether a class may have several programs
};

template <>
inline constexpr text_view stage_name<placed_graph> = "placed graph";
template <>
inline constexpr text_view stage_name<wired_program> = "wired program";
template <>
inline constexpr text_view stage_name<partitioned_program> = "partitioned program";
template <>
inline constexpr text_view stage_name<guarded_program> = "guarded program";
template <>
inline constexpr text_view stage_name<deployment> = "deployment";

namespace detail {

// Completes types that are not known; what is known needs no solving.
struct solving_types {
  registry kernels;
  constexpr result<graph> operator()(graph g) const {
    if (has_complete_types(g.view())) return g;
    return complete_types(g.view(), kernels);
  }
};
// Bodies are copied by the types of what calls read and return.
struct inlining_for_partition {
  registry kernels;
  constexpr result<graph> operator()(graph g) const {
    auto typed = solving_types{kernels}(static_cast<graph&&>(g));
    if (!typed || !has_calls(typed->view())) return typed;
    return inline_calls(typed->view());
  }
};
struct deriving_deadlines {
  registry kernels;
  std::int64_t per_hop = 0;
  constexpr result<graph> operator()(const graph& g) const {
    return derive_deadlines(g.view(), kernels, per_hop);
  }
};
struct validating_graph {
  constexpr result<graph> operator()(graph g) const { return validated(static_cast<graph&&>(g)); }
};
struct expanding_operators {
  registry kernels;
  constexpr result<graph> operator()(graph g) const {
    return expand(static_cast<graph&&>(g), kernels);
  }
};
struct placing_nodes {
  registry kernels;
  constexpr result<placed_graph> operator()(graph g) const {
    return place(static_cast<graph&&>(g), kernels);
  }
};
struct wiring {
  constexpr result<wired_program> operator()(const placed_graph& p) const {
    return insert_receives(p);
  }
};
struct cutting_program {
  cut_options options;
  constexpr result<partitioned_program> operator()(const wired_program& p) const {
    return cut(p, options);
  }
};
struct resolving_slots {
  registry kernels;
  table<slot_binding> bindings;
  constexpr result<partitioned_program> operator()(partitioned_program p) const {
    return resolve_slots(static_cast<partitioned_program&&>(p), bindings, kernels);
  }
};
struct analysing_edges {
  registry kernels;
  constexpr result<partitioned_program> operator()(partitioned_program p) const {
    return analyse_edges(static_cast<partitioned_program&&>(p), kernels);
  }
};
struct inserting_gate {
  gate_spec gate;
  registry kernels;
  constexpr result<partitioned_program> operator()(partitioned_program p) const {
    return insert_gate(static_cast<partitioned_program&&>(p), gate, kernels);
  }
};
template <class Rewrite>
struct rewriting_programs {
  Rewrite rewrite;
  registry kernels;
  constexpr result<partitioned_program> operator()(partitioned_program p) const {
    return rewrite_programs(static_cast<partitioned_program&&>(p), kernels, rewrite);
  }
};
struct completing_program {
  guard_rules rules;
  registry kernels;
  constexpr result<guarded_program> operator()(partitioned_program p) const {
    return complete(static_cast<partitioned_program&&>(p), rules, kernels);
  }
};
struct deploying {
  registry kernels;
  table<bootstrap> bootstraps;
  table<slot_binding> bindings;
  constexpr result<deployment> operator()(guarded_program p) const {
    return deploy(static_cast<guarded_program&&>(p), bootstraps, bindings, kernels);
  }
};

}  // namespace detail

/// Inserts a gate: a step to add to `deployment_toolchain`, by
/// `insert_after<"insert_backoff_gate_rx">(gate_step<"insert_quota_gate_rx">(...))`. That no
/// message passes by it is checked if it is also among `guard_rules::gates`.
template <fixed_string Name>
constexpr auto gate_step(const gate_spec& gate, const registry& kernels) {
  return step<Name, partitioned_program, partitioned_program>(
      detail::inserting_gate{gate, kernels});
}

/// Rewrites the program of each class by itself (`rewrite_programs`): a step to add to
/// `deployment_toolchain` before `validate_runtime_complete`, so that the check comes after it.
/// `rewrite(const partition&)` returns a `result<graph>`.
template <fixed_string Name, class Rewrite>
constexpr auto rewrite_step(const Rewrite& rewrite, const registry& kernels) {
  return step<Name, partitioned_program, partitioned_program>(
      detail::rewriting_programs<Rewrite>{rewrite, kernels});
}

/// Checks that every message is guarded; see `complete`. To follow a step that takes a guarded
/// program and returns a changed one.
constexpr auto complete_step(const guard_rules& rules, const registry& kernels) {
  return step<"validate_runtime_complete", partitioned_program, guarded_program>(
      detail::completing_program{rules, kernels});
}

/// From a workflow for several classes of machines to a deployment, in seventeen steps and the
/// last, `deploy`. The stages have types of their own, so that steps in a wrong order do not
/// compile (WF801): `graph`, `placed_graph`, `wired_program`, `partitioned_program`,
/// `guarded_program`, `deployment`. Steps between equal types can be left out (`drop`), and a
/// user's steps inserted anywhere; a guarded program is made by the check alone, so that a step
/// that changes one is followed by a check again, or does not compile.
///
/// Calls carry their bodies in wf; all of them are inlined, so that no function is called that does
/// not exist, and none is attached to several programs. Types that a workflow leaves open are
/// solved before, and those that steps of a user leave open in their turn. Errors: those of the
/// steps, with their names.
template <std::same_as<deployment_settings> Settings = deployment_settings>
constexpr auto deployment_toolchain(const Settings& s) {
  const registry& kernels = s.kernels;
  const auto& gates = standard_gates;
  return chain<"deployment">(
      step<"inline_for_partition", graph, graph>(detail::inlining_for_partition{kernels}),
      step<"derive_wire_deadlines", graph, graph>(
          detail::deriving_deadlines{kernels, s.per_hop_budget}),
      step<"validate", graph, graph>(detail::validating_graph{}),
      step<"expand_ops", graph, graph>(detail::expanding_operators{kernels}),
      step<"type_solver", graph, graph>(detail::solving_types{kernels}),
      step<"infer_peer_classes", graph, placed_graph>(detail::placing_nodes{kernels}),
      step<"synthesize_wire_recvs", placed_graph, wired_program>(detail::wiring{}),
      step<"partition_by_wire_ops", wired_program, partitioned_program>(
          detail::cutting_program{s.cutting}),
      step<"resolve_slots", partitioned_program, partitioned_program>(
          detail::resolving_slots{kernels, s.bindings}),
      step<"analyze_wire_edges", partitioned_program, partitioned_program>(
          detail::analysing_edges{kernels}),
      gate_step<"insert_dedup_gate_rx">(gates[0], kernels),
      gate_step<"insert_peer_health_gate_rx">(gates[1], kernels),
      gate_step<"insert_backoff_gate_rx">(gates[2], kernels),
      gate_step<"insert_peer_health_gate_tx">(gates[3], kernels),
      gate_step<"insert_backoff_gate_tx">(gates[4], kernels),
      gate_step<"insert_async_deadlines">(gates[5], kernels), complete_step(s.guards, kernels),
      step<"deploy", guarded_program, deployment>(
          detail::deploying{kernels, s.bootstraps, s.bindings}));
}

/// The deployment of a workflow, captured or parsed: `deployment_toolchain`, run. Errors: those of
/// its steps.
constexpr result<deployment> deploy(const graph_view& workflow,
                                    const deployment_settings& settings = {}) {
  if (const auto valid = validate_references(workflow); !valid) return valid.error();
  return deployment_toolchain(settings)(graph(workflow));
}

}  // namespace wf
