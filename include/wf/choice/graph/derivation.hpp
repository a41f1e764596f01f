// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/ir/graph/node.hpp>

namespace wf {

/// The transform that made a node: its index + 1; 0 for nodes of the workflow itself.
enum class origin_id : std::uint16_t { captured = 0 };

/// One step in the derivation of a candidate: a transform applied at another candidate.
struct derivation_step {
  /// The transform of this step.
  origin_id by = origin_id::captured;
  /// The candidate at which it was applied; none if a beam dropped it.
  node_id at = node_id::none;
  friend constexpr bool operator==(const derivation_step&, const derivation_step&) = default;
};

/// The derivations of the nodes of a choice graph. A step keeps the derivation of the candidate at
/// which it was applied, also if that candidate is dropped.
class derivations {
 public:
  /// Number of nodes.
  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(record_of_.size()); }
  /// Adds the next node, made by a transform at another node; `captured` for a node of the
  /// workflow.
  constexpr void add(origin_id by, node_id at) {
    const bool derived = by != origin_id::captured && index_of(at) < size();
    const record made{by, derived ? record_of_[index_of(at)] : 0, static_cast<node_id>(size())};
    record_of_.push_back(static_cast<std::uint32_t>(records_.size()));
    records_.push_back(made);
  }
  /// The transform that made a node, or `captured`.
  constexpr origin_id origin_of(node_id id) const { return record_of(id).origin; }
  /// The derivation of a node, last step first; empty for a node of the workflow. O(steps).
  constexpr table<derivation_step> steps_of(node_id id) const {
    table<derivation_step> steps;
    for (record r = record_of(id); r.origin != origin_id::captured; r = records_[r.from])
      steps.push_back({r.origin, records_[r.from].node});
    return steps;
  }
  /// Number of steps of one transform in the derivation of a node. O(steps).
  constexpr std::uint32_t times(node_id id, origin_id by) const {
    std::uint32_t count = 0;
    for (record r = record_of(id); r.origin != origin_id::captured; r = records_[r.from])
      count += r.origin == by ? 1 : 0;
    return count;
  }
  /// Takes the derivations from a graph of which this one's nodes are copies. By node of the other
  /// graph: its copy, or none; and the node that stands for it in steps, or none. O(nodes).
  constexpr void copy(const derivations& from, view<node_id> copies, view<node_id> sites) {
    for (std::uint32_t i = 0; i < copies.size(); ++i)
      if (copies[i] != node_id::none) record_of_[index_of(copies[i])] = from.record_of_[i];
    records_ = from.records_;
    for (record& r : records_)
      if (r.node != node_id::none) r.node = sites[index_of(r.node)];
  }

 private:
  struct record {
    origin_id origin = origin_id::captured;
    std::uint32_t from = 0;  // the record of the node at which the transform was applied
    node_id node = node_id::none;
  };

  constexpr const record& record_of(node_id id) const { return records_[record_of_[index_of(id)]]; }

  table<std::uint32_t> record_of_;  // by node
  table<record> records_;
};

}  // namespace wf
