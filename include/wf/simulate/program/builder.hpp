// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/program/program.hpp>

namespace wf {

/// Collects the activities of a program and their order, in any sequence.
class sim_program_builder {
 public:
  sim_platform platform;  ///< the resources of the program

  /// Adds an activity and returns its index.
  constexpr std::uint32_t add(sim_resource kind, std::uint32_t resource, std::int64_t work,
                              std::int32_t priority = 0) {
    activities_.push_back({work, resource, kind, priority, {}});
    return static_cast<std::uint32_t>(activities_.size() - 1);
  }
  /// Lets an activity wait for another one.
  constexpr void connect(std::uint32_t earlier, std::uint32_t later) {
    order_.push_back({earlier, later});
  }
  /// The program; successors are in the order of the calls of `connect`. The builder is then empty.
  /// Precondition: the connected activities exist. O(activities + connections).
  constexpr sim_program take() {
    sim_program out;
    for (const pair& p : order_) ++activities_[p.earlier].successors.count;
    std::uint32_t first = 0;
    for (sim_activity& a : activities_) {
      a.successors.first = first;
      first += a.successors.count;
      a.successors.count = 0;
    }
    out.successors.resize(order_.size());
    for (const pair& p : order_) {
      range& to = activities_[p.earlier].successors;
      out.successors[to.first + to.count++] = p.later;
    }
    out.activities.swap(activities_);
    order_.clear();
    out.platform = static_cast<sim_platform&&>(platform);
    return out;
  }

 private:
  struct pair {
    std::uint32_t earlier = 0;
    std::uint32_t later = 0;
  };
  table<sim_activity> activities_;
  table<pair> order_;
};

}  // namespace wf
