// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/integer.hpp>

namespace wf::sim {

/// A two-dimensional mesh network-on-chip: tiles numbered by rows, a router at each, a channel in
/// each direction between neighbours, and virtual-channel flow control (Dally and Towles,
/// Principles and Practices of Interconnection Networks, 2004, chapters 13 and 16). Latencies are
/// in cycles; a cycle is a tick.
struct mesh_parameters {
  std::int32_t rows = 1;     ///< tiles of a column
  std::int32_t columns = 1;  ///< tiles of a row
  /// Virtual channels of each physical channel, at most `max_virtual_channels`.
  std::int32_t virtual_channels = 4;
  std::int32_t buffer_depth = 8;  ///< flits that the buffer of a virtual channel holds, at most 255
  /// Crossbar inputs of each input port; virtual channel v uses input v mod `input_speedup`.
  std::int32_t input_speedup = 2;
  /// Cycles of a head flit in a router: one of virtual-channel allocation, one of switch
  /// allocation, the rest of switch traversal; at least 2.
  std::int32_t router_latency = 3;
  std::int32_t link_latency = 1;  ///< cycles on a link between routers, or router and tile
  /// Cycles from the arrival of a credit at a router until the router may use it.
  std::int32_t credit_delay = 2;
  std::int64_t flit_bytes = 16;   ///< payload of a flit, the unit of flow control
  std::int64_t packet_flits = 4;  ///< flits of the largest packet; a longer message takes several

  /// Largest number of virtual channels.
  static constexpr std::int32_t max_virtual_channels = 12;
  /// Largest number of cycles of each latency.
  static constexpr std::int32_t max_latency = 1000;

  /// Number of tiles.
  constexpr std::uint32_t tiles() const {
    return static_cast<std::uint32_t>(rows) * static_cast<std::uint32_t>(columns);
  }
  /// Number of a pair of tiles, among `tiles()` squared.
  constexpr std::uint32_t pair(std::uint32_t source, std::uint32_t destination) const {
    return source * tiles() + destination;
  }
  /// Cycles from a router to the next one, without contention.
  constexpr std::int64_t hop_latency() const { return router_latency + link_latency; }
  /// Number of routers that a packet passes: the distance of the tiles, plus 1.
  constexpr std::int64_t hops(std::uint32_t source, std::uint32_t destination) const {
    const auto width = static_cast<std::uint32_t>(columns);
    const auto distance = [](std::uint32_t a, std::uint32_t b) {
      return static_cast<std::int64_t>(a < b ? b - a : a - b);
    };
    return distance(source % width, destination % width) +
           distance(source / width, destination / width) + 1;
  }
  /// Flits of a message; one without payload has a head flit.
  constexpr std::int64_t flits(std::int64_t bytes) const {
    return bytes == 0 ? 1 : wf::detail::ceil_div(bytes, flit_bytes);
  }
  /// Cycles from the creation of a packet until its tail flit arrives, if no other packet is in the
  /// mesh and no credit is awaited: that is if it fits the buffer of a virtual channel.
  constexpr std::int64_t unloaded_latency(std::uint32_t source, std::uint32_t destination,
                                          std::int64_t flits) const {
    return 1 + link_latency + hop_latency() * hops(source, destination) + flits - 1;
  }
};

/// Checks the parameters of a mesh against the limits beside them; a mesh has at most 65,535 tiles.
/// Errors: `simulation_failed`, naming the parameter.
constexpr result<nothing> validate(const mesh_parameters& m) {
  const auto inside = [](std::int64_t value, std::int64_t least, std::int64_t most) {
    return least <= value && value <= most;
  };
  const auto fail = [](text_view parameter) {
    return make_error(errc::simulation_failed, parameter, "the mesh has a value out of range");
  };
  if (!inside(m.rows, 1, 65'535)) return fail("rows");
  if (!inside(m.columns, 1, 65'535 / m.rows)) return fail("columns");
  if (!inside(m.virtual_channels, 1, m.max_virtual_channels)) return fail("virtual_channels");
  if (!inside(m.buffer_depth, 1, 255)) return fail("buffer_depth");
  if (!inside(m.input_speedup, 1, m.virtual_channels)) return fail("input_speedup");
  if (!inside(m.router_latency, 2, m.max_latency)) return fail("router_latency");
  if (!inside(m.link_latency, 0, m.max_latency)) return fail("link_latency");
  if (!inside(m.credit_delay, 0, m.max_latency)) return fail("credit_delay");
  if (m.flit_bytes < 1) return fail("flit_bytes");
  if (!inside(m.packet_flits, 1, INT32_MAX)) return fail("packet_flits");
  return nothing{};
}

}  // namespace wf::sim
