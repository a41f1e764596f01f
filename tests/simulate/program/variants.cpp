// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/program/variants.hpp>

#include <cstdint>
#include <random>

#include <doctest/doctest.h>

#include <wf/search/threads.hpp>
#include <wf/simulate/platform/topology.hpp>
#include <wf/simulate/program/builder.hpp>

namespace {

// A random program on a star, or one whose activities wait for each other in a cycle.
wf::result<wf::sim_program> make(std::size_t number) {
  if (number % 13 == 5) return wf::make_error(wf::errc::invalid_problem, "", "no such variant");
  std::mt19937 random(static_cast<unsigned>(number));
  const wf::sim_host hosts[] = {{1e9, 1 + static_cast<std::int64_t>(number % 3)}};
  const wf::sim_link links[] = {{1e8, 1e-4, number % 2 == 0}};
  wf::sim_program_builder b;
  b.platform = wf::make_star(4, hosts, links, 1e9).platform;
  for (std::uint32_t i = 0; i < 60; ++i) {
    const bool computes = random() % 2 == 0;
    b.add(computes ? wf::sim_resource::cores : wf::sim_resource::route,
          static_cast<std::uint32_t>(random() % (computes ? 4 : 16)),
          1 + static_cast<std::int64_t>(random() % 10'000'000));
    for (int k = 0; k < 2 && i > 0; ++k) b.connect(static_cast<std::uint32_t>(random() % i), i);
  }
  if (number % 13 == 7) b.connect(59, 0), b.connect(0, 59);
  return b.take();
}

constexpr std::int64_t last_of_two() {
  const auto variants = wf::simulate_variants(2, [](std::size_t i) {
    wf::sim_program p;
    p.platform.slots = {1};
    p.activities.push_back({static_cast<std::int64_t>(5 * i), 0, wf::sim_resource::slots, 0, {}});
    return p;
  });
  return variants[1]->makespan;
}
static_assert(last_of_two() == 5);

}  // namespace

TEST_CASE("variants are those of one simulation after the other, whatever the threads") {
  constexpr std::size_t count = 100;
  for (const unsigned workers : {1U, 2U, 3U, 7U}) {
    wf::threads pool(workers);
    const auto all = wf::simulate_variants(count, make, pool);
    REQUIRE(all.size() == count);
    for (std::size_t i = 0; i < count; ++i) {
      CAPTURE(i);
      const auto program = make(i);
      const auto alone = program ? wf::simulate(*program) : program.error();
      REQUIRE(bool(all[i]) == bool(alone));
      CHECK(bool(all[i]) == (i % 13 != 5 && i % 13 != 7));
      if (alone)
        CHECK(*all[i] == *alone);
      else
        CHECK(all[i].error() == alone.error());
    }
  }
  CHECK(wf::simulate_variants(0, make).empty());
}
