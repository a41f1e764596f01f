// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <random>

#include <wf/select/reduce/reduce.hpp>
#include <wf/select/stage.hpp>

#include "../enumerate.hpp"

namespace enumerated {

// Calls `f(problem, stage, reduced)` for random problems of one level that are feasible after
// reduction.
template <class F>
void each_reduced(std::uint32_t seed, int rounds, F&& f) {
  std::mt19937 random(seed);
  for (int round = 0; round < rounds; ++round) {
    const wf::selection_problem p = random_problem(random);
    if (p.objective.lexicographic) continue;
    const wf::detail::selection_stage stage = wf::detail::weighted_stage(p);
    const wf::detail::reduced_selection reduced = wf::detail::reduce(p, stage);
    if (reduced.feasible) f(p, stage, reduced, random);
  }
}

// Describes a problem of one metric: candidates {owner, children, cost}, with classes and roots.
struct case_candidate {
  std::uint32_t owner = 0;
  wf::table<std::uint32_t> needs;
  std::int64_t cost = 0;
};
inline wf::selection_problem case_problem(std::uint32_t classes,
                                          const wf::table<case_candidate>& candidates,
                                          const wf::table<std::uint32_t>& roots) {
  wf::selection_problem p;
  p.add_metric("cost");
  for (std::uint32_t k = 0; k < classes; ++k) p.add_class();
  for (const case_candidate& c : candidates)
    p.add_candidate(c.owner, c.needs, wf::table<std::int64_t>{c.cost});
  for (const std::uint32_t root : roots) p.add_root(root);
  p.objective = wf::minimise_metric(0);
  return p;
}

// A problem with its reduction.
struct reduced_case {
  wf::selection_problem problem;
  wf::detail::selection_stage stage;
  wf::detail::reduced_selection reduced;

  explicit reduced_case(const wf::selection_problem& p)
      : problem(p),
        stage(wf::detail::weighted_stage(problem)),
        reduced(wf::detail::reduce(problem, stage)) {}

  // The number that a class or candidate of the problem has after reduction.
  std::uint32_t class_number(std::uint32_t k) const { return reduced.number_of[k]; }
  std::uint32_t candidate_number(std::uint32_t n) const {
    for (std::uint32_t i = 0; i < reduced.candidates; ++i)
      if (reduced.candidate_of[i] == n) return i;
    return wf::no_candidate;
  }
};

// Root 0 takes 1 and 2, or 3 alone. Class 1 costs 4 or needs 4; class 2 costs 5 or needs 4; class 3
// costs 8, or 3 and needs 4; class 4, which they can share, costs 6.
inline reduced_case sharing_case() {
  return reduced_case(case_problem(5,
                                   {{0, {1, 2}, 0},
                                    {0, {3}, 1},
                                    {1, {4}, 0},
                                    {1, {}, 4},
                                    {2, {4}, 0},
                                    {2, {}, 5},
                                    {3, {}, 8},
                                    {3, {4}, 3},
                                    {4, {}, 6}},
                                   {0}));
}

}  // namespace enumerated
