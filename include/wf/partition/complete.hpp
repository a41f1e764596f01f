// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/gates.hpp>

namespace wf {

/// What a user demands of every program of a class.
struct program_contract {
  text_view name;  ///< for messages
  /// The violation, or an error without a code; its sentence is passed on.
  error (*check)(const partition& program, const registry& kernels) = nullptr;
};

/// What guards the messages of a program, and what else must hold.
struct guard_rules {
  table<gate_spec> gates;             ///< every message passes all of them
  table<program_contract> contracts;  ///< every program keeps all of them

  /// The gates of wf, without contracts.
  static constexpr guard_rules standard() {
    guard_rules out;
    for (const gate_spec& g : standard_gates) out.gates.push_back(g);
    return out;
  }
};

/// A program of which every message is guarded. Only `complete` makes one, so that a change of a
/// program is always followed by a check.
class guarded_program {
 public:
  /// No program, which has no message either.
  constexpr guarded_program() = default;
  /// The programs and their edges.
  constexpr const partitioned_program& parts() const { return parts_; }
  /// Gives up the guarantee: the programs, to be changed and checked again.
  constexpr partitioned_program take() && { return static_cast<partitioned_program&&>(parts_); }

 private:
  friend constexpr result<guarded_program> complete(partitioned_program p, const guard_rules& rules,
                                                    const registry& kernels);
  constexpr explicit guarded_program(partitioned_program p)
      : parts_(static_cast<partitioned_program&&>(p)) {}

  partitioned_program parts_;
};

namespace detail {

// Checks that the messages of one program are guarded; see `complete`. It reads the graph alone and
// does not look at how gates are inserted.
class guard_check {
 public:
  constexpr guard_check(const graph_view& g, const guard_rules& rules, const registry& kernels)
      : g_(g), rules_(rules), chains_(g, kernels), readers_(g.values.size()) {
    for (const node& n : g.nodes)
      for (const value_id operand : g.inputs_of(n)) ++readers_[index_of(operand)];
    for (const output& o : g.outputs) ++readers_[index_of(o.source)];
  }

  constexpr error run() const {
    if (chains_.misfit() != node_id::none)
      return make_error(errc::shape_mismatch, g_.label(chains_.misfit()).view(),
                        "its operator has other numbers of operands or results");
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i) {
      const auto id = static_cast<node_id>(i);
      const meaning m = chains_.meaning_of(id);
      error e;
      if (m == meaning::receiving) e = check_received(id);
      if (m == meaning::sending) e = check_sent(id);
      if (e.code != errc::none) return e;
    }
    return {};
  }

 private:
  constexpr error refuse(node_id id, text_view gate, text_view sentence) const {
    return make_error(errc::unguarded_message, g_.label(id).view(),
                      text() << "the message is not guarded by '" << gate << "': " << sentence);
  }
  // The gates of a side that a chain lacks, or has in another order.
  constexpr error check_chain(node_id id, gate_side side, const table<node_id>& chain) const {
    std::int64_t last = INT64_MIN;
    for (const node_id gate : chain) {
      const std::int64_t order = g_.integer_attribute(g_[gate], gate_order_attribute, 0);
      if (order < last) return refuse(id, g_.op_name(g_[gate]), "it stands behind a later gate");
      last = order;
    }
    for (const gate_spec& gate : rules_.gates) {
      if (gate.side != side) continue;
      bool is_there = false;
      for (const node_id at : chain) is_there = is_there || chains_.is_gate(g_, at, gate);
      if (!is_there) return refuse(id, gate.kernel->name, "no such gate is on its way");
    }
    return {};
  }
  // Every reader of a message is behind the last gate: each value before is read by the next gate
  // alone.
  constexpr error check_received(node_id id) const {
    const table<node_id> chain = chains_.behind(g_, id);
    if (error e = check_chain(id, gate_side::receiving, chain); e.code != errc::none) return e;
    node_id at = id;
    for (const node_id gate : chain) {
      for (std::uint32_t k = 0; k < 2; ++k) {
        const value_id passed = graph_view::output_of(g_[at], k);
        if (g_.inputs_of(g_[gate])[k] != passed || readers_[index_of(passed)] != 1)
          return refuse(id, g_.op_name(g_[gate]), "a reader of the message is not behind it");
      }
      at = gate;
    }
    return {};
  }
  // Every gate judges the same message, and the message goes to the machines that are left.
  constexpr error check_sent(node_id id) const {
    const table<node_id> chain = chains_.before(g_, id);
    if (error e = check_chain(id, gate_side::sending, chain); e.code != errc::none) return e;
    const view<value_id> read = g_.inputs_of(g_[id]);
    for (const node_id gate : chain)
      if (g_.inputs_of(g_[gate])[0] != read[0])
        return refuse(id, g_.op_name(g_[gate]), "the gate judges another message");
    const attribute* const budget = g_.find_attribute(g_[id], deadline_attribute);
    if (budget == nullptr) return {};
    for (const gate_spec& gate : rules_.gates) {
      if (gate.side != gate_side::starting) continue;
      bool is_there = false;
      for (const edge& e : g_.edges)
        is_there = is_there || (e.to == id && e.kind == edge_kind::control &&
                                chains_.is_gate(g_, e.from, gate) && checks(e.from, id, *budget));
      if (!is_there)
        return refuse(id, gate.kernel->name, "the message has a deadline and does not wait for it");
    }
    return {};
  }
  constexpr bool checks(node_id gate, node_id send, const attribute& budget) const {
    const view<value_id> a = g_.inputs_of(g_[gate]), b = g_.inputs_of(g_[send]);
    return a.size() == 2 && a[0] == b[0] && a[1] == b[1] &&
           g_.integer_attribute(g_[gate], deadline_attribute, -1) == budget.number;
  }

  const graph_view& g_;
  const guard_rules& rules_;
  gate_chains chains_;
  table<std::uint32_t> readers_;  // by value
};

}  // namespace detail

/// Proves that every message of a program is guarded: each reader of what arrives is behind all
/// gates of the receiving side, in their order (the gates dominate it); each message goes to the
/// machines that all gates of the sending side have left, and one with a deadline runs after its
/// check. Then every contract is asked.
///
/// Errors: `unguarded_message`, naming the node and the gate; `shape_mismatch` for a node with
/// other numbers of operands or results than its operator's meaning has; `contract_broken`, naming
/// the program and the contract; those of `validate`. O(size of the programs + gates · edges).
constexpr result<guarded_program> complete(partitioned_program p, const guard_rules& rules,
                                           const registry& kernels) {
  for (const partition& part : p.partitions) {
    const auto valid = validated(part.workflow.view());
    if (!valid) return valid.error();
    if (error e = detail::guard_check(*valid, rules, kernels).run(); e.code != errc::none) return e;
    for (const program_contract& c : rules.contracts)
      if (const error e = c.check(part, kernels); e.code != errc::none)
        return make_error(errc::contract_broken, part.name.view(),
                          text() << c.name << ": " << e.message);
  }
  return guarded_program(static_cast<partitioned_program&&>(p));
}

}  // namespace wf
