// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/deadlines.hpp>
#include <wf/partition/edges.hpp>

namespace wf {

/// Where a gate stands.
enum class gate_side : std::uint8_t {
  receiving,  ///< between a node that receives and all its readers
  sending,    ///< between the list of machines and the node that sends to them
  starting,   ///< before a node that sends and has a deadline
};

/// A gate: what is to guard every message on one side.
struct gate_spec {
  text_view name;                         ///< of the step that inserts it
  gate_side side = gate_side::receiving;  ///< where it stands
  const kernel_spec* kernel = nullptr;    ///< its operator, whose meaning fits the side
  std::int64_t order = 0;                 ///< its place among the gates of a side, ascending
  text_view label = {};                   ///< in pictures; empty: the name of its operator
};

/// The meaning that the operator of a gate has.
constexpr meaning meaning_of(gate_side side) {
  return side == gate_side::receiving ? meaning::admission
         : side == gate_side::sending ? meaning::permission
                                      : meaning::expiry;
}

/// The gates of wf, in the order of the steps that insert them.
inline constexpr gate_spec standard_gates[] = {
    {"insert_dedup_gate_rx", gate_side::receiving, &kernels::dedup_gate_rx, 1, "dedup"},
    {"insert_peer_health_gate_rx", gate_side::receiving, &kernels::peer_health_gate_rx, 2,
     "health"},
    {"insert_backoff_gate_rx", gate_side::receiving, &kernels::backoff_gate_rx, 3, "backoff"},
    {"insert_peer_health_gate_tx", gate_side::sending, &kernels::peer_health_gate_tx, 1, "health"},
    {"insert_backoff_gate_tx", gate_side::sending, &kernels::backoff_gate_tx, 2, "backoff"},
    {"insert_async_deadlines", gate_side::starting, &kernels::deadline_check, 1, "deadline"}};

namespace detail {

/// The attribute of a gate with its place in the chain.
inline constexpr text_view gate_order_attribute = "order";

/// The gates of one program, as they stand in its graph. The graph may get more nodes; those have
/// the meaning `other` here, as have nodes with other numbers of operands or results than their
/// meaning asks for.
class gate_chains {
 public:
  /// Of a valid graph. O(size of the graph).
  constexpr gate_chains(const graph_view& g, const registry& kernels)
      : meanings_(g.nodes.size()), next_(g.values.size(), node_id::none) {
    const table<meaning> known = meanings_of(g, kernels);
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
      const node& n = g.nodes[i];
      if (has_arity(known[n.op], n.inputs.count, n.outputs.count))
        meanings_[i] = known[n.op];
      else if (misfit_ == node_id::none)
        misfit_ = static_cast<node_id>(i);
      // The first of several gates on one value is the chain's; the check refuses the others.
      if (meanings_[i] != meaning::admission) continue;
      node_id& next = next_[index_of(g.inputs_of(g.nodes[i])[0])];
      if (next == node_id::none) next = static_cast<node_id>(i);
    }
  }
  /// The first node that has not the operands and results that its meaning asks for, or none.
  constexpr node_id misfit() const { return misfit_; }
  /// What a node's operator means.
  constexpr meaning meaning_of(node_id id) const {
    return index_of(id) < meanings_.size() ? meanings_[index_of(id)] : meaning::other;
  }
  /// The gates behind a node that receives, in their order. O(their number).
  constexpr table<node_id> behind(const graph_view& g, node_id receive) const {
    table<node_id> out;
    for (node_id at = receive;;) {
      at = next_[index_of(graph_view::output_of(g[at]))];
      if (at == node_id::none) return out;
      out.push_back(at);
    }
  }
  /// The gates between the list of machines and a node that sends, in their order. O(their number).
  constexpr table<node_id> before(const graph_view& g, node_id send) const {
    table<node_id> out;
    for (node_id at = send;;) {
      at = g[g.inputs_of(g[at])[1]].producer;
      if (at == node_id::none || meaning_of(at) != meaning::permission) break;
      out.push_back(at);
    }
    for (std::size_t i = 0; i < out.size() / 2; ++i) {
      const node_id other = out[out.size() - 1 - i];
      out[out.size() - 1 - i] = out[i];
      out[i] = other;
    }
    return out;
  }
  /// Where a gate belongs in a chain: the number of gates before it; `present` if it is there.
  constexpr std::size_t place_in(const graph_view& g, const table<node_id>& chain,
                                 const gate_spec& gate) const {
    std::size_t place = 0;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      if (is_gate(g, chain[i], gate)) return present;
      if (g.integer_attribute(g[chain[i]], gate_order_attribute, 0) <= gate.order) place = i + 1;
    }
    return place;
  }
  /// True if a node has the gate's operator.
  static constexpr bool is_gate(const graph_view& g, node_id id, const gate_spec& gate) {
    return g.op_name(g[id]) == gate.kernel->name;
  }
  /// The result of `place_in` for a gate that the chain has.
  static constexpr std::size_t present = SIZE_MAX;

 private:
  table<meaning> meanings_;  // by node
  table<node_id> next_;      // by value: the gate that reads it
  node_id misfit_ = node_id::none;
};

// Inserts one gate into one program, in place; see `insert_gate`.
class gate_insertion {
 public:
  constexpr gate_insertion(graph& g, const registry& kernels, const gate_spec& gate)
      : into_(g), gate_(gate), chains_(g.view(), kernels) {}

