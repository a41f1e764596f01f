// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/account/critical_path.hpp>

#include <doctest/doctest.h>

#include <wf/simulate/account/program.hpp>

#include "random_program.hpp"

TEST_CASE("segments tile the time from 0 to the makespan, for the reason that tasks show") {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const wf::sim_program p = wf_test::random_program(seed);
    const wf::run_account a = wf::account_of(p, *wf::simulate(p));
    const wf::run_path path = wf::critical_path_of(a);
    std::int64_t at = 0, ticks[wf::path_reasons]{};
    for (const wf::path_segment& s : path.segments) {
      REQUIRE(s.from == at);
      REQUIRE(s.to > s.from);
      at = s.to;
      ticks[static_cast<std::size_t>(s.reason)] += s.to - s.from;
      const wf::sim_activity& activity = p.activities[s.task];
      const wf::run_task& t = a.tasks[s.task];
      if (s.to <= t.start) {
        REQUIRE(s.reason == wf::path_reason::queue);
        REQUIRE(s.from == t.ready);
      } else if (activity.kind == wf::sim_resource::link ||
                 activity.kind == wf::sim_resource::route) {
        REQUIRE(s.reason == wf::path_reason::link);
      } else if (activity.kind == wf::sim_resource::slots && activity.resource == 2) {
        REQUIRE(s.reason == wf::path_reason::delay);
      } else {
        REQUIRE(s.reason == wf::path_reason::compute);
      }
    }
    REQUIRE(at == a.makespan);
    for (std::size_t k = 0; k < wf::path_reasons; ++k) REQUIRE(path.ticks[k] == ticks[k]);
  }
}
