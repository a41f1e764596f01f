// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/node.hpp>

namespace wf {

/// Equivalence classes of values. A class lists its members and its dependents: the nodes that read
/// it, and the nodes whose transforms watch it. Its name is its smallest member. `of` is O(1);
/// `absorb` is O(members of the absorbed class).
class value_classes {
 public:
  /// End of a list of members or dependents.
  static constexpr std::uint32_t none = 0xffffffff;
  /// An entry in the list of dependents of a class.
  struct dependent {
    /// A node that reads or watches the class.
    node_id node = node_id::none;
    /// Index of the next entry, or `none`.
    std::uint32_t next = none;
  };

  /// Adds a value, the next in number, in a class of its own.
  constexpr void add() {
    const auto v = static_cast<std::uint32_t>(members_.size());
    members_.push_back({v, none, v, none, none});
  }
  /// The class of a value, named by its smallest member.
  constexpr std::uint32_t of(std::uint32_t value) const { return members_[value].root; }
  /// The next member of the class of a value, or `none`; the first member is the class's name.
  constexpr std::uint32_t next_member(std::uint32_t value) const { return members_[value].next; }

  /// Records that a node depends on a class. A node may be listed more than once.
  constexpr void add_dependent(std::uint32_t of_class, node_id node) {
    member& home = members_[of_class];
    const auto entry = static_cast<std::uint32_t>(dependents_.size());
    dependents_.push_back({node, none});
    if (home.first_dependent == none)
      home.first_dependent = entry;
    else
      dependents_[home.last_dependent].next = entry;
    home.last_dependent = entry;
  }
  /// Index of the first dependent of a class, or `none`.
  constexpr std::uint32_t first_dependent(std::uint32_t of_class) const {
    return members_[of_class].first_dependent;
  }
  /// The dependent at an index, from `first_dependent` or `dependent::next`.
  constexpr dependent dependent_at(std::uint32_t entry) const { return dependents_[entry]; }

  /// Merges two classes into `kept`, which must be the smaller name.
  constexpr void absorb(std::uint32_t kept, std::uint32_t absorbed) {
    member& to = members_[kept];
    members_[to.last].next = absorbed;
    const member& from = members_[absorbed];
    to.last = from.last;
    if (to.first_dependent == none)
      to.first_dependent = from.first_dependent;
    else if (from.first_dependent != none)
      dependents_[to.last_dependent].next = from.first_dependent;
    if (from.last_dependent != none) to.last_dependent = from.last_dependent;
    for (std::uint32_t v = absorbed; v != none; v = members_[v].next) members_[v].root = kept;
  }

 private:
  struct member {
    std::uint32_t root = 0;
    std::uint32_t next = none;  // in its class
    // Valid for the first member of a class only:
    std::uint32_t last = 0;
    std::uint32_t first_dependent = none;
    std::uint32_t last_dependent = none;
  };

  table<member> members_;  // by value
  table<dependent> dependents_;
};

}  // namespace wf
