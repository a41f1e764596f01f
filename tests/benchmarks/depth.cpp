// SPDX-License-Identifier: BSL-1.0
#include <selection/depth.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <selection/check.hpp>
#include <selection/solve.hpp>

namespace {

using selection_benchmark::instance;

instance random_extraction(std::mt19937& random) {
  instance i;
  wf::selection_problem& p = i.problem;
  p.objective = wf::minimise_metric(p.add_metric("cost"));
  const auto below = [&](std::size_t end) { return static_cast<std::uint32_t>(random() % end); };
  const std::uint32_t classes = 3 + below(4);
  for (std::uint32_t k = 0; k < classes; ++k) p.add_class();
  for (std::uint32_t k = 0; k < classes; ++k)
    for (std::uint32_t c = 1 + below(3); c > 0; --c) {
      std::vector<std::uint32_t> children;
      for (std::uint32_t n = below(3); n > 0; --n)
        children.push_back(below(random() % 3 == 0 ? classes : k + 1));
      const std::int64_t cost = below(10);
      p.add_candidate(k, children, wf::view(&cost, 1));
    }
  p.add_root(classes - 1);
  if (random() % 2 == 0) p.add_root(below(classes));
  return i;
}

// Calls f with every selection of one candidate per class; classes that it does not need have none.
template <class F>
void for_each_selection(const wf::selection_problem& p, F&& f) {
  std::vector<std::vector<std::uint32_t>> of_class(p.classes);
  for (std::uint32_t n = 0; n < p.candidates.size(); ++n)
    of_class[p.candidates[n].owner].push_back(n);
  std::vector<std::size_t> at(p.classes, 0);
  for (std::uint32_t k = 0; k < p.classes;) {
    wf::selection s{wf::table<std::uint32_t>(p.classes, wf::no_candidate), {}};
    std::vector<std::uint32_t> open(p.roots.begin(), p.roots.end());
    while (!open.empty()) {
      const std::uint32_t needed = open.back();
      open.pop_back();
      if (s.chosen[needed] != wf::no_candidate) continue;
      s.chosen[needed] = of_class[needed][at[needed]];
      for (const std::uint32_t child : p.children_of(s.chosen[needed])) open.push_back(child);
    }
    f(s);
    for (k = 0; k < p.classes && ++at[k] == of_class[k].size(); ++k) at[k] = 0;
  }
}

}  // namespace

TEST_CASE("limits on nodes and depth: the optimum is that of enumeration, bounds are bounds") {
  std::mt19937 random(401);
  int solved = 0, infeasible = 0;
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const instance free = random_extraction(random);
    const std::int64_t nodes = 2 + static_cast<std::int64_t>(random() % 4);
    const std::int64_t depth = 1 + static_cast<std::int64_t>(random() % 4);
    const instance i = selection_benchmark::with_limits(free, nodes, depth);
    const wf::selection_problem& p = i.problem;
    std::int64_t best = -1;
    for_each_selection(p, [&](wf::selection s) {
      s.totals = {0, 0, 0};
      for (const std::uint32_t n : s.chosen)
        for (std::uint32_t m = 0; m < 2 && n != wf::no_candidate; ++m) s.totals[m] += p.cost(n, m);
      const wf::selection without_limits{s.chosen, {s.totals[0]}};
      if (!selection_benchmark::selection_checker(free.problem, without_limits).check().empty())
        return;  // a cycle
      s.totals[2] = selection_benchmark::selection_depth{}(p, s, 2);
      for (const std::uint32_t n : s.chosen)
        if (n != wf::no_candidate) CHECK(p.cost(n, 2) <= s.totals[2]);
      if (!selection_benchmark::selection_checker(p, s).check().empty()) return;
      if (best < 0 || s.totals[0] < best) best = s.totals[0];
    });
    const selection_benchmark::answer a = selection_benchmark::solve_once(i, "wf", 10);
    CHECK(a.found == (best >= 0));
    infeasible += !a.found;
    if (!a.found) continue;
    ++solved;
    CHECK(a.proven);
    CHECK(a.total == best);
    CHECK(selection_benchmark::wrong(i, a, {}) == "");
  }
  CHECK(solved > 100);
  CHECK(infeasible > 20);
}
