// SPDX-License-Identifier: BSL-1.0
#include <simulation/routes.hpp>

#include <random>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

using simulation_benchmark::compare_routes;
using simulation_benchmark::route_index;

namespace {

constexpr double ticks = 1e9;
const wf::sim_host host{1e9, 1};
const wf::sim_link link{125e6, 1e-5, true}, half{125e6, 1e-5, false};

wf::sim_cluster torus(const wf::sim_link& of = link) {
  const std::uint32_t extents[] = {3, 4};
  return wf::make_torus(extents, {&host, 1}, of, ticks);
}
route_index index_of(const wf::sim_cluster& c) {
  route_index out;
  for (std::uint32_t a = 0; a < c.hosts; ++a)
    for (std::uint32_t b = 0; b < c.hosts; ++b)
      if (a != b) out[{static_cast<int>(a), static_cast<int>(b)}] = c.route(a, b);
  return out;
}
/// How many of the routes of a torus equal these.
std::size_t equal_to(const wf::sim_platform& listed) {
  const wf::sim_cluster made = torus();
  const auto found = compare_routes(made, listed, index_of(made));
  CHECK(found.routes == 132);
  return found.equal;
}
/// A route of at least two links.
std::uint32_t longer_route(const wf::sim_platform& p) {
  std::uint32_t at = 0;
  while (p.routes[at].links.count < 2) ++at;
  return at;
}

}  // namespace

TEST_CASE("routes are equal under any other numbering of the links") {
  std::mt19937 random(20261126);
  for (int round = 0; round < 20; ++round) {
    wf::sim_platform listed = torus().platform;
    std::vector<std::uint32_t> number(listed.bandwidths.size());
    for (std::uint32_t i = 0; i < number.size(); ++i) number[i] = i;
    for (std::uint32_t i = 1; i < number.size(); ++i)
      std::swap(number[i], number[random() % (i + 1)]);
    for (std::uint32_t& l : listed.route_links) l = number[l];
    CHECK(equal_to(listed) == 132);
  }
}

TEST_CASE("each difference makes a route unequal") {
  const wf::sim_platform same = torus().platform;
  const std::uint32_t at = longer_route(same), first = same.routes[at].links.first;
  wf::sim_platform listed = same;
  ++listed.routes[at].latency;
  CHECK(equal_to(listed) == 131);
  listed = same;
  listed.routes[at].weight *= 2;
  CHECK(equal_to(listed) == 131);
  listed = same;
  --listed.routes[at].links.count;
  CHECK(equal_to(listed) == 131);
  listed = same;
  std::swap(listed.route_links[first], listed.route_links[first + 1]);
  CHECK(equal_to(listed) < 132);
  listed = same;
  listed.bandwidths[listed.route_links[first]] *= 2;
  CHECK(equal_to(listed) < 132);
}

TEST_CASE("two links do not correspond to one, in either direction") {
  const wf::sim_cluster full = torus(), shared = torus(half);
  const auto one = compare_routes(full, shared.platform, index_of(shared));
  CHECK(one.equal < one.routes);
  const auto other = compare_routes(shared, full.platform, index_of(full));
  CHECK(other.equal < other.routes);
}

TEST_CASE("a route that only one has is unequal") {
  const wf::sim_cluster c = torus();
  route_index index = index_of(c);
  index.erase({0, 1});
  auto found = compare_routes(c, c.platform, index);
  CHECK(found.routes == 132);
  CHECK(found.equal == 131);
  index = index_of(c);
  index[{0, 12}] = 0;
  found = compare_routes(c, c.platform, index);
  CHECK(found.routes == 133);
  CHECK(found.equal == 132);
}
