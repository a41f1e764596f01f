// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/machine/parcels.hpp>
#include <wf/partition/machine/site.hpp>

namespace wf::detail {

/// Finds the calls of which nothing can come any more, and makes all machines forget them.
///
/// A call may have come to rest and not be finished: a node runs that takes time, or one waits for
/// a value that its machine gets without a call, which comes late, or when some machine restarts.
class call_collection {
 public:
  constexpr call_collection() = default;
  /// For a number of calls; `starts` are the `start_values` of the programs.
  constexpr call_collection(std::size_t calls, table<table<char>> starts)
      : starts_(static_cast<table<table<char>>&&>(starts)),
        is_listed_(calls + 1),
        seen_(calls + 1, none) {}

  /// A machine got a value without a call, or its life has begun or ended: what waits may go on, or
  /// wait no more.
  constexpr void note_start() { ++count_; }
  /// Looks at all calls that have come to rest: O(1) for each that waits as before, else O(slots)
  /// of all machines. `net.active(machine)` tells whether a machine is alive; the first step of a
  /// call's path is its number.
  template <class Net, class Machine, class Value>
  constexpr void collect(const Net& net, table<Machine>& machines, parcel_table<Value>& parcels,
                         execution_tags& tags) {
    for (const std::uint64_t call : parcels.resting()) {
      seen_[call] = none;
      if (is_listed_[call] == 0) listed_.push_back(call);
      is_listed_[call] = 1;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < listed_.size(); ++i) {
      const std::uint64_t call = listed_[i];
      // When its messages have come to their ends it is told again.
      const bool goes_on = !parcels.is_quiet(call);
      const std::uint32_t tag = tags.extend(execution_tags::always, call);
      if (!goes_on && waits(net, call, tag, machines, tags)) {
        listed_[kept++] = call;
        continue;
      }
      is_listed_[call] = 0;
      if (goes_on) continue;
      for (Machine& m : machines) m.forget(tag);
    }
    while (listed_.size() > kept) listed_.pop_back();
  }

 private:
  static constexpr std::uint64_t none = UINT64_MAX;

  template <class Net, class Machine>
  constexpr bool waits(const Net& net, std::uint64_t call, std::uint32_t tag,
                       const table<Machine>& machines, const execution_tags& tags) {
    if (seen_[call] == count_) return true;
    for (std::uint32_t p = 0; p < machines.size(); ++p)
      if (net.active(p) && machines[p].site().has_work(tag, tags)) return true;
    for (std::uint32_t p = 0; p < machines.size(); ++p) {
      const auto& site = machines[p].site();
      for (std::uint32_t k = 0; k < site.slots.size() && net.active(p); ++k)
        if (site.slots[k].waits_for_start(tag, starts_[site.programs[k]])) {
          seen_[call] = count_;
          return true;
        }
    }
    return false;
  }

  table<table<char>> starts_;    // by program, and by value or event
  table<std::uint64_t> listed_;  // calls that have come to rest
  table<char> is_listed_;        // by call
  table<std::uint64_t> seen_;    // by call: the count at which it waited for a start
  std::uint64_t count_ = 0;
};

}  // namespace wf::detail
