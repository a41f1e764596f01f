// SPDX-License-Identifier: BSL-1.0
#include <wf/select/proof/recorder.hpp>

#include <random>

#include <doctest/doctest.h>
#include <wf/select/proof/check.hpp>
#include <wf/select/select.hpp>

#include "../../sanitized.hpp"
#include "../enumerate.hpp"
#include "../hard_blocks.hpp"

using namespace enumerated;
using wf::check_proof;

TEST_CASE("a proven selection has a proof that its checker accepts") {
  const std::uint32_t seed = 2027;
  MESSAGE("seed ", seed);
  std::mt19937 random(seed);
  int accepted = 0, branches = 0, folds = 0, merges = 0, joins = 0, cycles = 0, lemmas = 0,
      trees = 0, cuts = 0, rings = 0;
  constexpr int share = wf_test::sanitized ? 6 : 1;
  for (int round = 0; round < 6000 / share + 120; ++round) {
    CAPTURE(round);
    const int kind = round % 8 > 5 ? round % 8 - 3 : round % 3;
    const wf::selection_problem p =
        round < 6000 / share ? problem_of_kind(kind, random) : random_tangle(random);
    const auto plain = wf::select(p);
    const auto found = wf::select_certified(p);
    REQUIRE(plain.has_value() == found.has_value());
    if (!found) continue;
    CHECK(found->result.objective == plain->objective);
    const wf::selection_proof& proof = found->proof;
    if (proof.status == wf::proof_status::not_additive) continue;
    REQUIRE(proof.status == wf::proof_status::complete);
    REQUIRE(proof.levels.size() == found->result.objective.size());
    for (std::size_t i = 0; i < proof.levels.size(); ++i)
      CHECK(proof.levels[i].value == found->result.objective[i]);
    CHECK(check_proof(p, proof) == "");
    ++accepted;
    for (const wf::proof_level& level : proof.levels)
      for (const wf::proof_step& s : level.steps) {
        branches += s.rule == wf::proof_rule::branch;
        folds += s.rule == wf::proof_rule::fold;
        merges += s.rule == wf::proof_rule::merge;
        joins += s.rule == wf::proof_rule::join;
        cycles += s.rule == wf::proof_rule::cycle;
        lemmas += s.rule == wf::proof_rule::lemma;
        trees += s.rule == wf::proof_rule::tree;
        cuts += s.rule == wf::proof_rule::cut;
        rings += s.rule == wf::proof_rule::ring;
      }
  }
  CHECK(accepted > 3000 / share);
  CHECK(branches > 300 / share);
  CHECK(folds > 500 / share);
  CHECK(merges > 50 / share);
  CHECK(joins > 500 / share);
  CHECK(cycles > 20 / share);
  CHECK(lemmas > 2000 / share);
  CHECK(trees > 500 / share);
  CHECK(cuts > 200 / share);
  CHECK(rings > 20 / share);
}

TEST_CASE("what has no proof says why") {
  std::mt19937 random(5);
  wf::selection_problem p = empty_problem();
  add_hard_block(p, random);
  add_hard_block(p, random);
  const auto small = wf::select_certified(p, 10);
  REQUIRE(small);
  CHECK(small->result.proven());
  CHECK(small->proof.status == wf::proof_status::too_large);
  CHECK(small->proof.levels.empty());
  CHECK(check_proof(p, small->proof) == "there is no proof: too large");
  const auto stop = [](const wf::search_progress&) { return false; };
  const auto stopped = wf::select_certified(p, 1 << 20, {}, stop);
  if (stopped && !stopped->result.proven())
    CHECK(stopped->proof.status == wf::proof_status::not_proven);

  wf::selection_problem widest;
  widest.add_metric("qubits", wf::aggregation::maximum);
  widest.add_root(widest.add_class());
  const std::int64_t cost[] = {3};
  widest.add_candidate(0, {}, cost);
  widest.objective = wf::minimise_metric(0);
  const auto maximum = wf::select_certified(widest);
  REQUIRE(maximum);
  CHECK(maximum->proof.status == wf::proof_status::not_additive);
}
