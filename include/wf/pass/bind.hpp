// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/splice.hpp>
#include <wf/ir/validate.hpp>

namespace wf {

/// The size that stands for a symbol.
struct symbol_size {
  /// The symbol.
  symbol name;
  /// Its size, not negative.
  std::int64_t size = 0;
};

namespace detail {

// Copies graphs node by node: what passes that keep most of a graph are built on.
class graph_copier {
 public:
  constexpr explicit graph_copier(const graph_view& from)
      : from_(from),
        out_(from.text_of(from.name)),
        values_(from.values.size(), value_id::none),
        nodes_(from.nodes.size(), node_id::none) {}

  /// The graph so far.
  constexpr graph& out() { return out_; }
  /// Where a value went.
  constexpr value_id& place_of(value_id id) { return values_[index_of(id)]; }
  /// Where a node went.
  constexpr node_id& place_of(node_id id) { return nodes_[index_of(id)]; }

  constexpr void copy_input(value_id id, const value_type& type) {
    place_of(id) = out_.add_input(from_.text_of(from_[id].name), type);
  }
  constexpr node_id copy_node(const node& n, view<value_id> operands, view<value_type> results,
                              view<attribute_value> attributes) {
    node_description d;
    d.op = from_.op_name(n);
    d.domain = from_.text_of(from_.operations[n.op].domain);
    d.hash = from_.operations[n.op].hash;
    d.attributes = attributes;
    d.name = from_.text_of(n.name);
    d.effects = n.effects;
    d.peer = from_.text_of(n.peer);
    d.file = from_.text_of(n.source.file);
    d.line = n.source.line;
    d.column = n.source.column;
    const node_id id = out_.add_node(d, operands, results);
    for (const declared_cost& c : from_.costs_of(n))
      out_.add_cost(from_.text_of(c.metric), from_.text_of(c.formula));
    return id;
  }
  constexpr table<attribute_value> attributes_of(const node& n) const {
    table<attribute_value> list;
    for (const attribute& a : from_.attributes_of(n))
      list.push_back({from_.text_of(a.name), a.kind, a.number, a.denominator, a.real,
                      from_.text_of(a.characters)});
    return list;
  }
  constexpr void copy_edges_and_outputs() {
    for (const edge& e : from_.edges) out_.add_edge(e.kind, place_of(e.from), place_of(e.to));
    for (const output& o : from_.outputs)
      out_.add_output(from_.text_of(o.name), place_of(o.source));
  }

 private:
  graph_view from_;
  graph out_;
  table<value_id> values_;
  table<node_id> nodes_;
};

class symbol_binder {
 public:
  constexpr symbol_binder(const graph_view& g, view<symbol_size> sizes)
      : graph_(g), sizes_(sizes), copier_(g) {}

  constexpr result<graph> run() {
    for (const symbol_size& s : sizes_) {
      if (s.size < 0)
        return make_error(errc::bad_attribute, to_text(s.name).view(), "a size is not negative");
      symbols_.bind(s.name, extent(s.size));
    }
    const auto order = topological_order(graph_);
    if (!order) return order.error();
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i) {
      if (graph_.values[i].producer != node_id::none) continue;
      auto type = bound(graph_.values[i].type);
      if (!type) return type.error();
      copier_.copy_input(static_cast<value_id>(i), *type);
    }
    for (node_id id : *order)
      if (error e = bind_node(id); e.code != errc::none) return e;
    copier_.copy_edges_and_outputs();
    return static_cast<graph&&>(copier_.out());
  }

 private:
  constexpr result<extent> bound(extent e) { return symbols_.translate(e, graph_, copier_.out()); }
  constexpr result<value_type> bound(const value_type& t) {
    return symbols_.translate(t, graph_, copier_.out());
  }

  constexpr error bind_node(node_id id) {
    const node& n = graph_[id];
    table<value_id> operands;
    for (value_id operand : graph_.inputs_of(n)) operands.push_back(copier_.place_of(operand));
    table<value_type> results;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      auto type = bound(graph_.values[n.outputs.first + k].type);
      if (!type) return type.error();
      results.push_back(*type);
    }
    table<attribute_value> attributes = copier_.attributes_of(n);
    for (attribute_value& a : attributes) {
      if (a.kind != attribute_kind::extent) continue;
      extent e;
      e.code = a.number;
      auto size = bound(e);
      if (!size) return size.error();
      a.number = size->code;
    }
    const node_id copied = copier_.copy_node(n, operands, results, attributes);
    copier_.place_of(id) = copied;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      copier_.place_of(graph_view::output_of(n, k)) =
          graph_view::output_of(copier_.out()[copied], k);
    return {};
  }

  graph_view graph_;
  view<symbol_size> sizes_;
  symbol_map symbols_;
  graph_copier copier_;
};

}  // namespace detail

/// The same workflow with sizes in place of symbols, wherever they occur: shapes, derived extents,
/// extent attributes. Symbols that are not named stay. Errors: `bad_attribute` for a negative size,
/// `shape_mismatch` where an extent would become negative or fractional, `overflow`,
/// `cyclic_graph`. O(size of the graph).
constexpr result<graph> bind_symbols(const graph_view& g, view<symbol_size> sizes) {
  return detail::symbol_binder(g, sizes).run();
}

}  // namespace wf
