// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>

#include <wf/contraction/exact_search.hpp>
#include <wf/contraction/large/tree.hpp>
#include <wf/contraction/network.hpp>
#include <wf/contraction/order.hpp>
#include <wf/core/container/heap.hpp>

namespace wf {

/// Limits of the search for the order of a large contraction. Time limits belong in the callback.
struct contraction_limits {
  std::uint64_t seed = 1;       ///< seed of the random numbers of the first round; round r uses
                                ///< seed + r
  std::uint32_t rounds = 4;     ///< number of restarts
  std::uint32_t sweeps = 2000;  ///< annealing sweeps per round; a sweep tries one move per inner
                                ///< node
  double hottest = 4;           ///< initial temperature of the first phase, in bits of the work of
                                ///< a move
  double coldest = 0.05;        ///< final temperature of the first phase, in bits
  std::uint32_t window = 10;    ///< number of tensors per exactly ordered part of the tree; at most
                                ///< 14
};

/// A snapshot of a running search for its callback.
struct contraction_progress {
  std::uint32_t round = 0;  ///< number of the round, from 0
  std::uint32_t sweep = 0;  ///< number of the annealing sweep in its round, from 0
  double best = 0;          ///< log2 of the fewest multiplications so far
  double current = 0;       ///< log2 of the multiplications of the round's order before its
                            ///< annealing
};

/// A callable that receives the progress and returns false to stop the search.
template <class F>
concept contraction_callback = requires(F& f, const contraction_progress& progress) {
  { f(progress) } -> std::convertible_to<bool>;
};

/// A callback that never stops a search.
struct keep_searching {
  /// Always true.
  bool operator()(const contraction_progress&) const { return true; }
};

namespace detail {

/// Greedy construction of a tree: repeatedly contracts, of the tensors that share an index, the two
/// whose product minus its operands has the smallest size; noise varies the trees. Source: J. Gray,
/// S. Kourtis, Hyper-optimized tensor network contraction, 2021, 3.1.
class contraction_greed {
 public:
  contraction_greed(const tensor_network& n, contraction_tree& tree, double noise,
                    contraction_random& random)
      : tree_(tree), noise_(noise), random_(random), words_(tree.words()) {
    const std::uint32_t leaves = tree.leaves();
    remaining_ = table<std::uint32_t>(64 * words_);
    holders_of_bit_ = table<table<std::uint32_t>>(64 * words_);
    for (std::uint32_t i = 0; i < n.extents.size(); ++i)
      remaining_[tree.bit_of(i)] = tree.holders_of(i);
    alive_ = table<bool>(std::size_t{2} * leaves, false);
    kept_ = table<std::uint64_t>(words_);
    for (std::uint32_t k = 0; k < leaves; ++k) enter(k);
    for (std::uint32_t k = 0; k < leaves; ++k) propose(k, k);
  }
  void run() {
    std::uint32_t next = tree_.leaves();
    while (!heap_.empty() && next < tree_.size()) {
      const pair best = heap_.pop();
      if (alive_[best.a] && alive_[best.b]) merge(best.a, best.b, next++);
    }
    // Components that share no index, the smallest first.
    while (next < tree_.size()) {
      std::uint32_t two[2] = {contraction_tree::none, contraction_tree::none};
      for (std::uint32_t v = 0; v < next; ++v) {
        if (!alive_[v]) continue;
        if (two[0] == contraction_tree::none || is_smaller(v, two[0])) {
          two[1] = two[0];
          two[0] = v;
        } else if (two[1] == contraction_tree::none || is_smaller(v, two[1])) {
          two[1] = v;
        }
      }
      merge(two[0], two[1], next++);
    }
  }

 private:
  struct pair {
    double score = 0;
    std::uint32_t a = 0, b = 0;
    bool operator<(const pair& other) const {
      return score != other.score ? score < other.score : a != other.a ? a < other.a : b < other.b;
    }
  };

