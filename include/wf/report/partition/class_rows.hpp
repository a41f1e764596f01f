// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/gates.hpp>
#include <wf/report/graph/labels.hpp>
#include <wf/report/page/columns.hpp>
#include <wf/report/page/duration.hpp>

namespace wf::detail {

/// A gate, as it is drawn on the message that it guards.
struct gate_badge {
  text label;         ///< short: "dedup", "deadline 100 ms"; of a user's gate its operator
  text_view summary;  ///< what it does, by its kernel
};

/// What a line of a class's box is.
enum class class_row_kind : std::uint8_t {
  input,   ///< an input of the program
  node,    ///< a node that is no gate
  output,  ///< an output of the program
  folded,  ///< stands for rows that are not drawn
};

/// A line of the box of a class.
struct class_row {
  class_row_kind kind = class_row_kind::node;
  text words;                    ///< "%3 = negate(x)"
  text type;                     ///< of what is read or made there; empty: of nothing
  text_view kind_name;           ///< the operator, which gives the colour
  table<gate_badge> badges;      ///< the gates of its message, in their order
  node_id node = node_id::none;  ///< of the program; none of other kinds
};

/// The lines of a class's box: inputs, nodes in topological order without the gates of messages,
/// outputs. Values have their names, or their numbers in the program's text.
class class_rows {
 public:
  /// Of a valid program with gates, which must outlive this. Nodes that do not fit are folded, but
  /// for those that send or receive. O(size of the program + gates).
  constexpr class_rows(const graph_view& g, const registry& kernels, std::size_t most_nodes)
      : g_(g),
        kernels_(kernels),
        labels_(g),
        chains_(g, kernels),
        guarded_(g.nodes.size(), node_id::none),
        gates_(g.nodes.size()),
        is_read_(g.values.size()) {
    find_gates();
    find_readers();
    table<class_row> inputs, nodes, outputs;
    for (std::uint32_t i = 0; i < g.values.size(); ++i)
      if (g.values[i].producer == node_id::none) inputs.push_back(input(static_cast<value_id>(i)));
    const auto order = topological_order(g);
    if (order)
      for (const node_id id : *order)
        if (guarded_[index_of(id)] == node_id::none) nodes.push_back(row_of(id));
    for (const output& o : g.outputs) outputs.push_back(output_row(o));
    fold(inputs, most_nodes);
    fold(nodes, most_nodes);
    fold(outputs, most_nodes);
  }
  /// The lines, from the top.
  constexpr const table<class_row>& rows() const { return rows_; }
  /// The type as it is written on wires and in boxes: "f64 [4x4]", "u64".
  static constexpr text type_text(const value_type& t) {
    text out(name_of(t.type));
    if (t.shape.rank != 0) out << " [" << to_text(t.shape) << ']';
    return out;
  }

 private:
  static constexpr std::size_t longest = 40;

