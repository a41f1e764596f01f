// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/order/peak_model.hpp>

namespace wf {

namespace detail {

/// Minimum cut by Dinic's algorithm. Source: Dinic, Algorithm for solution of a problem of maximum
/// flow in networks with power estimation, 1970.
class minimum_cut {
 public:
  static constexpr std::int64_t infinite = INT64_MAX / 2;

  constexpr explicit minimum_cut(std::uint32_t nodes) : first_(nodes, none), level_(nodes) {}

  constexpr void add_edge(std::uint32_t from, std::uint32_t to, std::int64_t capacity) {
    edges_.push_back({to, first_[from], capacity});
    first_[from] = static_cast<std::uint32_t>(edges_.size() - 1);
    edges_.push_back({from, first_[to], 0});
    first_[to] = static_cast<std::uint32_t>(edges_.size() - 1);
  }
  /// The capacity of the minimum cut; stops early once the flow is at least `enough`.
  constexpr std::int64_t run(std::uint32_t source, std::uint32_t sink, std::int64_t enough) {
    std::int64_t flow = 0;
    while (flow < enough && layer(source, sink)) {
      current_ = first_;
      while (flow < enough) {
        const std::int64_t pushed = push(source, sink);
        if (pushed == 0) break;
        flow = saturating_add(flow, pushed);
      }
    }
    return flow;
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct arc {
    std::uint32_t to = 0;
    std::uint32_t next = none;
    std::int64_t capacity = 0;
  };

  constexpr bool layer(std::uint32_t source, std::uint32_t sink) {
    for (std::uint32_t& l : level_) l = none;
    level_[source] = 0;
    table<std::uint32_t> queue{source};
    for (std::size_t at = 0; at < queue.size() && level_[sink] == none; ++at)
      for (std::uint32_t e = first_[queue[at]]; e != none; e = edges_[e].next) {
        if (edges_[e].capacity == 0 || level_[edges_[e].to] != none) continue;
        level_[edges_[e].to] = level_[queue[at]] + 1;
        queue.push_back(edges_[e].to);
      }
    return level_[sink] != none;
  }

  // One augmenting path through the level graph, without recursion.
  constexpr std::int64_t push(std::uint32_t source, std::uint32_t sink) {
    table<std::uint32_t> path;
    std::uint32_t at = source;
    while (at != sink) {
      std::uint32_t& e = current_[at];
      while (e != none && (edges_[e].capacity == 0 || level_[edges_[e].to] != level_[at] + 1))
        e = edges_[e].next;
      if (e != none) {
        path.push_back(e);
        at = edges_[e].to;
        continue;
      }
      if (path.empty()) return 0;
      at = edges_[path.back() ^ 1].to;  // a dead end: back, and on to the next edge
      current_[at] = edges_[path.back()].next;
      path.pop_back();
    }
    std::int64_t least = infinite;
    for (const std::uint32_t e : path)
      if (edges_[e].capacity < least) least = edges_[e].capacity;
    for (const std::uint32_t e : path) {
      edges_[e].capacity -= least;
      edges_[e ^ 1].capacity += least;
    }
    return least;
  }

  table<arc> edges_;
  table<std::uint32_t> first_, current_, level_;
};

/// Lower bounds on the peak of every order. When a node runs, its ancestors are done and its
/// descendants are not: the least amount alive over all sets of done nodes that are possible then
/// bounds the peak.
class peak_bounds {
 public:
  /// `order` is topological. O(nodes² / 64 · edges per node).
  constexpr peak_bounds(const peak_model& m, view<node_id> order)
      : model_(m),
        nodes_(static_cast<std::uint32_t>(m.steps.size())),
        words_((m.steps.size() + 63) / 64),
        ancestors_(m.steps.size() * words_) {
    for (node_id id : order)
      for (node_id before : m.edges.predecessors_of(id)) {
        for (std::size_t w = 0; w < words_; ++w)
          ancestors_[index_of(id) * words_ + w] |= ancestors_[index_of(before) * words_ + w];
        set(index_of(id), index_of(before));
      }
  }

