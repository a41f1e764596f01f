// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/sharing/mesh_networks.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include <wf/simulate/program/program.hpp>

#include <simulate/sharing/literal_mesh.hpp>

namespace {

// Messages on meshes, each after a wait on a host without limit.
struct timed_message {
  std::uint32_t mesh = 0;
  literal_mesh::message message;
};

wf::sim_record simulate(const std::vector<wf::sim::mesh_parameters>& meshes,
                        const std::vector<timed_message>& messages) {
  wf::sim_program p;
  p.platform.slots.push_back(wf::sim::slots::unlimited);
  for (const auto& m : meshes) p.platform.meshes.push_back(m);
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    p.activities.push_back({messages[i].message.created, 0, wf::sim_resource::slots, 0, {i, 1}});
    p.successors.push_back(static_cast<std::uint32_t>(messages.size()) + i);
  }
  for (const auto& [mesh, m] : messages)
    p.activities.push_back({m.flits * meshes[mesh].flit_bytes,
                            p.platform.mesh_pair(mesh, static_cast<std::uint32_t>(m.source),
                                                 static_cast<std::uint32_t>(m.destination)),
                            wf::sim_resource::mesh,
                            0,
                            {}});
  const auto record = wf::simulate(p);
  REQUIRE(record);
  return *record;
}

constexpr std::int64_t crossing() {
  wf::sim_program p;
  p.platform.meshes.push_back({.rows = 2, .columns = 3});
  p.platform.meshes.push_back({.rows = 1, .columns = 4});
  p.activities.push_back({64, p.platform.mesh_pair(0, 0, 5), wf::sim_resource::mesh, 0, {0, 1}});
  p.activities.push_back({16, p.platform.mesh_pair(1, 3, 0), wf::sim_resource::mesh, 0, {}});
  p.successors.push_back(1);
  return wf::simulate(p)->makespan;
}

}  // namespace

static_assert(crossing() == (2 + 4 * 4 + 3) + (2 + 4 * 4));

TEST_CASE("messages of a mesh run as if there were no other mesh") {
  std::size_t compared = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::vector<wf::sim::mesh_parameters> meshes;
    std::vector<timed_message> messages;
    for (std::uint32_t m = 0; m < 1 + seed % 4; ++m) {
      meshes.push_back(literal_mesh::random_mesh(random));
      for (const auto& message : literal_mesh::random_messages(meshes[m], random))
        messages.push_back({m, message});
    }
    std::shuffle(messages.begin(), messages.end(), random);
    const wf::sim_record all = simulate(meshes, messages);
    for (std::uint32_t m = 0; m < meshes.size(); ++m) {
      std::vector<timed_message> own;
      std::vector<std::size_t> places;
      for (std::size_t i = 0; i < messages.size(); ++i)
        if (messages[i].mesh == m) {
          own.push_back({0, messages[i].message});
          places.push_back(messages.size() + i);
        }
      const wf::sim_record alone = simulate({meshes[m]}, own);
      for (std::size_t i = 0; i < own.size(); ++i, ++compared)
        REQUIRE(all.times[places[i]] == alone.times[own.size() + i]);
    }
  }
  CHECK(compared > 1000);
}
