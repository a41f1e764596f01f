// SPDX-License-Identifier: BSL-1.0
#include <wf/select/proof_recorder.hpp>

#include <random>
#include <string>

#include <doctest/doctest.h>
#include <selection/check_proof.hpp>
#include <wf/select/proof_text.hpp>
#include <wf/select/select.hpp>

#include "enumerate.hpp"
#include "hard_blocks.hpp"

using namespace enumerated;
using selection_benchmark::check_proof;

// Choices among bundles of shared classes: what the same candidates need is merged, what only one
// needs is folded.
static wf::selection_problem random_bundles(std::mt19937& random) {
  wf::selection_problem p = empty_problem();
  const std::uint32_t metrics = 1 + below(random, 2);
  if (metrics == 2) p.add_metric("limited");
  const auto add = [&](std::uint32_t k, const wf::table<std::uint32_t>& needs) {
    wf::table<std::int64_t> costs;
    for (std::uint32_t m = 0; m < metrics; ++m)
      costs.push_back(random() % 3 == 0 ? 0 : below(random, 9));
    p.add_candidate(k, needs, costs);
  };
  const std::uint32_t shared = 4 + below(random, 3);
  for (std::uint32_t k = 0; k < shared; ++k) {
    p.add_class();
    wf::table<std::uint32_t> needs;
    if (k > 0 && random() % 4 == 0) needs.push_back(below(random, random() % 6 == 0 ? shared : k));
    add(k, needs);
    if (random() % 5 == 0) add(k, {});
  }
  const std::uint32_t bundles[][3] = {
      {0, 1, below(random, shared)}, {2, 3, 2}, {1, 2, below(random, shared)}};
  for (std::uint32_t i = 2 + below(random, 2); i > 0; --i) {
    const std::uint32_t k = p.add_class();
    p.add_root(k);
    for (std::uint32_t n = 2 + below(random, 2); n > 0; --n) {
      wf::table<std::uint32_t> needs;
      for (std::uint32_t b = below(random, 3); b > 0; --b)
        for (const std::uint32_t e : bundles[below(random, 3)]) needs.push_back(e);
      add(k, needs);
    }
  }
  if (metrics == 2 && random() % 2 == 0) p.add_limit(1, below(random, 30));
  return p;
}

// A ring of classes of which each is cheap with the next ones and dear by itself: cycles longer
// than two, which relaxations do not see.
static wf::selection_problem random_rings(std::mt19937& random) {
  wf::selection_problem p = empty_problem();
  const std::uint32_t size = 4 + below(random, 3);
  for (std::uint32_t k = 0; k < size; ++k) {
    p.add_class();
    for (std::uint32_t step = 1; step < 3; ++step) {
      const std::uint32_t next[] = {(k + step) % size};
      const std::int64_t cost[] = {below(random, 3)};
      p.add_candidate(k, next, cost);
    }
    const std::int64_t cost[] = {9 + below(random, 9)};
    p.add_candidate(k, {}, cost);
    if (random() % 3 == 0) p.add_root(k);
  }
  p.add_root(below(random, size));
  return p;
}

// Tables of every kind: reductions, folding, pairs, limits, cycles, components, branching.
static wf::selection_problem problem_of_kind(int kind, std::mt19937& random) {
  if (kind == 0) return random_problem(random);
  if (kind == 1) return random_packing(random);
  if (kind == 2) return random_bundles(random);
  if (kind == 4) return random_rings(random);
  wf::selection_problem p = empty_problem();
  for (std::uint32_t blocks = 1 + below(random, 3); blocks > 0; --blocks) add_hard_block(p, random);
  return p;
}

// True if the claim of a proof is true by enumeration.
static bool is_true(const wf::selection_problem& p, const wf::selection_proof& proof,
                    const brute& expected) {
  if (expected.best.empty()) return true;
  if (!p.objective.lexicographic) return proof.levels[0].value <= expected.best[0];
  // A later level is bounded among the selections that keep the earlier levels' claims, which are
  // the enumerated ones only if these are tight.
  for (std::size_t i = 0; i < proof.levels.size(); ++i) {
    if (proof.levels[i].value > expected.best[i]) return false;
    if (proof.levels[i].value < expected.best[i]) return true;
  }
  return true;
}

TEST_CASE("a proven selection has a proof that its checker accepts") {
  const std::uint32_t seed = 2027;
  MESSAGE("seed ", seed);
  std::mt19937 random(seed);
  int accepted = 0, branches = 0, folds = 0, merges = 0, joins = 0, cycles = 0, lemmas = 0,
      trees = 0;
  for (int round = 0; round < 6000; ++round) {
    CAPTURE(round);
    const wf::selection_problem p =
        problem_of_kind(round % 8 > 5 ? round % 8 - 3 : round % 3, random);
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
      }
  }
  CHECK(accepted > 3000);
  CHECK(branches > 300);
  CHECK(folds > 500);
  CHECK(merges > 50);
  CHECK(joins > 500);
  CHECK(cycles > 20);
  CHECK(lemmas > 2000);
  CHECK(trees > 500);
}

