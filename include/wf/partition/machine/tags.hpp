// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/core/container/table.hpp>

namespace wf {

/// The executions that a run of machines can tell apart, as paths.
///
/// The empty path (0) is that of values that a machine has from its start. A call of the host is a
/// step from it, and so is each machine of a list of several to which one value is sent. A value of
/// an execution can be read in all executions that begin with its path, so that what a machine
/// computes for one message meets what it knows, and answers of several machines stay apart.
class execution_tags {
 public:
  /// Steps from here on are not calls.
  static constexpr std::uint64_t start_step = std::uint64_t{1} << 62,
                                 machine_step = std::uint64_t{1} << 63;
  /// The step to one machine of a list of several.
  static constexpr std::uint64_t step_to(std::uint32_t machine) { return machine_step | machine; }
  /// The path of what needs no execution.
  static constexpr std::uint32_t always = 0;

  constexpr execution_tags() { tags_.push_back({}); }

  /// The path one step longer. Expected O(1).
  constexpr std::uint32_t extend(std::uint32_t tag, std::uint64_t step) {
    const std::uint64_t hash = hasher{}.word(tag).word(step).value();
    const std::uint32_t known = index_.find(
        hash, [&](std::uint32_t i) { return tags_[i].parent == tag && tags_[i].step == step; });
    if (known != hash_index::none) return known;
    const auto made = static_cast<std::uint32_t>(tags_.size());
    index_.insert(hash, made);
    tags_.push_back({tag, tags_[tag].length + 1, step});
    return made;
  }
  /// True if a path begins with another one, or is it. O(difference of their lengths).
  constexpr bool begins_with(std::uint32_t tag, std::uint32_t prefix) const {
    while (tags_[tag].length > tags_[prefix].length) tag = tags_[tag].parent;
    return tag == prefix;
  }
  /// The last step of a path, which is not empty.
  constexpr std::uint64_t last_step(std::uint32_t tag) const { return tags_[tag].step; }
  /// The path without its last step; it is not empty.
  constexpr std::uint32_t before(std::uint32_t tag) const { return tags_[tag].parent; }
  /// Number of steps of a path.
  constexpr std::uint32_t length(std::uint32_t tag) const { return tags_[tag].length; }
  /// The steps of a path, the first one in front. O(their number).
  constexpr table<std::uint64_t> steps(std::uint32_t tag) const {
    table<std::uint64_t> out(tags_[tag].length);
    for (std::size_t i = out.size(); i-- > 0; tag = tags_[tag].parent) out[i] = tags_[tag].step;
    return out;
  }

 private:
  struct entry {
    std::uint32_t parent = 0;
    std::uint32_t length = 0;
    std::uint64_t step = 0;
  };

  table<entry> tags_;
  hash_index index_;
};

}  // namespace wf
