// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/eliminate.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/select/packing/propagation.hpp>

#include "../hard_blocks.hpp"
#include "../packing_oracle.hpp"

using namespace enumerated;
using wf::detail::packing_eliminator;
using wf::detail::packing_model;

namespace {

// The least cost of a choice that satisfies the rows, ignoring cycles; nothing if there is none.
std::optional<std::int64_t> cheapest_of_rows(packing_model m) {
  m.need_first = wf::table<std::uint32_t>(m.values + 1);
  m.need.clear();
  const auto best = cheapest(m);
  return best ? std::optional(best->cost - m.base) : std::nullopt;
}

// A chain of classes of three values, in which neighbours must take different values.
constexpr packing_model chain(std::uint32_t size) {
  packing_model m;
  for (std::uint32_t k = 0; k < size; ++k) {
    m.add_class();
    for (std::uint32_t v = 0; v < 3; ++v)
      m.add_value(static_cast<std::int64_t>((k * 7 + v * 5) % 9), packing_model::none);
  }
  for (std::uint32_t k = 0; k + 1 < size; ++k)
    for (std::uint32_t v = 0; v < 3; ++v) {
      const std::uint32_t both[] = {3 * k + v, 3 * k + 3 + v};
      m.add_row(both);
    }
  finish_flat(m);
  return m;
}

constexpr std::int64_t solved(const packing_model& m) {
  const wf::detail::packing_state state(m);
  packing_eliminator eliminator(m);
  return eliminator.plan(state, 10'000) && eliminator.run() ? eliminator.cost() : -1;
}

// The cost of the best colouring of such a chain, from left to right.
constexpr std::int64_t best_of_chain(std::uint32_t size) {
  std::int64_t best[3] = {0, 0, 0};
  for (std::uint32_t k = 0; k < size; ++k) {
    std::int64_t next[3];
    for (std::uint32_t v = 0; v < 3; ++v)
      next[v] = static_cast<std::int64_t>((k * 7 + v * 5) % 9) +
                (k == 0 ? 0 : std::min(best[(v + 1) % 3], best[(v + 2) % 3]));
    std::copy(next, next + 3, best);
  }
  return std::min({best[0], best[1], best[2]});
}

}  // namespace

TEST_CASE("elimination against enumeration, from the root and below it") {
  std::mt19937 random(581);
  int solved = 0, impossible = 0, cyclic = 0;
  for (int round = 0; round < 6'000; ++round) {
    CAPTURE(round);
    const auto made = model_of(problem_of_kind(1 + round % 4, random));
    if (!made || made->values == 0 || !packing_eliminator::suits(*made) || choices(*made) > 20'000)
      continue;
    const packing_model& m = *made;
    wf::detail::packing_propagator domain(m, 1);
    if (!domain.begin()) continue;
    packing_eliminator eliminator(m);
    // The whole model, and with some values dropped.
    for (int drops = 0; drops < 3; ++drops) {
      REQUIRE(eliminator.plan(domain.state(), 1'000'000));
      const bool possible = eliminator.run();
      packing_model left = m;
      for (std::uint32_t v = 0; v < m.values; ++v)
        if (!domain.state().alive[v]) left.cost[v] += 1'000'000;
      const auto expected = cheapest_of_rows(left);
      REQUIRE(possible == (expected && *expected < 1'000'000));
      if (!possible) {
        ++impossible;
        break;
      }
      ++solved;
      CHECK(eliminator.cost() == *expected);
      CHECK(cost_of(m, eliminator.chosen()) == eliminator.cost());
      cyclic += !is_solution(m, eliminator.chosen());
      if (!domain.split(below(random, m.values), random() % 2 != 0)) break;
    }
  }
  CHECK(solved > 5'000);
  CHECK(cyclic > 50);
  MESSAGE(impossible);
}

TEST_CASE("long chains take one sweep") {
  static_assert(solved(chain(20)) == best_of_chain(20));
  for (const std::uint32_t size : {1U, 2U, 20U, 1000U})
    CHECK(solved(chain(size)) == best_of_chain(size));
}

TEST_CASE("what has many choices is given up") {
  packing_model m;
  for (std::uint32_t k = 0; k < 12; ++k) {
    m.add_class();
    for (std::uint32_t v = 0; v < 4; ++v) m.add_value(v, packing_model::none);
  }
  for (std::uint32_t a = 0; a < 12; ++a)
    for (std::uint32_t b = 0; b < a; ++b) {
      const std::uint32_t both[] = {4 * b + a % 4, 4 * a + b % 4};
      m.add_row(both);
    }
  finish_flat(m);
  const wf::detail::packing_state state(m);
  CHECK(!packing_eliminator(m).plan(state, 1'000'000));
  CHECK(packing_eliminator(m).plan(state, 100'000'000));
}
