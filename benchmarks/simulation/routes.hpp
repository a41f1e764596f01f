// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include <wf/simulate/platform/topology.hpp>

namespace simulation_benchmark {

/// The index of the route between each pair of different hosts.
using route_index = std::map<std::pair<int, int>, std::uint32_t>;

/// A count of routes, and of those among them that are as they must be.
struct route_agreement {
  std::size_t routes = 0, equal = 0;
};

/// Links of two platforms that correspond to each other, found while routes are compared.
class link_pairs {
 public:
  /// True if the links were paired with each other or with none; then they are paired.
  bool pair(std::uint32_t one, std::uint32_t other) {
    return there_.try_emplace(one, other).first->second == other &&
           back_.try_emplace(other, one).first->second == one;
  }

 private:
  std::map<std::uint32_t, std::uint32_t> there_, back_;
};

/// Compares the routes between different hosts of a generated cluster with those of a listed
/// platform. Routes are equal if they have the same latency and weight, and links that correspond:
/// in the same order, of the same bandwidth, each one always to the same one in both directions.
/// Counts a route that only one of both has as unequal.
inline route_agreement compare_routes(const wf::sim_cluster& made, const wf::sim_platform& listed,
                                      const route_index& index) {
  const wf::sim_platform& own = made.platform;
  link_pairs links;
  const auto equal = [&](const wf::sim::fluid_route& a, const wf::sim::fluid_route& b) {
    bool same = a.links.count == b.links.count && a.latency == b.latency && a.weight == b.weight;
    for (std::uint32_t k = 0; same && k < a.links.count; ++k) {
      const std::uint32_t one = own.route_links[a.links.first + k];
      const std::uint32_t other = listed.route_links[b.links.first + k];
      same = own.bandwidths[one] == listed.bandwidths[other] && links.pair(one, other);
    }
    return same;
  };
  route_agreement out;
  std::size_t found = 0;
  for (std::uint32_t a = 0; a < made.hosts; ++a)
    for (std::uint32_t b = 0; b < made.hosts; ++b) {
      if (a == b) continue;
      ++out.routes;
      const auto at = index.find({static_cast<int>(a), static_cast<int>(b)});
      if (at == index.end()) continue;
      ++found;
      if (equal(own.routes[made.route(a, b)], listed.routes[at->second])) ++out.equal;
    }
  out.routes += index.size() - found;
  return out;
}

}  // namespace simulation_benchmark
