// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/account/run_account.hpp>

#include <doctest/doctest.h>

TEST_CASE("a platform becomes resources, and a route the links under it") {
  wf::sim_platform f;
  f.slots = {2, wf::sim::slots::unlimited};
  f.cores = {{1, 4}};
  f.links = {{1, 3, 0}};
  f.bandwidths = {1, 2.5};
  f.routes = {{{0, 2}, 5, 1}};
  f.route_links = {1, 0};
  f.meshes = {{.rows = 2, .columns = 2}, {.rows = 1, .columns = 2}};
  wf::run_account a;
  const wf::sim::account_platform platform(f, a);
  REQUIRE(a.resources.size() == 8);
  CHECK(a.resources[0] == wf::run_resource{wf::text("host 0"), wf::run_role::host, 2, 0});
  CHECK(a.resources[1].role == wf::run_role::delay);
  CHECK(a.resources[2] == wf::run_resource{wf::text("host 1"), wf::run_role::host, 4, 0});
  CHECK(a.resources[3] == wf::run_resource{wf::text("link 0"), wf::run_role::link, 1, 1});
  CHECK(a.resources[5] == wf::run_resource{wf::text("link 2"), wf::run_role::link, 1, 2.5});
  wf::run_task t;
  t.start = 10;
  t.finish = 20;
  platform.place(t, wf::sim_resource::link, 0);
  CHECK(a.resources_of(t)[0] == 3);
  CHECK(t.use_end == 17);
  platform.place(t, wf::sim_resource::route, 0);
  REQUIRE(a.resources_of(t).size() == 2);
  CHECK(a.resources_of(t)[0] == 5);
  CHECK(a.resources_of(t)[1] == 4);
  CHECK(t.use_begin == 15);
  for (const std::uint32_t pair : {0U, 15U, 16U, 19U}) {
    platform.place(t, wf::sim_resource::mesh, pair);
    REQUIRE(a.resources_of(t).size() == 1);
    CHECK(a.resources_of(t)[0] == (pair < 16 ? 6 : 7));
    CHECK(a.resources[a.resources_of(t)[0]].label == (pair < 16 ? "mesh 0" : "mesh 1"));
    CHECK(t.role == wf::run_role::link);
    CHECK(t.use_begin == 10);
    CHECK(t.use_end == 20);
  }
}
