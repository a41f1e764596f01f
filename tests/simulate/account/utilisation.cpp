// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/account/utilisation.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include <wf/simulate/account/program.hpp>

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
