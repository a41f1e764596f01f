// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/node.hpp>

namespace wf {

/// Values that are known to be equal, in classes. Each class lists its members, and the nodes that
/// depend on it: those that read it, and those whose transforms looked at it. A class is named by
/// its smallest member. `of` is O(1); `absorb` is O(members of the absorbed class).
class value_classes {
 public:
  /// No member, no dependent.
  static constexpr std::uint32_t none = 0xffffffff;
  /// An entry of a class's list of dependents.
  struct dependent {
    /// One that reads a member of the class.
    node_id node = node_id::none;
    /// The entry that follows, or `none`.
    std::uint32_t next = none;
  };

  /// Adds a value in a class of its own.
  constexpr void add() {
    const auto v = static_cast<std::uint32_t>(members_.size());
    members_.push_back({v, none, v, none, none});
  }
  /// The class of a value.
  constexpr std::uint32_t of(std::uint32_t value) const { return members_[value].root; }
  /// The member that follows a value in its class, or `none`; the first one is the class's name.
  constexpr std::uint32_t next_member(std::uint32_t value) const { return members_[value].next; }

  /// Says that a node depends on a class. A node may be listed more than once.
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
  /// The first entry of a class's dependents, or `none`.
  constexpr std::uint32_t first_dependent(std::uint32_t of_class) const {
    return members_[of_class].first_dependent;
  }
  /// An entry of the lists of dependents.
  constexpr dependent dependent_at(std::uint32_t entry) const { return dependents_[entry]; }

  /// Makes one class of two; `kept` is the smaller.
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
    // Of a class's first member only:
    std::uint32_t last = 0;
    std::uint32_t first_dependent = none;
    std::uint32_t last_dependent = none;
  };

  table<member> members_;  // by value
  table<dependent> dependents_;
};

}  // namespace wf