  /// The amount certainly alive while node `i` runs: inputs and values of its ancestors that it or
  /// its descendants still touch, and its own results. O(touches of all nodes).
  constexpr std::int64_t working_set(std::uint32_t i) const {
    std::int64_t amount = own(i);
    for (const peak_model::home& h : model_.homes)
      if (h.amount != 0 && is_before(h.born, i) && (h.pinned || is_needed_from(h, i)))
        amount += h.amount;
    return amount;
  }

  /// The least amount alive while node `i` runs, over every possible set of done nodes: a minimum
  /// cut, since these sets are closed under predecessors, and a home is paid if its birth lies on
  /// one side and a later touch on the other. At least `working_set`; stops once it is at least
  /// `enough`. O(nodes² · edges) in the worst case, near linear in practice.
  constexpr std::int64_t cut(std::uint32_t i, std::int64_t enough) const {
    const std::uint32_t source = nodes_, sink = nodes_ + 1;
    std::int64_t amount = own(i);
    minimum_cut network(nodes_ + 2 + static_cast<std::uint32_t>(model_.homes.size()));
    const auto side = [&](std::uint32_t k) {
      return is_before(static_cast<node_id>(k), i) ? source
             : k == i || is_ancestor(i, k)         ? sink
                                                   : k;
    };
    for (std::uint32_t k = 0; k < nodes_; ++k)
      for (node_id before : model_.edges.predecessors_of(static_cast<node_id>(k)))
        if (side(k) != sink && side(index_of(before)) != source)
          network.add_edge(side(k), side(index_of(before)), minimum_cut::infinite);
    for (std::uint32_t n = 0; n < model_.homes.size(); ++n) {
      const peak_model::home& h = model_.homes[n];
      const std::uint32_t birth = h.born == node_id::none ? source : side(index_of(h.born));
      if (h.amount == 0 || birth == sink) continue;
      if (h.pinned) {
        if (birth == source)
          amount += h.amount;
        else
          network.add_edge(birth, sink, h.amount);
        continue;
      }
      const std::uint32_t gate = nodes_ + 2 + n;
      network.add_edge(birth, gate, h.amount);
      for (std::uint32_t k = 0; k < h.touched_by.count; ++k) {
        const std::uint32_t to = side(model_.touchers[h.touched_by.first + k]);
        if (to != source && to != birth) network.add_edge(gate, to, minimum_cut::infinite);
      }
    }
    return amount + network.run(source, sink, enough - amount);
  }

 private:
  constexpr void set(std::uint32_t i, std::uint32_t ancestor) {
    ancestors_[i * words_ + ancestor / 64] |= std::uint64_t{1} << (ancestor % 64);
  }
  /// True if `a` is an ancestor of `i`.
  constexpr bool is_ancestor(std::uint32_t a, std::uint32_t i) const {
    return (ancestors_[i * words_ + a / 64] >> (a % 64) & 1) != 0;
  }
  constexpr bool is_before(node_id born, std::uint32_t i) const {
    return born == node_id::none || is_ancestor(index_of(born), i);
  }
  constexpr bool is_needed_from(const peak_model::home& h, std::uint32_t i) const {
    for (std::uint32_t k = 0; k < h.touched_by.count; ++k) {
      const std::uint32_t by = model_.touchers[h.touched_by.first + k];
      if (by == i || is_ancestor(i, by)) return true;
    }
    return false;
  }

  // A lower bound on what a node adds while it runs: its results and scratch memory, less the
  // storage that results may take over from operands that no descendant touches.
  constexpr std::int64_t own(std::uint32_t i) const {
    const peak_model::step& s = model_.steps[i];
    std::int64_t amount = s.scratch;
    for (std::uint32_t k = 0; k < s.makes.count; ++k)
      amount += model_.homes[model_.made[s.makes.first + k]].amount;
    return amount - model_.taken_over(s, [&](std::uint32_t number) {
      const peak_model::home& h = model_.homes[number];
      bool free = !h.pinned;
      for (std::uint32_t t = 0; t < h.touched_by.count && free; ++t)
        free = !is_ancestor(i, model_.touchers[h.touched_by.first + t]);
      return free;
    });
  }

  const peak_model& model_;
  std::uint32_t nodes_;
  std::size_t words_;
  table<std::uint64_t> ancestors_;
};

}  // namespace detail

}  // namespace wf
