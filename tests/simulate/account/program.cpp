// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/account/program.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include "random_program.hpp"

TEST_CASE("a task is ready when the last of its predecessors ends, which is its cause") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const wf::sim_program p = wf_test::random_program(seed);
    const auto r = wf::simulate(p);
    REQUIRE(r);
    const wf::run_account a = wf::account_of(p, *r);
    for (std::uint32_t t = 0; t < a.tasks.size(); ++t) {
      std::int64_t ready = 0;
      bool is_predecessor = a.tasks[t].cause == wf::run_task::none, has_one = false;
      for (std::uint32_t e = 0; e < p.activities.size(); ++e)
        for (std::uint32_t k = 0; k < p.activities[e].successors.count; ++k) {
          if (p.successors[p.activities[e].successors.first + k] != t) continue;
          ready = std::max(ready, r->times[e].finish);
          has_one = true;
          is_predecessor = is_predecessor || a.tasks[t].cause == e;
        }
      REQUIRE(a.tasks[t].ready == ready);
      REQUIRE(is_predecessor);
      REQUIRE((a.tasks[t].cause != wf::run_task::none) == has_one);
      if (has_one) REQUIRE(a.tasks[a.tasks[t].cause].finish == ready);
      REQUIRE(a.tasks[t].start >= ready);
    }
  }
}
