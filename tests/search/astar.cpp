// SPDX-License-Identifier: BSL-1.0
#include <wf/search/astar.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

// Shortest paths on a grid with costs; moves right, left, up, down.
struct grid {
  struct state {
    std::int32_t x = 0, y = 0;
    std::int64_t cost = 0;
  };
  int width = 0, height = 0;
  std::vector<int> entry;  // cost of stepping onto a cell; 0: wall

  state root() const { return {}; }
  std::int64_t g(const state& s) const { return s.cost; }
  std::int64_t h(const state& s) const { return (width - 1 - s.x) + (height - 1 - s.y); }
  bool goal(const state& s) const { return s.x == width - 1 && s.y == height - 1; }
  std::uint64_t hash(const state& s) const { return static_cast<std::uint64_t>(s.y * width + s.x); }
  bool same(const state& a, const state& b) const { return a.x == b.x && a.y == b.y; }
  template <class Emit>
  void expand(const state& s, Emit&& emit) const {
    constexpr int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
    for (int k = 0; k < 4; ++k) {
      const int x = s.x + dx[k], y = s.y + dy[k];
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const int cost = entry[static_cast<std::size_t>(y * width + x)];
      if (cost != 0) emit(state{x, y, s.cost + cost});
    }
  }
};

grid random_grid(std::mt19937& random) {
  grid g;
  g.width = 2 + static_cast<int>(random() % 9);
  g.height = 2 + static_cast<int>(random() % 9);
  for (int i = 0; i < g.width * g.height; ++i)
    g.entry.push_back(random() % 4 == 0 ? 0 : 1 + static_cast<int>(random() % 5));
  g.entry.back() = 1;
  return g;
}

// Bellman-Ford: repeated relaxation of every cell.
std::int64_t shortest(const grid& g) {
  const auto cells = static_cast<std::size_t>(g.width * g.height);
  std::vector<std::int64_t> best(cells, INT64_MAX / 2);
  best[0] = 0;
  for (std::size_t round = 0; round < cells; ++round)
    for (int y = 0; y < g.height; ++y)
      for (int x = 0; x < g.width; ++x)
        g.expand({x, y, best[static_cast<std::size_t>(y * g.width + x)]}, [&](grid::state&& s) {
          auto& b = best[static_cast<std::size_t>(s.y * g.width + s.x)];
          b = std::min(b, s.cost);
        });
  return best.back();
}

}  // namespace

TEST_CASE("A* finds the shortest path or that there is none, on random grids") {
  std::mt19937 random(93);
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    grid g = random_grid(random);
    const std::int64_t expected = shortest(g);
    const auto found = wf::astar(g);
    if (expected >= INT64_MAX / 2) {
      CHECK_FALSE(found.found);
      CHECK(found.status == wf::search_status::infeasible);
      continue;
    }
    REQUIRE(found.found);
    CHECK(found.status == wf::search_status::proven);
    CHECK(found.value == expected);
    CHECK(found.bound == expected);
  }
}

TEST_CASE("stopped, weighted and narrow searches certify what they return") {
  std::mt19937 random(94);
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    grid g = random_grid(random);
    const std::int64_t expected = shortest(g);
    if (expected >= INT64_MAX / 2) continue;
    const auto stopped = wf::astar(g, wf::search_limits{.max_nodes = 1 + random() % 20});
    CHECK(stopped.bound <= expected);
    if (stopped.found) CHECK(stopped.value >= expected);
    wf::astar_options weighted;
    weighted.weight_numerator = 3;
    weighted.weight_denominator = 2;
    weighted.stop_within_weight = true;
    const auto loose = wf::astar(g, {}, wf::keep_going{}, weighted);
    REQUIRE(loose.found);
    CHECK(2 * loose.value <= 3 * expected);
    CHECK(loose.bound <= expected);
    wf::astar_options beam;
    beam.beam_width = 2;
    const auto narrow = wf::astar(g, {}, wf::keep_going{}, beam);
    CHECK(narrow.bound <= expected);
    if (narrow.found) CHECK(narrow.value >= expected);
    const auto small = wf::astar(g, wf::search_limits{.max_open = 8});
    CHECK(small.bound <= expected);
    if (small.status == wf::search_status::proven) CHECK(small.value == expected);
  }
}

TEST_CASE("a caller may stop at any time") {
  std::mt19937 random(95);
  grid g = random_grid(random);
  const auto stopped = wf::astar(g, wf::search_limits{.progress_interval = 1},
                                 [](const wf::search_progress& p) { return p.nodes < 2; });
  CHECK((stopped.status == wf::search_status::stopped_by_caller || stopped.found ||
         stopped.status == wf::search_status::infeasible));
}
