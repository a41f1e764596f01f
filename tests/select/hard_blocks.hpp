// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <random>
#include <vector>

#include <wf/select/problem.hpp>

#include "enumerate.hpp"

namespace enumerated {

// Adds an independent subproblem that its relaxation does not solve: colours that exclude each
// other, or a cover by shared classes.
inline void add_hard_block(wf::selection_problem& p, std::mt19937& random) {
  const bool covers = random() % 2 != 0;
  std::vector<std::vector<std::uint32_t>> members;
  std::vector<std::uint32_t> shared;
  for (std::uint32_t i = covers ? 5 + below(random, 6) : 0; i > 0; --i) {
    shared.push_back(p.add_class());
    const std::int64_t cost[] = {3 + below(random, 5)};
    p.add_candidate(shared.back(), {}, cost);
  }
  for (std::uint32_t i = 5 + below(random, 6); i > 0; --i) {
    members.emplace_back();
    const std::uint32_t k = p.add_class();
    p.add_root(k);
    for (std::uint32_t n = 2 + below(random, 3); n > 0; --n) {
      wf::table<std::uint32_t> needs;
      for (std::uint32_t c = covers ? 1 + below(random, 2) : 0; c > 0; --c)
        needs.push_back(shared[below(random, static_cast<std::uint32_t>(shared.size()))]);
      const std::int64_t cost[] = {below(random, covers ? 3 : 9)};
      members.back().push_back(p.add_candidate(k, needs, cost));
    }
  }
  for (std::size_t i = 0; i < members.size() && !covers; ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (const std::uint32_t a : members[i])
        for (const std::uint32_t b : members[j]) {
          if (random() % 8 != 0) continue;
          const std::int64_t cost[] = {1 + below(random, 6)};
          if (random() % 2 != 0)
            p.exclude_pair(a, b);
          else
            p.add_pair(a, b, cost);
        }
}

// A problem of one metric without classes.
inline wf::selection_problem empty_problem() {
  wf::selection_problem p;
  p.add_metric("m");
  p.objective = wf::minimise_metric(0);
  return p;
}

// Choices among bundles of shared classes: classes needed by the same candidates are merged, and
// those needed by only one are folded.
inline wf::selection_problem random_bundles(std::mt19937& random) {
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

// A ring of classes, each of which is cheap with the following ones and expensive alone: cycles of
// more than two classes, which relaxations ignore.
inline wf::selection_problem random_rings(std::mt19937& random) {
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

// Classes with arbitrary mutual needs, and colours: too large for enumeration, and too hard for
// relaxations.
inline wf::selection_problem random_tangle(std::mt19937& random) {
  wf::selection_problem p = empty_problem();
  const bool colours = random() % 2 != 0;
  const std::uint32_t size = 14 + below(random, 8);
  for (std::uint32_t k = 0; k < size; ++k) {
    p.add_class();
    if (colours || random() % 4 == 0) p.add_root(k);
  }
  p.add_root(below(random, size));
  for (std::uint32_t k = 0; k < size; ++k)
    for (std::uint32_t n = 3 + below(random, 3); n > 0; --n) {
      wf::table<std::uint32_t> needs;
      for (std::uint32_t c = colours ? 0 : 1 + below(random, 2); c > 0; --c)
        needs.push_back(below(random, size));
      const std::int64_t cost[] = {needs.empty() || n > 1 ? below(random, 20) : 30};
      p.add_candidate(k, n > 1 ? needs : wf::table<std::uint32_t>(), cost);
    }
  const std::uint32_t count = static_cast<std::uint32_t>(p.candidates.size());
  for (std::uint32_t i = colours ? 3 * count : 0; i > 0; --i) {
    const std::uint32_t a = below(random, count), b = below(random, count);
    if (p.candidates[a].owner != p.candidates[b].owner) p.exclude_pair(a, b);
  }
  return p;
}

// Problems of every kind: reductions, folding, pairs, limits, cycles, components, branching.
inline wf::selection_problem problem_of_kind(int kind, std::mt19937& random) {
  if (kind == 0) return random_problem(random);
  if (kind == 1) return random_packing(random);
  if (kind == 2) return random_bundles(random);
  if (kind == 4) return random_rings(random);
  wf::selection_problem p = empty_problem();
  for (std::uint32_t blocks = 1 + below(random, 3); blocks > 0; --blocks) add_hard_block(p, random);
  return p;
}

}  // namespace enumerated
