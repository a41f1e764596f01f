// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/sharing/max_min.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

using engine = wf::sim::engine<wf::sim::max_min>;
struct recorder {
  engine& e;
  std::vector<std::int64_t> end = std::vector<std::int64_t>(6, -1);
  void started(std::uint32_t, std::int64_t) {}
  void finished(std::uint32_t a) { end[a] = e.now(); }
};

}  // namespace

TEST_CASE("transfers wait for the latency, then share the links of their routes") {
  const wf::table<double> bandwidths = {2, 1};
  // Over both links; over the first; over the second, with half the weight; over none.
  const wf::table<wf::sim::fluid_route> routes = {
      {{0, 2}, 10, 1}, {{2, 1}, 0, 1}, {{3, 1}, 0, 0.5}, {{4, 0}, 7, 1}};
  const wf::table<std::uint32_t> links = {0, 1, 0, 1};
  engine e{wf::sim::max_min(bandwidths, routes, links)};
  recorder d{e};
  e.add(0, {0, 0, 200}, d);
  e.add(1, {1, 0, 100}, d);
  e.add(2, {2, 0, 60}, d);
  e.add(3, {3, 0, 1'000'000}, d);
  e.add(0, {4, 0, 0}, d);
  e.run(d);
  CHECK(d.end[3] == 7);   // uses no link
  CHECK(d.end[4] == 10);  // has nothing to move
  // Until 10: 1 has both units of the first link (20 bytes), 2 the second one (10 bytes). Then 0
  // gets 2/3 on the second link, 2 the other third, and 1 the 4/3 that are left of the first.
  CHECK(d.end[1] == 10 + 60);
  // 2 has 50 - 20 left at 70; still a third each.
  CHECK(d.end[2] == 70 + 90);
  // 0 has moved 2/3 of 150 ticks: 100; then it has the second link alone.
  CHECK(d.end[0] == 160 + 100);
}
