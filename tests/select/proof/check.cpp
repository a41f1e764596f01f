// SPDX-License-Identifier: BSL-1.0
#include <wf/select/proof/check.hpp>

#include <random>
#include <string>

#include <doctest/doctest.h>
#include <wf/select/proof/text.hpp>
#include <wf/select/select.hpp>

#include "../enumerate.hpp"
#include "../hard_blocks.hpp"

using namespace enumerated;
using wf::check_proof;

static constexpr int rules = static_cast<int>(wf::proof_rule::tree) + 1;

// True if the claim of a proof is correct, by enumeration.
static bool is_true(const wf::selection_problem& p, const wf::selection_proof& proof,
                    const brute& expected) {
  if (expected.best.empty()) return true;
  if (!p.objective.lexicographic) return proof.levels[0].value <= expected.best[0];
  // A later level is bounded among the selections that keep the earlier levels' claims; these are
  // the enumerated ones only if the claims are tight.
  for (std::size_t i = 0; i < proof.levels.size(); ++i) {
    if (proof.levels[i].value > expected.best[i]) return false;
    if (proof.levels[i].value < expected.best[i]) return true;
  }
  return true;
}

// Damages one part of a proof.
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
    case 0: {  // a step is removed
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
      s.rule = static_cast<wf::proof_rule>(random() % rules);
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
    // The tight claim is the largest one: a proof of a larger claim is rejected.
    wf::selection_proof more = found->proof;
    ++more.levels[0].value;
    CHECK(check_proof(p, more) != "");
  }
  CHECK(rejected > 10000);
  CHECK(accepted > 1000);
}

// Adds a step that may hold, or two that may close a case.
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
  if (random() % 3 == 0) s.rule = static_cast<wf::proof_rule>(random() % rules);
  const bool candidate = s.rule == wf::proof_rule::cyclic || s.rule == wf::proof_rule::subsumed;
  s.first = below(random, candidate ? candidates : p.classes);
  s.second = below(random, candidate || s.rule == wf::proof_rule::fold ? candidates : p.classes);
  if (s.rule == wf::proof_rule::branch) s.second = below(random, 2);
  if (s.rule == wf::proof_rule::branch) s.first = below(random, literals);
  s.value = below(random, 12);
  if (wf::has_prices(s.rule)) {
    const bool cut = s.rule == wf::proof_rule::cut;
    s.value = below(random, 3) + (cut ? 1 : 0);
    s.run.first = static_cast<std::uint32_t>(level.prices.size());
    const std::uint32_t metrics = static_cast<std::uint32_t>(p.metrics.size());
    const std::uint32_t end = s.rule == wf::proof_rule::prices ? metrics + rows
                              : cut                            ? 2 * (p.classes + rows)
                                                               : p.classes;
    for (s.run.count = end == 0 ? 0 : below(random, 4);
         level.prices.size() < s.run.first + s.run.count;)
      level.prices.push_back({below(random, end), below(random, 9)});
  } else {
    s.run.first = static_cast<std::uint32_t>(level.literals.size());
    s.run.count = s.rule == wf::proof_rule::bound ? below(random, 2) : 1 + below(random, 3);
    const bool classes = s.rule == wf::proof_rule::lemma || s.rule == wf::proof_rule::ring;
    const std::uint32_t end = classes ? p.classes : literals + 4;
    while (level.literals.size() < s.run.first + s.run.count)
      level.literals.push_back(below(random, end));
  }
  rows += s.rule == wf::proof_rule::row || s.rule == wf::proof_rule::cut ||
          s.rule == wf::proof_rule::ring;
  level.steps.push_back(s);
}

TEST_CASE("the checker accepts no false claim: whatever steps hold") {
  const std::uint32_t seed = 2029;
  MESSAGE("seed ", seed);
  std::mt19937 random(seed);
  int held[rules] = {}, closed = 0;
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
        wf::proof_rule::join, wf::proof_rule::cut, wf::proof_rule::ring, wf::proof_rule::bound,
        wf::proof_rule::branch})
    CHECK(held[static_cast<int>(rule)] > 0);
  CHECK(closed > 40);
}

// The checker's verdict on steps that prove a value; "" if they are accepted.
static std::string judged(const wf::selection_problem& p, wf::text_view steps) {
  const auto proof = wf::parse_proof(wf::text("wf.selection_proof 1 complete\nlevel ") << steps);
  REQUIRE(proof);
  return check_proof(p, *proof);
}

