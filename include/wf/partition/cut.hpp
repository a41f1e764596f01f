// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/hexadecimal.hpp>
#include <wf/ir/compare/digest.hpp>
#include <wf/partition/receives.hpp>

namespace wf {

/// The program of one class of machines.
struct partition {
  text name;       ///< of the workflow, the class and the digest of the program: "step_servers#0f…"
  text role;       ///< the class
  graph workflow;  ///< what its machines run
};

/// What a message carries.
enum class wire_transport : std::uint8_t {
  data,     ///< the value
  trigger,  ///< nothing: all readers only want to know that it came
};

/// A message from one program to another one, or to the same one on another machine.
struct wire_edge {
  std::uint32_t from = 0;                           ///< the sender, by partition
  std::uint32_t to = 0;                             ///< the receiver, by partition
  node_id send = node_id::none;                     ///< in the sender's program
  node_id receive = node_id::none;                  ///< in the receiver's program
  value_type type;                                  ///< of what is sent, in the sender's program
  wire_transport transport = wire_transport::data;  ///< as `analyse_edges` finds it
  /// As `analyse_edges` finds it: edges of a sender and a receiver that the same event fires have
  /// one batch. Without the analysis each edge has its own.
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

// The name of a program: a name of its own, and the digest of its content.
constexpr text name_of_program(text_view base, const graph_view& g) {
  text name(base);
  name << '#';
  append_hexadecimal(name, digest(g).low, 16);
  return name;
}
// The name of a program without the digest.
constexpr text_view base_of(text_view name) {
  std::size_t size = name.size();
  while (size > 0 && name[size - 1] != '#') --size;
  return size == 0 ? name : name.part(0, size - 1);
}

// Cuts a wired program into one program for each class; see `cut`.
class program_cut {
 public:
  constexpr explicit program_cut(const wired_program& p)
      : wired_(p), g_(p.workflow.view()), numbers_(p.classes.size(), none) {}

  constexpr result<partitioned_program> cut(view<node_id> order) {
    order_ = order;
    for (std::uint32_t c = 0; c < wired_.classes.size(); ++c)
      if (has_work(c)) {
        numbers_[c] = static_cast<std::uint32_t>(out_.partitions.size());
        out_.partitions.push_back({});
      }
    for (const wire_message& m : wired_.messages)
      out_.edges.push_back({numbers_[m.from],
                            numbers_[m.to],
                            node_id::none,
                            node_id::none,
                            {},
                            wire_transport::data,
                            static_cast<std::uint32_t>(out_.edges.size())});
    for (std::uint32_t c = 0; c < wired_.classes.size(); ++c)
      if (numbers_[c] != none)
        if (error e = copy_class(c); e.code != errc::none) return e;
    return static_cast<partitioned_program&&>(out_);
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX, anywhere = placed_graph::anywhere, host = 0;

  constexpr bool has_work(std::uint32_t c) const {
    for (const std::uint32_t home : wired_.homes)
      if (home == c) return true;
    for (const output& o : g_.outputs)
      if (class_of(o.source) == c) return true;
    return false;
  }
  // The class whose machines have a value; the host's for values that every class has.
  constexpr std::uint32_t class_of(value_id id) const {
    const node_id from = g_[id].producer;
    if (from == node_id::none) return host;
    const std::uint32_t c = wired_.homes[index_of(from)];
    return c == anywhere ? host : c;
  }

  constexpr error copy_class(std::uint32_t c) {
    partition& made = out_.partitions[numbers_[c]];
    made.role = wired_.classes[c];
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
      if (needed[index_of(id)] != 0)
        if (error e = copier.copy(id); e.code != errc::none) return e;
    copier.copy_edges();
    for (const output& o : g_.outputs)
      if (class_of(o.source) == c)
        into.graph().add_output(g_.text_of(o.name), copier.place(o.source));
    for (std::uint32_t k = 0; k < wired_.messages.size(); ++k) {
      const wire_message& m = wired_.messages[k];
      if (m.to == c) out_.edges[k].receive = copier.place(m.receive);
      if (m.from != c) continue;
      out_.edges[k].send = copier.place(m.send);
      out_.edges[k].type = into.graph()[copier.place(g_.inputs_of(g_[m.send])[0])].type;
    }
    auto program = validated(into.take());
    if (!program) return program.error();
    made.workflow = static_cast<graph&&>(*program);
    made.name = name_of_program(name.view(), made.workflow.view());
    return {};
  }
  // What a class copies, by node: its nodes, and those of no class that it needs; and which values
  // it reads, by value after them.
  constexpr table<char> needed_by(std::uint32_t c) const {
    table<char> needed(g_.nodes.size() + g_.values.size());
    const auto values = g_.nodes.size();
    for (const output& o : g_.outputs)
      if (class_of(o.source) == c) needed[values + index_of(o.source)] = 1;
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::uint32_t at = index_of(order_[i]);
      const node& n = g_.nodes[at];
      bool is_needed = wired_.homes[at] == c;
      for (std::uint32_t k = 0; k < n.outputs.count && wired_.homes[at] == anywhere; ++k)
        is_needed = is_needed || needed[values + n.outputs.first + k] != 0;
      if (!is_needed) continue;
      needed[at] = 1;
      for (const value_id operand : g_.inputs_of(n)) needed[values + index_of(operand)] = 1;
    }
    return needed;
  }

  const wired_program& wired_;
  graph_view g_;
  view<node_id> order_;
  table<std::uint32_t> numbers_;  // of partitions, by class
  partitioned_program out_;
};

}  // namespace detail

/// Cuts a wired program into one for each class of machines: the nodes of the class, those of no
/// class whose results it reads, the inputs that it reads and the outputs that it has. Nothing
/// merges. Errors: those of extents. O(classes · size of the graph).
constexpr result<partitioned_program> cut(const wired_program& p) {
  const auto order = topological_order(p.workflow.view());
  if (!order) return order.error();
  return detail::program_cut(p).cut(*order);
}

}  // namespace wf
