// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/sharing/processor_sharing.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {

using engine = wf::sim::engine<wf::sim::processor_sharing>;
struct recorder {
  engine& e;
  std::vector<std::int64_t> end;
  void started(std::uint32_t, std::int64_t) {}
  void finished(std::uint32_t a) { end[a] = e.now(); }
};

// The exact ends of activities that all start at tick 0: the i-th shortest of n gets its share
// while n - i others are there.
std::vector<double> exact_ends(std::vector<double> work, double speed, double cores) {
  std::vector<double> ends(work.size(), 0), left = work;
  double now = 0;
  for (std::size_t done = 0; done < work.size(); ++done) {
    std::size_t next = work.size();
    for (std::size_t i = 0; i < left.size(); ++i)
      if (left[i] >= 0 && (next == work.size() || left[i] < left[next])) next = i;
    const auto k = static_cast<double>(work.size() - done);
    const double rate = speed * std::min(1.0, cores / k), time = left[next] / rate;
    now += time;
    ends[next] = now;
    for (double& x : left)
      if (x >= 0) x -= time * rate;
    left[next] = -1;
    for (double& x : left)
      if (x < 0 && x > -1) x = 0;
  }
  return ends;
}

}  // namespace

TEST_CASE("activities that share cores end when their share has done their work") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const wf::table<wf::sim::processor_sharing::host> hosts = {
        {0.25 + static_cast<double>(random() % 8), static_cast<std::int64_t>(1 + random() % 4)}};
    engine e{wf::sim::processor_sharing(hosts)};
    const std::size_t n = 1 + random() % 12;
    recorder d{e, std::vector<std::int64_t>(n)};
    std::vector<double> work;
    for (std::uint32_t a = 0; a < n; ++a) {
      const auto w = static_cast<std::int64_t>(random() % 100'000);
      work.push_back(static_cast<double>(w));
      e.add(0, {a, 0, w}, d);
    }
    e.run(d);
    const auto exact = exact_ends(work, hosts[0].speed, static_cast<double>(hosts[0].cores));
    // Each end before may have moved a later one by half a tick of one rate.
    for (std::size_t a = 0; a < n; ++a)
      CHECK(std::abs(static_cast<double>(d.end[a]) - exact[a]) <=
            0.5 * static_cast<double>(n) + 1e-6);
  }
}

TEST_CASE("whole shares are exact, and a late activity slows the others") {
  const wf::table<wf::sim::processor_sharing::host> hosts = {{1, 1}};
  engine e{wf::sim::processor_sharing(hosts)};
  struct late {
    engine& e;
    std::int64_t end[3]{};
    void started(std::uint32_t, std::int64_t) {}
    void finished(std::uint32_t a) {
      end[a] = e.now();
      if (a == 0) e.add(0, {2, 0, 100}, *this);
    }
  } d{e};
  e.add(0, {0, 0, 100}, d);
  e.add(0, {1, 0, 300}, d);
  e.run(d);
  CHECK(d.end[0] == 200);  // half the speed
  CHECK(d.end[2] == 400);  // with 1, which has 200 left
  CHECK(d.end[1] == 500);
}
