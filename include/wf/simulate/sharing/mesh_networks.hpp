// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/engine/index_set.hpp>
#include <wf/simulate/sharing/mesh_network.hpp>

namespace wf::sim {

/// Several meshes, each a `mesh_network` for itself; those of a platform. The resources of a mesh,
/// its pairs of tiles, follow those of the mesh before it.
class mesh_networks {
 public:
  constexpr mesh_networks() = default;
  /// Takes the parameters of each. Precondition: they are valid.
  constexpr explicit mesh_networks(view<mesh_parameters> meshes) : touched_(meshes.size()) {
    first_.push_back(0);
    for (const mesh_parameters& m : meshes) {
      meshes_.push_back(mesh_network(m));
      first_.push_back(first_.back() + static_cast<std::uint32_t>(meshes_.back().resources()));
    }
  }

  /// Number of pairs of tiles.
  constexpr std::size_t resources() const { return first_.empty() ? 0 : first_.back(); }
  /// One for each mesh.
  constexpr std::size_t timers() const { return meshes_.size(); }

  /// A message waits at its source. O(meshes).
  template <class Port>
  constexpr void add(std::uint32_t resource, const request& r, Port& port) {
    std::uint32_t m = 0;
    while (resource >= first_[m + 1]) ++m;
    port_of_mesh<Port> p{port, *this, m};
    meshes_[m].add(resource - first_[m], r, p);
  }
  /// Flits and credits arrive.
  template <class Port>
  constexpr void complete(std::uint32_t timer, Port& port) {
    port_of_mesh<Port> p{port, *this, timer};
    meshes_[timer].complete(0, p);
  }
  /// Flits enter the meshes in which something happened, and move on.
  template <class Port>
  constexpr void settle(Port& port) {
    for (std::size_t i = 0; i < touched_.size(); ++i) {
      const std::uint32_t m = touched_.leave(i);
      port_of_mesh<Port> p{port, *this, m};
      meshes_[m].settle(p);
    }
    touched_.clear();
  }

 private:
  // The engine as one mesh sees it: its timer has the number 0.
  template <class Port>
  struct port_of_mesh {
    Port& port;
    mesh_networks& owner;
    std::uint32_t mesh;

    constexpr std::int64_t now() const { return port.now(); }
    constexpr std::uint64_t number() const { return port.number(); }
    constexpr void set(std::uint32_t, const completion& c) { port.set(mesh, c); }
    constexpr void clear(std::uint32_t) { port.clear(mesh); }
    constexpr void touch() {
      owner.touched_.add(mesh);
      port.touch();
    }
    constexpr void started(std::uint32_t activity, std::int64_t begin) {
      port.started(activity, begin);
    }
    constexpr void finished(std::uint32_t activity) { port.finished(activity); }
  };

  table<mesh_network> meshes_;
  table<std::uint32_t> first_;  // resource of each mesh, and their number
  index_set touched_;           // meshes that have to settle
};

}  // namespace wf::sim
