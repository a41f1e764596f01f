// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <cpu_time.hpp>
#include <logic/engine.hpp>

namespace logic_benchmark {

/// Edges of a graph, in order and without repetitions, after `make_simple`.
struct generated_graph {
  const char* name;
  std::vector<std::pair<int, int>> edges;

  void make_simple() {
    std::ranges::sort(edges);
    edges.erase(std::ranges::unique(edges).begin(), edges.end());
  }
  /// The edges as a relation.
  wf::logic::relation relation() const {
    wf::logic::relation out(2, false);
    for (const auto& [from, to] : edges) {
      const wf::logic::position at[] = {from, to};
      out.append(at);
    }
    return out;
  }
};

/// Graphs whose nodes have about equally many edges, numbers of edges by a power law, and one node
/// with all edges.
inline std::vector<generated_graph> graphs_with_hubs() {
  constexpr int nodes = 20'000, edges = 200'000;
  constexpr std::uint64_t seed = 1;
  std::vector<generated_graph> out(3);
  std::mt19937_64 random(seed);
  const auto node = [&](double power) {
    const double part = static_cast<double>(random() >> 11) * 0x1p-53;
    return static_cast<int>(nodes * std::pow(part, power));
  };
  out[0].name = "even";
  out[1].name = "power_law";
  for (int i = 0; i < edges; ++i)
    for (const std::size_t kind : {0U, 1U}) {
      const int from = node(kind == 0 ? 1 : 4);
      out[kind].edges.push_back({from, node(kind == 0 ? 1 : 4)});
    }
  out[2].name = "star";
  for (int i = 0; i < nodes / 2; ++i) out[2].edges.insert(out[2].edges.end(), {{0, i}, {i, 0}});
  for (generated_graph& g : out) g.make_simple();
  return out;
}

/// Counts the triangles of graphs by nested loops, variable by variable, and as wf chooses. Prints
/// a line for each graph; the exit code.
inline int run_joins(int rounds) {
  const program_source source{"triangles += edge(x,y) edge(y,z) edge(z,x)", {"edge"}};
  const auto program = compiled(source);
  if (!program) return 1;
  bool same = true;
  for (const generated_graph& g : graphs_with_hubs()) {
    wf::logic::database inputs;
    inputs.add("edge", g.relation());
    double found[3] = {};
    std::vector<double> times[3];
    bool by_variables = false;
    for (int round = 0; round < rounds; ++round)
      for (const std::size_t method : {0U, 1U, 2U}) {
        wf::logic::evaluation_options options;
        options.joins = static_cast<wf::logic::join_method>(method);
        times[method].push_back(milliseconds(1, [&] {
          auto solved = wf::logic::evaluate(*program, inputs, options);
          found[method] = solved ? solved->tensors[0].entries().values[0] : -1;
          if (options.joins == wf::logic::join_method::cheapest)
            by_variables = solved && solved->strata[0].by_variables != 0;
        }));
      }
    same = same && found[0] == found[1] && found[0] == found[2] && found[0] >= 0;
    const auto median = [&](wf::logic::join_method method) {
      return wf_benchmark::median(times[static_cast<std::size_t>(method)]);
    };
    const double nested = median(wf::logic::join_method::nested);
    const double other = median(wf::logic::join_method::by_variables);
    const double chosen = median(wf::logic::join_method::cheapest);
    std::printf(
        "RESULT suite=logic set=joins graph=%s edges=%zu triangles=%.0f nested_ms=%.1f "
        "by_variables_ms=%.1f chosen_ms=%.1f chosen=%s ratio_nested=%.2f\n",
        g.name, g.edges.size(), found[0], nested, other, chosen,
        by_variables ? "by_variables" : "nested", nested / chosen);
  }
  if (!same) std::printf("wrong: the numbers of triangles differ\n");
  return same ? 0 : 1;
}

}  // namespace logic_benchmark
