// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/platform/platform.hpp>

#include <doctest/doctest.h>

namespace {

wf::sim_platform sample() {
  wf::sim_platform f;
  f.slots.push_back(2);
  f.cores.push_back({1.5, 4});
  f.links.push_back({10, 3, 0});
  f.bandwidths.push_back(1);
  f.routes.push_back({{0, 1}, 5, 1});
  f.route_links.push_back(0);
  f.meshes.push_back({.rows = 1, .columns = 1});
  return f;
}

}  // namespace

TEST_CASE("a platform is checked field by field") {
  CHECK(wf::validate(sample()));
  const auto refuses = [](auto spoil) {
    wf::sim_platform f = sample();
    spoil(f);
    const auto valid = wf::validate(f);
    return !valid && valid.error().code == wf::errc::simulation_failed;
  };
  CHECK(refuses([](auto& f) { f.slots[0] = 0; }));
  CHECK(refuses([](auto& f) { f.cores[0].speed = 0; }));
  CHECK(refuses([](auto& f) { f.cores[0].cores = 0; }));
  CHECK(refuses([](auto& f) { f.links[0].bandwidth = -1; }));
  CHECK(refuses([](auto& f) { f.links[0].latency = -1; }));
  CHECK(refuses([](auto& f) { f.links[0].free_from = -1; }));
  CHECK(refuses([](auto& f) { f.bandwidths[0] = 0; }));
  CHECK(refuses([](auto& f) { f.routes[0].latency = -1; }));
  CHECK(refuses([](auto& f) { f.routes[0].weight = 0; }));
  CHECK(refuses([](auto& f) { f.routes[0].links.first = 1; }));
  CHECK(refuses([](auto& f) { f.routes[0].links.count = 2; }));
  CHECK(refuses([](auto& f) { f.route_links[0] = 1; }));
  CHECK(refuses([](auto& f) { f.meshes[0].rows = 0; }));
  CHECK(refuses([](auto& f) { f.meshes[0].columns = 65'536; }));
  CHECK(refuses([](auto& f) {
    f.meshes[0].rows = f.meshes[0].columns = 255;
    f.meshes.push_back({.rows = 128, .columns = 128});
  }));
  for (int k = 0; k < 5; ++k) CHECK(sample().count(static_cast<wf::sim_resource>(k)) == 1);
}

TEST_CASE("pairs of tiles of meshes are numbered one mesh after the other") {
  wf::sim_platform f;
  f.meshes.push_back({.rows = 2, .columns = 3});
  f.meshes.push_back({.rows = 1, .columns = 2});
  std::uint32_t next = 0;
  for (std::uint32_t m = 0; m < 2; ++m)
    for (std::uint32_t source = 0; source < f.meshes[m].tiles(); ++source)
      for (std::uint32_t destination = 0; destination < f.meshes[m].tiles(); ++destination)
        CHECK(f.mesh_pair(m, source, destination) == next++);
  CHECK(f.count(wf::sim_resource::mesh) == next);
}
