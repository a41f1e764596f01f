// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/prices.hpp>
#include <wf/select/packing/state.hpp>
#include <wf/select/problem.hpp>

namespace wf::detail {

/// Raises the prices of rows, one row after the other, so that the sum of the classes' least
/// reduced costs minus the prices grows: block-coordinate ascent on the Lagrangian dual.
///
/// With one price p free, each class with values in the row wants the row up to the price d at
/// which a value outside becomes as good; the bound grows with p while two classes want the row, so
/// any price between the second largest and the largest d is best. The midpoint informs both sides:
/// ascent with either end stalls early (min-marginal averaging; cf. arXiv 2111.10270).
class packing_ascent {
 public:
  constexpr explicit packing_ascent(const packing_model& model) : m_(model), pricer_(model) {}

  /// The pricer of the prices that are raised here.
  constexpr packing_pricer& pricer() { return pricer_; }
  constexpr const packing_pricer& pricer() const { return pricer_; }
  /// Number of innermost-loop passes so far, those of the pricer included.
  constexpr std::uint64_t steps() const { return steps_ + pricer_.steps(); }

  /// The lower bound that any prices prove, scaled and without the model's base. Every class must
  /// have a live value. O(values).
  constexpr std::int64_t bound(const packing_state& s, const packing_prices& p) {
    sync(s, p);
    return total_;
  }

  /// Recomputes the bound from the live values and their prices: required before sweeps, and after
  /// either changed by other means.
  constexpr void sync(const packing_state& s, const packing_prices& p) {
    int128 total = -pricer_.paid(p);
    least_.resize(m_.classes);
    cheapest_.resize(m_.classes);
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      find_least(s, p, k);
      total += least_[k];
    }
    constexpr std::int64_t most = 4 * largest_total;  // beyond, only the sign matters
    total_ = static_cast<std::int64_t>(total < -most ? -most : total > most ? most : total);
    steps_ += m_.values;
  }
  /// Updates the bound after values of a class were dropped or came back.
  constexpr void sync(const packing_state& s, const packing_prices& p, std::uint32_t k) {
    total_ -= least_[k];
    find_least(s, p, k);
    total_ += least_[k];
    steps_ += s.class_count[k];
  }

