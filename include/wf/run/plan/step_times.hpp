// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <vector>

#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/cost/price.hpp>
#include <wf/registry/registry.hpp>
#include <wf/run/plan/execution_step.hpp>
#include <wf/run/plan/layout.hpp>

namespace wf {

namespace detail {

// Estimated time of each step on one core, in nanoseconds: `execution_time` where the registry has
// it, otherwise by flops and elements. Only what is worth a task depends on it.
template <class Real>
table<std::int64_t> step_times(const stored_graph<Real>& stored,
                               const std::vector<execution_step<Real>>& steps,
                               const registry& kernels) {
  constexpr std::int64_t call = 60, flops_per_ns = 8, elements_per_ns = 4;
  const graph_view g = stored.g.view();
  pricer<rational> times(g, execution_time, kernels), operations(g, flops, kernels);
  const auto time_of = [&](node_id id) {
    if (const auto ns = times.price(id))
      if (const auto whole = to_int64(*ns); whole && *whole >= 0) return *whole;
    std::int64_t elements = 0;
    for (const value_id v : g.inputs_of(g[id]))
      elements = saturating_add(elements, g[v].type.shape.elements());
    for (std::uint32_t k = 0; k < g[id].outputs.count; ++k)
      elements = saturating_add(elements, g[graph_view::output_of(g[id], k)].type.shape.elements());
    std::int64_t count = 0;
    if (const auto flop = operations.price(id))
      if (const auto whole = to_int64(*flop); whole && *whole > 0) count = *whole;
    return saturating_add(call, saturating_add(count / flops_per_ns, elements / elements_per_ns));
  };
  table<std::int64_t> out;
  for (const execution_step<Real>& s : steps) {
    std::int64_t sum = s.nodes.empty() ? time_of(s.last) : 0;
    for (const node_id id : s.nodes) sum = saturating_add(sum, time_of(id));
    out.push_back(sum);
  }
  return out;
}

}  // namespace detail

}  // namespace wf
