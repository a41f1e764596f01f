// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/table.hpp>

namespace wf::sim {

/// A list of numbers in which room is made before adding, which then needs no branch.
class roomy_list {
 public:
  /// Makes room for `more` members.
  constexpr void reserve(std::size_t more) {
    if (members_.size() <= size_ + more) members_.resize(2 * (size_ + more) + 8);
  }
  /// Adds a member if `is_member`. Precondition: there is room, for one more than are added.
  constexpr void push(std::uint32_t member, bool is_member = true) {
    members_[size_] = member;
    size_ += is_member ? 1 : 0;
  }
  /// Removes all members and keeps the room.
  constexpr void clear() { size_ = 0; }
  /// Number of members.
  constexpr std::size_t size() const { return size_; }
  /// Pointer to the first member, for iteration.
  constexpr const std::uint32_t* begin() const { return members_.data(); }
  /// One past the last member.
  constexpr const std::uint32_t* end() const { return members_.data() + size_; }

 private:
  table<std::uint32_t> members_;
  std::size_t size_ = 0;
};

/// What comes to the routers and tiles of a mesh in one cycle: lists of virtual channels, by their
/// numbers in `mesh_routers`, and of tiles.
struct mesh_arrivals {
  roomy_list flits;     ///< channels of routers that a flit comes to
  roomy_list ejected;   ///< channels at tiles that a flit comes to
  roomy_list credits;   ///< channels that have room for one more flit
  roomy_list releases;  ///< channels that may be given to the next packet
  roomy_list tiles;     ///< tiles that may send their next flit

  /// True if nothing comes.
  constexpr bool empty() const {
    return (flits.size() | ejected.size() | credits.size() | releases.size() | tiles.size()) == 0;
  }
  /// Removes all.
  constexpr void clear() {
    flits.clear();
    ejected.clear();
    credits.clear();
    releases.clear();
    tiles.clear();
  }
};

/// What will come to a mesh, by the cycle: a ring, because every delay is a known number of cycles.
class mesh_calendar {
 public:
  constexpr mesh_calendar() = default;
  /// For delays of at most `longest` cycles, and at least 1.
  constexpr explicit mesh_calendar(std::int64_t longest) {
    std::size_t size = 2;
    while (size <= static_cast<std::size_t>(longest)) size *= 2;
    ring_.resize(size);
  }
  /// The arrivals of a cycle, the present one or one within the longest delay.
  constexpr mesh_arrivals& at(std::int64_t cycle) { return ring_[place_of(cycle)]; }
  /// The first cycle after this one in which something arrives; `INT64_MAX` if there is none.
  /// O(longest delay).
  constexpr std::int64_t next(std::int64_t cycle) const {
    for (std::size_t k = 1; k < ring_.size(); ++k)
      if (const std::int64_t later = cycle + static_cast<std::int64_t>(k);
          !ring_[place_of(later)].empty())
        return later;
    return INT64_MAX;
  }

 private:
  constexpr std::size_t place_of(std::int64_t cycle) const {
    return static_cast<std::size_t>(cycle) & (ring_.size() - 1);
  }

  table<mesh_arrivals> ring_;
};

}  // namespace wf::sim
