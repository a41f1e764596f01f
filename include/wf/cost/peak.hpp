// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/body_price.hpp>

namespace wf {

/// The storage plan of a workflow along an order of its nodes, with the scratch that its kernels
/// state; its size is `peak_memory`. `element_bytes`: size of every element in bytes; 0: that of
/// its type. Errors: those of `plan_storage` and `price`.
constexpr result<storage_plan> storage_along(const graph_view& workflow, const registry& r,
                                             view<node_id> order, std::int64_t element_bytes = 0) {
  return detail::storage_plan_along(workflow, r, order, element_bytes);
}

/// Amounts in use along a schedule: bytes for `peak_memory`, qubits for `qubits`, stated prices for
/// other metrics (held by a node's first result). Inputs and outputs count throughout (a register
/// of qubits until its last reader), a result from its node on, an operand until its last reader,
/// scratch while its node runs. Views that lie in their operand count with it, and results take
/// over storage of dying operands, see `storage_rule`. Errors: those of `validate`;
/// `malformed_graph` for an order that is not topological; `workflow_not_static`, those of `price`.
/// O(nodes + values), for `peak_memory` as `plan_storage`.
constexpr result<liveness> liveness_along(const graph_view& workflow, const metric_spec& m,
                                          const registry& r, view<node_id> order) {
  return detail::amounts_in_use_along(workflow, m, r, order);
}

/// The peak along the stable topological order: for a captured graph, the order of capture. Budgets
/// and limits on peak metrics refer to it; `best_order` minimizes it over orders. Errors: those of
/// `validated` and `liveness_along`.
constexpr result<std::int64_t> peak_cost(const graph_view& workflow, const metric_spec& m,
                                         const registry& r) {
  return detail::peak_of(workflow, m, r);
}

}  // namespace wf
