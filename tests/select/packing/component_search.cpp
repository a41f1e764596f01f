// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/component_search.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../enumerate.hpp"
#include "../hard_blocks.hpp"
#include "../solve_stage.hpp"

using namespace enumerated;

namespace {

// Adds a weighted vertex cover: a root for each edge, which needs one of its ends.
void add_cover(wf::selection_problem& p, std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::uint32_t vertices = 20 + below(random, 16);
  const std::uint32_t first = p.classes;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    const std::int64_t costs[] = {50 + below(random, 1000)};
    p.add_candidate(p.add_class(), {}, costs);
  }
  const std::int64_t free[] = {0};
  for (std::uint32_t v = 0; v < vertices; ++v)
    for (std::uint32_t i = 1; i <= 1 + below(random, 3) / 2; ++i) {
      const std::uint32_t other = i == 1 ? v + 1 : v + 2 + below(random, 4);
      const std::uint32_t k = p.add_class(), ends[] = {first + v, first + other % vertices};
      p.add_candidate(k, wf::view<std::uint32_t>(ends, 1), free);
      p.add_candidate(k, wf::view<std::uint32_t>(ends + 1, 1), free);
      p.add_root(k);
    }
}

}  // namespace

TEST_CASE("what shares nothing is solved apart: the best of each part goes with that of others") {
  std::mt19937 random(105);
  for (int round = 0; round < 30; ++round) {
    CAPTURE(round);
    wf::selection_problem all = empty_problem();
    std::int64_t expected = 0;
    for (std::uint32_t parts = 6 + below(random, 12); parts > 0; --parts) {
      const std::uint32_t seed = static_cast<std::uint32_t>(random());
      wf::selection_problem part = empty_problem();
      add_cover(part, seed);
      add_cover(all, seed);
      const auto alone = solve_stage_of(part);
      CHECK(alone.status == wf::search_status::proven);
      expected += alone.value;
    }
    const auto found = solve_stage_of(all);
    CHECK(found.status == wf::search_status::proven);
    CHECK(found.value == expected);
    CHECK(found.bound == expected);
  }
}

namespace {

std::int64_t solved(const wf::selection_problem& p) {
  const auto found = solve_stage_of(p);
  CHECK(found.status == (found.found ? wf::search_status::proven : wf::search_status::infeasible));
  return found.value;
}

}  // namespace

TEST_CASE("parts that share nothing are solved together as well as one by one") {
  for (std::uint32_t seed = 1500; seed < 2300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    wf::selection_problem whole = empty_problem();
    std::int64_t total = 0;
    for (std::uint32_t blocks = 2 + below(random, 3); blocks > 0; --blocks) {
      std::mt19937 again = random;
      wf::selection_problem part = empty_problem();
      add_hard_block(part, again);
      add_hard_block(whole, random);
      const std::int64_t value = solved(part);
      total = total == wf::unbounded || value == wf::unbounded ? wf::unbounded : total + value;
    }
    CHECK(solved(whole) == total);
  }
}
