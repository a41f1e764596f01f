// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/times/host_link.hpp>

#include <doctest/doctest.h>

#include <wf/map/schedule/from_graph.hpp>
#include <wf/partition/assign.hpp>
#include <wf/simulate/platform/builder.hpp>

TEST_CASE("schedules, placements and simulations take the same time for a value") {
  constexpr wf::host_link links[] = {{0, 1'000'000'000}, {1500, 250'000'000}, {20'000, 125'000}};
  for (const wf::host_link& l : links)
    for (const std::int64_t bytes : {0, 8, 4'000, 1'000'000}) {
      const wf::machine_link placed = wf::in_picoseconds("a", "b", l);
      const wf::sim_link simulated = wf::in_seconds(l);
      const auto ns = static_cast<double>(wf::in_nanoseconds(l).delay(bytes));
      CHECK(1e-3 * static_cast<double>(placed.per_message + bytes * placed.per_byte) ==
            doctest::Approx(ns));
      CHECK(1e9 * (simulated.latency + static_cast<double>(bytes) / simulated.bandwidth) ==
            doctest::Approx(ns));
    }
}
