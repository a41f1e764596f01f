// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/heap.hpp>
#include <wf/ir/graph/copy.hpp>
#include <wf/map/schedule/from_graph.hpp>

namespace wf {

/// The topological order of a workflow's nodes in which its tasks come by their starts (ties by
/// node), and every other node as soon as what it reads is there. `s` is a schedule of the workflow
/// itself. Errors: those of `validate`; `invalid_problem` if the schedule is not one of this
/// workflow, or a task starts before what it waits for. O((nodes + edges) log nodes).
constexpr result<table<node_id>> order_of(const graph_view& workflow, const workflow_schedule& s) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  const auto foreign = [&] {
    return make_error(errc::invalid_problem, g.text_of(g.name),
                      "the schedule is not one of this workflow");
  };
  if (s.tasks.nodes.size() != s.times.tasks.size()) return foreign();
  table<std::int64_t> start(g.nodes.size(), std::int64_t{-1});  // -1: no task
  for (std::uint32_t t = 0; t < s.tasks.nodes.size(); ++t) {
    const std::uint32_t at = index_of(s.tasks.nodes[t]);
    if (at >= start.size() || s.times.tasks[t].start < 0) return foreign();
    start[at] = s.times.tasks[t].start;
  }
  struct entry {
    std::int64_t start = 0;
    std::uint32_t node = 0;
  };
  struct sooner {
    constexpr bool operator()(const entry& a, const entry& b) const {
      return a.start != b.start ? a.start < b.start : a.node < b.node;
    }
  };
  const adjacency edges = adjacency_of(g);
  table<std::uint32_t> waits(g.nodes.size());
  binary_heap<entry, sooner> ready;
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i)
    if ((waits[i] = edges.before[i].count) == 0) ready.push({start[i], i});
  table<node_id> order;
  for (std::int64_t now = -1; !ready.empty();) {
    const entry next = ready.pop();
    if (next.start >= 0 && next.start < now)
      return make_error(errc::invalid_problem, g.label(static_cast<node_id>(next.node)).view(),
                        "it starts before what it waits for");
    now = next.start >= 0 ? next.start : now;
    order.push_back(static_cast<node_id>(next.node));
    for (const node_id after : edges.successors_of(order.back()))
      if (--waits[index_of(after)] == 0) ready.push({start[index_of(after)], index_of(after)});
  }
  return order;
}

/// The same workflow with its nodes numbered in a topological order: that of capture for peaks,
/// text forms and executors, which run the nodes of a graph in the order of their numbers. So
/// `reordered(g, order_of(g, schedule))` is executed as scheduled. Errors: those of `validate`;
/// `malformed_graph` if the order is not topological. O(size of the graph).
constexpr result<graph> reordered(const graph_view& workflow, view<node_id> order) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  if (error e = detail::check_order(*valid, order); e.code != errc::none) return e;
  return detail::copy_nodes(*valid, order);
}

}  // namespace wf
