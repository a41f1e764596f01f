// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/restrict.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

TEST_CASE("a restricted model has the optimum of the values left, and its choices are whole ones") {
  std::mt19937 random(581);
  int impossible = 0, settled = 0, opened = 0;
  for (int round = 0; round < 4'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = random_model(random);
    if (choices(m) > 20'000) continue;
    wf::table<std::uint8_t> alive(m.values);
    const std::uint32_t rarely = 2 + below(random, 4);
    for (std::uint8_t& a : alive) a = random() % rarely != 0;
    const auto expected = cheapest(m, [&](std::uint32_t v) { return alive[v] != 0; });
    wf::detail::packing_restriction restriction(m);
    if (!restriction.run(alive)) {
      ++impossible;
      CHECK(!expected.has_value());
      continue;
    }
    const wf::detail::packing_model& part = restriction.model();
    CHECK(restriction.values().size() == part.values);
    if (part.classes == 0) {
      ++settled;
    } else {
      ++opened;
      CHECK(choices(part) <= choices(m));
    }
    const auto best = cheapest(part);
    if (!best) {
      CHECK(!expected.has_value());
      continue;
    }
    const auto whole =
        restriction.whole(wf::table<std::uint32_t>(wf::view<std::uint32_t>(best->chosen)));
    const std::int64_t cost = m.base + cost_of(m, whole);
    CHECK(cost == m.base + best->cost);
    const bool solves = is_solution(m, whole);
    // Fixed classes may close a cycle, which is left to the search.
    CHECK((solves || !expected.has_value()));
    if (solves) CHECK((expected && expected->cost == cost));
  }
  CHECK(impossible > 100);
  CHECK(settled > 100);
  CHECK(opened > 500);
}
