// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce/cliques.hpp>

#include <random>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

TEST_CASE("cliques are maximal, ascend, and cover every edge between groups") {
  std::mt19937 random(541);
  for (int round = 0; round < 500; ++round) {
    CAPTURE(round);
    const auto count = static_cast<std::uint32_t>(1 + random() % 14);
    const auto density = static_cast<unsigned>(1 + random() % 9);
    wf::table<std::uint32_t> group;
    for (std::uint32_t v = 0; v < count; ++v) group.push_back(v / (1 + count % 3));
    std::vector<std::vector<bool>> edge(count, std::vector<bool>(count, false));
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = 0; b < a; ++b)
        edge[a][b] = edge[b][a] = group[a] == group[b] || random() % 10 < density;
    const wf::detail::conflict_graph graph(group, [&](std::uint32_t a, auto&& f) {
      for (std::uint32_t b = 0; b < count; ++b)
        if (edge[a][b] && group[a] != group[b]) f(b);
    });
    std::set<std::pair<std::uint32_t, std::uint32_t>> covered;
    wf::detail::clique_cover(graph).run([&](const wf::table<std::uint32_t>& clique) {
      for (std::size_t i = 0; i < clique.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          CHECK(clique[j] < clique[i]);
          CHECK(edge[clique[i]][clique[j]]);
          covered.insert({clique[j], clique[i]});
        }
      for (std::uint32_t v = 0; v < count; ++v) {
        bool fits = true;
        for (const std::uint32_t member : clique) fits = fits && edge[v][member];
        CHECK(!fits);
      }
    });
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = a + 1; b < count; ++b)
        if (edge[a][b] && group[a] != group[b]) CHECK(covered.count({a, b}) == 1);
  }
}