  bool is_smaller(std::uint32_t a, std::uint32_t b) const {
    return tree_.log_size(tree_.set_of(a)) < tree_.log_size(tree_.set_of(b));
  }
  template <class F>
  void for_each_bit(const std::uint64_t* set, F f) const {
    for (std::size_t w = 0; w < words_; ++w)
      for (std::uint64_t rest = set[w]; rest != 0; rest &= rest - 1)
        f(static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(std::countr_zero(rest))));
  }
  void enter(std::uint32_t v) {
    alive_[v] = true;
    for_each_bit(tree_.set_of(v), [&](std::uint32_t b) { holders_of_bit_[b].push_back(v); });
  }
  // Pushes the pairs of a tensor with others that share an index; `from`: only those numbered
  // above.
  void propose(std::uint32_t v, std::uint32_t from) {
    constexpr std::size_t most = 64;  // candidates per index
    for_each_bit(tree_.set_of(v), [&](std::uint32_t b) {
      table<std::uint32_t>& holders = holders_of_bit_[b];
      std::size_t to = 0;
      for (std::size_t i = 0; i < holders.size(); ++i)
        if (alive_[holders[i]]) holders[to++] = holders[i];
      while (holders.size() > to) holders.pop_back();
      for (std::size_t i = 0; i < holders.size() && i < most; ++i)
        if (holders[i] != v && (from == contraction_tree::none || holders[i] > from))
          push(v, holders[i]);
    });
  }
  // The indices of two tensors that other tensors still have after their product.
  void keep(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t *const x = tree_.set_of(a), *const y = tree_.set_of(b);
    for (std::size_t w = 0; w < words_; ++w) {
      kept_[w] = x[w] | y[w];
      for (std::uint64_t rest = x[w] | y[w]; rest != 0; rest &= rest - 1) {
        const std::uint64_t bit = rest & (~rest + 1);
        const std::size_t at = 64 * w + static_cast<std::size_t>(std::countr_zero(rest));
        const std::uint32_t here = ((x[w] & bit) != 0 ? 1U : 0U) + ((y[w] & bit) != 0 ? 1U : 0U);
        if (remaining_[at] == here) kept_[w] &= ~bit;
      }
    }
  }
  void push(std::uint32_t a, std::uint32_t b) {
    keep(a, b);
    const double made = std::exp2(tree_.log_size(kept_.data())),
                 used = std::exp2(tree_.log_size(tree_.set_of(a))) +
                        std::exp2(tree_.log_size(tree_.set_of(b)));
    // The sign and the logarithm of the difference, so that noise is relative.
    const double difference = made - used;
    double score = difference > 0 ? std::log2(1 + difference) : -std::log2(1 - difference);
    if (noise_ > 0) score -= noise_ * std::log(-std::log(random_.fraction()) + 1e-300);
    heap_.push({score, a < b ? a : b, a < b ? b : a});
  }
  void merge(std::uint32_t a, std::uint32_t b, std::uint32_t into) {
    keep(a, b);
    const std::uint64_t *const x = tree_.set_of(a), *const y = tree_.set_of(b);
    for (std::size_t w = 0; w < words_; ++w)
      for (std::uint64_t rest = x[w] & y[w]; rest != 0; rest &= rest - 1)
        --remaining_[64 * w + static_cast<std::size_t>(std::countr_zero(rest))];
    tree_.join(into, a, b, kept_.data());
    alive_[a] = alive_[b] = false;
    enter(into);
    propose(into, contraction_tree::none);
  }

  contraction_tree& tree_;
  double noise_;
  contraction_random& random_;
  std::size_t words_;
  table<std::uint32_t> remaining_;  // by bit: number of tensors that have it, the result included
  table<table<std::uint32_t>> holders_of_bit_;
  table<bool> alive_;
  table<std::uint64_t> kept_;
  binary_heap<pair> heap_;
};

/// Local improvement: replaces small parts of a tree, a few tensors each, by their exact best
/// order.
class contraction_windows {
 public:
  contraction_windows(contraction_tree& tree, std::uint32_t most)
      : tree_(tree), most_(most < 14 ? most : 14) {}

  /// Passes over all nodes until no part improves, at most `times` passes. True if any part
  /// improved.
  bool run(std::uint32_t times) {
    bool ever = false;
    for (std::uint32_t t = 0; t < times; ++t) {
      bool any = false;
      table<std::uint32_t> order, stack;
      stack.push_back(tree_.root());
      while (!stack.empty()) {
        const std::uint32_t v = stack.back();
        stack.pop_back();
        if (tree_.is_leaf(v)) continue;
        order.push_back(v);
        stack.push_back(tree_.left(v));
        stack.push_back(tree_.right(v));
      }
      table<bool> stale(tree_.size(), false);
      for (const std::uint32_t v : order)
        if (!stale[v] && improve(v, stale)) any = true;
      ever = ever || any;
      if (!any) break;
    }
    return ever;
  }

