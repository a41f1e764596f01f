// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <cpu_time.hpp>
#include <logic/engine.hpp>
#include <logic/joins_set.hpp>

namespace logic_benchmark {

/// A graph with so many nodes, of which some may have no edges.
struct shaped_graph : generated_graph {
  int nodes;
};

/// Graphs in which little can be reached, and such in which much can: pairs of nodes, trees, and
/// random ones with half, one and one and a half times as many edges as nodes.
inline std::vector<shaped_graph> shaped_graphs() {
  std::vector<shaped_graph> out;
  constexpr std::uint64_t seed = 1;
  std::mt19937_64 random(seed);
  const auto node = [&](int nodes) {
    return static_cast<int>(random() % static_cast<unsigned>(nodes));
  };
  for (const int nodes : {200, 2'000, 8'000}) {
    out.push_back({{"pairs", {}}, nodes});
    for (int n = 0; n + 1 < nodes; n += 2) out.back().edges.push_back({n, n + 1});
    out.push_back({{"tree", {}}, nodes});
    for (int n = 1; n < nodes; ++n) out.back().edges.push_back({(n - 1) / 2, n});
    for (const auto& [name, edges] : {std::pair{"sparse", nodes / 2}, std::pair{"even", nodes},
                                      std::pair{"connected", nodes * 3 / 2}}) {
      out.push_back({{name, {}}, nodes});
      for (int i = 0; i < edges; ++i) out.back().edges.push_back({node(nodes), node(nodes)});
    }
  }
  for (shaped_graph& g : out) g.make_simple();
  return out;
}

/// The recursions of the set over the relation E.
struct shaped_program {
  const char* name;
  const char* text;
};
inline constexpr shaped_program shaped_programs[] = {
    {"closure", "P(x,z) = E(x,z)\nP(x,z) = P(x,y) E(y,z)\n"},
    {"distances", "P[x,z] min= 1 E(x,z)\nP[x,z] min= P[x,y] + 1 E(y,z)\n"},
    {"generations", "P(x,y) = E(a,x) E(a,y)\nP(x,y) = E(a,x) P(a,b) E(b,y)\n"}};

/// Evaluates each recursion over each graph by rounds, by rows, and as wf chooses. Prints a line
/// for each, and for all; the exit code.
inline int run_methods(int rounds) {
  using wf::logic::recursion_method;
  bool same = true;
  double most = 0, logarithms = 0, gained = 0;
  int count = 0;
  for (const shaped_program& p : shaped_programs) {
    const auto program = compiled({p.text, {"E"}});
    if (!program) return 1;
    for (const shaped_graph& g : shaped_graphs()) {
      wf::logic::database inputs;
      inputs.add("E", g.relation());
      std::vector<double> times[3];
      std::size_t facts[3] = {};
      std::string method;
      for (int round = 0; round < rounds; ++round)
        for (const recursion_method m :
             {recursion_method::cheapest, recursion_method::rounds, recursion_method::rows}) {
          const auto i = static_cast<std::size_t>(m);
          wf::logic::evaluation_options options;
          options.recursions = m;
          times[i].push_back(milliseconds(1, [&] {
            const auto solved = wf::logic::evaluate(*program, inputs, options);
            if (!solved) return;
            facts[i] = solved->tensors[0].size();
            if (m == recursion_method::cheapest)
              method = std::string(wf::logic::to_text(solved->strata[0].method));
          }));
        }
      same = same && facts[0] == facts[1] && facts[0] == facts[2] && facts[0] != 0;
      std::ranges::replace(method, ' ', '_');
      const double chosen = wf_benchmark::median(times[0]),
                   by_rounds = wf_benchmark::median(times[1]),
                   by_rows = wf_benchmark::median(times[2]);
      const double regret = chosen / std::min(by_rounds, by_rows);
      most = std::max(most, regret);
      logarithms += std::log(regret);
      gained += std::log(by_rounds / chosen);
      ++count;
      std::printf(
          "RESULT suite=logic set=methods program=%s graph=%s nodes=%d edges=%zu facts=%zu "
          "rounds_ms=%.3f rows_ms=%.3f chosen_ms=%.3f chosen=%s ratio_best=%.2f\n",
          p.name, g.name, g.nodes, g.edges.size(), facts[0], by_rounds, by_rows, chosen,
          method.c_str(), regret);
      std::fflush(stdout);
    }
  }
  if (!same) std::printf("wrong: the numbers of facts differ\n");
  std::printf(
      "RESULT suite=logic set=methods what=means recursions=%d geomean_best=%.2f most_best=%.2f "
      "geomean_rounds=%.2f\n",
      count, std::exp(logarithms / count), most, std::exp(gained / count));
  return same ? 0 : 1;
}

}  // namespace logic_benchmark
