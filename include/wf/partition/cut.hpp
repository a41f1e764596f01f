// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/hexadecimal.hpp>
#include <wf/ir/compare/digest.hpp>
#include <wf/ir/graph/copy.hpp>
#include <wf/partition/place.hpp>
#include <wf/registry/domain/wire.hpp>

namespace wf {

/// The program of one class of machines.
struct partition {
  text name;       ///< of the workflow, the class and the digest of the program: "step_servers#0f…"
  text role;       ///< the class
  graph workflow;  ///< what its machines run
};

/// A message from one program to another one, or to the same one on another machine.
struct wire_edge {
  std::uint32_t from = 0;           ///< the sender, by partition
  std::uint32_t to = 0;             ///< the receiver, by partition
  node_id send = node_id::none;     ///< in the sender's program
  node_id receive = node_id::none;  ///< in the receiver's program
  value_type type;                  ///< of what travels
  /// Edges of a sender and a receiver that the same event fires have one batch: the same message
  /// that arrives, or the host.
  std::uint32_t batch = 0;
};

/// A workflow as one program for each class of machines.
///
/// Invariants: every program is valid; an edge's nodes carry its number in the attribute `edge`,
/// and no other nodes have that attribute; a sent value that nobody reads has no edge.
struct partitioned_program {
  table<partition> partitions;  ///< by class, the host's first; classes without work are left out
  table<wire_edge> edges;       ///< in the order of the workflow
};

namespace detail {

// Cuts a placed graph into programs; see `cut`.
class program_cut {
 public:
  constexpr explicit program_cut(const placed_graph& p)
      : placed_(p), g_(p.workflow.view()), numbers_(p.classes.size(), none) {
    readers_ = table<char>(g_.values.size());
    edge_of_ = table<std::uint32_t>(g_.nodes.size(), none);
  }

  constexpr result<partitioned_program> cut(view<node_id> order) {
    order_ = order;
    for (const node& n : g_.nodes)
      for (const value_id operand : g_.inputs_of(n)) readers_[index_of(operand)] = 1;
    for (const output& o : g_.outputs) readers_[index_of(o.source)] = 1;
    find_scopes();
    for (std::uint32_t c = 0; c < placed_.classes.size(); ++c)
      if (has_work(c)) {
        numbers_[c] = static_cast<std::uint32_t>(out_.partitions.size());
        out_.partitions.push_back({});
      }
    add_edges();
    for (std::uint32_t c = 0; c < placed_.classes.size(); ++c)
      if (numbers_[c] != none)
        if (error e = copy_class(c); e.code != errc::none) return e;
    return static_cast<partitioned_program&&>(out_);
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX, anywhere = placed_graph::anywhere, host = 0;

  // --- edges ---

  constexpr bool has_work(std::uint32_t c) const {
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i)
      if (placed_.homes[i] == c || (placed_.receivers[i] == c && is_read(i))) return true;
    for (const output& o : g_.outputs)
      if (class_of(o.source) == c) return true;
    return false;
  }
  constexpr bool is_read(std::uint32_t send) const {
    return readers_[g_.nodes[send].outputs.first] != 0;
  }
  // The class whose machines have a value; the host's for values that every class has.
  constexpr std::uint32_t class_of(value_id id) const {
    const node_id from = g_[id].producer;
    if (from == node_id::none) return host;
    const std::uint32_t at = index_of(from);
    const bool is_sent =
        placed_.receivers[at] != anywhere && index_of(id) == g_.nodes[at].outputs.first;
    const std::uint32_t c = is_sent ? placed_.receivers[at] : placed_.homes[at];
    return c == anywhere ? host : c;
  }
  // By value, what makes it be computed: the host (0), a message (its node + 1), several events, or
  // nothing (`none`).
  constexpr void find_scopes() {
    scopes_ = table<std::uint32_t>(g_.values.size(), none);
    for (std::uint32_t i = 0; i < g_.values.size(); ++i)
      if (g_.values[i].producer == node_id::none && g_.values[i].type.type != dtype::peer)
        scopes_[i] = 0;
    for (const node_id id : order_) {
      const node& n = g_[id];
      std::uint32_t scope = n.effects == effect::pure ? none : 0;
      if (n.inputs.count != 0) scope = none;
      for (const value_id operand : g_.inputs_of(n)) {
        const std::uint32_t s = scopes_[index_of(operand)];
        if (s != none) scope = scope == none || scope == s ? s : several;
      }
      for (std::uint32_t k = 0; k < n.outputs.count; ++k) scopes_[n.outputs.first + k] = scope;
      if (placed_.receivers[index_of(id)] != anywhere) scopes_[n.outputs.first] = index_of(id) + 1;
    }
  }
  constexpr void add_edges() {
    struct group {
      std::uint32_t from = 0, to = 0, scope = 0;
    };
    table<group> batches;
    for (const node_id id : order_) {
      const std::uint32_t at = index_of(id);
      if (placed_.receivers[at] == anywhere || !is_read(at)) continue;
      const node& n = g_.nodes[at];
      const group wanted{numbers_[placed_.homes[at]], numbers_[placed_.receivers[at]],
                         scopes_[index_of(g_.inputs_of(n)[0])]};
      std::uint32_t batch = 0;
      while (batch < batches.size() &&
             (wanted.scope == several || batches[batch].from != wanted.from ||
              batches[batch].to != wanted.to || batches[batch].scope != wanted.scope))
        ++batch;
      if (batch == batches.size()) batches.push_back(wanted);
      edge_of_[at] = static_cast<std::uint32_t>(out_.edges.size());
      out_.edges.push_back({wanted.from, wanted.to, node_id::none, node_id::none,
                            g_.values[n.outputs.first].type, batch});
    }
  }

