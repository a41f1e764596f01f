// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/sharing/mesh_routers.hpp>

#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "../../sanitized.hpp"
#include "literal_mesh.hpp"

namespace {

using wf::sim::mesh_parameters;

// Each message fits one packet.
void simulate(const mesh_parameters& m, std::vector<literal_mesh::message>& messages,
              bool is_every_cycle) {
  wf::sim::mesh_routers routers(m);
  const auto columns = static_cast<std::uint32_t>(m.columns);
  std::size_t created = 0;
  for (std::int64_t cycle = 0; cycle < INT64_MAX;) {
    routers.arrive(cycle, [&](std::uint32_t id) { messages[id].finished = cycle; });
    for (; created < messages.size() && messages[created].created == cycle; ++created) {
      const auto to = static_cast<std::uint32_t>(messages[created].destination);
      routers.push(static_cast<std::uint32_t>(messages[created].source),
                   {static_cast<std::uint32_t>(created), to / columns << 16 | to % columns,
                    messages[created].flits});
    }
    routers.inject(cycle, [&](std::uint32_t id) { messages[id].started = cycle; });
    routers.allocate(cycle);
    std::int64_t next = routers.next(cycle);
    if (next <= cycle) FAIL("what is due is not later");
    if (is_every_cycle && next != INT64_MAX) next = cycle + 1;
    if (created < messages.size()) next = std::min(next, messages[created].created);
    cycle = next;
  }
}

}  // namespace

TEST_CASE("packets move as in the literal model, and nothing happens in skipped cycles") {
  for (unsigned seed = 1; seed <= (wf_test::sanitized ? 40u : 400u); ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    mesh_parameters m = literal_mesh::random_mesh(random);
    m.packet_flits = 12;
    std::vector<literal_mesh::message> expected = literal_mesh::random_messages(m, random);
    std::vector<literal_mesh::message> one = expected, two = expected;
    simulate(m, one, false);
    simulate(m, two, true);
    literal_mesh::mesh(m).run(expected);
    const auto first_difference = [&](const std::vector<literal_mesh::message>& got) {
      std::size_t i = 0;
      while (i < expected.size() && got[i].started == expected[i].started &&
             got[i].finished == expected[i].finished)
        ++i;
      return i;
    };
    CHECK(first_difference(one) == expected.size());
    CHECK(first_difference(two) == expected.size());
  }
}

TEST_CASE("without messages nothing is due") {
  wf::sim::mesh_routers routers;
  routers.inject(0, [](std::uint32_t) { FAIL("there is no message"); });
  routers.allocate(0);
  CHECK(routers.next(0) == INT64_MAX);
  CHECK(routers.parameters().tiles() == 1);
}
