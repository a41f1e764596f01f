// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/condensation.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../random_moves.hpp"

namespace {

using wf::logic::detail::adjacency;
using wf::logic::detail::reach_rows;

// What places reach by one move or more: Warshall's algorithm.
std::vector<std::vector<bool>> warshall(const adjacency& moves, std::size_t places) {
  std::vector<std::vector<bool>> out(places, std::vector<bool>(places));
  for (std::size_t p = 0; p < places; ++p)
    for (const std::uint32_t to : moves.of(p)) out[p][to] = true;
  for (std::size_t k = 0; k < places; ++k)
    for (std::size_t i = 0; i < places; ++i)
      for (std::size_t j = 0; j < places && out[i][k]; ++j)
        if (out[k][j]) out[i][j] = true;
  return out;
}

constexpr std::size_t groups_of_a_cycle_with_a_tail() {
  adjacency moves;  // 0 -> 1 -> 2 -> 0, 2 -> 3
  moves.starts = {0, 1, 2, 4, 4};
  moves.targets = {1, 2, 0, 3};
  return reach_rows(moves, 4).count();
}
static_assert(groups_of_a_cycle_with_a_tail() == 2);

}  // namespace

TEST_CASE("places reach what Warshall's algorithm finds, and share rows with those they meet") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 400; ++i) {
    const std::size_t places = i % 40 == 0 ? 60 + random() % 80 : 1 + random() % 20;
    const adjacency moves = wf_test::adjacency_of(
        wf_test::random_moves(random, places, places, random() % (2 * places + 1)), places);
    const auto expected = warshall(moves, places);
    const reach_rows found(moves, places);
    CAPTURE(i);
    for (std::size_t a = 0; a < places; ++a) {
      REQUIRE(found.group_of(a) < found.count());
      const std::uint64_t* const row = found.row(found.group_of(a));
      bool same = true, grouped = true;
      for (std::size_t b = 0; b < places; ++b) {
        same = same && (row[b / 64] >> b % 64 & 1) == (expected[a][b] ? 1U : 0U);
        const bool meet = a == b || (expected[a][b] && expected[b][a]);
        grouped = grouped && (found.group_of(a) == found.group_of(b)) == meet;
      }
      REQUIRE(same);
      REQUIRE(grouped);
    }
  }
}

TEST_CASE("places beyond those that have moves reach nothing") {
  adjacency moves;
  moves.starts = {0, 2};
  moves.targets = {1, 2};
  CHECK(moves.places() == 1);
  CHECK(moves.of(0).size() == 2);
  CHECK(moves.of(1).empty());
  CHECK(adjacency().places() == 0);
  CHECK(adjacency().of(0).empty());
  const reach_rows found(moves, 3);
  CHECK(found.count() == 3);
  CHECK(found.row(found.group_of(0))[0] == 6);
  CHECK(found.row(found.group_of(1))[0] == 0);
  CHECK(found.row(found.group_of(2))[0] == 0);
}