  // --- programs ---

  constexpr error copy_class(std::uint32_t c) {
    partition& made = out_.partitions[numbers_[c]];
    made.role = placed_.classes[c];
    text name(g_.text_of(g_.name));
    if (c != host) name << '_' << made.role;
    graph_builder into(name.view());
    const symbol_map symbols;
    graph_copier copier(g_, into, symbols, {}, duplicates::keep);
    const table<char> needed = needed_by(c);
    for (std::uint32_t i = 0; i < g_.values.size(); ++i)
      if (g_.values[i].producer == node_id::none && needed[g_.nodes.size() + i] != 0)
        if (error e = copier.copy_input(static_cast<value_id>(i)); e.code != errc::none) return e;
    for (const node_id id : order_)
      if (error e = copy_node(c, id, needed, copier, symbols, into); e.code != errc::none) return e;
    copier.copy_edges();
    for (const output& o : g_.outputs)
      if (class_of(o.source) == c)
        into.graph().add_output(g_.text_of(o.name), copier.place(o.source));
    auto program = validated(into.take());
    if (!program) return program.error();
    made.workflow = static_cast<graph&&>(*program);
    name << '#';
    append_hexadecimal(name, digest(made.workflow.view()).low, 16);
    made.name = static_cast<text&&>(name);
    return {};
  }
  // The nodes of no class that a class needs, by node; and which values it reads, by value after
  // them.
  constexpr table<char> needed_by(std::uint32_t c) const {
    table<char> needed(g_.nodes.size() + g_.values.size());
    const auto values = g_.nodes.size();
    for (const output& o : g_.outputs)
      if (class_of(o.source) == c) needed[values + index_of(o.source)] = 1;
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::uint32_t at = index_of(order_[i]);
      const node& n = g_.nodes[at];
      bool is_needed = placed_.homes[at] == c;
      for (std::uint32_t k = 0; k < n.outputs.count && placed_.homes[at] == anywhere; ++k)
        is_needed = is_needed || needed[values + n.outputs.first + k] != 0;
      if (!is_needed) continue;
      needed[at] = 1;
      for (const value_id operand : g_.inputs_of(n)) needed[values + index_of(operand)] = 1;
    }
    return needed;
  }
  constexpr error copy_node(std::uint32_t c, node_id id, const table<char>& needed,
                            graph_copier& copier, const symbol_map& symbols, graph_builder& into) {
    const std::uint32_t at = index_of(id);
    const std::uint32_t edge = edge_of_[at];
    if (needed[at] != 0) {
      table<attribute_value> attributes = attribute_values(g_, g_[id]);
      if (edge != none) attributes.push_back(attribute_value::integer("edge", edge));
      if (error e = copier.copy(id, attributes); e.code != errc::none) return e;
      if (edge != none) out_.edges[edge].send = copier.place(id);
    }
    if (edge == none || placed_.receivers[at] != c) return {};
    const value_id data = graph_view::output_of(g_[id]);
    const auto type = symbols.translate(g_[data].type, g_, into.graph());
    if (!type) return type.error();
    table<attribute_value> attributes;
    attributes.push_back(attribute_value::integer("edge", edge));
    attributes.push_back(attribute_value::string("dtype", name_of(type->type)));
    for (std::uint32_t d = 0; d < type->shape.rank; ++d)
      attributes.push_back(
          attribute_value::dimension(stated_extent_names[d], type->shape.extents[d]));
    const node_id receive = into.append_node({.op = kernels::receive.name,
                                              .domain = kernels::receive.domain,
                                              .attributes = attributes,
                                              .effects = kernels::receive.effects},
                                             {}, {&*type, 1});
    out_.edges[edge].receive = receive;
    copier.place(data) = graph_view::output_of(into.graph()[receive]);
    return {};
  }

  static constexpr std::uint32_t several = none - 1;

  const placed_graph& placed_;
  graph_view g_;
  view<node_id> order_;
  table<std::uint32_t> numbers_;  // of partitions, by class
  table<char> readers_;           // by value: whether anybody reads it
  table<std::uint32_t> scopes_;   // by value
  table<std::uint32_t> edge_of_;  // by node
  partitioned_program out_;
};

}  // namespace detail

/// Cuts a placed workflow into a program for each class of machines: the nodes of the class, those
/// of no class whose results it reads, a node that receives for each message whose value it reads,
/// the inputs that it reads and the outputs that it has. Nothing merges. Errors: those of extents.
/// O(classes · size of the graph + messages²).
constexpr result<partitioned_program> cut(const placed_graph& p) {
  const auto order = topological_order(p.workflow.view());
  if (!order) return order.error();
  return detail::program_cut(p).cut(*order);
}

}  // namespace wf
