// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/account/run_account.hpp>

#include <doctest/doctest.h>

TEST_CASE("a platform becomes resources, and a route the links under it") {
  wf::sim_platform f;
  f.slots = {2, wf::sim::slots::unlimited};
  f.cores = {{1, 4}};
  f.links = {{1, 3, 0}};
  f.bandwidths = {1, 1};
  f.routes = {{{0, 2}, 5, 1}};
  f.route_links = {1, 0};
  wf::run_account a;
  const wf::sim::account_platform platform(f, a);
  REQUIRE(a.resources.size() == 6);
  CHECK(a.resources[0] == wf::run_resource{wf::text("host 0"), wf::run_role::host, 2});
  CHECK(a.resources[1].role == wf::run_role::delay);
  CHECK(a.resources[2] == wf::run_resource{wf::text("host 1"), wf::run_role::host, 4});
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
}
