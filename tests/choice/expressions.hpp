// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <random>
#include <vector>

#include <wf/capture/workflow.hpp>

// Workflows of matrices.
namespace expressions {

struct ingredients {
  int steps = 12;
  bool inverses = true;
  std::int64_t largest = 4;  // the largest extent
};

inline wf::result<wf::graph> random(std::uint64_t seed, ingredients of = {}) {
  std::mt19937_64 random(seed);
  const auto extent = [&] {
    return static_cast<std::int64_t>(1 + random() % static_cast<std::uint64_t>(of.largest));
  };
  return wf::capture("random", [&](wf::scope& s) {
    using any = wf::dynamic_handle<double>;
    std::vector<any> pool;
    std::vector<std::array<std::int64_t, 2>> shapes;
    const std::size_t inputs = 3 + random() % 3;
    for (std::size_t i = 0; i < inputs; ++i) {
      const auto r = extent();
      const auto c = random() % 2 == 0 ? r : extent();
      wf::properties known;
      if (r == c && random() % 2 == 0) known = wf::spd;
      pool.push_back(s.input<double>((wf::text() << "A" << i).view(), wf::shape::of(r, c), known));
      shapes.push_back({r, c});
    }
    for (int step = 0; step < of.steps; ++step) {
      const std::size_t a = random() % pool.size(), b = random() % pool.size();
      const auto kind = random() % 4;
      if (kind == 0 && of.inverses && shapes[a][0] == shapes[a][1] && a < inputs) {
        pool.push_back(s.let(inv(pool[a])));
        shapes.push_back(shapes[a]);
      } else if (kind == 1) {
        pool.push_back(s.let(trans(pool[a])));
        shapes.push_back({shapes[a][1], shapes[a][0]});
      } else if (kind == 2 && shapes[a] == shapes[b]) {
        pool.push_back(s.let(pool[a] + pool[b]));
        shapes.push_back(shapes[a]);
      } else if (shapes[a][1] == shapes[b][0]) {
        pool.push_back(s.let(matmul(pool[a], pool[b])));
        shapes.push_back({shapes[a][0], shapes[b][1]});
      }
    }
    s.output("last", pool.back());
    s.output("other", pool[random() % pool.size()]);
  });
}

// A0 A1 ... of sizes[0] x sizes[1], sizes[1] x sizes[2], ..., multiplied from left to right; a size
// of -1 is the symbol M.
inline wf::result<wf::graph> chain(const std::vector<std::int64_t>& sizes) {
  const auto shape = [&](std::size_t i) {
    const auto extent = [](std::int64_t size) {
      return size < 0 ? wf::extent("M") : wf::extent(size);
    };
    return wf::shape::of(extent(sizes[i]), extent(sizes[i + 1]));
  };
  return wf::capture("chain", [&](wf::scope& s) {
    wf::dynamic_handle<double> x = s.input<double>("A0", shape(0));
    for (std::size_t i = 1; i + 1 < sizes.size(); ++i)
      x = s.let(matmul(x, s.input<double>((wf::text() << "A" << i).view(), shape(i))));
    s.output("Y", x);
  });
}

template <class Random>
std::vector<std::int64_t> random_sizes(Random& random, std::size_t count, std::uint32_t largest) {
  std::vector<std::int64_t> sizes(count);
  for (auto& s : sizes) s = 1 + static_cast<std::int64_t>(random() % largest);
  return sizes;
}

// The inverse B of a matrix A, as a node.
inline wf::graph inverse_of(wf::properties known) {
  const wf::value_type square{wf::dtype::f64, {}, wf::shape::of(3, 3)};
  wf::graph g("inverse");
  const wf::value_id a = g.add_input("A", {wf::dtype::f64, known, wf::shape::of(3, 3)});
  const wf::node_id n =
      g.add_node({.op = "inverse", .domain = "linalg", .name = "B"}, {&a, 1}, {&square, 1});
  g.add_output("B", wf::graph_view::output_of(g[n]));
  return g;
}

// (C D + B) V with thin C and D: cheapest as C (D V) + B V, which needs two rules.
inline wf::result<wf::graph> together() {
  return wf::capture("together", [](wf::scope& s) {
    auto c = s.input<"C", double, 30, 1>();
    auto d = s.input<"D", double, 1, 30>();
    auto b = s.input<"B", double, 30, 30>();
    auto v = s.input<"V", double, 30, 1>();
    s.output<"y">((c * d + b) * v);
  });
}

// The gain of a Kalman filter.
inline constexpr auto kalman = wf::workflow<"kalman">([](wf::scope& s) {
  auto P = s.input<"P", double, 6, 6>(wf::spd);
  auto H = s.input<"H", double, 3, 6>();
  auto R = s.input<"R", double, 3, 3>(wf::spd);
  auto S = s.let<"S">(H * P * trans(H) + R);
  s.output<"K">(P * trans(H) * inv(S));
});

}  // namespace expressions
