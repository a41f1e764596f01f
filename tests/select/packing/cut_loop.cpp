// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/cut_loop.hpp>

#include <algorithm>
#include <optional>
#include <random>

#include <doctest/doctest.h>

#include "../hard_model.hpp"
#include "../packing_oracle.hpp"

using namespace enumerated;

TEST_CASE("cuts close the gap of an odd ring, and only binding ones stay") {
  const wf::detail::packing_model m = odd_ring(9);
  wf::detail::packing_node<> n(m, nullptr);
  REQUIRE(n.domain.begin());
  const auto always = [] { return true; };
  const wf::callable_to<const decltype(always), bool> go_on(always);
  CHECK(wf::detail::packing_cut_loop::relax(n, go_on, UINT64_MAX));
  CHECK(n.relaxed);
  CHECK(n.bound <= 5 * n.scale() - n.scale() / 4);
  wf::detail::packing_cut_loop idle;
  CHECK(idle.cut(n, go_on));  // without a pool no cuts are added
  CHECK(n.counters.cuts == 0);

  wf::detail::packing_cuts pool;
  wf::detail::packing_cut_loop loop;
  loop.use(pool);
  CHECK(loop.cut(n, go_on));
  CHECK(n.counters.cuts > 0);
  CHECK((loop.closed() || n.rounded(n.bound) == 5));
  for (std::uint32_t c = 0; c < pool.size() && n.bound < n.target; ++c) CHECK(n.simplex.binds(c));
}

TEST_CASE("the loop stops when it is told to") {
  const wf::detail::packing_model m = odd_ring(401);  // more pivots than between two callbacks
  wf::detail::packing_node<> n(m, nullptr);
  REQUIRE(n.domain.begin());
  const auto never = [] { return false; };
  const wf::callable_to<const decltype(never), bool> stop(never);
  CHECK(!wf::detail::packing_cut_loop::relax(n, stop, UINT64_MAX));
  CHECK(!n.relaxed);
}

TEST_CASE("bounds with cuts are at most the optimum") {
  std::mt19937 random(621);
  int simplex = 0;
  for (int round = 0; round < 2'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = random_model(random);
    if (choices(m) > 20'000) continue;
    const std::optional<std::int64_t> expected = optimum(m);
    wf::detail::packing_node<> n(m, nullptr);
    n.incumbent.set_budget(1'000);
    if (!n.domain.begin() || !expected || !n.may_use_simplex() || n.uses_simplex) continue;
    n.raise(48, 300);
    if (n.bound >= n.target) continue;
    const auto always = [] { return true; };
    const wf::callable_to<const decltype(always), bool> go_on(always);
    wf::detail::packing_cuts pool;
    wf::detail::packing_cut_loop loop;
    loop.use(pool);
    const std::int64_t before = n.bound;
    CHECK(loop.compare(n, go_on));
    simplex += n.uses_simplex;
    if (!n.uses_simplex) CHECK(n.bound == before);
    const std::int64_t bound = std::min(n.rounded(n.bound), n.incumbent.value());
    CHECK(m.base + bound <= *expected);
  }
  CHECK(simplex > 20);
}

TEST_CASE("where the simplex method gains nothing, price ascent and its bound stay") {
  const wf::detail::packing_model m = odd_ring(9);
  wf::detail::packing_node<> n(m, nullptr);
  REQUIRE(n.domain.begin());
  REQUIRE(!n.uses_simplex);
  for (int i = 0; i < 20; ++i) n.raise(48, 300);
  const std::int64_t before = n.bound;
  const auto always = [] { return true; };
  const wf::callable_to<const decltype(always), bool> go_on(always);
  wf::detail::packing_cut_loop loop;
  n.incumbent.set_budget(1'000);
  CHECK(loop.compare(n, go_on));
  CHECK(!n.uses_simplex);
  CHECK(n.bound == before);
}
