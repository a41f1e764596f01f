// SPDX-License-Identifier: BSL-1.0
#include <wf/select/proof/check_state.hpp>

#include <random>
#include <string>

#include <doctest/doctest.h>

#include "../enumerate.hpp"

using namespace enumerated;

namespace {

wf::selection_proof claim_of(const wf::selection_problem& p) {
  wf::selection_proof proof;
  const std::size_t levels = p.objective.lexicographic ? p.objective.terms.size() : 1;
  for (std::size_t i = 0; i < levels; ++i) proof.levels.push_back({});
  return proof;
}

}  // namespace

TEST_CASE("a level begins with all candidates, and only roots must be taken") {
  const std::uint32_t seed = 3021;
  MESSAGE("seed ", seed);
  std::mt19937 random(seed);
  int begun = 0, refused = 0;
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = random_packing(random);
    const wf::selection_proof proof = claim_of(p);
    wf::detail::proof_state state(p, proof, 0);
    const std::string why = state.begin();
    bool adds_up = true;
    for (const wf::objective_term& t : p.objective.terms)
      adds_up = adds_up && p.metrics[t.metric].kind == wf::aggregation::sum;
    if (!p.objective.lexicographic && !adds_up) CHECK(why != "");
    ++(why.empty() ? begun : refused);
    if (!why.empty()) continue;
    // Any class except a root may be left out.
    for (std::uint32_t k = 0; k < p.classes; ++k) {
      bool is_root = false;
      for (const std::uint32_t root : p.roots) is_root = is_root || root == k;
      CHECK(state.is_class(k));
      CHECK(state.alive_[state.off(k)] == !is_root);
    }
    for (std::uint32_t n = 0; n < p.candidates.size(); ++n) {
      CHECK(state.is_candidate(n));
      CHECK(state.group_[n] == p.candidates[n].owner);
    }
    CHECK_FALSE(state.is_class(p.classes));
  }
  CHECK(begun > 50);
}
