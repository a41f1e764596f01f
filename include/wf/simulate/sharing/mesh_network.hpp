// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/engine/engine.hpp>
#include <wf/simulate/sharing/mesh_routers.hpp>

namespace wf::sim {

/// Messages between the tiles of a mesh network-on-chip, as `mesh_routers` describes it; work is a
/// number of bytes, a tick is a cycle. A resource is a pair of tiles, `mesh_parameters::pair`; a
/// tile may send to itself, through its router. A message waits at its source for those that came
/// before it, starts when its first flit enters the mesh, and is finished when the last flit of its
/// last packet has arrived. Requests of one tick compete whatever the order of the models' events;
/// those of one source are served in the order made. Priorities are not used.
///
/// Each cycle in which a flit could move costs O(flits that move + routers that have some); others
/// cost nothing.
class mesh_network {
 public:
  /// One tile.
  constexpr mesh_network() = default;
  /// Takes the parameters. Precondition: they are valid.
  constexpr explicit mesh_network(const mesh_parameters& m) : routers_(m) {}

  /// Number of pairs of tiles.
  constexpr std::size_t resources() const {
    return std::size_t{routers_.parameters().tiles()} * routers_.parameters().tiles();
  }
  /// One timer, for the next cycle in which something happens.
  constexpr std::size_t timers() const { return 1; }

  /// A message waits at its source.
  template <class Port>
  constexpr void add(std::uint32_t resource, const request& r, Port& port) {
    const mesh_parameters& m = routers_.parameters();
    const std::uint32_t source = resource / m.tiles(), destination = resource % m.tiles();
    const std::int64_t flits = m.flits(r.work);
    const std::uint32_t id = take({r.activity, wf::detail::ceil_div(flits, m.packet_flits)});
    const auto columns = static_cast<std::uint32_t>(m.columns);
    routers_.push(source, {id, destination / columns << 16 | destination % columns, flits});
    port.touch();
  }
  /// Flits and credits arrive.
  template <class Port>
  constexpr void complete(std::uint32_t timer, Port& port) {
    due_ = port.now() + 1;  // most often; `settle` corrects it
    port.set(timer, {due_, 0});
    routers_.arrive(port.now(), [&](std::uint32_t id) {
      if (--messages_[id].packets != 0) return;
      free_.push_back(id);
      port.finished(messages_[id].activity);
    });
    port.touch();
  }
  /// Flits enter the mesh, and move on.
  template <class Port>
  constexpr void settle(Port& port) {
    const std::int64_t now = port.now();
    routers_.inject(now, [&](std::uint32_t id) { port.started(messages_[id].activity, now); });
    if (allocated_ != now) routers_.allocate(now);
    allocated_ = now;
    const std::int64_t next = routers_.next(now);
    if (next == due_) return;
    due_ = next;
    if (next == never)
      port.clear(0);
    else
      port.set(0, {next, 0});
  }

 private:
  struct message {
    std::uint32_t activity = 0;
    std::int64_t packets = 0;  // that have not arrived
  };

  constexpr std::uint32_t take(const message& m) {
    if (free_.empty()) {
      messages_.push_back(m);
      return static_cast<std::uint32_t>(messages_.size() - 1);
    }
    const std::uint32_t id = free_.back();
    free_.pop_back();
    messages_[id] = m;
    return id;
  }

  mesh_routers routers_;
  table<message> messages_;
  table<std::uint32_t> free_;    // messages that are not in use
  std::int64_t allocated_ = -1;  // last cycle whose flits have moved
  std::int64_t due_ = never;     // time of the timer
};

}  // namespace wf::sim
