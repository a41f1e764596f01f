// SPDX-License-Identifier: BSL-1.0
#include <wf/run/parallel/step_graph.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

constexpr bool is_measured() {
  const std::int64_t times[] = {1, 5, 7, 2};
  const wf::step_graph g(times, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {2, 3}});
  return g.size() == 4 && g.dependences() == 4 && g.work() == 15 && g.critical_path() == 10 &&
         g.after(0)[0] == 1 && g.after(0)[1] == 2 && g.waits(3) == 2 && g.roots().size() == 1;
}
static_assert(is_measured());

}  // namespace

TEST_CASE("dependences to the same or an earlier step are ignored") {
  const std::int64_t times[] = {1, 1, 1};
  const wf::step_graph g(times, {{1, 1}, {2, 0}, {0, 7}, {0, 2}});
  CHECK(g.dependences() == 1);
  CHECK(g.critical_path() == 2);
}

TEST_CASE("without steps there is neither work nor a path") {
  const wf::step_graph g;
  CHECK(g.size() == 0);
  CHECK(g.work() == 0);
  CHECK(g.critical_path() == 0);
  CHECK(g.roots().size() == 0);
}

TEST_CASE("times near the largest saturate") {
  const std::int64_t times[] = {INT64_MAX, INT64_MAX};
  const wf::step_graph g(times, {{0, 1}});
  CHECK(g.work() == INT64_MAX);
  CHECK(g.critical_path() == INT64_MAX);
}

TEST_CASE("counts, successors and the longest chain agree with their definitions") {
  std::mt19937_64 random(4);
  for (int round = 0; round < 500; ++round) {
    const auto n = static_cast<std::uint32_t>(1 + random() % 30);
    std::vector<std::int64_t> times;
    for (std::uint32_t i = 0; i < n; ++i) times.push_back(static_cast<std::int64_t>(random() % 9));
    std::vector<std::vector<char>> edge(n, std::vector<char>(n));
    wf::table<wf::step_dependence> dependences;
    for (std::uint64_t k = random() % (3 * n); k > 0; --k) {
      const auto a = static_cast<std::uint32_t>(random() % n);
      const auto b = static_cast<std::uint32_t>(random() % n);
      dependences.push_back({a, b});
      if (a < b) edge[a][b] = 1;
    }
    const wf::step_graph g(times, dependences);
    std::vector<std::int64_t> way(n);
    std::int64_t longest = 0, sum = 0;
    for (std::uint32_t i = n; i-- > 0;) {
      std::int64_t rest = 0;
      std::size_t count = 0;
      for (std::uint32_t j = i + 1; j < n; ++j)
        if (edge[i][j]) rest = std::max(rest, way[j]), ++count;
      way[i] = times[i] + rest;
      longest = std::max(longest, way[i]);
      sum += times[i];
      REQUIRE(g.after(i).size() == count);
      for (std::size_t k = 0; k < count; ++k) {
        CHECK(edge[i][g.after(i)[k]] == 1);
        if (k > 0) CHECK(way[g.after(i)[k - 1]] <= way[g.after(i)[k]]);
      }
    }
    CHECK(g.critical_path() == longest);
    CHECK(g.work() == sum);
    std::size_t roots = 0;
    for (std::uint32_t j = 0; j < n; ++j) {
      std::uint32_t waits = 0;
      for (std::uint32_t i = 0; i < j; ++i) waits += edge[i][j] ? 1u : 0u;
      CHECK(g.waits(j) == waits);
      roots += waits == 0 ? 1 : 0;
    }
    CHECK(g.roots().size() == roots);
  }
}
