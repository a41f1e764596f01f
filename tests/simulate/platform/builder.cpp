// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/platform/builder.hpp>

#include <doctest/doctest.h>

TEST_CASE("seconds become ticks, and short routes weigh more") {
  wf::cluster_builder b(1e9);
  CHECK(b.add_host({2e9, 4}) == 0);
  const wf::sim_duplex d = b.add_duplex({1e9, 1e-6, true}), h = b.add_duplex({5e8, 0, false});
  CHECK(d.up != d.down);
  CHECK(h.up == h.down);
  const std::uint32_t both[] = {d.up, h.up}, none[] = {h.down};
  CHECK(b.add_route(both) == 0);
  CHECK(b.add_route(none) == 1);
  const wf::sim_platform f = b.take();
  REQUIRE(wf::validate(f));
  CHECK(f.cores[0].speed == 2);
  CHECK(f.bandwidths[d.up] == 1);
  CHECK(f.bandwidths[h.up] == 0.5);
  CHECK(f.routes[0].latency == 1000);
  CHECK(f.routes[0].weight == doctest::Approx(1e6));
  CHECK(f.routes[1].latency == 0);
  CHECK(f.routes[1].weight == 1);
}

TEST_CASE("a measured link is one of a cluster, in seconds") {
  const wf::sim_link l = wf::in_seconds({2500, 4'000'000'000});
  CHECK(l.bandwidth == 4e9);
  CHECK(l.latency == doctest::Approx(2.5e-6));
  wf::cluster_builder b(1e9);
  b.add_duplex(wf::in_seconds({0, 0}));
  CHECK(wf::validate(b.take()));
}