  constexpr bool is_message(node_id id) const {
    const meaning m = chains_.meaning_of(id);
    return m == meaning::sending || m == meaning::receiving;
  }
  constexpr void find_gates() {
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i) {
      const auto id = static_cast<node_id>(i);
      const meaning m = chains_.meaning_of(id);
      if (m == meaning::receiving)
        for (const node_id gate : chains_.behind(g_, id)) guard(gate, id);
      if (m == meaning::sending)
        for (const node_id gate : chains_.before(g_, id)) guard(gate, id);
    }
    for (const edge& e : g_.edges)
      if (e.kind == edge_kind::control && chains_.meaning_of(e.to) == meaning::sending &&
          chains_.meaning_of(e.from) == meaning::expiry)
        guard(e.from, e.to);
  }
  // A gate of several messages is drawn on each of them.
  constexpr void guard(node_id gate, node_id message) {
    guarded_[index_of(gate)] = message;
    const node& n = g_[gate];
    const kernel_spec* const k = kernels_.find(g_.op_name(n));
    gate_badge made{text(g_.op_name(n)), k == nullptr ? text_view() : k->summary};
    for (const gate_spec& standard : standard_gates)
      if (chains_.is_gate(g_, gate, standard) && !standard.label.empty())
        made.label = standard.label;
    const std::int64_t budget = g_.integer_attribute(n, deadline_attribute, -1);
    if (budget >= 0) made.label << ' ' << duration_text(budget);
    made.label = shortened(made.label.view(), 24);
    gates_[index_of(message)].push_back(static_cast<gate_badge&&>(made));
  }
  constexpr void find_readers() {
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i)
      if (guarded_[i] == node_id::none)
        for (const value_id operand : g_.inputs_of(g_.nodes[i]))
          is_read_[index_of(through(operand))] = 1;
    for (const output& o : g_.outputs) is_read_[index_of(through(o.source))] = 1;
  }
  // The value that the gates before a value have let pass.
  constexpr value_id through(value_id id) const {
    for (node_id at = g_[id].producer;
         at != node_id::none && guarded_[index_of(at)] != node_id::none; at = g_[id].producer) {
      const view<value_id> read = g_.inputs_of(g_[at]);
      const meaning m = chains_.meaning_of(at);
      if (m == meaning::permission)
        id = read[1];
      else if (m == meaning::admission)
        id = read[index_of(id) - g_[at].outputs.first];
      else
        break;
    }
    return id;
  }
  constexpr text name_of_value(value_id id) const {
    if (labels_.is_named(id)) return text(labels_.of(id));
    return text() << '%' << index_of(id);
  }

  constexpr class_row input(value_id id) const {
    return {class_row_kind::input,
            shortened(name_of_value(id).view(), longest),
            type_text(g_[id].type),
            {},
            {},
            node_id::none};
  }
  constexpr class_row output_row(const output& o) const {
    const value_id source = through(o.source);
    text words(g_.text_of(o.name));
    const text from = name_of_value(source);
    if (!(from == words)) words << " = " << from;
    return {class_row_kind::output,
            shortened(words.view(), longest),
            type_text(g_[source].type),
            {},
            {},
            node_id::none};
  }
  constexpr class_row row_of(node_id id) const {
    const node& n = g_[id];
    text words, type;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const value_id result = graph_view::output_of(n, k);
      if (is_read_[index_of(result)] == 0) continue;
      words << (words.empty() ? "" : ", ") << name_of_value(result);
      if (type.empty()) type = type_text(g_[result].type);
    }
    // What matters of a message is what is sent, not the number of the request.
    if (chains_.meaning_of(id) == meaning::sending) type = type_text(g_[g_.inputs_of(n)[0]].type);
    words << (words.empty() ? "" : " = ") << g_.op_name(n) << '(';
    bool first = true;
    for (const value_id operand : g_.inputs_of(n)) {
      words << (first ? "" : ", ") << name_of_value(through(operand));
      first = false;
    }
    words << ')';
    return {class_row_kind::node,      shortened(words.view(), longest),
            static_cast<text&&>(type), g_.op_name(n),
            gates_[index_of(id)],      id};
  }
  // Adds rows; one row stands for all that are too many, where the first of them would be.
  constexpr void fold(table<class_row>& all, std::size_t most) {
    std::size_t messages = 0, seen = 0;
    for (const class_row& r : all) messages += r.node != node_id::none && is_message(r.node);
    const std::size_t others = all.size() - messages;
    std::size_t room = most > messages ? most - messages : 0;
    if (others == room + 1) ++room;  // no row stands for one
    for (class_row& r : all) {
      const bool kept = (r.node != node_id::none && is_message(r.node)) || ++seen <= room;
      if (!kept && seen == room + 1) {
        class_row more;
        more.kind = class_row_kind::folded;
        more.words << "… and " << others - room << " more";
        rows_.push_back(static_cast<class_row&&>(more));
      }
      if (kept) rows_.push_back(static_cast<class_row&&>(r));
    }
  }

  const graph_view& g_;
  const registry& kernels_;
  value_labels labels_;
  gate_chains chains_;
  table<node_id> guarded_;          // by node: the message that it is a gate of
  table<table<gate_badge>> gates_;  // by node that sends or receives
  table<char> is_read_;             // by value
  table<class_row> rows_;
};

}  // namespace wf::detail