 private:
  // Selects the part below a node: repeatedly opens the tensor with the most expensive step.
  void collect(std::uint32_t top) {
    open_.clear();
    inner_.clear();
    open_.push_back(tree_.left(top));
    open_.push_back(tree_.right(top));
    inner_.push_back(top);
    while (open_.size() < most_) {
      std::size_t best = open_.size();
      for (std::size_t i = 0; i < open_.size(); ++i)
        if (!tree_.is_leaf(open_[i]) &&
            (best == open_.size() || tree_.log_work(open_[i]) > tree_.log_work(open_[best])))
          best = i;
      if (best == open_.size()) return;
      const std::uint32_t v = open_[best];
      inner_.push_back(v);
      open_[best] = tree_.left(v);
      open_.push_back(tree_.right(v));
    }
  }
  bool improve(std::uint32_t top, table<bool>& stale) {
    collect(top);
    if (open_.size() < 3) return false;
    double largest = 0, before = 0;
    for (const std::uint32_t v : inner_)
      largest = tree_.log_work(v) > largest ? tree_.log_work(v) : largest;
    for (const std::uint32_t v : inner_) before += std::exp2(tree_.log_work(v) - largest);
    if (!describe(top, largest)) return false;
    small_.at_most = before * (1 - 1e-9);
    if (!(small_.solve() < small_.at_most)) return false;
    rebuild(top, stale);
    return true;
  }
  // The part as a small contraction; its costs are relative to the largest step.
  bool describe(std::uint32_t top, double largest) {
    table<std::uint64_t> known;
    table<double> logs;
    small_.operands = table<std::uint64_t>(open_.size());
    small_.output = 0;
    small_.sum_factor = 1;
    small_.counts_alone = false;
    const std::uint64_t* const kept = tree_.set_of(top);
    const std::uint64_t in_output = std::uint64_t{1} << 63;
    for (std::size_t w = 0; w < tree_.words(); ++w) {
      std::uint64_t all = 0;
      for (const std::uint32_t v : open_) all |= tree_.set_of(v)[w];
      for (std::uint64_t rest = all; rest != 0; rest &= rest - 1) {
        const std::uint64_t bit = rest & (~rest + 1);
        std::uint64_t owners = (kept[w] & bit) != 0 ? in_output : 0;
        for (std::size_t k = 0; k < open_.size(); ++k)
          if ((tree_.set_of(open_[k])[w] & bit) != 0) owners |= std::uint64_t{1} << k;
        std::size_t at = 0;
        while (at < known.size() && known[at] != owners) ++at;
        if (at == known.size()) {
          if (at == 64) return false;
          known.push_back(owners);
          logs.push_back(0);
        }
        logs[at] += tree_.log_extent(w);
      }
    }
    small_.extents.clear();
    for (std::size_t i = 0; i < known.size(); ++i) {
      small_.extents.push_back(std::exp2(logs[i]));
      for (std::size_t k = 0; k < open_.size(); ++k)
        if ((known[i] >> k & 1) != 0) small_.operands[k] |= std::uint64_t{1} << i;
      if ((known[i] & in_output) != 0) small_.output |= std::uint64_t{1} << i;
    }
    small_.scale = std::exp2(-largest);
    return true;
  }
  void rebuild(std::uint32_t top, table<bool>& stale) {
    const table<contraction_step> steps = small_.steps();
    table<std::uint32_t> number = open_;
    table<std::uint64_t> sets(steps.size() * tree_.words());
    // The nodes of the part are reused, the top one for the last step.
    const std::uint32_t root = tree_.root();
    table<std::uint64_t> kept(tree_.words());
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const bool is_last = s + 1 == steps.size();
      const std::uint32_t at = is_last ? top : inner_[s + 1];
      const std::uint32_t a = number[steps[s].left], b = number[steps[s].right];
      number[steps[s].left] = number[steps[s].right] = contraction_tree::none;
      // The indices that the top keeps or that tensors not yet contracted have.
      for (std::size_t w = 0; w < tree_.words(); ++w) {
        kept[w] = tree_.set_of(top)[w];
        for (const std::uint32_t other : number)
          if (other != contraction_tree::none) kept[w] |= tree_.set_of(other)[w];
      }
      tree_.join(at, a, b, kept.data());
      number.push_back(at);
      if (!is_last) stale[at] = true;
    }
    tree_.set_root(root);
  }

  contraction_tree& tree_;
  std::size_t most_;
  small_contraction small_;
  table<std::uint32_t> open_, inner_;
};

/// Simulated annealing of a tree by rotations: ((x y) z) becomes ((x z) y) or ((y z) x). Source: J.
/// Gray, S. Kourtis, ibid.; S. Kirkpatrick et al., Optimization by simulated annealing, 1983.
class contraction_annealing {
 public:
  contraction_annealing(contraction_tree& tree, contraction_random& random)
      : tree_(tree), random_(random), needed_(tree.words()) {}
  /// Tries one move per inner node. The energy of a move is the logarithm of the work of its two
  /// steps, or its share of the total work if `by_share`.
  void sweep(double temperature, bool by_share) {
    const std::uint32_t first = tree_.leaves(), count = tree_.size() - first;
    by_share_ = by_share;
    log_total_ = tree_.log_total();
    for (std::uint32_t m = 0; m < count; ++m) move(first + random_.below(count), temperature);
  }

