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

/// The gates of one program, as they stand in its graph.
class gate_chains {
 public:
  /// Of a valid graph, which must outlive it. O(size of the graph).
  constexpr gate_chains(const graph_view& g, const registry& kernels)
      : g_(g), meanings_(g.nodes.size()), next_(g.values.size(), node_id::none) {
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
      const kernel_spec* const k = kernels.find(g.op_name(g.nodes[i]));
      meanings_[i] = k == nullptr ? meaning::other : k->meaning;
      // The first of several gates on one value is the chain's; the check refuses the others.
      if (meanings_[i] != meaning::admission) continue;
      node_id& next = next_[index_of(g.inputs_of(g.nodes[i])[0])];
      if (next == node_id::none) next = static_cast<node_id>(i);
    }
  }
  /// What a node's operator means.
  constexpr meaning meaning_of(node_id id) const { return meanings_[index_of(id)]; }
  /// The gates behind a node that receives, in their order. O(their number).
  constexpr table<node_id> behind(node_id receive) const {
    table<node_id> out;
    for (node_id at = receive;;) {
      at = next_[index_of(graph_view::output_of(g_[at]))];
      if (at == node_id::none) return out;
      out.push_back(at);
    }
  }
  /// The gates between the list of machines and a node that sends, in their order. O(their number).
  constexpr table<node_id> before(node_id send) const {
    table<node_id> out;
    for (node_id at = send;;) {
      at = g_[g_.inputs_of(g_[at])[1]].producer;
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
  constexpr std::size_t place_in(const table<node_id>& chain, const gate_spec& gate) const {
    std::size_t place = 0;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      if (is_gate(chain[i], gate)) return present;
      if (g_.integer_attribute(g_[chain[i]], gate_order_attribute, 0) <= gate.order) place = i + 1;
    }
    return place;
  }
  /// True if a node has the gate's operator.
  constexpr bool is_gate(node_id id, const gate_spec& gate) const {
    return g_.op_name(g_[id]) == gate.kernel->name;
  }
  /// The result of `place_in` for a gate that the chain has.
  static constexpr std::size_t present = SIZE_MAX;

 private:
  const graph_view& g_;
  table<meaning> meanings_;  // by node
  table<node_id> next_;      // by value: the gate that reads it
};

// Inserts one gate into one program; see `insert_gate`.
class gate_insertion {
 public:
  constexpr gate_insertion(const graph_view& g, const registry& kernels, const gate_spec& gate)
      : g_(g),
        gate_(gate),
        chains_(g, kernels),
        into_(g.text_of(g.name)),
        copier_(g, into_, symbols_, {}, duplicates::keep),
        plans_(g.nodes.size(), none),
        made_(g.nodes.size(), node_id::none) {}

  /// The program with the gates; the caller renames its nodes by `place`.
  constexpr result<graph> run() {
    const auto order = topological_order(g_);
    if (!order) return order.error();
    plan();
    if (error e = copier_.copy_inputs(); e.code != errc::none) return e;
    for (const node_id id : *order)
      if (error e = copy(id); e.code != errc::none) return e;
    copier_.copy_edges();
    for (const start s : starts_) into_.graph().add_edge(edge_kind::control, s.check, s.send);
    copier_.copy_outputs();
    return validated(into_.take());
  }
  /// The node that became of a node.
  constexpr node_id place(node_id id) { return copier_.place(id); }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct start {
    node_id check = node_id::none, send = node_id::none;
  };

