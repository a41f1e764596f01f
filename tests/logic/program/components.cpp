// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/program/components.hpp>

#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::logic::detail::components_of;
using wf::logic::detail::graph_components;

// The components of a graph whose node n has its targets in the run `edges[n]`.
constexpr graph_components found_in(wf::view<wf::range> edges, wf::view<std::uint32_t> targets) {
  return components_of(
      edges.size(), [&](std::uint32_t n) { return targets.part(edges[n].first, edges[n].count); });
}

constexpr bool finds_while_compiling() {
  // 0 -> 1 <-> 2
  const wf::range edges[] = {{0, 1}, {1, 1}, {2, 1}};
  const std::uint32_t targets[] = {1, 2, 1};
  const graph_components found = found_in(edges, targets);
  return found.count == 2 && found.component[1] == 0 && found.component[2] == 0 &&
         found.component[0] == 1;
}
static_assert(finds_while_compiling());

}  // namespace

TEST_CASE("components are the classes of mutual reachability, those that others depend on first") {
  const std::uint64_t seed = 17;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 400; ++round) {
    const std::size_t n = random() % 12;
    std::vector<std::vector<bool>> reach(n, std::vector<bool>(n));
    wf::table<wf::range> edges;
    wf::table<std::uint32_t> targets;
    for (std::size_t from = 0; from < n; ++from) {
      edges.push_back({static_cast<std::uint32_t>(targets.size()), 0});
      for (std::size_t k = random() % 3; k > 0; --k) {
        const std::size_t to = random() % n;
        targets.push_back(static_cast<std::uint32_t>(to));
        ++edges.back().count;
        reach[from][to] = true;
      }
    }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
    const graph_components found = found_in(edges, targets);
    REQUIRE(found.component.size() == n);
    std::vector<bool> met(found.count);
    for (std::size_t i = 0; i < n; ++i) {
      REQUIRE(found.component[i] < found.count);
      met[found.component[i]] = true;
      for (std::size_t j = 0; j < n; ++j) {
        const bool together = i == j || (reach[i][j] && reach[j][i]);
        REQUIRE((found.component[i] == found.component[j]) == together);
        if (reach[i][j]) REQUIRE(found.component[j] <= found.component[i]);
      }
    }
    for (const bool m : met) REQUIRE(m);
    REQUIRE(found.order.size() == n);
    std::vector<bool> listed(n);
    for (std::size_t i = 0; i < n; ++i) {
      listed[found.order[i]] = true;
      if (i > 0) REQUIRE(found.component[found.order[i - 1]] <= found.component[found.order[i]]);
    }
    for (const bool l : listed) REQUIRE(l);
  }
}

TEST_CASE("a long path is searched without deep recursion") {
  constexpr std::uint32_t nodes = 200'000;
  wf::table<wf::range> edges;
  wf::table<std::uint32_t> targets;
  for (std::uint32_t i = 0; i + 1 < nodes; ++i) {
    edges.push_back({i, 1});
    targets.push_back(i + 1);
  }
  edges.push_back({nodes - 1, 0});
  const graph_components found = found_in(edges, targets);
  CHECK(found.count == nodes);
  CHECK(found.component[0] == nodes - 1);
}
