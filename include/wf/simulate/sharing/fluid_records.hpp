// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/engine/indexed_heap.hpp>

namespace wf::sim {

/// A route of a fluid network.
struct fluid_route {
  range links;               ///< its links, each once
  std::int64_t latency = 0;  ///< in the simulation's unit of time, before it begins to move
  double weight = 1;         ///< a transfer's rate is the level of its bottleneck times this
};

/// A transfer on a route.
struct fluid_transfer {
  double bytes = 0;            ///< bytes to move
  std::uint64_t number = 0;    ///< the order among transfers that end together
  std::uint32_t activity = 0;  ///< the caller's index
};

namespace detail::fluid {

// The records of a fluid network; see there.

/// No link, route or bottleneck.
inline constexpr std::uint32_t none = UINT32_MAX;

struct transfer_end {
  double end = 0;  // by the clock of the route
  std::uint64_t number = 0;
  std::uint32_t activity = 0;
  friend constexpr bool operator<(const transfer_end& a, const transfer_end& b) {
    return a.end != b.end ? a.end < b.end : a.number < b.number;
  }
};
struct route_end {
  double end = 0;  // by the clock of the bottleneck
  std::uint64_t number = 0;
  friend constexpr bool operator<(const route_end& a, const route_end& b) {
    return a.end != b.end ? a.end < b.end : a.number < b.number;
  }
};
using route_heap = indexed_heap<route_end>;
struct route_state {
  range hops;
  double weight = 1;
  std::uint32_t bottleneck = none;
  double offset = 0;  // its clock is the bottleneck's plus this
  double total = 0;   // weight of all its transfers
  binary_heap<transfer_end> transfers;
  // While filling.
  std::uint32_t chosen = none;
};
// A link of a route, the place of this hop among those of the link that have transfers, and what
// the route adds to the load of the link.
struct hop {
  std::uint32_t link = 0;
  std::uint32_t place = 0;
  std::int64_t share = 0;
};
// An active route on a link.
struct crossing {
  std::uint32_t route = 0;
  std::uint32_t hop = 0;
};
struct link_state {
  double bandwidth = 0;
  double whole_per_byte = 0;  // `whole_share` / bandwidth
  table<crossing> crossings;
  // Of a bottleneck:
  route_heap own;
  double level = 0;
  double per_level = 0;  // 1 / level
  double clock = 0;
  std::int64_t at = 0;  // the tick of `clock`
  // The sum of the shares of its routes, which are their rates in 2^-60 of the bandwidth. Integers:
  // the sum stays exact however often rates change.
  std::int64_t load = 0;
  // While filling.
  bool full = false;
  std::int64_t others = 0;  // load of the routes that are not free
  double left = 0;
  double open = 0;  // weight of the free transfers not fixed yet
  std::uint32_t open_routes = 0;
  double filled = 0;  // the level at which it was full
};
struct change {
  std::uint32_t route = 0;
  std::uint32_t bottleneck = none;  // before the change
};

// A whole bandwidth as a sum of shares; while rates change, a sum may be several times as much.
inline constexpr double whole_share = 0x1p60;
// A link with a higher load is more than full, within 2^-44 of its bandwidth.
inline constexpr std::int64_t full_load = (std::int64_t{1} << 60) + (std::int64_t{1} << 16);
// The most that is kept of a load.
inline constexpr std::int64_t most_load = std::int64_t{1} << 62;
// What a load leaves of the bandwidth.
constexpr double left_of(const link_state& l, std::int64_t load) {
  return l.bandwidth - static_cast<double>(load) / l.whole_per_byte;
}
// The share of a rate; twice the whole if that is less.
constexpr std::int64_t share_of(double rate, const link_state& l) {
  const double share = rate * l.whole_per_byte;
  return static_cast<std::int64_t>(share < 2 * whole_share ? share : 2 * whole_share);
}
// The rate of all transfers of a route together, at a level given as its inverse.
constexpr double load(const route_state& r, double per_level) { return r.total / per_level; }
// A quotient, as sums of it follow: see the rule of rounding.
constexpr double weight_of(const route_state& r) {
  return static_cast<double>(r.transfers.size()) / (1 / r.weight);
}
// True if a level is higher than another one by more than rounding.
constexpr bool is_above(double a, double b) { return a > b * (1 + 0x1p-44); }
constexpr bool is_near(double a, double b, double scale) {
  const double difference = a - b, allowed = scale * 0x1p-44;
  return difference <= allowed && -difference <= allowed;
}

}  // namespace detail::fluid

}  // namespace wf::sim
