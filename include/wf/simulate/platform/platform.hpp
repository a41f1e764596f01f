// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/result.hpp>
#include <wf/simulate/sharing/fifo_links.hpp>
#include <wf/simulate/sharing/max_min.hpp>
#include <wf/simulate/sharing/mesh_networks.hpp>
#include <wf/simulate/sharing/processor_sharing.hpp>
#include <wf/simulate/sharing/slots.hpp>

namespace wf {

/// The kind of a resource of a platform.
enum class sim_resource : std::uint8_t {
  slots,  ///< a host with a number of slots; work is a time in ticks
  cores,  ///< a host whose cores all its activities share; work is in the unit of its speed
  link,   ///< a link with store-and-forward transfer; work is a number of bytes
  route,  ///< a route over links that its transfers share; work is a number of bytes
  mesh,   ///< a pair of tiles of a mesh network-on-chip; work is a number of bytes
};

/// The resources of a simulation: hosts, links, and routes. Times are in ticks.
struct sim_platform {
  table<std::int64_t> slots;                  ///< number of slots of each host of this kind
  table<sim::processor_sharing::host> cores;  ///< hosts whose cores are shared
  table<fifo_link> links;                     ///< links with store-and-forward transfer
  table<double> bandwidths;          ///< bytes per tick of each link of the routes, positive
  table<sim::fluid_route> routes;    ///< routes; ranges of `route_links`
  table<std::uint32_t> route_links;  ///< indices into `bandwidths`
  /// Mesh networks-on-chip. A tick is a cycle of them.
  table<sim::mesh_parameters> meshes;

  /// Number of resources of a kind.
  constexpr std::size_t count(sim_resource kind) const {
    switch (kind) {
      case sim_resource::slots:
        return slots.size();
      case sim_resource::cores:
        return cores.size();
      case sim_resource::link:
        return links.size();
      case sim_resource::route:
        return routes.size();
      case sim_resource::mesh:
        return mesh_pair(static_cast<std::uint32_t>(meshes.size()), 0, 0);
    }
    return 0;
  }
  /// The resource, of kind `mesh`, of messages between two tiles of a mesh. O(meshes).
  constexpr std::uint32_t mesh_pair(std::uint32_t mesh, std::uint32_t source,
                                    std::uint32_t destination) const {
    std::uint32_t first = 0;
    for (std::uint32_t m = 0; m < mesh; ++m) first += meshes[m].tiles() * meshes[m].tiles();
    return first + (mesh < meshes.size() ? meshes[mesh].pair(source, destination) : 0);
  }
};

/// Checks a platform: at least one slot or core each, latencies not negative, speeds, bandwidths
/// and weights positive, links of routes inside, meshes valid, and fewer than 2^32 pairs of tiles.
/// Errors: `simulation_failed`, naming the resource.
constexpr result<nothing> validate(const sim_platform& f) {
  const auto fail = [](text_view what, std::size_t index, text_view why) {
    return make_error(errc::simulation_failed, "", text() << what << ' ' << index << ' ' << why);
  };
  for (std::size_t i = 0; i < f.slots.size(); ++i)
    if (f.slots[i] < 1) return fail("host", i, "has no slot");
  for (std::size_t i = 0; i < f.cores.size(); ++i)
    if (!(f.cores[i].speed > 0) || f.cores[i].cores < 1)
      return fail("host", i, "has no core, or a speed that is not positive");
  for (std::size_t i = 0; i < f.links.size(); ++i)
    if (f.links[i].bandwidth < 0 || f.links[i].latency < 0 || f.links[i].free_from < 0)
      return fail("link", i, "has a negative bandwidth or time");
  for (std::size_t i = 0; i < f.bandwidths.size(); ++i)
    if (!(f.bandwidths[i] > 0)) return fail("link", i, "has a bandwidth that is not positive");
  for (std::size_t i = 0; i < f.routes.size(); ++i) {
    const sim::fluid_route& r = f.routes[i];
    if (!(r.weight > 0) || r.latency < 0 || r.links.first > f.route_links.size() ||
        r.links.count > f.route_links.size() - r.links.first)
      return fail("route", i, "has a negative latency, no weight, or links that are not there");
    for (std::uint32_t k = 0; k < r.links.count; ++k)
      if (f.route_links[r.links.first + k] >= f.bandwidths.size())
        return fail("route", i, "has a link that is not there");
  }
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < f.meshes.size(); ++i) {
    if (const auto valid = sim::validate(f.meshes[i]); !valid) return valid.error();
    pairs += std::uint64_t{f.meshes[i].tiles()} * f.meshes[i].tiles();
    if (pairs > UINT32_MAX) return fail("mesh", i, "leaves no number for its pairs of tiles");
  }
  return nothing{};
}

}  // namespace wf
