// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/engine/index_set.hpp>
#include <wf/simulate/sharing/rounding.hpp>

namespace wf::sim {

/// Hosts that all their activities share at any time: `k` of them on `cores` cores run at
/// `speed · min(1, cores / k)` each. Work is in the unit of the speed, per tick. Times are rounded
/// by `nearest_tick`. O(log running) a request.
class processor_sharing {
 public:
  /// One host.
  struct host {
    double speed = 1;        ///< work per tick of one core
    std::int64_t cores = 1;  ///< number of cores
  };

  constexpr processor_sharing() = default;
  /// Takes the hosts.
  constexpr explicit processor_sharing(view<host> hosts) {
    changed_ = index_set(hosts.size());
    hosts_.resize(hosts.size());
    for (std::size_t i = 0; i < hosts.size(); ++i) hosts_[i].properties = hosts[i];
  }

  /// Number of hosts.
  constexpr std::size_t resources() const { return hosts_.size(); }
  /// One timer for each host.
  constexpr std::size_t timers() const { return hosts_.size(); }

  /// Starts at once.
  template <class Port>
  constexpr void add(std::uint32_t resource, const request& r, Port& port) {
    state& s = hosts_[resource];
    s.advance(port.now());
    s.running.push({s.served + static_cast<double>(r.work), port.number(), r.activity});
    touch(resource, port);
    port.started(r.activity, port.now());
  }
  /// Finishes the activity that has least work left.
  template <class Port>
  constexpr void complete(std::uint32_t timer, Port& port) {
    state& s = hosts_[timer];
    const double rate = s.rate();
    s.advance(port.now());
    const std::uint32_t done = s.running.pop().activity;
    if (!s.running.empty() && ticks_of(s.running.top().end - s.served, rate) == 0)
      port.set(timer, {port.now(), s.running.top().number});
    else
      port.clear(timer);
    touch(timer, port);
    port.finished(done);
  }
  /// Sets the next completion of each host whose activities have changed.
  template <class Port>
  constexpr void settle(Port& port) {
    for (const std::uint32_t h : changed_) {
      state& s = hosts_[h];
      if (s.running.empty()) {
        s.served = 0;
        continue;
      }
      const run& next = s.running.top();
      port.set(h,
               {saturating_add(port.now(), ticks_of(next.end - s.served, s.rate())), next.number});
    }
    changed_.clear();
  }

 private:
  struct run {
    double end = 0;  // of `served`
    std::uint64_t number = 0;
    std::uint32_t activity = 0;
    friend constexpr bool operator<(const run& a, const run& b) {
      return a.end != b.end ? a.end < b.end : a.number < b.number;
    }
  };
  struct state {
    host properties;
    double served = 0;  // work that an activity got which has been running since it was 0
    std::int64_t at = 0;
    binary_heap<run> running;

    // Work per tick that each activity gets.
    constexpr double rate() const {
      const auto k = static_cast<double>(running.size());
      const auto cores = static_cast<double>(properties.cores);
      return k <= cores ? properties.speed : properties.speed / (k / cores);
    }
    constexpr void advance(std::int64_t now) {
      if (now != at && !running.empty()) served += work_of(now - at, rate());
      at = now;
    }
  };

  template <class Port>
  constexpr void touch(std::uint32_t resource, Port& port) {
    if (changed_.add(resource)) port.touch();
  }

  table<state> hosts_;
  index_set changed_;
};

}  // namespace wf::sim
