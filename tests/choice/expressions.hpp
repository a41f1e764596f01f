// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <random>
#include <vector>

#include <wf/capture/workflow.hpp>

// Random workflows of matrices.
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
    using any = wf::any<double>;
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

// A0 A1 ... of sizes[0] x sizes[1], sizes[1] x sizes[2], ..., multiplied from left to right.
inline wf::result<wf::graph> chain(const std::vector<std::int64_t>& sizes) {
  return wf::capture("chain", [&](wf::scope& s) {
    wf::any<double> x = s.input<double>("A0", wf::shape::of(sizes[0], sizes[1]));
    for (std::size_t i = 1; i + 1 < sizes.size(); ++i)
      x = s.let(matmul(x, s.input<double>((wf::text() << "A" << i).view(),
                                          wf::shape::of(sizes[i], sizes[i + 1]))));
    s.output("Y", x);
  });
}

}  // namespace expressions
