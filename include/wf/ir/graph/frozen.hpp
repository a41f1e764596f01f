// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/graph.hpp>

namespace wf {

/// The numbers of records in a graph's tables; they fix the type of its frozen twin.
struct graph_sizes {
  /// Number of records in each table, in the order of `graph_view`.
  std::uint32_t characters = 0, operations = 0, nodes = 0, values = 0, operands = 0, attributes = 0,
                costs = 0, edges = 0, outputs = 0, derived = 0;
  friend constexpr bool operator==(const graph_sizes&, const graph_sizes&) = default;
};

/// The sizes of a graph. O(1).
constexpr graph_sizes sizes_of(const graph_view& g) {
  const auto n = [](std::size_t size) { return static_cast<std::uint32_t>(size); };
  return {n(g.characters.size()), n(g.operations.size()), n(g.nodes.size()), n(g.values.size()),
          n(g.operands.size()),   n(g.attributes.size()), n(g.costs.size()), n(g.edges.size()),
          n(g.outputs.size()),    n(g.derived.size())};
}

/// The exact-size constant twin of a graph: a literal value for `constexpr` variables, since memory
/// allocated in constant evaluation cannot outlive it.
template <graph_sizes Sizes>
struct frozen_graph {
  /// The pool of all text.
  frozen_table<char, Sizes.characters> characters;
  /// The name of the workflow.
  text_ref name;
  /// The interned operators.
  frozen_table<operation, Sizes.operations> operations;
  /// The nodes, by id.
  frozen_table<wf::node, Sizes.nodes> nodes;
  /// The values, by id.
  frozen_table<wf::value, Sizes.values> values;
  /// The operands of all nodes.
  frozen_table<value_id, Sizes.operands> operands;
  /// The attributes of all nodes.
  frozen_table<attribute, Sizes.attributes> attributes;
  /// The declared costs of all nodes.
  frozen_table<declared_cost, Sizes.costs> costs;
  /// The control and mutate edges.
  frozen_table<edge, Sizes.edges> edges;
  /// The workflow's results, in order.
  frozen_table<output, Sizes.outputs> outputs;
  /// Derived extents as canonical polynomials.
  frozen_table<text_ref, Sizes.derived> derived;
  /// True if the graph was known to be valid when it was frozen.
  bool was_valid = false;

  /// A view, valid as long as this object. A constant's view is sealed if the graph was valid.
  constexpr graph_view view() const {
    const graph_view g = tables();
    return was_valid ? g.sealed() : g;
  }
  /// The view of a variable: never sealed, since its records may have changed.
  constexpr graph_view view() { return tables(); }
  /// A view, so that a frozen graph can be passed to any algorithm.
  constexpr operator graph_view() const { return view(); }
  /// The same for a variable, unsealed.
  constexpr operator graph_view() { return tables(); }

 private:
  constexpr graph_view tables() const {
    return {characters, name,  operations, nodes,   values, operands,
            attributes, costs, edges,      outputs, derived};
  }
};

namespace detail {
template <class T, std::size_t N>
constexpr void copy_records(view<T> from, frozen_table<T, N>& to) {
  for (std::size_t i = 0; i < N && i < from.size(); ++i) to.records[i] = from[i];
}
}  // namespace detail

/// Copies a graph into its frozen twin. `Sizes` must be `sizes_of(g)`; smaller tables keep only the
/// first records. O(size of the graph).
template <graph_sizes Sizes>
constexpr frozen_graph<Sizes> freeze(const graph_view& g) {
  frozen_graph<Sizes> out;
  out.name = g.name;
  detail::copy_records(g.characters, out.characters);
  detail::copy_records(g.operations, out.operations);
  detail::copy_records(g.nodes, out.nodes);
  detail::copy_records(g.values, out.values);
  detail::copy_records(g.operands, out.operands);
  detail::copy_records(g.attributes, out.attributes);
  detail::copy_records(g.costs, out.costs);
  detail::copy_records(g.edges, out.edges);
  detail::copy_records(g.outputs, out.outputs);
  detail::copy_records(g.derived, out.derived);
  out.was_valid = g.is_sealed() && sizes_of(g) == Sizes;
  return out;
}

}  // namespace wf
