// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/integer.hpp>
#include <wf/core/table.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing.hpp>
#include <wf/select/packing_cuts.hpp>
#include <wf/select/problem.hpp>

namespace wf::detail {

/// Prices of the rows of a packing model and what they make of the values' costs, in fixed point:
/// a solution of the dual of the linear relaxation. Any prices that are not negative give a valid
/// bound, so nothing is ever lost to rounding.
struct packing_prices {
  /// Prices of limits are a fraction of a unit of weight.
  static constexpr std::int64_t fraction = std::int64_t{1} << 24;

  table<std::int64_t> price;    ///< of a row, at least 0
  table<std::int64_t> limit;    ///< of a limit, for a unit of weight, times `fraction`; at least 0
  table<std::int64_t> cut;      ///< of a cut, for a unit of coefficient, at least 0
  table<std::int64_t> reduced;  ///< of a value: its cost and the prices of its rows, weights, cuts
};

/// What is left of the model: the values that are alive, and of each class and part how many.
class packing_state {
 public:
  table<std::uint8_t> alive;
  table<std::uint32_t> class_count;
  table<std::uint32_t> part_count;

  constexpr explicit packing_state(const packing_model& model)
      : alive(model.values, 1),
        class_count(model.classes),
        part_count(model.parts.size()),
        first_(model.first),
        member_(model.values),
        place_(model.values) {
    for (std::uint32_t k = 0; k < model.classes; ++k)
      class_count[k] = model.first[k + 1] - model.first[k];
    for (std::size_t i = 0; i < part_count.size(); ++i)
      part_count[i] = model.parts[i].end - model.parts[i].begin;
    for (std::uint32_t v = 0; v < model.values; ++v) member_[v] = place_[v] = v;
  }

  /// The values left of a class, in no particular order.
  constexpr view<std::uint32_t> left(std::uint32_t k) const {
    return {member_.data() + first_[k], class_count[k]};
  }
  /// A value leaves its class `k`: it changes places with the last one left.
  constexpr void leave(std::uint32_t v, std::uint32_t k) {
    alive[v] = 0;
    const std::uint32_t at = place_[v], last = first_[k] + --class_count[k];
    const std::uint32_t other = member_[last];
    member_[at] = other;
    place_[other] = at;
    member_[last] = v;
    place_[v] = last;
  }
  /// The value that left its class `k` last comes back.
  constexpr void come_back(std::uint32_t v, std::uint32_t k) {
    alive[v] = 1;
    ++class_count[k];
  }