  // Nodes keep their numbers; gates come behind them.
  constexpr void run() {
    const auto nodes = static_cast<std::uint32_t>(into_.view().nodes.size());
    if (gate_.side == gate_side::receiving) {
      guard_received(nodes);
    } else {
      for (std::uint32_t i = 0; i < nodes; ++i)
        if (chains_.meaning_of(static_cast<node_id>(i)) == meaning::sending) {
          if (gate_.side == gate_side::sending)
            guard_sent(static_cast<node_id>(i));
          else
            guard_start(static_cast<node_id>(i));
        }
    }
    into_.mark_valid();  // a gate reads what is there, and is read by what was behind that
  }

 private:
  constexpr void guard_received(std::uint32_t nodes) {
    // By value, the result of the gate that replaces it for its readers.
    table<value_id> passed(into_.number_of_values(), value_id::none);
    const std::size_t operands = into_.view().operands.size();
    bool is_any = false;
    for (std::uint32_t i = 0; i < nodes; ++i) {
      const auto id = static_cast<node_id>(i);
      if (chains_.meaning_of(id) != meaning::receiving) continue;
      const table<node_id> chain = chains_.behind(into_.view(), id);
      const std::size_t place = chains_.place_in(into_.view(), chain, gate_);
      if (place == gate_chains::present) continue;
      const node& last = into_[place == 0 ? id : chain[place - 1]];
      const value_id read[] = {graph_view::output_of(last), graph_view::output_of(last, 1)};
      const value_type types[] = {into_[read[0]].type, into_[read[1]].type};
      const node_id made = add_gate({read, 2}, {types, 2});
      for (std::uint32_t k = 0; k < 2; ++k)
        passed[index_of(read[k])] = graph_view::output_of(into_[made], k);
      is_any = true;
    }
    if (!is_any) return;
    for (std::uint32_t at = 0; at < operands; ++at)
      if (const value_id v = passed[index_of(into_.view().operands[at])]; v != value_id::none)
        into_.set_operand(at, v);
    for (std::uint32_t o = 0; o < into_.view().outputs.size(); ++o)
      if (const value_id v = passed[index_of(into_.view().outputs[o].source)]; v != value_id::none)
        into_.set_output(o, v);
  }
  // The gate reads the machines that the next one read, or the message.
  constexpr void guard_sent(node_id send) {
    const table<node_id> chain = chains_.before(into_.view(), send);
    const std::size_t place = chains_.place_in(into_.view(), chain, gate_);
    if (place == gate_chains::present) return;
    const node_id next = place < chain.size() ? chain[place] : send;
    const value_id read[] = {into_.inputs_of(into_[send])[0], into_.inputs_of(into_[next])[1]};
    const value_type type = into_[read[1]].type;
    const value_id left = graph_view::output_of(into_[add_gate({read, 2}, {&type, 1})]);
    into_.set_operand(into_[next].inputs.first + 1, left);
    if (next != send) return;
    // Its deadline is that of the machines that are left.
    for (const edge& e : into_.view().edges)
      if (e.to == send && chains_.meaning_of(e.from) == meaning::expiry)
        into_.set_operand(into_[e.from].inputs.first + 1, left);
  }
  constexpr void guard_start(node_id send) {
    const graph_view g = into_.view();
    const attribute* const budget = g.find_attribute(g[send], deadline_attribute);
    if (budget == nullptr) return;
    for (const edge& e : g.edges)
      if (e.to == send && chains_.is_gate(g, e.from, gate_)) return;
    const value_id read[] = {g.inputs_of(g[send])[0], g.inputs_of(g[send])[1]};
    const value_type type{dtype::trigger, {}, {}};
    const attribute_value time = attribute_value::integer(deadline_attribute, budget->number);
    const node_id made = add_gate({read, 2}, {&type, 1}, {&time, 1});
    into_.add_edge(edge_kind::control, made, send);
  }
  constexpr node_id add_gate(view<value_id> operands, view<value_type> results,
                             view<attribute_value> more = {}) {
    table<attribute_value> attributes;
    attributes.push_back(attribute_value::integer(gate_order_attribute, gate_.order));
    for (const attribute_value& a : more) attributes.push_back(a);
    return into_.add_node({.op = gate_.kernel->name,
                           .domain = gate_.kernel->domain,
                           .attributes = attributes,
                           .effects = gate_.kernel->effects},
                          operands, results);
  }

  graph& into_;
  const gate_spec& gate_;
  gate_chains chains_;
};

}  // namespace detail

/// Puts a gate in the way of every message of a program that lacks it: on the side of the receivers
/// between what arrives and all its readers; on that of the senders between the list of machines
/// and the message; a deadline before each message that has one. Gates of a side stand in the order
/// that they state, whatever the order in which they are inserted. Doing it again changes nothing.
///
/// Errors: `invalid_gate` for an operator whose meaning does not fit the side, or that is unknown.
/// O(size of the programs + gates · edges).
constexpr result<partitioned_program> insert_gate(partitioned_program p, const gate_spec& gate,
                                                  const registry& kernels) {
  if (gate.kernel == nullptr || gate.kernel->meaning != meaning_of(gate.side))
    return make_error(errc::invalid_gate, gate.name,
                      "the meaning of its operator does not fit the side on which it stands");
  if (kernels.find(gate.kernel->name) == nullptr)
    return make_error(errc::invalid_gate, gate.name,
                      text() << "its operator '" << gate.kernel->name << "' is not registered");
  for (partition& part : p.partitions) detail::gate_insertion(part.workflow, kernels, gate).run();
  return p;
}

}  // namespace wf