// Damages a proof in one place.
static void damage(wf::selection_proof& proof, const wf::selection_problem& p,
                   std::mt19937& random) {
  wf::proof_level& level =
      proof.levels[below(random, static_cast<std::uint32_t>(proof.levels.size()))];
  const std::uint32_t literals =
      static_cast<std::uint32_t>(p.candidates.size()) + p.classes + below(random, 8);
  if (random() % 8 == 0 || level.steps.empty()) {
    level.value += 1 + below(random, 3);
    return;
  }
  const std::uint32_t count = static_cast<std::uint32_t>(level.steps.size());
  wf::proof_step& s = level.steps[below(random, count)];
  switch (random() % 9) {
    case 0: {  // a step less
      wf::table<wf::proof_step> kept;
      const std::uint32_t left_out = below(random, count);
      for (std::uint32_t i = 0; i < count; ++i)
        if (i != left_out) kept.push_back(level.steps[i]);
      level.steps = kept;
      return;
    }
    case 1:
      s.first = below(random, literals);
      return;
    case 2:
      s.second = below(random, literals);
      return;
    case 3:
      s.value += 1 + below(random, 3);
      return;
    case 4:
      if (!level.prices.empty())
        level.prices[below(random, static_cast<std::uint32_t>(level.prices.size()))].amount +=
            random() % 2 == 0 ? 1 : static_cast<std::int64_t>(random() % (1 << 22));
      return;
    case 5:
      if (!level.literals.empty())
        level.literals[below(random, static_cast<std::uint32_t>(level.literals.size()))] =
            below(random, literals);
      return;
    case 6:
      s.rule = static_cast<wf::proof_rule>(random() % 13);
      return;
    case 7:
      s = level.steps[below(random, count)];
      return;
    default:
      if (s.run.count != 0)
        --s.run.count;
      else
        s.run = {below(random, 4), below(random, 4)};
  }
}

TEST_CASE("the checker accepts no false claim: damaged proofs against enumeration") {
  const std::uint32_t seed = 2028;
  MESSAGE("seed ", seed);
  std::mt19937 random(seed);
  int rejected = 0, accepted = 0;
  for (int round = 0; round < 2500; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = problem_of_kind(round % 3, random);
    const auto found = wf::select_certified(p);
    if (!found || found->proof.status != wf::proof_status::complete) continue;
    const brute expected = enumerate(p);
    for (int times = 0; times < 24; ++times) {
      wf::selection_proof proof = found->proof;
      for (std::uint32_t changes = 1 + below(random, 3); changes > 0; --changes)
        damage(proof, p, random);
      if (!check_proof(p, proof).empty()) {
        ++rejected;
        continue;
      }
      ++accepted;
      CHECK(is_true(p, proof, expected));
    }
    // The tight claim is the largest one: no proof of one more is accepted.
    wf::selection_proof more = found->proof;
    ++more.levels[0].value;
    CHECK(check_proof(p, more) != "");
  }
  CHECK(rejected > 10000);
  CHECK(accepted > 1000);
}

// A step that may hold, or two that may close a case.
static void add_random_step(wf::proof_level& level, const wf::selection_problem& p,
                            std::uint32_t& rows, std::mt19937& random) {
  const std::uint32_t candidates = static_cast<std::uint32_t>(p.candidates.size());
  const std::uint32_t literals = candidates + p.classes;
  static constexpr wf::proof_rule simple[] = {wf::proof_rule::cyclic,   wf::proof_rule::cyclic,
                                              wf::proof_rule::subsumed, wf::proof_rule::fold,
                                              wf::proof_rule::merge,    wf::proof_rule::support};
  if (random() % 4 == 0) {
    level.steps.push_back({wf::proof_rule::prices, 0, 0, 1, {}});
    level.steps.push_back({wf::proof_rule::bound, 0, 0, 0, {}});
    return;
  }
  wf::proof_step s;
  s.rule = simple[random() % 6];
  if (random() % 3 == 0) s.rule = static_cast<wf::proof_rule>(random() % 13);
  const bool candidate = s.rule == wf::proof_rule::cyclic || s.rule == wf::proof_rule::subsumed;
  s.first = below(random, candidate ? candidates : p.classes);
  s.second = below(random, candidate || s.rule == wf::proof_rule::fold ? candidates : p.classes);
  if (s.rule == wf::proof_rule::branch) s.second = below(random, 2);
  if (s.rule == wf::proof_rule::branch) s.first = below(random, literals);
  s.value = below(random, 12);
  if (wf::has_prices(s.rule)) {
    s.value = below(random, 3);
    s.run.first = static_cast<std::uint32_t>(level.prices.size());
    const std::uint32_t metrics = static_cast<std::uint32_t>(p.metrics.size());
    const std::uint32_t end = s.rule == wf::proof_rule::prices ? metrics + rows : p.classes;
    for (s.run.count = end == 0 ? 0 : below(random, 4);
         level.prices.size() < s.run.first + s.run.count;)
      level.prices.push_back({below(random, end), below(random, 9)});
  } else {
    s.run.first = static_cast<std::uint32_t>(level.literals.size());
    s.run.count = s.rule == wf::proof_rule::bound ? below(random, 2) : 1 + below(random, 3);
    const std::uint32_t end = s.rule == wf::proof_rule::lemma ? p.classes : literals + 4;
    while (level.literals.size() < s.run.first + s.run.count)
      level.literals.push_back(below(random, end));
  }
  rows += s.rule == wf::proof_rule::row;
  level.steps.push_back(s);
}

