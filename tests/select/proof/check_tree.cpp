// SPDX-License-Identifier: BSL-1.0
#include <wf/select/proof/check_tree.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../enumerate.hpp"

using namespace enumerated;

TEST_CASE("what classes are said to cost is accepted only if no selection costs less") {
  const std::uint32_t seed = 3022;
  MESSAGE("seed ", seed);
  std::mt19937 random(seed);
  int accepted = 0, exact = 0, wrong = 0;
  for (int round = 0; round < 4000; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = random_packing(random);
    if (p.objective.lexicographic) continue;
    wf::selection_proof proof;
    proof.levels.push_back({});
    wf::detail::proof_state state(p, proof, 0);
    if (!state.begin().empty()) continue;
    state.find_must_sets();
    const brute expected = enumerate(p);
    // Users before what they use, in a random order otherwise; small and too large values.
    std::vector<wf::proof_price> list;
    for (std::uint32_t k = 0; k < p.classes; ++k) {
      const bool is_root = std::find(p.roots.begin(), p.roots.end(), k) != p.roots.end();
      list.push_back({k, is_root ? 0 : static_cast<std::int64_t>(below(random, 12))});
    }
    if (round % 2 == 0) std::shuffle(list.begin(), list.end(), random);
    wf::detail::proof_tree tree(state);
    const wf::int128 least = tree.least(list.data(), list.size());
    if (least < 0) {
      ++wrong;
      continue;
    }
    ++accepted;
    if (expected.best.empty()) continue;
    CHECK(least <= expected.best[0]);
    exact += least == expected.best[0] ? 1 : 0;
  }
  MESSAGE(accepted << " accepted, " << exact << " of them the optimum, " << wrong << " refused");
  CHECK(accepted > 50);
  CHECK(exact > 10);
  CHECK(wrong > 50);
}
