// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/platform/platform.hpp>

namespace wf::sim {

/// The engine for a platform: slots, shared cores, links, routes, and meshes, in this order.
using platform_engine = engine<slots, processor_sharing, fifo_links, max_min, mesh_networks>;

/// The engine of a platform, with these hosts instead of its own hosts with slots.
constexpr platform_engine make_engine(const sim_platform& f, view<std::int64_t> slots_of_hosts) {
  return platform_engine(slots(slots_of_hosts), processor_sharing(f.cores), fifo_links(f.links),
                         max_min(f.bandwidths, f.routes, f.route_links), mesh_networks(f.meshes));
}
/// The engine of a platform.
constexpr platform_engine make_engine(const sim_platform& f) { return make_engine(f, f.slots); }

/// Number of kinds of resources.
inline constexpr int resource_kinds = 5;

/// The first resource of a kind among those of the engine.
constexpr std::uint32_t first_resource(const sim_platform& f, sim_resource kind) {
  std::size_t first = 0;
  for (int k = 0; k < static_cast<int>(kind); ++k) first += f.count(static_cast<sim_resource>(k));
  return static_cast<std::uint32_t>(first);
}

}  // namespace wf::sim
