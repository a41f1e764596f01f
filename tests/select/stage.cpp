// SPDX-License-Identifier: BSL-1.0
#include <wf/select/stage.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "enumerate.hpp"

using namespace enumerated;

TEST_CASE("one stage solves an objective of one level to the enumerated optimum") {
  std::mt19937 random(104);
  int solved = 0;
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    wf::selection_problem p = random_problem(random);
    if (p.objective.lexicographic) continue;
    const brute expected = enumerate(p);
    const wf::detail::selection_stage stage = wf::detail::weighted_stage(p);
    const auto reduced = wf::detail::reduce(p, stage);
    wf::no_measure measure;
    wf::keep_going callback;
    const auto found = wf::detail::solve_stage(p, stage, reduced, nullptr, measure, callback,
                                               wf::search_limits{}.resolved());
    CHECK(found.found == !expected.best.empty());
    if (!found.found) continue;
    ++solved;
    CHECK(found.value == expected.best[0]);
    CHECK(found.status == wf::search_status::proven);
  }
  CHECK(solved > 500);
}

// A problem with a relaxation that does not solve it: colours that exclude each other, or a cover
// by shared classes. It is added to `p`, apart from what is there.
static void add_block(wf::selection_problem& p, std::mt19937& random) {
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

static std::int64_t solved(const wf::selection_problem& p) {
  const wf::detail::selection_stage stage = wf::detail::weighted_stage(p);
  const auto reduced = wf::detail::reduce(p, stage);
  wf::no_measure measure;
  wf::keep_going callback;
  const auto found = wf::detail::solve_stage(p, stage, reduced, nullptr, measure, callback,
                                             wf::search_limits{}.resolved());
  CHECK(found.status == (found.found ? wf::search_status::proven : wf::search_status::infeasible));
  return found.value;
}

TEST_CASE("parts that share nothing are solved together as well as one by one") {
  for (std::uint32_t seed = 1500; seed < 2300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    wf::selection_problem whole;
    whole.add_metric("m");
    whole.objective = wf::minimise_metric(0);
    std::int64_t total = 0;
    for (std::uint32_t blocks = 2 + below(random, 3); blocks > 0; --blocks) {
      std::mt19937 again = random;
      wf::selection_problem part;
      part.add_metric("m");
      part.objective = wf::minimise_metric(0);
      add_block(part, again);
      add_block(whole, random);
      const std::int64_t value = solved(part);
      total = total == wf::unbounded || value == wf::unbounded ? wf::unbounded : total + value;
    }
    CHECK(solved(whole) == total);
  }
}
