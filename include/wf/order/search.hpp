// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/hash_index.hpp>
#include <wf/core/container/heap.hpp>
#include <wf/order/peak_model.hpp>

namespace wf {

namespace detail {

// The peak of an order, and the number of positions that reach it.
struct order_value {
  std::int64_t peak = 0;
  std::uint32_t moments = 0;
  constexpr bool operator<(const order_value& other) const {
    return peak != other.peak ? peak < other.peak : moments < other.moments;
  }
};

constexpr order_value value_of(peak_state& s, const table<std::uint32_t>& order) {
  s.reset();
  order_value out{s.alive(), 0};
  for (const std::uint32_t i : order) {
    const std::int64_t now = s.during(i);
    if (now > out.peak) out = {now, 0};
    if (now == out.peak) ++out.moments;
    s.execute(i);
  }
  return out;
}

// Greedy list scheduling: of the ready nodes, the one that leaves least alive, then the one with
// the smallest amount while it runs.
constexpr table<std::uint32_t> greedy_order(const peak_model& m, peak_state& s) {
  const auto nodes = static_cast<std::uint32_t>(m.steps.size());
  table<std::uint32_t> order, ready;
  s.reset();
  for (std::uint32_t i = 0; i < nodes; ++i)
    if (s.is_ready(i)) ready.push_back(i);
  while (!ready.empty()) {
    std::size_t best = 0;
    std::int64_t least_after = 0, least_during = 0;
    for (std::size_t k = 0; k < ready.size(); ++k) {
      const std::int64_t during = s.during(ready[k]);
      s.execute(ready[k]);
      const std::int64_t after = s.alive();
      s.undo(ready[k]);
      const bool better = after != least_after     ? after < least_after
                          : during != least_during ? during < least_during
                                                   : ready[k] < ready[best];
      if (k != 0 && !better) continue;
      best = k;
      least_after = after;
      least_during = during;
    }
    const std::uint32_t chosen = ready[best];
    ready[best] = ready.back();
    ready.pop_back();
    order.push_back(chosen);
    s.execute(chosen);
    for (node_id next : m.edges.successors_of(static_cast<node_id>(chosen)))
      if (s.is_ready(index_of(next))) ready.push_back(index_of(next));
  }
  return order;
}

constexpr bool depends(const peak_model& m, std::uint32_t later, std::uint32_t earlier) {
  for (node_id before : m.edges.predecessors_of(static_cast<node_id>(later)))
    if (index_of(before) == earlier) return true;
  return false;
}

// Moves the node at `from` to `to` and shifts those between by one; false if an edge forbids it.
constexpr bool move_node(const peak_model& m, table<std::uint32_t>& order, std::size_t from,
                         std::size_t to) {
  const std::uint32_t moved = order[from];
  for (std::size_t k = from; k > to; --k)
    if (depends(m, moved, order[k - 1])) return false;
  for (std::size_t k = from; k < to; ++k)
    if (depends(m, order[k + 1], moved)) return false;
  for (std::size_t k = from; k > to; --k) order[k] = order[k - 1];
  for (std::size_t k = from; k < to; ++k) order[k] = order[k + 1];
  order[to] = moved;
  return true;
}

// Local search: moves nodes from a window around the first peak to the peak, as long as the peak
// falls or fewer positions reach it.
constexpr void improve_order(const peak_model& m, peak_state& s, table<std::uint32_t>& order,
                             std::int64_t bound) {
  constexpr std::size_t window = 32;
  order_value best = value_of(s, order);
  for (int round = 0; round < 200 && best.peak > bound; ++round) {
    s.reset();
    std::size_t at = 0;
    for (; at + 1 < order.size() && s.during(order[at]) < best.peak; ++at) s.execute(order[at]);
    bool better = false;
    const std::size_t last = at + window < order.size() ? at + window : order.size() - 1;
    for (std::size_t k = at > window ? at - window : 0; k <= last && !better; ++k) {
      table<std::uint32_t> tried = order;
      if (k == at || !move_node(m, tried, k, at)) continue;
      const order_value value = value_of(s, tried);
      if (!(value < best)) continue;
      best = value;
      order.swap(tried);
      better = true;
    }
    if (!better) return;
  }
}

/// Best-first search over the sets of done nodes, by the largest amount alive so far. Each set is
/// stored once, with the least peak that reaches it: a dynamic programme over the down-sets of the
/// graph, which ends when the full set is taken. Sets with a safe move are skipped.
///
/// A move is safe if it needs no more than the peak so far and leaves no more alive than before.
/// The amount alive after a set is a submodular function of the set, so the move never harms a
/// later one, and some best order begins with it. The same holds for a chain of moves, each a
/// successor of the one before, at its first point that leaves no more alive.
class order_search {
 public:
  constexpr order_search(const peak_model& m, std::int64_t incumbent, std::int64_t bound)
      : model_(m),
        state_(m),
        nodes_(static_cast<std::uint32_t>(m.steps.size())),
        words_((m.steps.size() + 63) / 64),
        incumbent_(incumbent),
        bound_(bound) {}

