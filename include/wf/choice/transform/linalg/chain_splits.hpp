// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/heap.hpp>
#include <wf/core/container/table.hpp>

namespace wf::transforms::detail {

/// One split of a run of factors between two positions of a chain, at a position in between.
struct chain_split {
  std::uint32_t from = 0, middle = 0, to = 0;
  friend constexpr bool operator==(const chain_split&, const chain_split&) = default;
};

/// Work of all orders of a matrix product, and the splits of the cheapest orders. A product of an
/// m×k and a k×n matrix costs m·k·n. Some runs may have no factors: a chain may be part of another
/// one, or take alternative ways.
class chain_splits {
 public:
  /// A chain from the extent at each position: factor i of a plain chain is extents[i]×extents[i +
  /// 1].
  constexpr explicit chain_splits(const table<double>& extents)
      : extents_(extents),
        positions_(static_cast<std::uint32_t>(extents.size())),
        least_(extents.size() * extents.size(), infinite),
        ending_(extents.size() * extents.size(), infinite) {}

  /// Adds a factor between two positions; it costs nothing.
  constexpr void add_factor(std::uint32_t from, std::uint32_t to) { set(from, to, 0); }

  /// Computes the least work of every run in O(positions³), the classical dynamic programme.
  /// Source: Cormen et al., Introduction to Algorithms, 15.2.
  constexpr void solve() {
    for (std::uint32_t length = 2; length < positions_; ++length)
      for (std::uint32_t i = 0; i + length < positions_; ++i) {
        const std::uint32_t j = i + length;
        const double* const left = least_.data() + std::size_t{i} * positions_;
        const double* const right = ending_.data() + std::size_t{j} * positions_;
        const double outer = extents_[i] * extents_[j];
        double best = left[j];
        for (std::uint32_t k = i + 1; k < j; ++k) {
          const double work = left[k] + right[k] + outer * extents_[k];
          best = work < best ? work : best;
        }
        if (best < left[j]) set(i, j, best);
      }
  }

  /// The least work of a run, in multiply-adds; infinite if it cannot be multiplied. Requires
  /// `solve`.
  constexpr double least(std::uint32_t from, std::uint32_t to) const {
    return least_[std::size_t{from} * positions_ + to];
  }
  /// True if a run cannot be multiplied. Requires `solve`.
  constexpr bool is_impossible(std::uint32_t from, std::uint32_t to) const {
    return !(least(from, to) < infinite);
  }

  /// The splits of the cheapest orders of the whole chain, about `most`, those of the best order
  /// first; every run that a split needs has a split, too. Shorter runs come first. O(most ·
  /// positions).
  constexpr table<chain_split> cheapest(std::size_t most) const {
    selection chosen(*this);
    chosen.run(most);
    table<chain_split> out;
    for (std::uint32_t length = 2; length < positions_; ++length)
      for (const chain_split& s : chosen.found)
        if (s.to - s.from == length) out.push_back(s);
    return out;
  }

 private:
  static constexpr double infinite = 1e300;

  constexpr void set(std::uint32_t from, std::uint32_t to, double work) {
    least_[std::size_t{from} * positions_ + to] = work;
    ending_[std::size_t{to} * positions_ + from] = work;
  }
  constexpr double work_of(const chain_split& s) const {
    return least(s.from, s.middle) + least(s.middle, s.to) +
           extents_[s.from] * extents_[s.to] * extents_[s.middle];
  }

  /// A best-first search over splits, ordered by the excess work over the best order.
  struct selection {
    struct entry {
      double excess = 0;      // work of the best order with this split, less the optimum
      double run_excess = 0;  // excess of its run with its best split
      chain_split split;
      bool is_first = true;  // true for the best split of its run
      constexpr bool operator<(const entry& other) const { return excess < other.excess; }
    };

    constexpr explicit selection(const chain_splits& c)
        : chain(c), reached(c.least_.size(), false) {}

    constexpr void run(std::size_t most) {
      reach(0, chain.positions_ - 1, 0);
      while (!heap.empty()) {
        const entry best = heap.pop();
        // Beyond `most` only splits that make needed runs.
        if (found.size() >= most && !best.is_first) continue;
        found.push_back(best.split);
        if (found.size() < most) push_next(best);
        reach(best.split.from, best.split.middle, best.excess);
        reach(best.split.middle, best.split.to, best.excess);
      }
    }
    constexpr void reach(std::uint32_t from, std::uint32_t to, double excess) {
      const std::size_t run = std::size_t{from} * chain.positions_ + to;
      if (reached[run]) return;
      reached[run] = true;
      push_next({excess, excess, {from, from, to}, false});
    }
    // Queues the next split of an entry's run, in order of work.
    constexpr void push_next(const entry& last) {
      const double least = chain.least(last.split.from, last.split.to);
      entry next = last;
      double best = infinite;
      for (std::uint32_t k = last.split.from + 1; k < last.split.to; ++k) {
        const chain_split tried{last.split.from, k, last.split.to};
        const double excess = last.run_excess + (chain.work_of(tried) - least);
        const bool is_later =
            excess > last.excess || (excess == last.excess && k > last.split.middle);
        if (!is_later || excess >= best) continue;
        best = excess;
        next.split = tried;
      }
      if (best >= infinite / 2) return;
      next.is_first = last.split.middle == last.split.from;
      next.excess = best;
      heap.push(next);
    }
    const chain_splits& chain;
    table<bool> reached;
    binary_heap<entry> heap;
    table<chain_split> found;
  };

  table<double> extents_;
  std::uint32_t positions_;
  table<double> least_, ending_;  // by first and last position; by last and first
};

}  // namespace wf::transforms::detail
