// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <wf/map/schedule/from_graph.hpp>

#include "task_graphs.hpp"

// Random workflows whose nodes state their costs in metrics defined by the tests.
namespace wf_test {

inline constexpr wf::metric<"ticks", "tick"> ticks;
inline constexpr wf::metric<"slots", "slot"> slots;

// A workflow of sums and rectifiers of vectors; about a third of the nodes take no time.
inline wf::graph random_ticks(task_dice& dice, std::uint32_t nodes) {
  wf::graph g("random");
  std::vector<wf::value_id> values;
  std::vector<std::int64_t> sizes;
  const std::int64_t size = 8;
  const wf::value_type type{wf::dtype::f64, {}, wf::shape::of(size)};
  values.push_back(g.add_input("x", type));
  std::vector<wf::node_id> ids;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const auto any = [&] {
      return values[static_cast<std::size_t>(
          dice(0, static_cast<std::int64_t>(values.size()) - 1))];
    };
    const bool one = dice(0, 2) == 0;
    const wf::value_id operands[] = {any(), any()};
    const std::string price = std::to_string(dice(0, 2) == 0 ? 0 : dice(1, 7));
    const std::string demand = std::to_string(dice(0, 3));
    const std::string name = "n" + std::to_string(i);
    const wf::cost_formula costs[] = {{"ticks", {price.data(), price.size()}},
                                      {"slots", {demand.data(), demand.size()}}};
    ids.push_back(g.add_node({.op = one ? "relu" : "add",
                              .domain = "nn",
                              .name = {name.data(), name.size()},
                              .costs = costs},
                             {operands, one ? 1u : 2u}, {&type, 1}));
    values.push_back(wf::graph_view::output_of(g[ids.back()]));
  }
  for (std::uint32_t i = 0; i < nodes; ++i)
    for (std::uint32_t k = i + 1; k < nodes; ++k)
      if (dice(0, 9) == 0) g.add_edge(wf::edge_kind::control, ids[i], ids[k]);
  g.add_output("y", values.back());
  return g;
}

// True at [a][b] if there is a path from node a to node b over edges of any kind.
inline std::vector<std::vector<bool>> reachable(const wf::graph_view& g) {
  const std::size_t n = g.nodes.size();
  std::vector<std::vector<bool>> out(n, std::vector<bool>(n));
  for (std::uint32_t b = 0; b < n; ++b) {
    std::vector<std::uint32_t> before;
    for (const wf::value_id v : g.inputs_of(g.nodes[b]))
      if (g[v].producer != wf::node_id::none) before.push_back(wf::index_of(g[v].producer));
    for (const wf::edge& e : g.edges)
      if (wf::index_of(e.to) == b) before.push_back(wf::index_of(e.from));
    for (const std::uint32_t a : before) {
      out[a][b] = true;
      for (std::size_t c = 0; c < n; ++c)
        if (out[c][a]) out[c][b] = true;
    }
  }
  return out;
}

// Random options for a workflow of `random_ticks`.
inline wf::task_options random_machine(task_dice& dice) {
  wf::task_options options;
  options.processors = static_cast<std::uint32_t>(dice(0, 3));
  options.rate = dice(1, 2);
  options.link = {dice(0, 1) * 40, dice(0, 2)};
  if (dice(0, 1) == 1) options.resources.push_back({slots, dice(3, 6)});
  return options;
}

}  // namespace wf_test
