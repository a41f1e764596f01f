// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/times/host_link.hpp>
#include <wf/simulate/platform/platform.hpp>

namespace wf {

/// A link of a cluster, in bytes and seconds.
struct sim_link {
  double bandwidth = 0;     ///< bytes per second, positive
  double latency = 0;       ///< seconds
  bool full_duplex = true;  ///< false: both directions share the bandwidth
};

/// A measured link as one of a cluster; without a bandwidth that of 2^60 bytes per second.
constexpr sim_link in_seconds(const host_link& l) {
  const double unlimited = 1LL << 60;
  return {l.bytes_per_second == 0 ? unlimited : static_cast<double>(l.bytes_per_second),
          1e-9 * static_cast<double>(l.latency_ns)};
}

/// The two directions of a link.
struct sim_duplex {
  std::uint32_t up = 0;    ///< index of the direction away from the host, or to larger indices
  std::uint32_t down = 0;  ///< index of the other direction; equal to `up` if they share the link
};

/// A host of a cluster whose cores its tasks share.
struct sim_host {
  double speed = 1;        ///< work (flops) per second of one core, positive
  std::int64_t cores = 1;  ///< number of cores
};

/// Builds the platform of a cluster from hosts, links and routes in seconds, which it counts in
/// ticks. The weight of a transfer is 1 / latency of its route in seconds, and 1 where that is 0:
/// of two transfers over a full link the one over the shorter route gets more, as by the round-trip
/// times of TCP.
class cluster_builder {
 public:
  /// A tick is 1 / `ticks_per_second` seconds.
  constexpr explicit cluster_builder(double ticks_per_second) : ticks_(ticks_per_second) {}

  /// Adds a host and returns its index.
  constexpr std::uint32_t add_host(const sim_host& h) {
    out_.cores.push_back({h.speed / ticks_, h.cores});
    return static_cast<std::uint32_t>(out_.cores.size() - 1);
  }
  /// Adds one direction of a link, or a link whose directions share it; returns its index.
  constexpr std::uint32_t add_link(const sim_link& l) {
    out_.bandwidths.push_back(l.bandwidth / ticks_);
    latencies_.push_back(l.latency);
    return static_cast<std::uint32_t>(out_.bandwidths.size() - 1);
  }
  /// Adds a link and returns the indices of its directions, which are equal without full duplex.
  constexpr sim_duplex add_duplex(const sim_link& l) {
    const std::uint32_t up = add_link(l);
    return {up, l.full_duplex ? add_link(l) : up};
  }
  /// Adds a route over links and returns its index.
  constexpr std::uint32_t add_route(view<std::uint32_t> links) {
    sim::fluid_route r;
    r.links = {static_cast<std::uint32_t>(out_.route_links.size()),
               static_cast<std::uint32_t>(links.size())};
    double seconds = 0;
    for (const std::uint32_t l : links) {
      out_.route_links.push_back(l);
      seconds += latencies_[l];
    }
    r.latency = sim::ticks_of(seconds, 1 / ticks_);
    r.weight = seconds > 0 ? 1 / seconds : 1;
    out_.routes.push_back(r);
    return static_cast<std::uint32_t>(out_.routes.size() - 1);
  }
  /// The platform; the builder is then empty.
  constexpr sim_platform take() {
    latencies_.clear();
    return static_cast<sim_platform&&>(out_);
  }

 private:
  double ticks_;
  sim_platform out_;
  table<double> latencies_;
};

}  // namespace wf
