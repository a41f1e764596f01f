// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/engine/engine.hpp>
#include <wf/simulate/engine/index_set.hpp>
#include <wf/simulate/sharing/waiting_queue.hpp>

namespace wf::sim {

/// Hosts with a number of slots, each for one activity at a time; work is a time in ticks. A free
/// slot goes to the waiting request with the largest priority, among equals to the one that came
/// first. All completions of a tick come before its grants, so that requests of one tick compete
/// whatever their order. O(log running + log waiting) a request, O(1) for waiting requests of one
/// priority.
class slots {
 public:
  constexpr slots() = default;
  /// A host for each number of slots; `unlimited` for one on which nothing waits.
  constexpr explicit slots(view<std::int64_t> slots_of_hosts) {
    changed_ = index_set(slots_of_hosts.size());
    hosts_.resize(slots_of_hosts.size());
    for (std::size_t h = 0; h < slots_of_hosts.size(); ++h) hosts_[h].free = slots_of_hosts[h];
  }
  /// A number of slots that no run exhausts.
  static constexpr std::int64_t unlimited = INT64_MAX;

  /// Number of hosts.
  constexpr std::size_t resources() const { return hosts_.size(); }
  /// One timer for each host.
  constexpr std::size_t timers() const { return hosts_.size(); }

  /// Waits for a slot, until the end of the tick at least.
  template <class Port>
  constexpr void add(std::uint32_t resource, const request& r, Port& port) {
    hosts_[resource].waiting.push({r, port.number()});
    touch(resource, port);
  }
  /// Finishes the activity that ends first.
  template <class Port>
  constexpr void complete(std::uint32_t timer, Port& port) {
    host& h = hosts_[timer];
    const std::uint32_t done = h.running.pop().activity;
    ++h.free;
    if (h.running.empty())
      port.clear(timer);
    else
      port.set(timer, h.running.top().end);
    if (!h.waiting.empty()) touch(timer, port);
    port.finished(done);
  }
  /// Grants free slots to waiting requests.
  template <class Port>
  constexpr void settle(Port& port) {
    for (std::size_t i = 0; i < changed_.size(); ++i) {
      const std::uint32_t resource = changed_.leave(i);  // a start may bring new requests
      host& h = hosts_[resource];
      while (h.free > 0 && !h.waiting.empty()) start(resource, h.waiting.pop(), port);
    }
    changed_.clear();
  }

 private:
  struct run {
    completion end;
    std::uint32_t activity = 0;
    friend constexpr bool operator<(const run& a, const run& b) { return a.end < b.end; }
  };
  struct host {
    std::int64_t free = 0;
    binary_heap<run> running;
    waiting_queue waiting;
  };

  template <class Port>
  constexpr void touch(std::uint32_t resource, Port& port) {
    if (changed_.add(resource)) port.touch();
  }
  template <class Port>
  constexpr void start(std::uint32_t resource, const waiting_request& w, Port& port) {
    host& h = hosts_[resource];
    --h.free;
    h.running.push({{port.now() + w.what.work, w.number}, w.what.activity});
    port.set(resource, h.running.top().end);
    port.started(w.what.activity, port.now());
  }

  table<host> hosts_;
  index_set changed_;
};

}  // namespace wf::sim
