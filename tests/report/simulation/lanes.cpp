// SPDX-License-Identifier: BSL-1.0
#include <wf/report/simulation/lanes.hpp>

#include <doctest/doctest.h>

#include <wf/simulate/account/utilisation.hpp>

#include "accounts.hpp"

TEST_CASE("no two tasks of a lane overlap, and there are as many lanes as tasks at a time") {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const wf::run_account a = accounts::random_account(seed);
    const auto usage = wf::utilisation_of(a);
    for (const auto& r : wf::detail::lanes_of(a)) {
      REQUIRE(r.boxes.size() == usage[r.resource].tasks);
      bool all_take_time = true;
      for (const auto& x : r.boxes) {
        REQUIRE(x.lane < r.lanes);
        all_take_time = all_take_time && a.tasks[x.task].use_begin < a.tasks[x.task].use_end;
        for (const auto& y : r.boxes)
          if (x.task != y.task && x.lane == y.lane)
            REQUIRE((a.tasks[x.task].use_end <= a.tasks[y.task].use_begin ||
                     a.tasks[y.task].use_end <= a.tasks[x.task].use_begin));
      }
      REQUIRE(r.lanes >= usage[r.resource].most);
      if (all_take_time) REQUIRE(r.lanes == usage[r.resource].most);
    }
  }
}

TEST_CASE("hosts come before links, delays have no lane, and each use has a box") {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    const wf::run_account a = accounts::random_account(seed);
    std::size_t boxes = 0, expected = 0;
    bool links = false;
    for (const auto& r : wf::detail::lanes_of(a)) {
      const wf::run_role role = a.resources[r.resource].role;
      REQUIRE(role != wf::run_role::delay);
      REQUIRE((role == wf::run_role::link || !links));
      links = role == wf::run_role::link;
      boxes += r.boxes.size();
    }
    for (const wf::run_task& t : a.tasks)
      if (t.role != wf::run_role::delay) expected += t.resources.count;
    REQUIRE(boxes == expected);
  }
}
