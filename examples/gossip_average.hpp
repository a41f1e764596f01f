// SPDX-License-Identifier: BSL-1.0
#pragma once

// Gossip: four stations in a ring measure something, and each averages with its two neighbours,
// again and again, until all know the mean; nobody sees all measurements.
#include <array>

#include <wf/capture/functions/wire.hpp>
#include <wf/wf.hpp>

namespace gossip_average {

// --8<-- [start:workflow]
inline constexpr int rounds = 6;

inline constexpr auto gossip = wf::workflow<"gossip">([](wf::scope& s) {
  const std::array stations = {s.input<"north", wf::peer, 1>(), s.input<"east", wf::peer, 1>(),
                               s.input<"south", wf::peer, 1>(), s.input<"west", wf::peer, 1>()};
  const auto measured = s.input<"measured", double, 4, 2>();
  // What a station measures comes from the host here, which asks for it.
  const auto begin = [&](std::size_t k, const auto& part) {
    auto [there, host, request] = s.let_each(wf::send(part, stations[k]));
    return std::pair(s.let(there), s.let(host));
  };
  const std::array begun = {
      begin(0, wf::slice<0, 0, 1>(measured)), begin(1, wf::slice<0, 1, 1>(measured)),
      begin(2, wf::slice<0, 2, 1>(measured)), begin(3, wf::slice<0, 3, 1>(measured))};
  std::array known = {begun[0].first, begun[1].first, begun[2].first, begun[3].first};
  const auto tell = [&](const auto& x, const auto& to) {
    auto [there, from, request] = s.let_each(wf::send(x, to));
    return s.let(there);
  };
  for (int round = 0; round < rounds; ++round) {
    const std::array before = known;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto left = tell(before[(k + 3) % 4], stations[k]);
      const auto right = tell(before[(k + 1) % 4], stations[k]);
      known[k] = s.let((left + before[k] + right) * (1.0 / 3));
    }
  }
  constexpr const char* names[] = {"north", "east", "south", "west"};
  for (std::size_t k = 0; k < 4; ++k)
    s.output((wf::text("mean_") << names[k]).view(), tell(known[k], begun[k].second));
});
// --8<-- [end:workflow]

}  // namespace gossip_average
