// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/view.hpp>

namespace wf::detail {

// Labels of a graph's parts in the messages of passes.

/// A value: by its name, by the node that computes it ("'matmul#3'"), as one of several results of
/// a node ("result 1 of 'lu#2'"), or by its number.
constexpr text label_of(const graph_view& g, value_id id) {
  const value& v = g[id];
  if (v.name.count != 0) return text() << '\'' << g.text_of(v.name) << '\'';
  if (v.producer == node_id::none) return text() << '%' << index_of(id);
  text out;
  if (g[v.producer].outputs.count > 1)
    out << "result " << index_of(id) - g[v.producer].outputs.first << " of ";
  return out << '\'' << g.label(v.producer).view() << '\'';
}

/// Label of a node: its operator with its name or number: "matmul 'h'", "matmul#3".
constexpr text label_of(const graph_view& g, node_id id) {
  const node& n = g[id];
  if (n.name.count == 0) return g.label(id);
  return text() << g.op_name(n) << " '" << g.text_of(n.name) << '\'';
}

/// Label of an extent: "3", "M", "(K + M)", "?".
constexpr text label_of(const graph_view& g, extent e) {
  if (!e.is_derived()) return to_text(e);
  return text() << '(' << g.text_of(g.derived[e.index()]) << ')';
}

/// Label of a shape as far as it is known: "3x5", "scalar", "?x(K + M)", "?".
constexpr text label_of(const graph_view& g, const shape& s) {
  if (!s.has_rank() || s.rank == 0) return to_text(s);
  text out;
  for (std::uint32_t d = 0; d < s.rank; ++d) out << (d == 0 ? "" : "x") << label_of(g, s[d]).view();
  return out;
}

/// Label of a type as far as it is known: "f64[3x5]", "unknown[?]".
constexpr text label_of(const graph_view& g, const value_type& t) {
  return text() << name_of(t.type) << '[' << label_of(g, t.shape).view() << ']';
}

}  // namespace wf::detail