  /// True if the maintained bound and least reduced costs match the live values and their prices.
  constexpr bool is_synced(const packing_state& s, const packing_prices& p) const {
    int128 total = -pricer_.paid(p);
    bool right = true;
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      std::int64_t least = unbounded;
      for (const std::uint32_t v : s.left(k))
        if (p.reduced(v) < least) least = p.reduced(v);
      right = right && least_[k] == least;
      total += least;
    }
    return right && total_ == total;
  }
  /// The maintained bound, scaled: that of the last `sync` with all changes made here since.
  constexpr std::int64_t total() const { return total_; }
  /// The maintained least reduced cost of a class.
  constexpr std::int64_t least(std::uint32_t k) const { return least_[k]; }

  /// Lists the rows that still bind two classes; the price of the others becomes 0.
  constexpr void list_rows(const packing_state& s, packing_prices& p) {
    active_.clear();
    for (std::uint32_t row = 0; row < m_.rows; ++row) {
      std::uint32_t live = 0;
      for (std::uint32_t i = m_.row_part[row]; i < m_.row_part[row + 1]; ++i)
        live += s.part_count[i] != 0;
      if (live >= 2)
        active_.push_back(row);
      else if (p.duals().row[row] != 0)
        settle(s, p, row);
    }
    steps_ += m_.parts.size() / 4;
  }

  /// Optimises the price of every listed row once, forwards or backwards: information flows along
  /// the order of classes, so callers alternate.
  constexpr void sweep(const packing_state& s, packing_prices& p, bool backwards) {
    const std::size_t rows = active_.size();
    for (std::size_t i = 0; i < rows; ++i) settle(s, p, active_[backwards ? rows - 1 - i : i]);
  }

  /// Optimises prices around the classes that lost values, and further where prices change, for at
  /// most `budget` rows; `rollback` undoes that.
  constexpr void ripple(const packing_state& s, packing_prices& p, view<std::uint32_t> classes,
                        std::size_t budget) {
    queue_.clear();
    queued_.resize(m_.rows);
    for (const std::uint32_t k : classes) enqueue(k);
    const std::int64_t tolerance = pricer_.scale() / 64 + 1;
    std::size_t at = 0;
    for (; at < queue_.size() && at < budget; ++at) {
      const std::uint32_t row = queue_[at];
      queued_[row] = 0;
      const std::int64_t change = settle(s, p, row);
      if (change == 0) continue;
      journal_.push_back({row, change});
      if (change < tolerance && -change < tolerance) continue;
      for (std::uint32_t i = m_.row_part[row]; i < m_.row_part[row + 1]; ++i)
        if (s.part_count[i] != 0) enqueue(m_.parts[i].owner);
    }
    for (; at < queue_.size(); ++at) queued_[queue_[at]] = 0;
  }

  /// Undoes `ripple`; the values that were dropped before it must be back.
  constexpr void rollback(const packing_state& s, packing_prices& p) {
    while (!journal_.empty()) {
      const move& last = journal_.back();
      pricer_.change(p, last.row, -last.change);
      total_ += last.change;
      for (std::uint32_t i = m_.row_part[last.row]; i < m_.row_part[last.row + 1]; ++i)
        sync(s, p, m_.parts[i].owner);
      journal_.pop_back();
    }
  }

 private:
  struct move {
    std::uint32_t row = 0;
    std::int64_t change = 0;
  };
  /// The stance of a class on a row.
  struct stance {
    std::uint32_t owner = 0, in = 0, out = 0;  ///< the cheapest values in the row and outside it
    std::int64_t inside = unbounded, outside = unbounded;
  };

  constexpr void find_least(const packing_state& s, const packing_prices& p, std::uint32_t k) {
    least_[k] = unbounded;
    for (const std::uint32_t v : s.left(k))
      if (p.reduced(v) < least_[k] || (p.reduced(v) == least_[k] && v < cheapest_[k])) {
        least_[k] = p.reduced(v);
        cheapest_[k] = v;
      }
  }

  constexpr void enqueue(std::uint32_t k) {
    for (std::uint32_t i = m_.class_part_first[k]; i < m_.class_part_first[k + 1]; ++i) {
      const std::uint32_t row = m_.parts[m_.class_part[i]].row;
      if (queued_[row]) continue;
      queued_[row] = 1;
      queue_.push_back(row);
    }
  }

  /// Sets the price of a row to its best value; returns the change.
  constexpr std::int64_t settle(const packing_state& s, packing_prices& p, std::uint32_t row) {
    const std::int64_t before = p.duals().row[row];
    ++steps_;
    stances_.clear();
    for (std::uint32_t i = m_.row_part[row]; i < m_.row_part[row + 1]; ++i)
      if (s.part_count[i] != 0) stances_.push_back(look(s, p, m_.parts[i]));
    std::int64_t largest = -unbounded, second = -unbounded;
    for (const stance& t : stances_) {
      // The price up to which the class wants the row, if the price were 0 now.
      const std::int64_t d = t.outside == unbounded ? largest_total : t.outside - t.inside + before;
      if (d > largest) {
        second = largest;
        largest = d;
      } else if (d > second) {
        second = d;
      }
    }
    std::int64_t price = 0;
    if (stances_.size() >= 2 && largest > 0) {
      if (second > 0) price = second;
      if (largest < largest_total) price += (largest - price) / 2;
    }
    const std::int64_t change = price - before;
    if (change == 0) return 0;
    pricer_.change(p, row, change);
    total_ -= change;
    for (const stance& t : stances_) {
      const bool in = t.inside + change <= t.outside;
      total_ -= least_[t.owner];
      least_[t.owner] = in ? t.inside + change : t.outside;
      cheapest_[t.owner] = in ? t.in : t.out;
      total_ += least_[t.owner];
    }
    return change;
  }

  constexpr stance look(const packing_state& s, const packing_prices& p, const packing_part& part) {
    stance out;
    out.owner = part.owner;
    const std::int64_t* const reduced = p.reduced().data();
    const std::uint8_t* const alive = s.alive.data();
    const std::uint32_t* const entry = m_.entry.data();
    const std::uint32_t cheapest = cheapest_[part.owner];
    bool holds = false;
    for (std::uint32_t e = part.begin; e < part.end; ++e) {
      const std::uint32_t v = entry[e];
      holds = holds || v == cheapest;
      if (!alive[v] || reduced[v] >= out.inside) continue;
      out.inside = reduced[v];
      out.in = v;
    }
    steps_ += part.end - part.begin;
    if (!holds) {
      out.outside = least_[part.owner];
      out.out = cheapest;
      return out;
    }
    std::uint32_t e = part.begin;
    const std::uint32_t end = m_.first[part.owner + 1];
    for (std::uint32_t v = m_.first[part.owner]; v < end; ++v) {
      if (e < part.end && entry[e] == v) {
        ++e;
      } else if (alive[v] && reduced[v] < out.outside) {
        out.outside = reduced[v];
        out.out = v;
      }
    }
    steps_ += end - m_.first[part.owner];
    return out;
  }

  const packing_model& m_;
  packing_pricer pricer_;
  std::uint64_t steps_ = 0;
  std::int64_t total_ = 0;
  table<std::int64_t> least_;      ///< by class: its least reduced cost
  table<std::uint32_t> cheapest_;  ///< by class: the value of that cost
  table<std::uint32_t> active_;
  table<std::uint32_t> queue_;
  table<std::uint8_t> queued_;
  table<move> journal_;
  table<stance> stances_;
};

}  // namespace wf::detail
