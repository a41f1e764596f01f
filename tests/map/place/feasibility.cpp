// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/place/feasibility.hpp>

#include "../part_of_problem.hpp"
#include "../random_constraints.hpp"

namespace {

void compare_with_brute_force(std::uint64_t seed, int cases, std::int32_t rows,
                              std::int32_t columns, int most) {
  int count[5] = {};
  for (int i = 0; i < cases; ++i) {
    CAPTURE(seed + static_cast<std::uint64_t>(i));
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(i));
    const wf::workload w =
        wf_test::random_workload(random, static_cast<int>(wf_test::pick(random, 1, most)));
    wf::pe_array a = wf_test::random_array(random, rows, columns);
    a.memory_bytes = wf_test::pick(random, 0, 60);
    wf::map_constraints wishes;
    if (random() % 2 == 0) wishes = wf_test::random_constraints(random, w, a, 3);
    wf::pe_array roomy = a;
    roomy.memory_bytes = INT64_MAX / 2;
    const auto prepared = wf::prepare(w, roomy, wf::cycle_model{});
    REQUIRE(prepared);
    const auto [kept, ops] = wf_test::random_part(random, *prepared);
    wf::feasibility_test test(*prepared, roomy);
    const wf::prepared_constraints rules(wishes, *prepared);
    const wf::feasibility f = test(kept, rules, a.memory_bytes);
    ++count[static_cast<int>(f)];
    REQUIRE(f != wf::feasibility::unknown);
    REQUIRE((f == wf::feasibility::feasible) ==
            wf_test::part_fits(w, a, ops, wishes, a.memory_bytes));
    // Without a limit on memory only places and cycles matter.
    const wf::feasibility roomier = test(kept, rules, INT64_MAX / 2);
    REQUIRE(roomier != wf::feasibility::out_of_memory);
    REQUIRE((f == wf::feasibility::no_place) == (roomier == wf::feasibility::no_place));
    REQUIRE((f == wf::feasibility::circle) == (roomier == wf::feasibility::circle));
    // A limit on steps may prevent an answer, but never changes it.
    test.max_steps = 20;
    const wf::feasibility hasty = test(kept, rules, a.memory_bytes);
    REQUIRE((hasty == f || hasty == wf::feasibility::unknown));
  }
  MESSAGE(cases << " cases on " << rows << "x" << columns << ": " << count[0] << " feasible, "
                << count[1] << " without a place, " << count[2] << " circles, " << count[3]
                << " out of memory");
  for (int k = 0; k < 4; ++k) CHECK(count[k] > 0);
}

}  // namespace

TEST_CASE("what fits agrees with brute force") {
  compare_with_brute_force(1000, 900, 1, 2, 5);
  compare_with_brute_force(20000, 400, 2, 2, 4);
  compare_with_brute_force(40000, 400, 1, 3, 4);
}