TEST_CASE("sums of rows are divided, and rings broken") {
  // Five classes in a ring, in which no two neighbours may both take the second, free candidate.
  wf::selection_problem p = empty_problem();
  const std::int64_t cost[][1] = {{1}, {0}, {5}};
  for (std::uint32_t k = 0; k < 5; ++k) {
    p.add_root(p.add_class());
    p.add_candidate(k, {}, cost[0]);
    p.add_candidate(k, {}, cost[1]);
  }
  for (std::uint32_t k = 0; k < 5; ++k) p.exclude_pair(2 * k + 1, 2 * ((k + 1) % 5) + 1);
  const wf::text rows("row : 1 3\nrow : 3 5\nrow : 5 7\nrow : 7 9\nrow : 9 1\n");
  const auto with = [&](const char* claim, const char* rest) {
    return judged(p, wf::text(claim) << "\n" << rows << rest);
  };
  const wf::text_view short_of = "level 0: step 7 does not hold";
  CHECK(with("3", "cut 2 : 1=1 3=1 5=1 7=1 9=1\nprices 1 : 6=1\nbound :") == "");
  CHECK(with("3", "cut 4 : 1=2 3=2 5=2 7=2 9=2\nprices 1 : 6=1\nbound :") == "");
  CHECK(with("3", "cut 3 : 1=1 3=1 5=1 7=1 9=1\nprices 1 : 6=1\nbound :") == short_of);
  CHECK(with("3", "cut 2 : 1=1 3=1 5=1 7=1\nprices 1 : 6=1\nbound :") == short_of);
  CHECK(with("4", "cut 2 : 1=1 3=1 5=1 7=1 9=1\nprices 1 : 6=1\nbound :") == short_of);
  CHECK(with("3", "cut 1 : 1=1 3=1\n") == "level 0: step 5 does not hold");
  CHECK(with("3", "cut 2 : 1=1 11=1\n") == "level 0: step 5 does not hold");
  CHECK(with("3", "branch 0 0\ncut 2 : 1=1 3=1\n") == "level 0: step 6 does not hold");

  // Three classes, each of which is free if it uses the next one.
  wf::selection_problem ring = empty_problem();
  for (std::uint32_t k = 0; k < 3; ++k) ring.add_root(ring.add_class());
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::uint32_t next[] = {(k + 1) % 3};
    ring.add_candidate(k, next, cost[1]);
    ring.add_candidate(k, {}, cost[2]);
  }
  CHECK(judged(ring, "5\nring : 0 1 2\nprices 1 : 1=5\nbound :") == "");
  CHECK(judged(ring, "5\nring : 0 2 1\nprices 1 : 1=5\nbound :") ==
        "level 0: step 2 does not hold");
  CHECK(judged(ring, "6\nring : 0 1 2\nprices 1 : 1=6\nbound :") ==
        "level 0: step 2 does not hold");
}

TEST_CASE("candidates are exchanged only where that is safe") {
  // Classes 0 and 1 are needed; candidate 1 needs class 1, whose candidate 2 needs class 0 again.
  wf::selection_problem p = empty_problem();
  const std::int64_t cost[][1] = {{5}, {0}, {3}, {9}};
  const std::uint32_t zero[] = {p.add_class()}, one[] = {p.add_class()};
  p.add_candidate(0, {}, cost[0]);
  p.add_candidate(0, one, cost[1]);
  p.add_candidate(1, zero, cost[2]);
  p.add_candidate(1, {}, cost[3]);
  p.add_root(0);
  p.add_root(1);
  const char* const proof =
      "8\nbranch 1 0\nbranch 2 0\ncycle 0\nprices 1 :\nbound :\nprices 1 :\nbound :";
  CHECK(judged(p, proof) == "");
  CHECK(judged(p, "9\nsubsumed 0 1\n") == "level 0: step 0 does not hold");
  CHECK(judged(p, "9\nsubsumed 3 2\n") == "level 0: step 0 does not hold");

  // Only the cheaper candidate has a pair.
  wf::selection_problem paired = empty_problem();
  paired.add_root(paired.add_class());
  paired.add_root(paired.add_class());
  paired.add_candidate(0, {}, cost[0]);
  paired.add_candidate(0, {}, cost[1]);
  paired.add_candidate(1, {}, cost[1]);
  CHECK(judged(paired, "0\nsubsumed 0 1\nprices 1 :\nbound :") == "");
  CHECK(judged(paired, "0\nbranch 2 0\nsubsumed 0 1\n") == "level 0: step 1 does not hold");
  wf::selection_problem priced = paired;
  paired.exclude_pair(1, 2);
  CHECK(judged(paired, "0\nsubsumed 0 1\n") == "level 0: step 0 does not hold");
  priced.add_pair(1, 2, cost[2]);
  CHECK(judged(priced, "0\nsubsumed 0 1\n") == "level 0: step 0 does not hold");
  CHECK(judged(priced, "0\njoin 0 1\njoin 1 0\n") == "level 0: step 1 does not hold");
  CHECK(judged(priced, "0\nbranch 1 0\njoin 0 1\n") == "level 0: step 1 does not hold");
}

