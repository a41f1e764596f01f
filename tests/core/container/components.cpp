// SPDX-License-Identifier: BSL-1.0
#include <wf/core/container/components.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

TEST_CASE("components are those of mutual reach, each after what it leads to") {
  std::mt19937 random(581);
  int cyclic = 0;
  for (int round = 0; round < 1'000; ++round) {
    CAPTURE(round);
    const auto nodes = static_cast<std::uint32_t>(1 + random() % 9);
    std::vector<std::vector<std::uint32_t>> edges(nodes);
    std::vector<std::vector<bool>> reach(nodes, std::vector<bool>(nodes, false));
    for (std::uint32_t a = 0; a < nodes; ++a) {
      reach[a][a] = true;
      for (auto count = random() % 4; count > 0; --count) {
        edges[a].push_back(static_cast<std::uint32_t>(random() % nodes));
        reach[a][edges[a].back()] = true;
      }
    }
    for (std::uint32_t m = 0; m < nodes; ++m)
      for (std::uint32_t a = 0; a < nodes; ++a)
        for (std::uint32_t b = 0; b < nodes; ++b)
          if (reach[a][m] && reach[m][b]) reach[a][b] = true;
    std::vector<int> number(nodes, -1);
    int closed = 0;
    auto finder = wf::detail::find_components<std::size_t>(
        nodes,
        [&](std::uint32_t k, std::size_t& at) {
          return at < edges[k].size() ? edges[k][at++] : UINT32_MAX;
        },
        [&](const wf::table<std::uint32_t>& members) {
          cyclic += members.size() > 1;
          for (const std::uint32_t k : members) {
            CHECK(number[k] == -1);
            number[k] = closed;
          }
          ++closed;
        });
    finder.enter(0);
    finder.enter(nodes - 1);
    for (std::uint32_t a = 0; a < nodes; ++a) {
      CHECK((number[a] != -1) == (reach[0][a] || reach[nodes - 1][a]));
      if (number[a] == -1) continue;
      for (std::uint32_t b = 0; b < nodes; ++b) {
        if (number[b] == -1) continue;
        CHECK((number[a] == number[b]) == (reach[a][b] && reach[b][a]));
        if (reach[a][b]) CHECK(number[b] <= number[a]);
      }
    }
  }
  CHECK(cyclic > 300);
}
