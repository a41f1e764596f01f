// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/graph/choice_graph.hpp>

namespace wf::detail {

// Lower bound on the amount in use while a node runs: its results. Results of a view either lie in
// storage at least as large as each of them, or are copies.
constexpr std::int64_t working_set(const graph_view& g, const node& n, const metric_spec& m,
                                   const registry& kernels) {
  const bool qubit_metric = m.name == "qubits";
  const kernel_spec* const k = kernels.find(g.op_name(n));
  const bool is_view = k != nullptr && k->is_view;
  std::int64_t total = 0;
  for (std::uint32_t i = 0; i < n.outputs.count; ++i) {
    const std::int64_t amount = amount_of(g.values[n.outputs.first + i], qubit_metric);
    total = !is_view ? saturating_add(total, amount) : total < amount ? amount : total;
  }
  return total;
}

// Fills in the own cost of every candidate; for measured metrics a lower bound.
constexpr result<nothing> add_costs(table<std::int64_t>& costs, const graph_view& g,
                                    const metric_spec& m, std::size_t column, std::size_t width,
                                    const registry& kernels) {
  pricer<rational> prices(g, m, kernels);
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    if (m.rule == combination::measured) continue;
    if (m.rule == combination::peak && counts_storage(m)) {
      costs[i * width + column] = working_set(g, g.nodes[i], m, kernels);
      continue;
    }
    const auto price = prices.price(static_cast<node_id>(i));
    if (!price) return price.error();
    const auto whole = to_int64(*price);
    if (!whole) return whole.error();
    costs[i * width + column] = *whole;
  }
  return nothing{};
}

}  // namespace wf::detail