 private:
  table<std::uint32_t> first_, member_, place_;
};

/// True if every choice of what is left has the class.
constexpr bool is_needed(const packing_model& m, const packing_state& s, std::uint32_t k) {
  return m.off[k] == packing_model::none || !s.alive[m.off[k]];
}

/// Raises the prices of rows, one row after the other, so that the sum of the classes' least
/// reduced costs less the prices grows: block-coordinate ascent on the Lagrangian dual.
///
/// With one price p free, each class with values in the row wants the row up to the price d at
/// which a value outside becomes as good; the bound grows with p while two classes want the row, so
/// any price between the second largest and the largest d is best. The middle keeps both sides
/// informed: ascent with either end stops early (min-marginal averaging; cf. arXiv 2111.10270).
class packing_ascent {
 public:
  constexpr explicit packing_ascent(const packing_model& model) : m_(model) {
    std::int64_t total = 0;  // no selection costs more
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      std::int64_t most = 0;
      for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v)
        if (most < m_.cost[v]) most = m_.cost[v];
      total += most;
    }
    total += dearest_peaks();
    widest_ = table<std::int64_t>(m_.capacity.size());
    for (std::size_t l = 0; l < widest_.size(); ++l)
      for (std::uint32_t v = 0; v < m_.values; ++v)
        if (widest_[l] < m_.weight[l * m_.values + v]) widest_[l] = m_.weight[l * m_.values + v];
    while (scale_ < (1 << 20) && total <= most_total / 2 / scale_) scale_ *= 2;
    dearest_ = total;
  }

  /// What no selection exceeds, the model's base left out.
  constexpr std::int64_t dearest() const { return dearest_; }

  /// Scaled totals up to here leave room for the sums of 2^16 prices.
  static constexpr std::int64_t most_total = std::int64_t{1} << 46;

  /// The factor between costs and prices, a power of two.
  constexpr std::int64_t scale() const { return scale_; }
  /// Innermost visits made.
  constexpr std::uint64_t steps() const { return steps_; }

  /// Learns the cuts that prices may be of; they must outlive the use of this.
  constexpr void use(const packing_cuts& cuts) { cuts_ = &cuts; }

  /// No row costs anything.
  constexpr packing_prices free_prices() {
    packing_prices out{table<std::int64_t>(m_.rows),
                       table<std::int64_t>(m_.capacity.size()),
                       {},
                       table<std::int64_t>(m_.values)};
    reprice(out);
    return out;
  }

  /// The reduced costs that follow from the prices; rounded down, so that they never promise more
  /// than the prices do.
  constexpr void reprice(packing_prices& p) {
    reprice_rows(p);
    if (p.limit.empty()) return;
    const bool narrow = fits(p.limit);
    for (std::uint32_t v = 0; v < m_.values; ++v) p.reduced[v] += price_of_use(p.limit, v, narrow);
    steps_ += m_.values * (1 + p.limit.size());
  }
  /// The same, but limits count only for the values left.
  constexpr void reprice(const packing_state& s, packing_prices& p) {
    reprice_rows(p);
    if (p.limit.empty()) return;
    const bool narrow = fits(p.limit);
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      for (const std::uint32_t v : s.left(k)) p.reduced[v] += price_of_use(p.limit, v, narrow);
      steps_ += s.class_count[k];
    }
  }

  /// The bound that any prices prove, scaled and without the model's base. Every class has a value
  /// left. O(values).
  constexpr std::int64_t bound(const packing_state& s, const packing_prices& p) {
    sync(s, p);
    return total_;
  }

  /// Learns what is left and how it is priced: before sweeps, and after either changed otherwise
  /// than by them.
  constexpr void sync(const packing_state& s, const packing_prices& p) {
    total_ = 0;
    least_.resize(m_.classes);
    cheapest_.resize(m_.classes);
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      find_least(s, p, k);
      total_ += least_[k];
    }
    for (const std::int64_t price : p.price) total_ -= price;
    for (std::size_t c = 0; c < p.cut.size(); ++c) total_ -= p.cut[c] * cuts_->most[c];
    for (std::size_t l = 0; l < p.limit.size(); ++l)
      if (p.limit[l] != 0)  // rounded up
        total_ -=
            whole(static_cast<int128>(p.limit[l]) * m_.capacity[l] / packing_prices::fraction) + 1;
    steps_ += m_.values;
  }
  /// Learns that values of a class were dropped or came back.
  constexpr void sync(const packing_state& s, const packing_prices& p, std::uint32_t k) {
    total_ -= least_[k];
    find_least(s, p, k);
    total_ += least_[k];
    steps_ += s.class_count[k];
  }

  /// The bound of what was learned and done since.
  constexpr std::int64_t total() const { return total_; }
  /// The least reduced cost of a class.
  constexpr std::int64_t least(std::uint32_t k) const { return least_[k]; }

  /// Lists the rows that still bind two classes; the others cost nothing.
  constexpr void list_rows(const packing_state& s, packing_prices& p) {
    active_.clear();
    for (std::uint32_t row = 0; row < m_.rows; ++row) {
      std::uint32_t live = 0;
      for (std::uint32_t i = m_.row_part[row]; i < m_.row_part[row + 1]; ++i)
        live += s.part_count[i] != 0;
      if (live >= 2)
        active_.push_back(row);
      else if (p.price[row] != 0)
        settle(s, p, row);
    }
    steps_ += m_.parts.size() / 4;
  }

  /// Resets the price of every listed row once, in order or against it: information flows along the
  /// order of classes, so callers alternate.
  constexpr void sweep(const packing_state& s, packing_prices& p, bool backwards) {
    const std::size_t rows = active_.size();
    for (std::size_t i = 0; i < rows; ++i) settle(s, p, active_[backwards ? rows - 1 - i : i]);
  }

  /// Resets prices around the classes that were dropped from, as the changes spread, at most
  /// `budget` of them; `rollback` takes them back.
  constexpr void ripple(const packing_state& s, packing_prices& p, view<std::uint32_t> classes,
                        std::size_t budget) {
    queue_.clear();
    queued_.resize(m_.rows);
    for (const std::uint32_t k : classes) enqueue(k);
    const std::int64_t tolerance = scale_ / 64 + 1;
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

  /// Takes back what `ripple` did; values that were dropped for it are back.
  constexpr void rollback(const packing_state& s, packing_prices& p) {
    while (!journal_.empty()) {
      const move& last = journal_.back();
      p.price[last.row] -= last.change;
      total_ += last.change;
      for (std::uint32_t e = m_.row_first[last.row]; e < m_.row_first[last.row + 1]; ++e)
        p.reduced[m_.entry[e]] -= last.change;
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
  /// How a class stands to a row.
  struct stance {
    std::uint32_t owner = 0, in = 0, out = 0;  ///< the cheapest values in the row and beside it
    std::int64_t inside = unbounded, outside = unbounded;
  };

  constexpr void reprice_rows(packing_prices& p) {
    for (std::uint32_t v = 0; v < m_.values; ++v) p.reduced[v] = m_.cost[v] * scale_;
    for (std::uint32_t r = 0; r < m_.rows; ++r) {
      if (p.price[r] == 0) continue;
      for (std::uint32_t e = m_.row_first[r]; e < m_.row_first[r + 1]; ++e)
        p.reduced[m_.entry[e]] += p.price[r];
      steps_ += m_.row_first[r + 1] - m_.row_first[r];
    }
    for (std::size_t c = 0; c < p.cut.size(); ++c) {
      if (p.cut[c] == 0) continue;
      for (std::uint32_t e = cuts_->first[c]; e < cuts_->first[c + 1]; ++e)
        p.reduced[cuts_->value[e]] += p.cut[c] * cuts_->coefficient[e];
      steps_ += cuts_->first[c + 1] - cuts_->first[c];
    }
    steps_ += m_.values / 8;
  }

  /// True if what limits add to a reduced cost fits 64 bits with its fraction.
  constexpr bool fits(const table<std::int64_t>& limit) const {
    int128 most = 0;
    for (std::size_t l = 0; l < limit.size(); ++l)
      most += static_cast<int128>(limit[l]) * widest_[l];
    return most < INT64_MAX;
  }
  constexpr std::int64_t price_of_use(const table<std::int64_t>& limit, std::uint32_t v,
                                      bool narrow) const {
    const std::int64_t* const weight = m_.weight.data();
    std::int64_t sum = 0;
    if (narrow) {
      for (std::size_t l = 0; l < limit.size(); ++l) sum += limit[l] * weight[l * m_.values + v];
      return sum / packing_prices::fraction;
    }
    for (std::size_t l = 0; l < limit.size(); ++l)
      sum += whole(static_cast<int128>(limit[l]) * weight[l * m_.values + v] /
                   packing_prices::fraction);
    return sum;
  }

  constexpr void find_least(const packing_state& s, const packing_prices& p, std::uint32_t k) {
    least_[k] = unbounded;
    for (const std::uint32_t v : s.left(k))
      if (p.reduced[v] < least_[k] || (p.reduced[v] == least_[k] && v < cheapest_[k])) {
        least_[k] = p.reduced[v];
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

  /// Sets one price; returns the change.
  constexpr std::int64_t settle(const packing_state& s, packing_prices& p, std::uint32_t row) {
    const std::int64_t before = p.price[row];
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
    p.price[row] = price;
    total_ -= change;
    std::int64_t* const reduced = p.reduced.data();
    const std::uint32_t* const entry = m_.entry.data();
    for (std::uint32_t e = m_.row_first[row]; e < m_.row_first[row + 1]; ++e)
      reduced[entry[e]] += change;
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
    const std::int64_t* const reduced = p.reduced.data();
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

  constexpr std::int64_t dearest_peaks() const {
    std::int64_t total = 0;
    for (std::size_t i = 0; i < m_.peaks.size(); ++i) {
      std::int64_t most = m_.peaks[i].floor;
      for (std::uint32_t k = 0; k < m_.classes; ++k) {
        std::int64_t own = 0;
        for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v)
          if (own < m_.peak_cost[i * m_.values + v]) own = m_.peak_cost[i * m_.values + v];
        if (m_.peaks[i].path)
          most += own;
        else if (most < own)
          most = own;
      }
      total += m_.peaks[i].weight * most;
    }
    return total;
  }

  static constexpr std::int64_t whole(int128 x) {
    return x < largest_total ? static_cast<std::int64_t>(x) : largest_total;
  }

  const packing_model& m_;
  const packing_cuts* cuts_ = nullptr;
  std::int64_t scale_ = 1;
  std::int64_t dearest_ = 0;
  std::uint64_t steps_ = 0;
  std::int64_t total_ = 0;
  table<std::int64_t> widest_;     ///< of a limit, the largest use
  table<std::int64_t> least_;      ///< of a class
  table<std::uint32_t> cheapest_;  ///< of a class
  table<std::uint32_t> active_;
  table<std::uint32_t> queue_;
  table<std::uint8_t> queued_;
  table<move> journal_;
  table<stance> stances_;
};

}  // namespace wf::detail
