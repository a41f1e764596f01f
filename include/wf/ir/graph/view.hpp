// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/hash.hpp>
#include <wf/ir/graph/node.hpp>

namespace wf {

/// Records which tables of a graph were found valid, by address and size. A view with another table
/// does not match its seal.
struct table_seal {
  /// The addresses of the tables, in the order of `graph_view`.
  const void* places[10] = {};
  /// A hash of the sizes of all tables; 0: nothing is sealed.
  std::uint64_t sizes = 0;
};

/// A read-only view of a graph's tables: the argument of every algorithm, whether the graph is a
/// run-time value, a value in constant evaluation, or a frozen constant. Cheap to copy; valid while
/// the graph lives unchanged.
struct graph_view {
  view<char> characters;       ///< the pool of all text
  text_ref name;               ///< the workflow's name
  view<operation> operations;  ///< the interned operators
  view<wf::node> nodes;        ///< by node id
  view<wf::value> values;      ///< by value id; a node's outputs are contiguous
  view<value_id> operands;     ///< the operands of all nodes
  view<attribute> attributes;  ///< the attributes of all nodes
  view<declared_cost> costs;   ///< the declared costs of all nodes
  view<edge> edges;            ///< control and mutate edges
  view<output> outputs;        ///< the workflow's results, in order
  view<text_ref> derived;      ///< derived extents as canonical polynomials
  table_seal seal = {};        ///< proof that the tables were found valid: see `validated`

  /// True if the tables are known to be those of a valid graph. O(1).
  constexpr bool is_sealed() const {
    const void* const* const p = seal.places;
    return seal.sizes != 0 && p[0] == characters.data() && p[1] == operations.data() &&
           p[2] == nodes.data() && p[3] == values.data() && p[4] == operands.data() &&
           p[5] == attributes.data() && p[6] == costs.data() && p[7] == edges.data() &&
           p[8] == outputs.data() && p[9] == derived.data() && seal.sizes == sizes_of_tables() &&
           name.first <= characters.size() && name.count <= characters.size() - name.first;
  }
  /// The same view with sealed tables; the caller knows that `validate` accepts them. O(1).
  constexpr graph_view sealed() const {
    graph_view g = *this;
    g.seal = {{characters.data(), operations.data(), nodes.data(), values.data(), operands.data(),
               attributes.data(), costs.data(), edges.data(), outputs.data(), derived.data()},
              sizes_of_tables()};
    return g;
  }

  /// The characters of a reference into the pool.
  constexpr text_view text_of(text_ref r) const { return {characters.data() + r.first, r.count}; }
  /// A node by id, which must exist.
  constexpr const wf::node& operator[](node_id id) const { return nodes[index_of(id)]; }
  /// A value by id, which must exist.
  constexpr const wf::value& operator[](value_id id) const { return values[index_of(id)]; }
  /// The operands of a node, in order.
  constexpr view<value_id> inputs_of(const wf::node& n) const {
    return operands.part(n.inputs.first, n.inputs.count);
  }
  /// The value id of result `k` of a node.
  static constexpr value_id output_of(const wf::node& n, std::uint32_t k = 0) {
    return static_cast<value_id>(n.outputs.first + k);
  }
  /// The attributes of a node, in order.
  constexpr view<attribute> attributes_of(const wf::node& n) const {
    return attributes.part(n.attributes.first, n.attributes.count);
  }
  /// The declared costs of a node.
  constexpr view<declared_cost> costs_of(const wf::node& n) const {
    return costs.part(n.costs.first, n.costs.count);
  }
  /// The operator name of a node: "matmul".
  constexpr text_view op_name(const wf::node& n) const { return text_of(operations[n.op].name); }
  /// The attribute with that name, or null. O(attributes of the node).
  constexpr const attribute* find_attribute(const wf::node& n, text_view wanted) const {
    for (const attribute& a : attributes_of(n))
      if (text_of(a.name) == wanted) return &a;
    return nullptr;
  }
  /// The integer attribute with that name; `otherwise` if it is absent or of another kind.
  constexpr std::int64_t integer_attribute(const wf::node& n, text_view wanted,
                                           std::int64_t otherwise) const {
    const attribute* a = find_attribute(n, wanted);
    return a != nullptr && a->kind == attribute_kind::integer ? a->number : otherwise;
  }
  /// The number in the attribute with that name, ratios divided; `otherwise` if it is absent.
  constexpr double real_attribute(const wf::node& n, text_view wanted, double otherwise) const {
    const attribute* a = find_attribute(n, wanted);
    if (a == nullptr) return otherwise;
    if (a->kind == attribute_kind::real) return a->real;
    return static_cast<double>(a->number) / static_cast<double>(a->denominator);
  }
  /// True if the value is an output of the workflow. O(outputs).
  constexpr bool is_output(value_id id) const {
    for (const output& o : outputs)
      if (o.source == id) return true;
    return false;
  }
  /// True if every shape is fixed.
  constexpr bool is_static() const {
    for (const wf::value& v : values)
      if (!v.type.shape.is_static()) return false;
    return true;
  }
  /// The label of a node in messages: its name, or operator and number ("matmul#3").
  constexpr text label(node_id id) const {
    const wf::node& n = (*this)[id];
    if (n.name.count != 0) return text(text_of(n.name));
    return text() << op_name(n) << '#' << index_of(id);
  }

 private:
  // Odd, so never 0.
  constexpr std::uint64_t sizes_of_tables() const {
    std::uint64_t sizes = characters.size() * 31 + operations.size();
    sizes = (sizes * 31 + nodes.size()) * 31 + values.size();
    sizes = (sizes * 31 + operands.size()) * 31 + attributes.size();
    sizes = (sizes * 31 + costs.size()) * 31 + edges.size();
    return ((sizes * 31 + outputs.size()) * 31 + derived.size()) * 2 + 1;
  }
};

/// Prefix of the names of opaque operators: such a node states its signature and its costs itself.
inline constexpr text_view opaque_prefix = "::opaque::";

/// True if the node's operator is opaque, so that no pass can look into it.
constexpr bool is_opaque(const graph_view& g, const node& n) {
  return g.op_name(n).starts_with(opaque_prefix);
}

}  // namespace wf
