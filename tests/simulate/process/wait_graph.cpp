// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/process/wait_graph.hpp>

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace {

// True if there is a path of edges from a member to another one.
bool reaches(const std::vector<wf::wait_edge>& edges, std::uint32_t from, std::uint32_t to) {
  std::vector<char> seen(12, 0);
  std::vector<std::uint32_t> open = {from};
  while (!open.empty()) {
    const std::uint32_t v = open.back();
    open.pop_back();
    for (const wf::wait_edge& e : edges)
      if (e.waits == v && seen[e.held_up_by]++ == 0) {
        if (e.held_up_by == to) return true;
        open.push_back(e.held_up_by);
      }
  }
  return false;
}

}  // namespace

TEST_CASE("a cycle is found exactly if there is one, and is one") {
  std::mt19937_64 random(5);
  int cyclic = 0;
  for (int i = 0; i < 2000; ++i) {
    std::vector<wf::wait_edge> edges;
    const std::uint64_t members = 1 + random() % 12;
    for (std::uint64_t k = random() % 15; k > 0; --k)
      edges.push_back({static_cast<std::uint32_t>(random() % members),
                       static_cast<std::uint32_t>(random() % members)});
    bool any = false;
    for (std::uint32_t v = 0; v < members; ++v) any = any || reaches(edges, v, v);
    const auto cycle = wf::wait_cycle(edges);
    REQUIRE(cycle.empty() == !any);
    cyclic += any ? 1 : 0;
    for (std::size_t k = 0; k < cycle.size(); ++k) {
      const wf::wait_edge step{cycle[k], cycle[k + 1 < cycle.size() ? k + 1 : 0]};
      bool found = false;
      for (const wf::wait_edge& e : edges) found = found || e == step;
      REQUIRE(found);
      REQUIRE(cycle[0] <= cycle[k]);
    }
  }
  CHECK(cyclic > 200);
  CHECK(cyclic < 1800);
}
