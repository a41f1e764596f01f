// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include <wf/cost/peak.hpp>

// Random graphs with order-dependent peaks: values of different sizes, views, operators in place,
// nodes with several results, edges of all kinds; and their best orders by enumeration.
namespace schedules {

inline wf::graph random_graph(std::mt19937& random, std::size_t nodes, bool wide = false) {
  wf::graph g("random");
  const auto type = [&] {
    return wf::value_type{
        wf::dtype::f64, {}, wf::shape::of(1 + static_cast<std::int64_t>(random() % 4), 2)};
  };
  for (std::size_t i = 1 + random() % 2; i > 0; --i)
    g.add_input((wf::text("x") << i).view(), type());
  const auto pick = [&] {
    const std::size_t all = g.view().values.size();
    const std::size_t window = wide ? all : std::min<std::size_t>(all, 6);
    return static_cast<wf::value_id>(all - 1 - random() % window);
  };
  for (std::size_t i = 0; i < nodes; ++i) {
    const wf::value_id operands[] = {pick(), pick()};
    switch (random() % 8) {
      case 0: {  // a view
        wf::value_type t = g.view()[operands[0]].type;
        std::swap(t.shape.extents[0], t.shape.extents[1]);
        g.add_node({.op = "transpose"}, {operands, 1}, {&t, 1});
        break;
      }
      case 1:
      case 2: {  // in place if the operand is dead afterwards
        const wf::value_type t = g.view()[operands[0]].type;
        g.add_node({.op = "relu"}, {operands, 1}, {&t, 1});
        break;
      }
      case 3: {  // two results, in place
        const wf::value_type t[] = {g.view()[operands[0]].type, type()};
        g.add_node({.op = "lu"}, {operands, 1}, t);
        break;
      }
      case 4: {  // scratch memory: as large as the operand plus 8 bytes per row
        const wf::value_type t = type();
        g.add_node({.op = "solve"}, {operands, 2}, {&t, 1});
        if (random() % 2 == 0) g.add_cost("scratch", "24");
        break;
      }
      default: {
        const wf::value_type t = type();
        g.add_node({.op = "matmul"}, {operands, 2}, {&t, 1});
      }
    }
  }
  for (std::size_t i = random() % 3; i > 0 && nodes > 1; --i) {
    const std::size_t to = 1 + random() % (nodes - 1);
    const std::size_t from = random() % to;
    g.add_edge(random() % 2 == 0 ? wf::edge_kind::control : wf::edge_kind::mutate,
               static_cast<wf::node_id>(from), static_cast<wf::node_id>(to));
  }
  for (std::size_t i = 0; i < 1 + random() % 2; ++i)
    g.add_output((wf::text("y") << i).view(),
                 static_cast<wf::value_id>(random() % g.view().values.size()));
  return g;
}

// Calls `visit` with every topological order.
inline void for_each_order(const wf::graph_view& g,
                           const std::function<void(const wf::table<wf::node_id>&)>& visit) {
  const wf::adjacency a = wf::adjacency_of(g);
  std::vector<std::uint32_t> waiting;
  for (const wf::range& r : a.before) waiting.push_back(r.count);
  std::vector<bool> done(waiting.size());
  wf::table<wf::node_id> order;
  const std::function<void()> go = [&] {
    if (order.size() == waiting.size()) return visit(order);
    for (std::uint32_t i = 0; i < waiting.size(); ++i) {
      if (done[i] || waiting[i] != 0) continue;
      done[i] = true;
      order.push_back(static_cast<wf::node_id>(i));
      for (wf::node_id next : a.successors_of(static_cast<wf::node_id>(i)))
        --waiting[wf::index_of(next)];
      go();
      for (wf::node_id next : a.successors_of(static_cast<wf::node_id>(i)))
        ++waiting[wf::index_of(next)];
      order.pop_back();
      done[i] = false;
    }
  };
  go();
}

// The least peak over all topological orders.
inline std::int64_t least_peak(const wf::graph_view& g, const wf::registry& r,
                               const wf::metric_spec& m) {
  std::int64_t least = INT64_MAX;
  for_each_order(g, [&](const wf::table<wf::node_id>& order) {
    least = std::min(least, wf::liveness_along(g, m, r, {order.data(), order.size()})->peak);
  });
  return least;
}

inline bool is_topological(const wf::graph_view& g, const wf::table<wf::node_id>& order) {
  const wf::adjacency a = wf::adjacency_of(g);
  std::vector<std::size_t> place(g.nodes.size(), SIZE_MAX);
  for (std::size_t k = 0; k < order.size(); ++k) place[wf::index_of(order[k])] = k;
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    if (place[i] == SIZE_MAX) return false;
    for (wf::node_id before : a.predecessors_of(static_cast<wf::node_id>(i)))
      if (place[wf::index_of(before)] >= place[i]) return false;
  }
  return order.size() == g.nodes.size();
}

}  // namespace schedules
