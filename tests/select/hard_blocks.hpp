// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <random>
#include <vector>

#include <wf/select/problem.hpp>

#include "enumerate.hpp"

namespace enumerated {

// Adds, apart from what is there, a problem whose relaxation does not solve it: colours that
// exclude each other, or a cover by shared classes.
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

// A problem of one metric and no class yet.
inline wf::selection_problem empty_problem() {
  wf::selection_problem p;
  p.add_metric("m");
  p.objective = wf::minimise_metric(0);
  return p;
}

}  // namespace enumerated