  // By node, the node whose message a gate at this place guards: behind the node on the receiving
  // side, before it on the others.
  constexpr void plan() {
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i) {
      const auto id = static_cast<node_id>(i);
      const meaning m = chains_.meaning_of(id);
      if (gate_.side == gate_side::receiving && m == meaning::receiving) {
        const table<node_id> chain = chains_.behind(id);
        const std::size_t place = chains_.place_in(chain, gate_);
        if (place != gate_chains::present) plans_[index_of(place == 0 ? id : chain[place - 1])] = i;
      } else if (gate_.side == gate_side::sending && m == meaning::sending) {
        const table<node_id> chain = chains_.before(id);
        const std::size_t place = chains_.place_in(chain, gate_);
        if (place == gate_chains::present) continue;
        if (place < chain.size()) {
          plans_[index_of(chain[place])] = i;
          continue;
        }
        plans_[i] = i;
        // Its deadline is that of the machines that are left.
        for (const edge& e : g_.edges)
          if (e.to == id && chains_.meaning_of(e.from) == meaning::expiry)
            plans_[index_of(e.from)] = i;
      } else if (gate_.side == gate_side::starting && m == meaning::sending) {
        bool is_present = g_.find_attribute(g_.nodes[i], deadline_attribute) == nullptr;
        for (const edge& e : g_.edges)
          is_present = is_present || (e.to == id && chains_.is_gate(e.from, gate_));
        if (!is_present) plans_[i] = i;
      }
    }
  }

  constexpr error copy(node_id id) {
    const std::uint32_t guarded = plans_[index_of(id)];
    if (guarded == none) return copier_.copy(id);
    if (gate_.side == gate_side::receiving) {
      if (error e = copier_.copy(id); e.code != errc::none) return e;
      const value_id data = graph_view::output_of(g_[id]), from = graph_view::output_of(g_[id], 1);
      const value_id operands[] = {copier_.place(data), copier_.place(from)};
      const value_type types[] = {into_.graph()[operands[0]].type, into_.graph()[operands[1]].type};
      const node_id made = add_gate({operands, 2}, {types, 2});
      copier_.place(data) = graph_view::output_of(into_.graph()[made]);
      copier_.place(from) = graph_view::output_of(into_.graph()[made], 1);
      return {};
    }
    const view<value_id> read = g_.inputs_of(g_[id]);
    const value_id operands[] = {copier_.place(read[0]), copier_.place(read[1])};
    if (gate_.side == gate_side::starting) {
      const value_type type{dtype::trigger, {}, {}};
      const attribute_value budget = attribute_value::integer(
          deadline_attribute, g_.integer_attribute(g_[id], deadline_attribute, 0));
      const node_id made = add_gate({operands, 2}, {&type, 1}, {&budget, 1});
      if (error e = copier_.copy(id); e.code != errc::none) return e;
      starts_.push_back({made, copier_.place(id)});
      return {};
    }
    node_id& made = made_[guarded];
    if (made == node_id::none) {
      const value_type type = into_.graph()[operands[1]].type;
      made = add_gate({operands, 2}, {&type, 1});
    }
    if (error e = copier_.copy(id); e.code != errc::none) return e;
    const node& copied = into_.graph()[copier_.place(id)];
    into_.graph().set_operand(copied.inputs.first + 1, graph_view::output_of(into_.graph()[made]));
    return {};
  }
  constexpr node_id add_gate(view<value_id> operands, view<value_type> results,
                             view<attribute_value> more = {}) {
    table<attribute_value> attributes;
    attributes.push_back(attribute_value::integer(gate_order_attribute, gate_.order));
    for (const attribute_value& a : more) attributes.push_back(a);
    return into_.append_node({.op = gate_.kernel->name,
                              .domain = gate_.kernel->domain,
                              .attributes = attributes,
                              .effects = gate_.kernel->effects},
                             operands, results);
  }

  const graph_view& g_;
  const gate_spec& gate_;
  gate_chains chains_;
  symbol_map symbols_;
  graph_builder into_;
  graph_copier copier_;
  table<std::uint32_t> plans_;  // by node
  table<node_id> made_;         // by node that sends: its new gate
  table<start> starts_;
};

}  // namespace detail

/// Puts a gate in the way of every message of a program that lacks it: on the side of the receivers
/// between what arrives and all its readers; on that of the senders between the list of machines
/// and the message; a deadline before each message that has one. Gates of a side stand in the order
/// that they state, whatever the order in which they are inserted. Doing it again changes nothing.
///
/// Errors: `invalid_gate` for an operator whose meaning does not fit the side; those of `validate`.
/// O(size of the programs + gates · edges).
constexpr result<partitioned_program> insert_gate(partitioned_program p, const gate_spec& gate,
                                                  const registry& kernels) {
  if (gate.kernel == nullptr || gate.kernel->meaning != meaning_of(gate.side))
    return make_error(errc::invalid_gate, gate.name,
                      "the meaning of its operator does not fit the side on which it stands");
  if (kernels.find(gate.kernel->name) == nullptr)
    return make_error(errc::invalid_gate, gate.name,
                      text() << "its operator '" << gate.kernel->name << "' is not registered");
  for (std::uint32_t i = 0; i < p.partitions.size(); ++i) {
    const graph_view g = p.partitions[i].workflow.view();
    detail::gate_insertion insertion(g, kernels, gate);
    auto made = insertion.run();
    if (!made) return made.error();
    for (wire_edge& e : p.edges) {
      if (e.from == i) e.send = insertion.place(e.send);
      if (e.to == i) e.receive = insertion.place(e.receive);
    }
    p.partitions[i].workflow = static_cast<graph&&>(*made);
  }
  return p;
}

}  // namespace wf
