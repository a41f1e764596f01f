// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/platform/topology.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <vector>

namespace {

constexpr double ticks = 1e9;
const wf::sim_host host{1e9, 2};
const wf::sim_link link{125e6, 1e-5, true}, half{125e6, 1e-5, false};

std::vector<std::uint32_t> path(const wf::sim_cluster& c, std::uint32_t from, std::uint32_t to) {
  const wf::range r = c.platform.routes[c.route(from, to)].links;
  const std::uint32_t* const first = c.platform.route_links.data() + r.first;
  return {first, first + r.count};
}
// Checks what holds of any cluster: valid, no route uses a link twice, and the latency of a route
// is that of its links.
void check_routes(const wf::sim_cluster& c) {
  REQUIRE(wf::validate(c.platform));
  REQUIRE(c.platform.routes.size() == std::size_t{c.hosts} * c.hosts);
  for (std::uint32_t a = 0; a < c.hosts; ++a)
    for (std::uint32_t b = 0; b < c.hosts; ++b) {
      const auto p = path(c, a, b);
      REQUIRE(p.empty() == (a == b));
      REQUIRE(std::set<std::uint32_t>(p.begin(), p.end()).size() == p.size());
    }
}

}  // namespace

TEST_CASE("hosts of a star meet at its centre") {
  const wf::sim_link centre{1e9, 0, false};
  const auto plain = wf::make_star(5, {&host, 1}, {&link, 1}, ticks);
  const auto shared = wf::make_star(5, {&host, 1}, {&half, 1}, ticks, &centre);
  check_routes(plain);
  check_routes(shared);
  CHECK(plain.platform.bandwidths.size() == 10);
  CHECK(shared.platform.bandwidths.size() == 6);
  CHECK(path(plain, 1, 3) == std::vector<std::uint32_t>{2, 7});
  CHECK(path(plain, 3, 1) == std::vector<std::uint32_t>{6, 3});
  CHECK(path(shared, 1, 3) == std::vector<std::uint32_t>{1, 5, 3});
  CHECK(path(shared, 3, 1) == std::vector<std::uint32_t>{3, 5, 1});
  CHECK(plain.platform.routes[plain.route(1, 3)].latency == 20'000);
  CHECK(plain.platform.routes[plain.route(1, 3)].weight == doctest::Approx(50'000));
  CHECK(plain.platform.routes[plain.route(2, 2)].weight == 1);
  CHECK(plain.platform.cores[4].speed == 1);
}

TEST_CASE("routes of a torus are as long as the shorter way round") {
  for (const std::vector<std::uint32_t>& extents :
       std::vector<std::vector<std::uint32_t>>{{4, 4}, {2, 3, 4}, {5}, {3, 1, 6}, {8, 4}}) {
    const auto c = wf::make_torus(extents, {&host, 1}, link, ticks);
    check_routes(c);
    for (std::uint32_t a = 0; a < c.hosts; ++a)
      for (std::uint32_t b = 0; b < c.hosts; ++b) {
        std::size_t distance = 0;
        std::uint32_t x = a, y = b;
        for (const std::uint32_t e : extents) {
          const std::uint32_t d = x % e > y % e ? x % e - y % e : y % e - x % e;
          distance += std::min(d, e - d);
          x /= e;
          y /= e;
        }
        REQUIRE(path(c, a, b).size() == distance);
      }
  }
}

TEST_CASE("the ways there and back share a link only without full duplex") {
  const std::uint32_t extents[] = {4, 3};
  for (const bool full : {true, false}) {
    const auto c = wf::make_torus(extents, {&host, 1}, full ? link : half, ticks);
    const auto there = path(c, 0, 1), back = path(c, 1, 0);
    CHECK((there == back) == !full);
  }
}

TEST_CASE("routes of a fat tree climb to the first common switch") {
  const std::uint32_t down[] = {3, 2, 4}, up[] = {1, 2, 3}, copies[] = {1, 2, 1};
  const auto c = wf::make_fat_tree(down, up, copies, {&host, 1}, link, ticks);
  REQUIRE(c.hosts == 24);
  check_routes(c);
  std::set<std::uint32_t> used;
  for (std::uint32_t a = 0; a < c.hosts; ++a)
    for (std::uint32_t b = 0; b < c.hosts; ++b) {
      const std::size_t levels = a == b ? 0 : a / 3 == b / 3 ? 1 : a / 6 == b / 6 ? 2 : 3;
      const auto p = path(c, a, b);
      REQUIRE(p.size() == 2 * levels);
      used.insert(p.begin(), p.end());
      if (a == b) continue;
      // The first link is the source's, the last one the destination's.
      REQUIRE(p.front() == path(c, a, (a + 12) % 24).front());
      REQUIRE(p.back() == path(c, (b + 12) % 24, b).back());
    }
  // Upwards the destination decides: all sources send to it over one port of a switch.
  for (std::uint32_t b = 6; b < c.hosts; ++b) CHECK(path(c, 0, b)[1] == path(c, 1, b)[1]);
  CHECK(used.size() > c.platform.bandwidths.size() / 2);
}

TEST_CASE("routes of a mesh go along the row, then along the column") {
  const auto c = wf::make_mesh(3, 4, {&host, 1}, link, ticks);
  check_routes(c);
  for (std::uint32_t a = 0; a < c.hosts; ++a)
    for (std::uint32_t b = 0; b < c.hosts; ++b) {
      const auto distance = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
      REQUIRE(path(c, a, b).size() == distance(a % 4, b % 4) + distance(a / 4, b / 4));
      if (a / 4 == b / 4 || a % 4 == b % 4) continue;
      auto corner = path(c, a, a / 4 * 4 + b % 4);
      const auto rest = path(c, a / 4 * 4 + b % 4, b);
      corner.insert(corner.end(), rest.begin(), rest.end());
      REQUIRE(path(c, a, b) == corner);
    }
}
