// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/dive.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

TEST_CASE("a dive finds solutions and leaves the node as it was") {
  std::mt19937 random(611);
  int found = 0, dived = 0;
  for (int round = 0; round < 2'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = random_model(random);
    wf::detail::packing_node<> n(m, nullptr);
    if (!n.domain.begin()) continue;
    if (n.uses_simplex) n.simplex.reset(n.domain.state());
    if (!n.tighten() || n.bound >= n.target) continue;
    ++dived;
    const wf::detail::packing_state before = n.domain.state();
    const std::int64_t bound = n.bound;
    const std::uint32_t mark = n.domain.mark();
    wf::detail::packing_diver diver(m);
    diver.run(n);
    CHECK(n.counters.dives == 1);
    CHECK(n.domain.mark() == mark);
    CHECK(n.domain.state().alive == before.alive);
    CHECK(n.bound == bound);
    if (n.incumbent.value() == wf::unbounded) continue;
    ++found;
    CHECK(is_solution(m, n.incumbent.best()));
    CHECK(cost_of(m, n.incumbent.best()) == n.incumbent.value());
    CHECK(n.cutoff == n.incumbent.value());
  }
  CHECK(dived > 100);
  CHECK(found > 50);
}
