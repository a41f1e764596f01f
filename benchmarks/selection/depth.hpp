// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <wf/select/problem.hpp>

#include <selection/instance.hpp>

namespace selection_benchmark {

/// Lower bounds for the depth of selections, the number of nodes on the longest path.
struct depth_bounds {
  std::vector<std::int64_t> height;  ///< by class: the least height, itself included; 0 if it
                                     ///< cannot be finished
  std::vector<std::int64_t> above;   ///< by class: the fewest nodes above it on a path from a root
};

/// Computes both bounds by breadth-first search. O(size).
inline depth_bounds bound_depth(const wf::selection_problem& p) {
  depth_bounds out{std::vector<std::int64_t>(p.classes, 0),
                   std::vector<std::int64_t>(p.classes, -1)};
  std::vector<std::vector<std::uint32_t>> users(p.classes), of_class(p.classes);
  std::vector<std::size_t> missing(p.candidates.size());
  std::vector<std::uint32_t> found;  // classes in order of their heights
  const auto finish = [&](std::uint32_t n, std::int64_t height) {
    const std::uint32_t k = p.candidates[n].owner;
    if (out.height[k] != 0) return;
    out.height[k] = height;
    found.push_back(k);
  };
  for (std::uint32_t n = 0; n < p.candidates.size(); ++n) {
    of_class[p.candidates[n].owner].push_back(n);
    for (const std::uint32_t child : p.children_of(n)) users[child].push_back(n);
    missing[n] = p.children_of(n).size();
    if (missing[n] == 0) finish(n, 1);
  }
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const std::uint32_t n : users[found[i]])
      if (--missing[n] == 0) finish(n, out.height[found[i]] + 1);
  found.clear();
  const auto reach = [&](std::uint32_t k, std::int64_t above) {
    if (out.above[k] >= 0) return;
    out.above[k] = above;
    found.push_back(k);
  };
  for (const std::uint32_t root : p.roots) reach(root, 0);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const std::uint32_t n : of_class[found[i]])
      for (const std::uint32_t child : p.children_of(n)) reach(child, out.above[found[i]] + 1);
  return out;
}

/// The measure of the metric "depth": the number of nodes on a selection's longest path.
struct selection_depth {
  std::int64_t operator()(const wf::selection_problem& p, const wf::selection& s,
                          std::uint32_t) const {
    std::vector<std::int64_t> height(p.classes, 0);
    std::vector<std::pair<std::uint32_t, std::size_t>> path;  // a class, the index of its next
                                                              // child
    std::int64_t deepest = 0;
    for (const std::uint32_t root : p.roots) {
      if (height[root] == 0) path.emplace_back(root, 0);
      while (!path.empty()) {
        const std::uint32_t k = path.back().first;
        const wf::view<std::uint32_t> needs = p.children_of(s.chosen[k]);
        if (path.back().second < needs.size()) {
          const std::uint32_t child = needs[path.back().second++];
          if (height[child] == 0) path.emplace_back(child, 0);
          continue;
        }
        for (const std::uint32_t child : needs) height[k] = std::max(height[k], height[child]);
        ++height[k];
        path.pop_back();
      }
      deepest = std::max(deepest, height[root]);
    }
    return deepest;
  }
};

/// The same instance with up to two more metrics, both limited: "nodes", the number of chosen
/// candidates, a sum, and "depth", the number of nodes on the longest path, measured by
/// `selection_depth`; the depth of a candidate is a lower bound for every selection that contains
/// it. A negative limit omits its metric.
inline instance with_limits(const instance& from, std::int64_t nodes, std::int64_t depth) {
  const wf::selection_problem& p = from.problem;
  const depth_bounds least = bound_depth(p);
  instance out = from;
  wf::selection_problem& q = out.problem;
  q.metrics = {};
  q.candidates = {};
  q.children = {};
  q.costs = {};
  q.pair_costs = {};
  for (const wf::selection_metric& m : p.metrics) q.add_metric(m.name.view(), m.kind);
  if (nodes >= 0) q.add_limit(q.add_metric("nodes"), nodes);
  if (depth >= 0) q.add_limit(q.add_metric("depth", wf::aggregation::measured), depth);
  for (std::uint32_t n = 0; n < p.candidates.size(); ++n) {
    std::vector<std::int64_t> row;
    for (std::uint32_t m = 0; m < p.metrics.size(); ++m) row.push_back(p.cost(n, m));
    std::int64_t height = 1;
    for (const std::uint32_t child : p.children_of(n))
      height = std::max(height, least.height[child] + 1);
    if (nodes >= 0) row.push_back(1);
    if (depth >= 0)
      row.push_back(std::max<std::int64_t>(least.above[p.candidates[n].owner], 0) + height);
    q.add_candidate(p.candidates[n].owner, p.children_of(n), row);
  }
  for (std::size_t i = 0; i < p.pairs.size(); ++i)
    for (std::size_t m = 0; m < q.metrics.size(); ++m)
      q.pair_costs.push_back(m < p.metrics.size() ? p.pair_costs[i * p.metrics.size() + m]
                                                  : std::int64_t{0});
  return out;
}

}  // namespace selection_benchmark
