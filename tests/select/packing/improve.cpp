// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/improve.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

TEST_CASE("what solves is a solution at its price; improving never makes it worse") {
  std::mt19937 random(561);
  int solved = 0, improved = 0;
  for (int round = 0; round < 4'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = random_model(random);
    wf::detail::packing_improver improver(m);
    wf::table<std::uint32_t> chosen = random_choice(m, random);
    const auto before = improver.price(chosen);
    const auto after = improver.improve(chosen, 4, 100'000);
    CHECK(!before.better_than(after));
    improved += after.better_than(before);
    CHECK(improver.improve(chosen, 1, 0).objective == after.objective);
    if (!after.solves()) continue;
    ++solved;
    improver.leave_out(chosen);
    CHECK(cost_of(m, chosen) == after.objective);
    CHECK(is_solution(m, chosen));
  }
  CHECK(solved > 1'500);
  CHECK(improved > 1'000);
}