  /// Searches for an order better than the incumbent. False if `max_states` ended the search.
  constexpr bool run(std::uint32_t max_states) {
    index_ = {};
    push(none, bound_);
    while (!open_.empty()) {
      const entry top = open_.pop();
      const record current = records_[top.state];
      if (current.key != top.key) continue;  // reached with a smaller key since
      if (top.key > bound_) bound_ = top.key;
      if (current.count == nodes_) {
        found_ = top.state;
        return true;
      }
      if (records_.size() >= max_states) return false;
      restore(top.state);
      expand(top.state, current.key);
    }
    bound_ = incumbent_;
    return true;
  }

  /// A lower bound on the peak of every order.
  constexpr std::int64_t bound() const { return bound_; }
  /// True if it found an order better than the incumbent.
  constexpr bool found() const { return found_ != none; }
  /// Number of stored sets.
  constexpr std::uint32_t states() const { return static_cast<std::uint32_t>(records_.size()); }
  /// The order found; empty if there is none.
  constexpr table<std::uint32_t> order() const {
    table<std::uint32_t> reversed;
    for (std::uint32_t at = found_; at != none; at = records_[at].parent)
      for (std::uint32_t k = records_[at].moves.count; k > 0; --k)
        reversed.push_back(moves_[records_[at].moves.first + k - 1]);
    for (std::size_t i = 0, j = reversed.size(); i + 1 < j; ++i) {
      --j;
      const std::uint32_t kept = reversed[i];
      reversed[i] = reversed[j];
      reversed[j] = kept;
    }
    return reversed;
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  struct record {
    std::int64_t key = 0;         // the largest amount alive on the way, or the bound
    std::uint32_t parent = none;  // the preceding set
    std::uint32_t count = 0;      // number of done nodes
    range moves;                  // the nodes done since the parent
  };
  struct entry {
    std::int64_t key = 0;
    std::uint32_t count = 0;
    std::uint32_t state = 0;
    // The least peak first, then the most done nodes, then the newest set.
    constexpr bool operator<(const entry& other) const {
      return key != other.key       ? key < other.key
             : count != other.count ? count > other.count
                                    : state > other.state;
    }
  };

  constexpr void restore(std::uint32_t state) {
    path_.clear();
    for (std::uint32_t at = state; at != none; at = records_[at].parent) path_.push_back(at);
    state_.reset();
    for (std::size_t p = path_.size(); p-- > 0;)
      for (std::uint32_t k = 0; k < records_[path_[p]].moves.count; ++k)
        state_.execute(moves_[records_[path_[p]].moves.first + k]);
  }

  constexpr void expand(std::uint32_t parent, std::int64_t key) {
    for (std::uint32_t i = 0; i < nodes_; ++i) {
      if (!state_.is_ready(i)) continue;
      const std::int64_t during = state_.during(i);
      if (during >= incumbent_) continue;
      state_.execute(i);
      pending_.push_back(i);
      push(parent, during > key ? during : key);
      while (!pending_.empty()) {
        state_.undo(pending_.back());
        pending_.pop_back();
      }
    }
  }

  // Adds the set of the working state, extended by safe moves, unless it is known with no larger
  // key.
  constexpr void push(std::uint32_t parent, std::int64_t key) {
    while (safe_move(key)) {
    }
    const std::uint32_t count =
        (parent == none ? 0 : records_[parent].count) + static_cast<std::uint32_t>(pending_.size());
    const std::uint32_t state = find();
    if (state < records_.size() && records_[state].key <= key) return;
    const range moves{static_cast<std::uint32_t>(moves_.size()),
                      static_cast<std::uint32_t>(pending_.size())};
    for (const std::uint32_t i : pending_) moves_.push_back(i);
    if (state == records_.size()) {
      append_set();
      records_.push_back({});
    }
    records_[state] = {key, parent, count, moves};
    open_.push({key, count, state});
    if (parent == none) pending_.clear();
  }

  // Applies one safe move, or chain of moves, to the working state.
  constexpr bool safe_move(std::int64_t key) {
    for (std::uint32_t i = 0; i < nodes_; ++i) {
      if (!state_.is_ready(i)) continue;
      const std::int64_t before = state_.alive();
      const std::size_t mark = pending_.size();
      std::uint32_t next = i;
      while (next != none && state_.during(next) <= key) {
        state_.execute(next);
        pending_.push_back(next);
        if (state_.alive() <= before) return true;
        next = only_successor(next);
      }
      while (pending_.size() > mark) {
        state_.undo(pending_.back());
        pending_.pop_back();
      }
    }
    return false;
  }
  // The only node that became ready when `i` was done; none if there is none or more than one.
  constexpr std::uint32_t only_successor(std::uint32_t i) const {
    std::uint32_t found = none;
    for (node_id next : model_.edges.successors_of(static_cast<node_id>(i))) {
      if (!state_.is_ready(index_of(next))) continue;
      if (found != none) return none;
      found = index_of(next);
    }
    return found;
  }

  // The number of the working state's set, or the number of sets if it is new.
  constexpr std::uint32_t find() {
    set_ = table<std::uint64_t>(words_);
    for (std::uint32_t i = 0; i < nodes_; ++i)
      if (state_.is_done(i)) set_[i / 64] |= std::uint64_t{1} << (i % 64);
    const std::uint32_t known = index_.find(hash_of_set(), [&](std::uint32_t state) {
      bool same = true;
      for (std::size_t w = 0; w < words_ && same; ++w) same = sets_[state * words_ + w] == set_[w];
      return same;
    });
    return known != hash_index::none ? known : static_cast<std::uint32_t>(records_.size());
  }
  constexpr void append_set() {
    index_.insert(hash_of_set(), static_cast<std::uint32_t>(records_.size()));
    sets_.append(view<std::uint64_t>(set_));
  }
  constexpr std::uint64_t hash_of_set() const {
    std::uint64_t h = 0x9e3779b97f4a7c15;
    for (std::size_t w = 0; w < words_; ++w) {
      h = (h ^ set_[w]) * 0xff51afd7ed558ccd;
      h ^= h >> 32;
    }
    return h;
  }

  const peak_model& model_;
  peak_state state_;
  std::uint32_t nodes_;
  std::size_t words_;
  std::int64_t incumbent_;
  std::int64_t bound_;
  std::uint32_t found_ = none;
  table<record> records_;
  table<std::uint64_t> sets_, set_;
  hash_index index_;
  table<std::uint32_t> moves_, pending_, path_;
  binary_heap<entry> open_;
};

}  // namespace detail

}  // namespace wf
