// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/graph/choice_graph.hpp>

namespace wf {

namespace detail {

constexpr void quote_dot(text& out, text_view t) {
  out << '"';
  for (char c : t) {
    if (c == '"' || c == '\\') out << '\\';
    if (c == '\n') {
      out << "\\n";
    } else {
      out << c;
    }
  }
  out << '"';
}

// The text of a node's box: its name and operator, and the result's type.
constexpr text box_of(const graph_view& g, node_id id) {
  const node& n = g[id];
  text out;
  if (n.name.count != 0) out << g.text_of(n.name) << " = ";
  out << g.op_name(n);
  if (n.outputs.count != 0) {
    const value_type& t = g.values[n.outputs.first].type;
    out << '\n' << name_of(t.type) << ' ' << to_text(t.shape).view();
  }
  return out;
}

constexpr void dot_source(text& out, const graph_view& g, value_id id) {
  if (g[id].producer == node_id::none)
    out << 'i' << index_of(id);
  else
    out << 'n' << index_of(g[id].producer);
}

constexpr void dot_nodes(text& out, const graph_view& g) {
  for (std::uint32_t i = 0; i < g.values.size(); ++i) {
    if (g.values[i].producer != node_id::none) continue;
    out << "  i" << i << " [shape=ellipse, label=";
    const value_type& t = g.values[i].type;
    quote_dot(out, (text() << g.text_of(g.values[i].name) << '\n'
                           << name_of(t.type) << ' ' << to_text(t.shape).view())
                       .view());
    out << "];\n";
  }
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    out << "  n" << i << " [label=";
    quote_dot(out, box_of(g, static_cast<node_id>(i)).view());
    out << "];\n";
  }
}

// A picture of an error.
constexpr text dot_of_error(const error& e) {
  text out("digraph \"error\" {\n  node [shape=box, fontname=\"sans-serif\"];\n  refused [label=");
  quote_dot(out, to_text(e).view());
  return static_cast<text&&>(out << "];\n}\n");
}

}  // namespace detail

/// A graph in the DOT language of Graphviz: inputs as ellipses, nodes as boxes with name, operator
/// and type, outputs as plain text; control edges dashed, mutate edges dotted. For a graph that
/// `validate_references` refuses: the error in a box. O(size of the graph).
constexpr text to_dot(const graph_view& g) {
  if (const auto fine = validate_references(g); !fine) return detail::dot_of_error(fine.error());
  text out;
  out << "digraph ";
  detail::quote_dot(out, g.text_of(g.name));
  out << " {\n  node [shape=box, fontname=\"sans-serif\"];\n";
  detail::dot_nodes(out, g);
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    for (value_id operand : g.inputs_of(g.nodes[i])) {
      out << "  ";
      detail::dot_source(out, g, operand);
      out << " -> n" << i << ";\n";
    }
  }
  for (const edge& e : g.edges)
    out << "  n" << index_of(e.from) << " -> n" << index_of(e.to)
        << (e.kind == edge_kind::control ? " [style=dashed];\n" : " [style=dotted];\n");
  for (std::size_t i = 0; i < g.outputs.size(); ++i) {
    out << "  o" << i << " [shape=plaintext, label=";
    detail::quote_dot(out, g.text_of(g.outputs[i].name));
    out << "];\n  ";
    detail::dot_source(out, g, g.outputs[i].source);
    out << " -> o" << i << ";\n";
  }
  return out << "}\n";
}

/// A choice graph in the DOT language: one cluster per class with its candidates, which read the
/// clusters of their operands; for an invalid workflow the error in a box. O(size of the graph ·
/// classes).
constexpr text to_dot(const choice_graph& c) {
  if (c.failure().code != errc::none) return detail::dot_of_error(c.failure());
  const graph_view g = c.view();
  text out;
  out << "digraph ";
  detail::quote_dot(out, g.text_of(g.name));
  out << " {\n  compound=true;\n  node [shape=box, fontname=\"sans-serif\"];\n";
  for (std::uint32_t root = 0; root < g.values.size(); ++root) {
    if (c.class_of(static_cast<value_id>(root)) != root) continue;
    if (g.values[root].producer == node_id::none) continue;
    out << "  subgraph cluster_" << root << " {\n";
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
      if (g.nodes[i].outputs.count == 0 || c.class_of(graph_view::output_of(g.nodes[i])) != root)
        continue;
      out << "    n" << i << " [label=";
      detail::quote_dot(out, detail::box_of(g, static_cast<node_id>(i)).view());
      out << "];\n";
    }
    out << "  }\n";
  }
  for (std::uint32_t i = 0; i < g.values.size(); ++i) {
    if (g.values[i].producer != node_id::none) continue;
    out << "  i" << i << " [shape=ellipse, label=";
    detail::quote_dot(out, g.text_of(g.values[i].name));
    out << "];\n";
  }
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    for (value_id operand : g.inputs_of(g.nodes[i])) {
      const value_id home = c.representative(operand);
      out << "  ";
      detail::dot_source(out, g, home);
      out << " -> n" << i;
      if (g[home].producer != node_id::none) out << " [ltail=cluster_" << index_of(home) << ']';
      out << ";\n";
    }
  }
  return out << "}\n";
}

}  // namespace wf
