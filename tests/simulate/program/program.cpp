// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/program/program.hpp>

#include <doctest/doctest.h>

#include <wf/simulate/platform/topology.hpp>
#include <wf/simulate/program/builder.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace {

// Tasks in layers on a star with a backbone: shared cores, and max-min fair transfers.
constexpr wf::sim_program layered(std::uint32_t tasks, std::uint32_t hosts, std::uint64_t seed) {
  const wf::sim_host host{1e9, 1};
  const wf::sim_link link{125e6, 5e-5, true}, backbone{2.5e8, 0, false};
  wf::sim_cluster c = wf::make_star(hosts, wf::view<wf::sim_host>(&host, 1),
                                    wf::view<wf::sim_link>(&link, 1), 1e12, &backbone);
  wf::sim_program_builder b;
  b.platform = c.platform;
  std::uint64_t state = seed;
  const auto below = [&](std::uint32_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>((state >> 33) % n);
  };
  for (std::uint32_t t = 0; t < tasks; ++t)
    b.add(wf::sim_resource::cores, t % hosts, 100'000'000 + below(1'000'000'000));
  const std::uint32_t width = 2 * hosts;
  for (std::uint32_t t = width; t < tasks; ++t)
    for (int k = 0; k < 2; ++k) {
      const std::uint32_t from = (t / width - 1) * width + below(width);
      if (from % hosts == t % hosts) {
        b.connect(from, t);
        continue;
      }
      const std::uint32_t move = b.add(wf::sim_resource::route, c.route(from % hosts, t % hosts),
                                       100'000 + below(9'000'000));
      b.connect(from, move);
      b.connect(move, t);
    }
  return b.take();
}
constexpr std::int64_t makespan(std::uint32_t tasks) {
  const auto r = wf::simulate(layered(tasks, 6, 1));
  return r ? r->makespan : -1;
}
constexpr std::int64_t while_compiling = makespan(60);

}  // namespace

TEST_CASE("a simulation while compiling has the times of one at run time, to the bit") {
  CHECK(while_compiling > 0);
  CHECK(makespan(60) == while_compiling);
}

TEST_CASE("no activity starts before its predecessors end, and each takes at least its time") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const wf::sim_program p = layered(300, 9, seed);
    const auto r = wf::simulate(p);
    REQUIRE(r);
    std::int64_t last = 0;
    for (std::size_t a = 0; a < p.activities.size(); ++a) {
      const wf::sim_times& t = r->times[a];
      REQUIRE(t.start >= 0);
      REQUIRE(t.finish >= t.start);
      last = std::max(last, t.finish);
      const wf::range next = p.activities[a].successors;
      for (std::uint32_t k = next.first; k < next.first + next.count; ++k)
        REQUIRE(r->times[p.successors[k]].start >= t.finish);
      const double least = p.activities[a].kind == wf::sim_resource::cores
                               ? static_cast<double>(p.activities[a].work) / 1e-3
                               : 1e8 + static_cast<double>(p.activities[a].work) / 125e-6;
      REQUIRE(static_cast<double>(t.finish - t.start) >= least - 2);
    }
    REQUIRE(r->makespan == last);
    REQUIRE(*r == *wf::simulate(p));
  }
}

TEST_CASE("programs are checked, and cycles are named") {
  wf::sim_program_builder b;
  b.platform.slots.push_back(1);
  for (int k = 0; k < 3; ++k) b.add(wf::sim_resource::slots, 0, 1);
  b.connect(0, 1);
  b.connect(1, 2);
  b.connect(2, 1);
  wf::sim_program p = b.take();
  CHECK(
      wf::simulate(p).error().message.view() ==
      wf::text_view("deadlock: activity 1 waits for activity 2, activity 2 waits for activity 1"));
  const auto refuses = [&](auto spoil) {
    wf::sim_program q = p;
    spoil(q);
    return !wf::validate(q);
  };
  CHECK(wf::validate(p));
  CHECK(refuses([](auto& q) { q.activities[0].resource = 1; }));
  CHECK(refuses([](auto& q) { q.activities[0].kind = wf::sim_resource::route; }));
  CHECK(refuses([](auto& q) { q.activities[0].work = -1; }));
  CHECK(refuses([](auto& q) { q.activities[0].successors.count = 9; }));
  CHECK(refuses([](auto& q) { q.successors[0] = 3; }));
  CHECK(refuses([](auto& q) { q.platform.slots[0] = 0; }));
}
