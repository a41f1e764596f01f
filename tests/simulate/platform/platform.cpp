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
  for (int k = 0; k < 4; ++k) CHECK(sample().count(static_cast<wf::sim_resource>(k)) == 1);
}
