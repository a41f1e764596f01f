// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf {

/// A set of indices below a bound, in the order in which they were added.
class index_set {
 public:
  constexpr index_set() = default;
  /// The empty set of indices below `bound`.
  constexpr explicit index_set(std::size_t bound) : has_(bound) {}

  /// Adds an index; false if it is there. O(1).
  constexpr bool add(std::uint32_t index) {
    if (has_[index] != 0) return false;
    has_[index] = 1;
    members_.push_back(index);
    return true;
  }
  /// True if the index is there.
  constexpr bool has(std::uint32_t index) const { return has_[index] != 0; }
  /// The i-th member, which keeps its place, but may be added again behind it.
  constexpr std::uint32_t leave(std::size_t i) {
    has_[members_[i]] = 0;
    return members_[i];
  }
  /// Removes all. O(size).
  constexpr void clear() {
    for (const std::uint32_t index : members_) has_[index] = 0;
    members_.clear();
  }
  /// Number of members.
  constexpr std::size_t size() const { return members_.size(); }
  /// The i-th member.
  constexpr std::uint32_t operator[](std::size_t i) const { return members_[i]; }
  /// The first member, for iteration without changes.
  constexpr const std::uint32_t* begin() const { return members_.begin(); }
  /// One past the last member.
  constexpr const std::uint32_t* end() const { return members_.end(); }
  /// The members; the view is valid until the set changes.
  constexpr view<std::uint32_t> members() const { return members_; }

 private:
  table<char> has_;
  table<std::uint32_t> members_;
};

}  // namespace wf