TEST_CASE("costs move only between classes that are needed together") {
  wf::selection_problem p = empty_problem();
  const std::int64_t cost[] = {1};
  const std::uint32_t root = p.add_class();
  const std::uint32_t shared[] = {p.add_class()}, lone[] = {p.add_class()};
  p.add_candidate(root, shared, cost);
  p.add_candidate(root, shared, cost);
  p.add_candidate(root, lone, cost);
  p.add_candidate(shared[0], {}, cost);
  p.add_candidate(lone[0], {}, cost);
  p.add_root(root);
  CHECK(judged(p, "2\nfold 2 2\nrow : 0 1 6\nprices 1 : 1=1\nbound :") == "");
  CHECK(judged(p, "2\nfold 1 0\n") == "level 0: step 0 does not hold");
  CHECK(judged(p, "2\nmerge 1 2\n") == "level 0: step 0 does not hold");
  CHECK(judged(p, "2\nfold 0 3\n") == "level 0: step 0 does not hold");
  CHECK(judged(p, "2\nbranch 2 0\nfold 2 2\n") == "level 0: step 1 does not hold");
  CHECK(judged(p, "2\nfold 2 2\nlemma 1 : 2\n") == "level 0: step 1 does not hold");
  p.add_pair(0, 4, cost);
  CHECK(judged(p, "2\nfold 2 2\n") == "level 0: step 0 does not hold");
}

TEST_CASE("what a lemma dropped is back after it") {
  // Class 1 needs class 2 only without candidate 2.
  wf::selection_problem p = empty_problem();
  const std::int64_t cost[] = {1};
  const std::uint32_t root = p.add_class();
  const std::uint32_t middle[] = {p.add_class()}, last[] = {p.add_class()};
  p.add_candidate(root, middle, cost);
  p.add_candidate(middle[0], last, cost);
  p.add_candidate(middle[0], {}, cost);
  p.add_candidate(last[0], {}, cost);
  p.add_root(root);
  const char* const lemma =
      "3\nsupport 0 : 5\nlemma 1 : 1\nprices 1 :\nbound : 2\nsupport 0 : 6\nbound :\n";
  CHECK(judged(p, lemma) == "level 0: it ends before its cases are closed");
  CHECK(judged(p, wf::text(lemma) << "support 0 : 6\n") == "level 0: step 6 does not hold");
  CHECK(judged(p, wf::text(lemma) << "prices 1 :\nbound :\n") == "level 0: step 7 does not hold");
}

TEST_CASE("what whoever forges a proof may try") {
  // The second class needs the first, and every user of one needs the other: they merge, but the
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
  const auto check = [&](wf::text_view steps) { return judged(p, steps); };
  CHECK(check("5\nmerge 2 1\nprices 1 : 1=2 2=2\nbound :") != "");
  CHECK(check("5\nmerge 2 1\nrow : 0 5\nprices 1 : 1=4\nbound :") == "");
  CHECK(check("6\nmerge 2 1\nrow : 0 5\nprices 1 : 1=4\nbound :") != "");
  CHECK(check("9\nmerge 2 1\ncyclic 2\nsupport 1 : 0\nprices 1 :\nbound :") ==
        "level 0: step 1 does not hold");
  // Prices that would overflow, negative ones, rows with a repeated literal.
  CHECK(check("9\nrow : 0 5\nprices 1 : 1=9223372036854775807 1=9223372036854775807\nbound :") ==
        "level 0: step 1 does not hold");
  CHECK(check("9\nrow : 0 0\nprices 1 : 1=9\nbound :") == "level 0: step 0 does not hold");
  CHECK(check("9\nlemma 9 : 0 0\nprices 1 :\nbound :") == "level 0: step 0 does not hold");
  CHECK(check("9\nsubsumed 0 1\nprices 1 :\nbound :") == "level 0: step 0 does not hold");
  CHECK(check("9\nfold 1 1\nprices 1 :\nbound :") == "level 0: step 0 does not hold");
  // The folds of a lemma end with it.
  CHECK(check("5\nlemma 4 : 1 2\nprices 1 :\nbound :\nprices 1 :\nbound :") != "");
  CHECK(check("1\nprices 1 :\nbound :\ncycle 0") == "level 0: there are steps after the end");
  CHECK(check("1\nprices 1 :") == "level 0: it ends before its cases are closed");
}
