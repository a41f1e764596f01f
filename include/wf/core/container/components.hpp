// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf::detail {

/// Finds the strongly connected components of the nodes reachable from the entered ones, each after
/// those it leads to: Tarjan's algorithm (1972) without recursion. O(nodes + edges).
///
/// `Next` walks the edges of a node: `next(node, cursor)` returns the target of the next edge and
/// moves the cursor, or returns `none` at the end; a fresh cursor is `Cursor{}`. `close(members)`
/// is called with each component.
template <class Cursor, class Next, class Close>
class component_finder {
 public:
  /// The null node: `next` returns it after the last edge.
  static constexpr std::uint32_t none = UINT32_MAX;

  constexpr component_finder(std::uint32_t nodes, Next next, Close close)
      : next_(next), close_(close), index_(nodes), low_(nodes), closed_(nodes) {}

  /// Closes all components reachable from a node that are not closed yet.
  constexpr void enter(std::uint32_t root) {
    if (index_[root] != 0) return;
    push(root);
    std::uint32_t *const index = index_.data(), *const low = low_.data();
    while (!path_.empty()) {
      frame& f = path_.back();
      const std::uint32_t k = f.node;
      const std::uint32_t target = next_(k, f.cursor);
      if (target == none) {
        path_.pop_back();
        if (low[k] == index[k]) pop(k);
        if (!path_.empty() && low[k] < low[path_.back().node]) low[path_.back().node] = low[k];
      } else if (index[target] == 0) {
        push(target);
      } else if (index[target] < low[k] && !closed_[target]) {
        low[k] = index[target];
      }
    }
  }

 private:
  struct frame {
    std::uint32_t node = 0;
    Cursor cursor{};
  };

  constexpr void push(std::uint32_t k) {
    index_[k] = low_[k] = ++clock_;
    open_.push_back(k);
    path_.push_back({k, Cursor{}});
  }

  constexpr void pop(std::uint32_t k) {
    members_.clear();
    do {
      members_.push_back(open_.back());
      closed_[open_.back()] = 1;
      open_.pop_back();
    } while (members_.back() != k);
    close_(static_cast<const table<std::uint32_t>&>(members_));
  }

  Next next_;
  Close close_;
  table<std::uint32_t> index_, low_, open_, members_;
  table<std::uint8_t> closed_;
  table<frame> path_;
  std::uint32_t clock_ = 0;
};

/// Makes a finder with a cursor of type `Cursor` for `nodes` nodes; see `component_finder`.
template <class Cursor, class Next, class Close>
constexpr component_finder<Cursor, Next, Close> find_components(std::uint32_t nodes, Next next,
                                                                Close close) {
  return {nodes, next, close};
}

}  // namespace wf::detail