 private:
  void move(std::uint32_t parent, double temperature) {
    const std::uint64_t choice = random_.next() >> 40;
    std::uint32_t child = tree_.left(parent), other = tree_.right(parent);
    if ((choice & 1) != 0 || tree_.is_leaf(child)) {
      const std::uint32_t kept = child;
      child = other;
      other = kept;
    }
    if (tree_.is_leaf(child)) return;
    std::uint32_t stays = tree_.left(child), leaves = tree_.right(child);
    if ((choice & 2) != 0) {
      const std::uint32_t kept = stays;
      stays = leaves;
      leaves = kept;
    }
    // parent = (child = (stays, leaves), other) becomes (child = (stays, other), leaves).
    const std::uint64_t *const x = tree_.set_of(stays), *const y = tree_.set_of(leaves);
    const std::uint64_t *const z = tree_.set_of(other), *const p = tree_.set_of(parent);
    double of_child = 0, of_parent = 0;
    for (std::size_t w = 0; w < tree_.words(); ++w) {
      const std::uint64_t both = x[w] | z[w], outside = y[w] | p[w];
      if ((both | y[w]) == 0) continue;
      of_child += std::popcount(both) * tree_.log_extent(w);
      of_parent += std::popcount((both & outside) | y[w]) * tree_.log_extent(w);
    }
    const double before = log_sum(tree_.log_work(child), tree_.log_work(parent));
    const double after = log_sum(of_child, of_parent);
    const double rise =
        by_share_ ? std::exp2(after - log_total_) - std::exp2(before - log_total_) : after - before;
    if (rise > 0 && std::exp2(-rise / temperature) < random_.fraction()) return;
    for (std::size_t w = 0; w < tree_.words(); ++w) needed_[w] = y[w] | p[w];
    const std::uint32_t root = tree_.root();
    tree_.join(child, stays, other, needed_.data());
    tree_.rejoin(parent, child, leaves, of_parent);
    tree_.set_root(root);
  }
  static double log_sum(double a, double b) {
    const double high = a > b ? a : b, low = a > b ? b : a;
    return high - low > 40 ? high : high + std::log2(1 + std::exp2(low - high));
  }

  contraction_tree& tree_;
  contraction_random& random_;
  table<std::uint64_t> needed_;
  bool by_share_ = false;
  double log_total_ = 0;
};

/// The temperature of a sweep: geometric cooling from `hottest` to `coldest`.
inline double cooled(double hottest, double coldest, std::uint32_t sweep, std::uint32_t sweeps) {
  return sweeps < 2 ? coldest : hottest * std::pow(coldest / hottest, sweep / (sweeps - 1.0));
}

}  // namespace detail

/// An order with few multiplications for a contraction of any number of operands, without a proof:
/// the exact order if there are at most `max_static_operands` and `best_contraction` finds it;
/// otherwise a randomised greedy tree, annealed by rotations and improved by the exact order of
/// parts of `window` tensors. Deterministic: the same seed gives the same order, however fast the
/// machine is. Anytime: `callback` may stop it after any sweep. Errors: `bad_equation` for no
/// operand. O(rounds · sweeps · operands · indices / 64) and the windows, each O(3^window).
template <contraction_callback Callback = keep_searching>
result<contraction_order> search_contraction(const tensor_network& n,
                                             const contraction_limits& limits = {},
                                             Callback&& callback = {}) {
  using namespace detail;
  if (n.operands.size() <= max_static_operands)
    if (auto best = best_contraction(n); best || n.operands.empty()) return best;
  contraction_progress now;
  table<contraction_step> best;
  bool goes_on = true;
  for (std::uint32_t round = 0; round < limits.rounds && goes_on; ++round) {
    contraction_random random(limits.seed + round);
    contraction_tree tree(n);
    contraction_greed(n, tree, round == 0 ? 0 : 1, random).run();
    contraction_windows(tree, 8).run(4);
    now.round = round;
    const auto note = [&] {
      now.current = tree.log_total();
      if (!best.empty() && now.current >= now.best) return;
      now.best = now.current;
      best = tree.steps(n);
    };
    note();
    contraction_annealing annealing(tree, random);
    // The first phase weights all steps alike, which finds a good shape; the second weights them by
    // their share of the total work.
    const std::uint32_t first = limits.sweeps / 10 * 7;
    for (std::uint32_t s = 0; s < limits.sweeps && goes_on; ++s) {
      if (s < first)
        annealing.sweep(cooled(limits.hottest, limits.coldest, s, first), false);
      else
        annealing.sweep(cooled(0.7, 0.0002, s - first, limits.sweeps - first), true);
      now.sweep = s;
      goes_on = callback(now);
    }
    contraction_windows(tree, limits.window).run(20);
    note();
  }
  contraction_order out;
  out.steps = best;
  out.cost = price_order(n, out.steps);
  return out;
}

}  // namespace wf
