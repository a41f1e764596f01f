// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/copy.hpp>

namespace wf::detail {

/// Rebuilds a graph with the same ids and other types and extent attributes.
class graph_retyper {
 public:
  /// Requires a graph that `validate_references` accepts. Its derived extents keep their numbers.
  constexpr explicit graph_retyper(const graph_view& from)
      : from_(from), out_(from.text_of(from.name)) {
    for (text_ref d : from.derived) out_.add_derived(from.text_of(d));
  }

  /// The graph under construction, in which extents are interned.
  constexpr graph& out() { return out_; }

  /// The graph with the given types, by value id, and the given extents of its attributes, by
  /// attribute; both refer to `out()`.
  constexpr graph run(view<value_type> types, view<extent> attributes) {
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < from_.nodes.size(); ++i) {
      const node& n = from_.nodes[i];
      if (n.outputs.count != 0) {
        for (; next < n.outputs.first; ++next) input(next, types[next]);
        next += n.outputs.count;
      }
      table<attribute_value> list = attribute_values(from_, n);
      for (std::uint32_t k = 0; k < list.size(); ++k)
        if (list[k].kind == attribute_kind::extent)
          list[k].number = attributes[n.attributes.first + k].code;
      const table<cost_formula> costs = cost_formulas(from_, n);
      out_.add_node(description_of(from_, n, list, costs), from_.inputs_of(n),
                    types.part(n.outputs.first, n.outputs.count));
      for (std::uint32_t k = 0; k < n.outputs.count; ++k)
        if (const value& v = from_.values[n.outputs.first + k]; v.name.count != 0)
          out_.set_name(graph_view::output_of(n, k), from_.text_of(v.name));
    }
    for (; next < from_.values.size(); ++next) input(next, types[next]);
    for (const edge& e : from_.edges) out_.add_edge(e.kind, e.from, e.to);
    for (const output& o : from_.outputs) out_.add_output(from_.text_of(o.name), o.source);
    return static_cast<graph&&>(out_);
  }

 private:
  constexpr void input(std::uint32_t i, const value_type& t) {
    out_.add_input(from_.text_of(from_.values[i].name), t);
  }

  graph_view from_;
  graph out_;
};

/// Translates the types of a graph and the extents of its attributes into another graph, with
/// symbols replaced. Errors: those of extents.
constexpr error translate_extents(const graph_view& from, const symbol_map& symbols, graph& into,
                                  table<value_type>& types, table<extent>& attributes) {
  for (const value& v : from.values) {
    const auto t = symbols.translate(v.type, from, into);
    if (!t) return t.error();
    types.push_back(*t);
  }
  for (const attribute& a : from.attributes) {
    extent e;
    if (a.kind == attribute_kind::extent) e.code = a.number;
    const auto t = symbols.translate(e, from, into);
    if (!t) return t.error();
    attributes.push_back(*t);
  }
  return {};
}

}  // namespace wf::detail
