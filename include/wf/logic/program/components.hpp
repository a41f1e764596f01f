// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/table.hpp>

namespace wf::logic::detail {

/// Components of a graph of mutual reachability, those that others depend on first. Source: Tarjan
/// 1972, with an explicit stack.
class component_search {
 public:
  /// `targets` has the targets of node n in the run `edges[n]`.
  constexpr component_search(view<range> edges, view<std::uint32_t> targets)
      : edges_(edges), targets_(targets), low_(edges.size(), 0), number_(edges.size(), 0) {
    component.resize(edges.size());
    for (std::uint32_t& c : component) c = none;
    for (std::uint32_t n = 0; n < edges.size(); ++n)
      if (number_[n] == 0) visit(n);
  }

  static constexpr std::uint32_t none = UINT32_MAX;
  table<std::uint32_t> component;  ///< by node
  std::uint32_t count = 0;         ///< number of components

 private:
  struct frame {
    std::uint32_t node = 0, next = 0;
  };
  constexpr void enter(std::uint32_t n) {
    number_[n] = low_[n] = ++visited_;
    open_.push_back(n);
    frames_.push_back({n, 0});
  }
  constexpr void visit(std::uint32_t root) {
    enter(root);
    while (!frames_.empty()) {
      frame& f = frames_.back();
      const std::uint32_t n = f.node;
      if (f.next < edges_[n].count) {
        const std::uint32_t to = targets_[edges_[n].first + f.next++];
        if (number_[to] == 0)
          enter(to);
        else if (component[to] == none && number_[to] < low_[n])
          low_[n] = number_[to];
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty() && low_[n] < low_[frames_.back().node])
        low_[frames_.back().node] = low_[n];
      if (low_[n] != number_[n]) continue;
      for (std::uint32_t member = none; member != n;) {
        member = open_.back();
        open_.pop_back();
        component[member] = count;
      }
      ++count;
    }
  }

  view<range> edges_;
  view<std::uint32_t> targets_;
  table<std::uint32_t> low_, number_;
  table<std::uint32_t> open_;
  table<frame> frames_;
  std::uint32_t visited_ = 0;
};

}  // namespace wf::logic::detail