TEST_CASE("the checker accepts no false claim: whatever steps hold") {
  const std::uint32_t seed = 2029;
  MESSAGE("seed ", seed);
  std::mt19937 random(seed);
  int held[13] = {}, closed = 0;
  for (int round = 0; round < 900; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = problem_of_kind(round % 3, random);
    const brute expected = enumerate(p);
    if (expected.best.empty() || p.objective.lexicographic) continue;
    wf::selection_proof proof;
    proof.status = wf::proof_status::complete;
    proof.levels.push_back({});
    wf::proof_level& level = proof.levels[0];
    const bool is_false = round % 4 != 0;
    level.value = expected.best[0] + is_false;
    std::uint32_t rows = 0;
    for (int tries = 0; tries < 200; ++tries) {
      const wf::proof_level before = level;
      const std::uint32_t rows_before = rows;
      add_random_step(level, p, rows, random);
      const std::string wrong = check_proof(p, proof);
      if (wrong.empty()) {
        CHECK(!is_false);
        ++closed;
        break;
      }
      if (wrong == "level 0: it ends before its cases are closed") {
        ++held[static_cast<int>(level.steps.back().rule)];
      } else {
        level = before;
        rows = rows_before;
      }
    }
  }
  for (const wf::proof_rule rule :
       {wf::proof_rule::cyclic, wf::proof_rule::subsumed, wf::proof_rule::fold,
        wf::proof_rule::merge, wf::proof_rule::support, wf::proof_rule::lemma, wf::proof_rule::row,
        wf::proof_rule::join, wf::proof_rule::bound, wf::proof_rule::branch})
    CHECK(held[static_cast<int>(rule)] > 0);
  CHECK(closed > 40);
}

TEST_CASE("what whoever forges a proof may try") {
  // The second class needs the first, and whoever needs one needs the other: they merge, but the
  // first does not need itself.
  wf::selection_problem p = empty_problem();
  const std::int64_t one[] = {1}, two[] = {2}, nine[] = {9};
  const std::uint32_t root = p.add_class(), k = p.add_class(), e = p.add_class();
  const std::uint32_t both[] = {k, e}, first[] = {k};
  p.add_candidate(root, both, one);
  p.add_candidate(root, {}, nine);
  p.add_candidate(k, {}, two);
  p.add_candidate(e, first, two);
  p.add_root(root);
  const auto check = [&](wf::text_view steps) {
    const auto proof = wf::parse_proof(wf::text("wf.selection_proof 1 complete\nlevel ") << steps);
    REQUIRE(proof);
    return check_proof(p, *proof);
  };
  CHECK(check("5\nmerge 2 1\nprices 1 : 1=2 2=2\nbound :") != "");
  CHECK(check("5\nmerge 2 1\nrow : 0 5\nprices 1 : 1=4\nbound :") == "");
  CHECK(check("6\nmerge 2 1\nrow : 0 5\nprices 1 : 1=4\nbound :") != "");
  CHECK(check("9\nmerge 2 1\ncyclic 2\nsupport 1 : 0\nprices 1 :\nbound :") ==
        "level 0: step 1 does not hold");
  // Prices that would wrap around, negative ones, rows of one literal twice.
  CHECK(check("9\nrow : 0 5\nprices 1 : 1=9223372036854775807 1=9223372036854775807\nbound :") ==
        "level 0: step 1 does not hold");
  CHECK(check("9\nrow : 0 0\nprices 1 : 1=9\nbound :") == "level 0: step 0 does not hold");
  CHECK(check("9\nlemma 9 : 0 0\nprices 1 :\nbound :") == "level 0: step 0 does not hold");
  CHECK(check("9\nsubsumed 0 1\nprices 1 :\nbound :") == "level 0: step 0 does not hold");
  CHECK(check("9\nfold 1 1\nprices 1 :\nbound :") == "level 0: step 0 does not hold");
  // A lemma's folds end with it.
  CHECK(check("5\nlemma 4 : 1 2\nprices 1 :\nbound :\nprices 1 :\nbound :") != "");
  CHECK(check("1\nprices 1 :\nbound :\ncycle 0") == "level 0: there are steps after the end");
  CHECK(check("1\nprices 1 :") == "level 0: it ends before its cases are closed");
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
