// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/simulate/engine/pool.hpp>
#include <wf/simulate/process/wait_graph.hpp>
#include <wf/simulate/sharing/waiting_queue.hpp>

namespace wf {

/// An amount of one resource.
struct demand {
  std::uint32_t resource = 0;  ///< id returned by `broker::add`
  std::int64_t amount = 0;     ///< in the unit of the capacity

  friend constexpr bool operator==(const demand&, const demand&) = default;
};

/// Grants resources of limited capacity to holders (processes, by id). A request is granted as a
/// whole or not at all. Each resource has a queue, ordered by priority and arrival; a request waits
/// in the queue of every resource that it asks for, and is granted when it is the first in all of
/// them and fits. So none overtakes another one that needs the same resource, none starves unless
/// by priorities, and requests for different resources never wait for each other.
class broker {
 public:
  /// Adds a resource and returns its id; ids count up from 0.
  constexpr std::uint32_t add(std::int64_t capacity) {
    resources_.push_back({capacity, 0, {}, {}});
    return static_cast<std::uint32_t>(resources_.size() - 1);
  }
  /// The free capacity of a resource.
  constexpr std::int64_t left(std::uint32_t resource) const {
    return resources_[resource].capacity - resources_[resource].used;
  }
  /// Number of waiting requests.
  constexpr std::size_t waiting() const { return requests_.in_use(); }

  /// Requests resources, each named at most once. True: granted at once; false: the request waits.
  /// Larger priorities are served first. Errors: `simulation_failed` if a resource is unknown, or
  /// an amount is negative or above the total capacity. O(demands · log waiting).
  constexpr result<bool> request(std::uint32_t holder, view<demand> demands,
                                 std::int32_t priority = 0) {
    for (const demand& d : demands)
      if (d.resource >= resources_.size() || d.amount < 0 ||
          d.amount > resources_[d.resource].capacity)
        return make_error(errc::simulation_failed, "",
                          text() << "process " << holder << " asks for " << d.amount
                                 << " of resource " << d.resource << ", which has not that much");
    bool waits = false;
    for (const demand& d : demands)
      waits = waits || (d.amount != 0 &&
                        (d.amount > left(d.resource) || !resources_[d.resource].queue.empty()));
    if (!waits) {
      grant(holder, demands);
      return true;
    }
    const std::uint32_t id = requests_.add({holder, table<demand>(demands)});
    const sim::waiting_request entry{{id, priority, 0}, count_++};
    for (const demand& d : demands)
      if (d.amount != 0) resources_[d.resource].queue.push(entry);
    // By its priority it may be the first in all queues, and fit.
    return grants(id);
  }
  /// Releases a part of what a holder has and calls `granted(holder)` for each waiting request that
  /// can be granted now, in the order of the released resources, then of those whose queues move
  /// on. Errors: `simulation_failed` if the holder does not hold that much.
  template <class Granted>
  constexpr result<nothing> release(std::uint32_t holder, view<demand> demands, Granted&& granted) {
    for (const demand& d : demands)
      if (d.resource >= resources_.size() || held(holder, d.resource) < d.amount)
        return make_error(errc::simulation_failed, "",
                          text() << "process " << holder << " gives back " << d.amount
                                 << " of resource " << d.resource << " without having it");
    table<std::uint32_t> moved;
    for (const demand& d : demands) {
      take_back(holder, d);
      moved.push_back(d.resource);
    }
    for (std::size_t i = 0; i < moved.size(); ++i) {
      while (!resources_[moved[i]].queue.empty()) {
        const std::uint32_t id = resources_[moved[i]].queue.front().what.activity;
        if (!grants(id)) break;
        // The queues of its other resources have moved on, too.
        for (const demand& d : requests_[id].demands)
          if (d.amount != 0 && d.resource != moved[i]) moved.push_back(d.resource);
        granted(requests_[id].holder);
      }
    }
    return nothing{};
  }
  /// The amount of a resource that a holder has; 0: none. O(holders of the resource).
  constexpr std::int64_t held(std::uint32_t holder, std::uint32_t resource) const {
    for (const share& s : resources_[resource].holders)
      if (s.holder == holder) return s.amount;
    return 0;
  }

  /// A cycle of the wait-for graph, starting at its smallest holder, each waiting for the next;
  /// empty if there is none. A waiting request waits for all holders of the resources it lacks and
  /// for the first in each of its queues; `more` adds edges that the broker cannot know (a process
  /// that waits for another's message).
  constexpr table<std::uint32_t> wait_cycle(view<wait_edge> more = {}) const {
    table<wait_edge> edges(more);
    for (std::uint32_t id = 0; id < requests_.records().size(); ++id) {
      const request_record& r = requests_[id];
      if (!r.waits) continue;
      for (const demand& d : r.demands) {
        if (d.amount == 0) continue;
        const std::uint32_t first = resources_[d.resource].queue.front().what.activity;
        if (first != id) edges.push_back({r.holder, requests_[first].holder});
        if (d.amount <= left(d.resource)) continue;
        for (const share& s : resources_[d.resource].holders) edges.push_back({r.holder, s.holder});
      }
    }
    return wf::wait_cycle(edges);
  }

 private:
  struct share {
    std::uint32_t holder = 0;
    std::int64_t amount = 0;  ///< in the unit of the capacity
  };
  struct resource_record {
    std::int64_t capacity = 0;
    std::int64_t used = 0;
    table<share> holders;
    sim::waiting_queue queue;  // the activity of an entry is the index of its request
  };
  struct request_record {
    std::uint32_t holder = 0;
    table<demand> demands;
    bool waits = true;
  };

  // Grants a waiting request if it is the first in all its queues and fits. Its record stays
  // readable until the next request.
  constexpr bool grants(std::uint32_t id) {
    request_record& r = requests_[id];
    for (const demand& d : r.demands)
      if (d.amount != 0 &&
          (d.amount > left(d.resource) || resources_[d.resource].queue.front().what.activity != id))
        return false;
    for (const demand& d : r.demands)
      if (d.amount != 0) resources_[d.resource].queue.pop();
    grant(r.holder, r.demands);
    r.waits = false;
    requests_.release(id);
    return true;
  }
  constexpr void grant(std::uint32_t holder, view<demand> demands) {
    for (const demand& d : demands) {
      if (d.amount == 0) continue;
      resource_record& to = resources_[d.resource];
      to.used += d.amount;
      std::size_t at = 0;
      while (at < to.holders.size() && to.holders[at].holder != holder) ++at;
      if (at == to.holders.size()) to.holders.push_back({holder, 0});
      to.holders[at].amount += d.amount;
    }
  }
  constexpr void take_back(std::uint32_t holder, const demand& d) {
    resource_record& from = resources_[d.resource];
    from.used -= d.amount;
    for (std::size_t i = 0; i < from.holders.size(); ++i) {
      if (from.holders[i].holder != holder) continue;
      from.holders[i].amount -= d.amount;
      if (from.holders[i].amount != 0) return;
      from.holders[i] = from.holders.back();
      from.holders.pop_back();
      return;
    }
  }
  table<resource_record> resources_;
  pool<request_record> requests_;
  std::uint64_t count_ = 0;
};

}  // namespace wf
