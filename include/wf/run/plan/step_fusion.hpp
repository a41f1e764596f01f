// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <wf/core/container/table.hpp>
#include <wf/ir/graph/view.hpp>
#include <wf/run/operators/tile_program.hpp>
#include <wf/run/plan/execution_step.hpp>
#include <wf/run/plan/layout.hpp>
#include <wf/run/values/element.hpp>

namespace wf {

namespace detail {

// Makes the steps of a workflow whose values have places.
template <class Real>
class step_fusion {
 public:
  // `places`: by home. Both must outlive it.
  step_fusion(const stored_graph<Real>& stored, std::vector<storage_place>& places)
      : stored_(stored), places_(places) {}

  // The steps, in order of execution. Fuses consecutive elementwise nodes, each read by later nodes
  // of the group only, into one step if `joined`; otherwise each node is a step. Values that are
  // only read within a step lose their place.
  std::vector<execution_step<Real>> run(bool joined) {
    const graph_view g = stored_.g.view();
    std::vector<execution_step<Real>> steps;
    table<std::uint32_t> readers(g.values.size());
    for (value_id operand : g.operands) ++readers[index_of(operand)];
    for (value_id id : stored_.outputs) ++readers[index_of(id)];
    std::vector<node_id> nodes;
    for (node_id id : stored_.order)
      if (stored_.is_executed(g[id])) nodes.push_back(id);
    while (!nodes.empty()) {
      std::size_t first = nodes.size() - 1;
      if (joined && is_tiled(g, nodes.back()))
        while (first > 0 && joins(g, nodes, first - 1, readers)) --first;
      steps.push_back(step_of(g, nodes, first));
      for (std::size_t i = first; i + 1 < nodes.size(); ++i)
        places_[g[nodes[i]].outputs.first] = {};
      nodes.resize(first);
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

 private:
  const storage_place& place_of(value_id id) const {
    return places_[index_of(stored_.home[index_of(id)])];
  }
  bool is_by_columns(value_id id) const { return stored_.by_columns[index_of(id)] != 0; }
  bool is_tiled(const graph_view& g, node_id id) const {
    const node& n = g[id];
    return stored_.operator_of(n).tile != nullptr && n.outputs.count == 1 &&
           g.values[n.outputs.first].type.type == dtype_of<Real>;
  }
  // True if node `at` can be fused with the nodes after it.
  bool joins(const graph_view& g, const std::vector<node_id>& nodes, std::size_t at,
             const table<std::uint32_t>& readers) const {
    const value_id result = graph_view::output_of(g[nodes[at]]);
    const value_id last = graph_view::output_of(g[nodes.back()]);
    if (!is_tiled(g, nodes[at]) || !(g[result].type.shape == g[last].type.shape)) return false;
    if (g[nodes[at]].effects != effect::pure) return false;
    std::uint32_t inside = 0;
    for (std::size_t i = at + 1; i < nodes.size(); ++i)
      for (value_id operand : g.inputs_of(g[nodes[i]])) inside += operand == result ? 1 : 0;
    if (inside != readers[index_of(result)]) return false;
    const execution_step<Real> s = step_of(g, nodes, at);
    if (s.program.size() > compute::max_tile_inputs || s.operands.size() > compute::max_tile_inputs)
      return false;
    // Only element by element may the result overwrite an operand.
    for (value_id operand : s.operands)
      if (place_of(operand) == place_of(last) && !lie_alike(operand, last)) return false;
    return true;
  }
  bool lie_alike(value_id a, value_id b) const {
    return stored_.g[a].type.shape == stored_.g[b].type.shape &&
           is_by_columns(a) == is_by_columns(b) && stored_.is_part[index_of(a)] == 0;
  }

  // The step of the nodes from `first` on.
  execution_step<Real> step_of(const graph_view& g, const std::vector<node_id>& nodes,
                               std::size_t first) const {
    execution_step<Real> s;
    s.last = nodes.back();
    if (!is_tiled(g, nodes.back())) {
      const node& n = g[s.last];
      if (const auto write = stored_.operator_of(n).constants; write != nullptr) {
        const std::int64_t count = g[graph_view::output_of(n)].type.shape.elements();
        const std::shared_ptr<Real[]> numbers(new Real[static_cast<std::size_t>(count)]);
        write(g, n, numbers.get());
        s.constants = numbers;
      }
      return s;
    }
    std::vector<value_id> slots;  // the intermediate values, by slot
    for (std::size_t at = first; at < nodes.size(); ++at) {
      const node& n = g[nodes[at]];
      compute::tile_instruction<Real> i{stored_.operator_of(n).tile, n.inputs.count};
      i.role = stored_.operator_of(n).role;
      if (const auto read = stored_.operator_of(n).parameters; read != nullptr)
        read(g, n, i.parameters);
      for (std::uint32_t k = 0; k < n.inputs.count; ++k)
        i.from[k] = source_of(g.inputs_of(n)[k], s.operands, slots);
      // The last reader of a slot frees it.
      for (value_id& slot : slots)
        if (slot != value_id::none && !is_read_after(g, nodes, at, slot)) slot = value_id::none;
      std::size_t slot = 0;
      while (slot < slots.size() && slots[slot] != value_id::none) ++slot;
      if (at + 1 < nodes.size()) {
        if (slot == slots.size()) slots.push_back(value_id::none);
        slots[slot] = graph_view::output_of(n);
        i.to = static_cast<std::uint8_t>(compute::max_tile_inputs + slot);
      }
      s.program.push_back(i);
      s.nodes.push_back(nodes[at]);
    }
    return s;
  }
  static std::uint8_t source_of(value_id operand, std::vector<value_id>& operands,
                                const std::vector<value_id>& slots) {
    for (std::size_t k = 0; k < slots.size(); ++k)
      if (slots[k] == operand) return static_cast<std::uint8_t>(compute::max_tile_inputs + k);
    for (std::size_t k = 0; k < operands.size(); ++k)
      if (operands[k] == operand) return static_cast<std::uint8_t>(k);
    operands.push_back(operand);
    return static_cast<std::uint8_t>(operands.size() - 1);
  }
  static bool is_read_after(const graph_view& g, const std::vector<node_id>& nodes, std::size_t at,
                            value_id value) {
    for (std::size_t i = at + 1; i < nodes.size(); ++i)
      for (value_id operand : g.inputs_of(g[nodes[i]]))
        if (operand == value) return true;
    return false;
  }

  const stored_graph<Real>& stored_;
  std::vector<storage_place>& places_;
};

}  // namespace detail

}  // namespace wf
