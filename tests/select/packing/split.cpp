// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/split.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

TEST_CASE("the optima of the components add up to the optimum of the model") {
  std::mt19937 random(551);
  int several = 0;
  for (int round = 0; round < 3'000; ++round) {
    CAPTURE(round);
    wf::detail::packing_model m = random_model(random);
    if (!m.capacity.empty() || choices(m) > 20'000) continue;
    const auto components = wf::detail::packing_splitter(m).run();
    several += components.size() > 1;
    std::optional<std::int64_t> total = m.base;
    std::vector<int> seen(m.values, 0);
    for (const wf::detail::packing_component& c : components) {
      const auto part = optimum(c.model);
      total = total && part ? std::optional(*total + *part) : std::nullopt;
      REQUIRE(c.values.size() == c.model.values);
      for (std::uint32_t v = 0; v < c.model.values; ++v) {
        ++seen[c.values[v]];
        CHECK(c.model.cost[v] == m.cost[c.values[v]]);
        CHECK(c.model.candidate_of[v] == m.candidate_of[c.values[v]]);
      }
    }
    for (const int times : seen) CHECK(times == 1);
    CHECK(total == optimum(m));
  }
  CHECK(several > 100);
}
