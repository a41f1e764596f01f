// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <wf/search/control.hpp>

namespace wf_test {

/// Shortest paths on a grid with costs; moves right, left, up, down.
struct grid {
  struct state {
    std::int32_t x = 0, y = 0;
    std::int64_t cost = 0;
  };
  int width = 0, height = 0;
  std::vector<int> entry;  // cost of entering a cell; 0: wall

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

/// Records the order of expansions.
struct traced_grid : grid {
  std::vector<int> cells;
  template <class Emit>
  void expand(const state& s, Emit&& emit) {
    cells.push_back(10 * s.y + s.x);
    grid::expand(s, emit);
  }
};

inline grid random_grid(std::mt19937& random) {
  grid g;
  g.width = 2 + static_cast<int>(random() % 9);
  g.height = 2 + static_cast<int>(random() % 9);
  for (int i = 0; i < g.width * g.height; ++i)
    g.entry.push_back(random() % 4 == 0 ? 0 : 1 + static_cast<int>(random() % 5));
  g.entry.back() = 1;
  return g;
}

/// Bellman-Ford: repeated relaxation of every cell.
inline std::int64_t shortest(const grid& g) {
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

/// Shortest paths in a network of towns, with arbitrary estimates of the remaining distance.
struct road_map {
  static constexpr std::size_t most = 12;
  struct state {
    std::uint32_t town = 0;
    std::int64_t cost = 0;
  };
  std::size_t towns = 0;
  std::int64_t road[most][most]{};  // -1: none
  std::int64_t estimate[most]{};
  std::uint32_t goals = 0;

  constexpr state root() const { return {}; }
  constexpr std::int64_t g(const state& s) const { return s.cost; }
  constexpr std::int64_t h(const state& s) const { return estimate[s.town]; }
  constexpr bool goal(const state& s) const { return ((goals >> s.town) & 1) != 0; }
  constexpr std::uint64_t hash(const state& s) const { return s.town; }
  constexpr bool same(const state& a, const state& b) const { return a.town == b.town; }
  template <class Emit>
  constexpr void expand(const state& s, Emit&& emit) const {
    for (std::uint32_t to = 0; to < towns; ++to)
      if (road[s.town][to] >= 0) emit(state{to, s.cost + road[s.town][to]});
  }
};

/// Counts repeated visits.
struct watched_map : road_map {
  std::uint32_t visited = 0;
  int again = 0;

  template <class Emit>
  void expand(const state& s, Emit&& emit) {
    again += (visited >> s.town) & 1;
    visited |= 1U << s.town;
    road_map::expand(s, emit);
  }
};

/// The distance from every town to the goal, by repeated relaxation.
inline std::vector<std::int64_t> distances(const road_map& m) {
  std::vector<std::int64_t> left(m.towns, wf::unbounded);
  for (std::size_t t = 0; t < m.towns; ++t)
    if (m.goal({static_cast<std::uint32_t>(t), 0})) left[t] = 0;
  for (std::size_t round = 0; round < m.towns; ++round)
    for (std::size_t a = 0; a < m.towns; ++a)
      for (std::size_t b = 0; b < m.towns; ++b)
        if (m.road[a][b] >= 0 && left[b] != wf::unbounded)
          left[a] = std::min(left[a], m.road[a][b] + left[b]);
  return left;
}

/// Admissible estimates, arbitrary parts of the distances, which are seldom consistent.
inline road_map random_roads(std::mt19937& random) {
  road_map m;
  m.towns = 2 + random() % (road_map::most - 1);
  const auto density = 15 + random() % 50;
  for (std::size_t a = 0; a < m.towns; ++a)
    for (std::size_t b = 0; b < m.towns; ++b)
      m.road[a][b] = random() % 100 < density ? static_cast<std::int64_t>(random() % 30) : -1;
  for (std::uint32_t count = 1 + random() % 2; count-- > 0;)
    m.goals |= 1U << (random() % 16 == 0 ? 0 : 1 + random() % (m.towns - 1));
  const std::vector<std::int64_t> left = distances(m);
  for (std::size_t t = 0; t < m.towns; ++t) {
    const bool none = left[t] == wf::unbounded;
    m.estimate[t] = none ? (random() % 2 == 0 ? wf::unbounded : 7)
                         : left[t] * static_cast<std::int64_t>(random() % 4) / 3;
  }
  return m;
}

}  // namespace wf_test
