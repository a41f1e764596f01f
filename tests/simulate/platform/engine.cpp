// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/platform/engine.hpp>

#include <doctest/doctest.h>

TEST_CASE("resources of an engine follow each other by kind") {
  wf::sim_platform f;
  f.slots = {1, 2, 3};
  f.cores.push_back({1, 1});
  f.links.push_back({1, 0, 0});
  f.links.push_back({1, 0, 0});
  f.routes.push_back({{0, 0}, 0, 1});
  CHECK(wf::sim::first_resource(f, wf::sim_resource::slots) == 0);
  CHECK(wf::sim::first_resource(f, wf::sim_resource::cores) == 3);
  CHECK(wf::sim::first_resource(f, wf::sim_resource::link) == 4);
  CHECK(wf::sim::first_resource(f, wf::sim_resource::route) == 6);
  f.meshes.push_back({.rows = 1, .columns = 2});
  CHECK(wf::sim::first_resource(f, wf::sim_resource::mesh) == 7);
  CHECK(wf::sim::make_engine(f).resources() == 11);
  const std::int64_t hosts[] = {1};
  CHECK(wf::sim::make_engine(f, hosts).resources() == 9);
}
