// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <vector>

#include <wf/core/container/table.hpp>
#include <wf/ir/graph/view.hpp>
#include <wf/run/parallel/hazards.hpp>
#include <wf/run/plan/execution_step.hpp>
#include <wf/run/plan/layout.hpp>

// What the steps of an execution read and write, and what they must wait for apart from that.
namespace wf {

namespace detail {

// Calls `f(step, home, is_written)` for the operands and then the results of each step, in order.
template <class Real, class F>
void each_access(const stored_graph<Real>& stored, const std::vector<execution_step<Real>>& steps,
                 F&& f) {
  const graph_view g = stored.g.view();
  for (std::uint32_t step = 0; step < steps.size(); ++step) {
    const execution_step<Real>& s = steps[step];
    const node& n = g[s.last];
    for (const value_id operand : s.program.empty() ? g.inputs_of(n) : view<value_id>(s.operands))
      f(step, stored.home[index_of(operand)], false);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      f(step, stored.home[index_of(graph_view::output_of(n, k))], true);
  }
}

// Dependences that the workflow states. Nodes with effects keep their order; so do all steps if an
// edge begins or ends at a view, which is no step.
template <class Real>
table<step_dependence> stated_dependences(const stored_graph<Real>& stored,
                                          const std::vector<execution_step<Real>>& steps) {
  const graph_view g = stored.g.view();
  table<std::uint32_t> step_of(g.nodes.size(), UINT32_MAX);
  table<step_dependence> out;
  std::uint32_t last = UINT32_MAX;
  for (std::uint32_t step = 0; step < steps.size(); ++step) {
    step_of[index_of(steps[step].last)] = step;
    for (const node_id id : steps[step].nodes) step_of[index_of(id)] = step;
    if (g[steps[step].last].effects == effect::pure) continue;
    if (last != UINT32_MAX) out.push_back({last, step});
    last = step;
  }
  for (const edge& e : g.edges) {
    const std::uint32_t before = step_of[index_of(e.from)], after = step_of[index_of(e.to)];
    if (before != UINT32_MAX && after != UINT32_MAX) {
      out.push_back({before, after});
      continue;
    }
    for (std::uint32_t step = 1; step < steps.size(); ++step) out.push_back({step - 1, step});
    break;
  }
  return out;
}

// What each step waits for: hazards of accesses, and what the workflow states.
template <class Real>
table<step_dependence> dependences_of(const stored_graph<Real>& stored,
                                      const std::vector<execution_step<Real>>& steps,
                                      view<storage_access> accesses) {
  table<step_dependence> out = hazards_of(accesses);
  for (const step_dependence& d : stated_dependences(stored, steps)) out.push_back(d);
  return out;
}

// By home: number of nodes that read it.
template <class Real>
table<std::uint32_t> count_readers(const stored_graph<Real>& stored) {
  const graph_view g = stored.g.view();
  table<std::uint32_t> readers(g.values.size());
  table<node_id> last(g.values.size(), node_id::none);
  for (const node_id id : stored.order) {
    if (!stored.is_executed(g[id])) continue;
    for (const value_id operand : g.inputs_of(g[id])) {
      const std::size_t home = index_of(stored.home[index_of(operand)]);
      if (last[home] != id) ++readers[home];
      last[home] = id;
    }
  }
  return readers;
}

}  // namespace detail

}  // namespace wf
