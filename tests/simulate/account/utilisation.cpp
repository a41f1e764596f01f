// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/account/utilisation.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include <wf/simulate/account/program.hpp>
#include <wf/simulate/program/builder.hpp>

#include "random_program.hpp"

TEST_CASE("the use of each resource is that counted tick by tick") {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const wf::sim_program p = wf_test::random_program(seed);
    const wf::run_account a = wf::account_of(p, *wf::simulate(p));
    const auto found = wf::utilisation_of(a);
    for (std::uint32_t r = 0; r < found.size(); ++r) {
      std::int64_t busy = 0, occupied = 0, most = 0;
      std::size_t step = 0;
      for (std::int64_t now = 0; now < a.makespan; ++now) {
        std::int64_t in_use = 0;
        for (const wf::run_task& t : a.tasks)
          for (const std::uint32_t u : a.resources_of(t))
            in_use += u == r && t.use_begin <= now && now < t.use_end ? 1 : 0;
        const std::int64_t capacity = a.resources[r].capacity;
        busy += capacity == 0 ? in_use : std::min(in_use, capacity);
        occupied += in_use != 0 ? 1 : 0;
        most = std::max(most, in_use);
        while (step < found[r].steps.size() && found[r].steps[step].time <= now) ++step;
        REQUIRE((step == 0 ? 0 : found[r].steps[step - 1].in_use) == in_use);
      }
      REQUIRE(found[r].busy == busy);
      REQUIRE(found[r].occupied == occupied);
      REQUIRE(found[r].most == most);
      if (!found[r].steps.empty()) REQUIRE(found[r].steps.back().in_use == 0);
    }
  }
}

TEST_CASE("a link moves no more than it can while it is in use") {
  int limited = 0, slowed = 0;
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const wf::sim_program p = wf_test::random_program(seed);
    const wf::run_account a = wf::account_of(p, *wf::simulate(p));
    const auto usage = wf::utilisation_of(a);
    for (std::uint32_t r = 0; r < usage.size(); ++r) {
      const double load = wf::load_percent(a, a.resources[r], usage[r]);
      if (a.resources[r].rate == 0 || a.makespan == 0) {
        REQUIRE(load == 0);
        continue;
      }
      const double in_use =
          100 * static_cast<double>(usage[r].occupied) / static_cast<double>(a.makespan);
      // The end of each transfer is rounded to a tick.
      const double rounding =
          100 * static_cast<double>(usage[r].tasks) / static_cast<double>(a.makespan);
      REQUIRE(load <= in_use + rounding);
      limited += load > 0 ? 1 : 0;
      slowed += load < in_use - 10 ? 1 : 0;
    }
  }
  CHECK(limited > 300);
  CHECK(slowed > 30);
}

TEST_CASE("of two links of a route the faster one waits for the slower one") {
  wf::sim_program_builder b;
  b.platform.bandwidths = {10, 5};
  b.platform.route_links = {0, 1};
  b.platform.routes = {{{0, 2}, 0, 1}};
  b.add(wf::sim_resource::route, 0, 100);
  const wf::sim_program p = b.take();
  const wf::run_account a = wf::account_of(p, *wf::simulate(p));
  const auto usage = wf::utilisation_of(a);
  REQUIRE(usage.size() == 2);
  CHECK(a.makespan == 20);
  CHECK(usage[0].occupied == 20);
  CHECK(wf::load_percent(a, a.resources[0], usage[0]) == 50);
  CHECK(wf::load_percent(a, a.resources[1], usage[1]) == 100);
}
