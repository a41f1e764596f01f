// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing/cuts.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/state.hpp>
#include <wf/select/problem.hpp>

namespace wf::detail {

/// Dual prices of rows, limits and cuts in fixed point, from any source; never negative. They prove
/// nothing by themselves: see `packing_prices`.
struct packing_duals {
  table<std::int64_t> row;    ///< by row
  table<std::int64_t> limit;  ///< by limit: for a unit of weight, times `packing_prices::fraction`
  table<std::int64_t> cut;    ///< by cut: for a unit of coefficient
  friend constexpr bool operator==(const packing_duals&, const packing_duals&) = default;
};

/// Duals with the reduced costs of the values: a solution of the dual of the linear relaxation. Any
/// non-negative duals give a valid bound, so rounding cannot invalidate one.
///
/// Invariant: the reduced cost of a value is its cost plus the prices of its rows, cuts and
/// weights. Duals combined with the reduced costs of other duals bound no problem at all; so only
/// `packing_pricer` makes and changes them, and always both.
class packing_prices {
 public:
  /// Denominator of the fixed-point prices of limits, which are per unit of weight.
  static constexpr std::int64_t fraction = std::int64_t{1} << 24;

  constexpr const packing_duals& duals() const { return duals_; }
  /// The reduced cost of a value: its cost plus the prices of its rows, cuts and weights, rounded
  /// down; in the scale of `packing_pricer::scale`.
  constexpr std::int64_t reduced(std::uint32_t v) const { return reduced_[v]; }
  /// The reduced costs of all values.
  constexpr const table<std::int64_t>& reduced() const { return reduced_; }

 private:
  friend class packing_pricer;

  packing_duals duals_;
  table<std::int64_t> reduced_;
  std::uint32_t edition_ = 0;  ///< edition of the cuts to which the duals refer
};

/// Makes and changes the prices of one model.
class packing_pricer {
 public:
  constexpr explicit packing_pricer(const packing_model& model) : m_(model) {
    std::int64_t total = 0;  // upper bound on the cost of a selection
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

  /// Upper bound on the cost of a selection, without the model's base.
  constexpr std::int64_t dearest() const { return dearest_; }

  /// Bound on scaled totals, which leaves room for sums of 2^16 prices in 64 bits.
  static constexpr std::int64_t most_total = std::int64_t{1} << 46;

  /// The factor between costs and prices, a power of two.
  constexpr std::int64_t scale() const { return scale_; }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

  /// Sets the cuts that prices may refer to; they must outlive the use of this pricer.
  constexpr void use(const packing_cuts& cuts) { cuts_ = &cuts; }

  /// Zero prices: reduced costs are the scaled costs.
  constexpr packing_prices free_prices() {
    packing_prices out;
    out.duals_.row = table<std::int64_t>(m_.rows);
    out.duals_.limit = table<std::int64_t>(m_.capacity.size());
    out.reduced_ = table<std::int64_t>(m_.values);
    price_rows(out);
    if (!m_.capacity.empty()) steps_ += m_.values * (1 + m_.capacity.size());
    return out;
  }

  /// Sets `p` to the duals that `write(duals)` writes over the former ones: a price of at least 0
  /// for each row and limit, and for any number of the first cuts. Limits count only for the live
  /// values. O(values + priced entries).
  template <class Write>
  constexpr void set(packing_prices& p, const packing_state& s, Write&& write) {
    write(p.duals_);
    p.edition_ = edition();
    keep_in_range(p.duals_);
    price_rows(p);
    if (m_.capacity.empty()) return;
    const bool narrow = fits(p.duals_.limit);
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      for (const std::uint32_t v : s.left(k))
        p.reduced_[v] += price_of_use(p.duals_.limit, v, narrow);
      steps_ += s.class_count[k];
    }
  }

  /// Changes the price of a row by `by`. O(entries of the row).
  constexpr void change(packing_prices& p, std::uint32_t row, std::int64_t by) const {
    p.duals_.row[row] += by;
    std::int64_t* const reduced = p.reduced_.data();
    const std::uint32_t* const entry = m_.entry.data();
    for (std::uint32_t e = m_.row_first[row]; e < m_.row_first[row + 1]; ++e)
      reduced[entry[e]] += by;
  }

  /// Upper bound on what a selection pays for its use of rows, limits and cuts, scaled; rounded up.
  constexpr int128 paid(const packing_prices& p) const {
    int128 total = 0;
    for (const std::int64_t price : p.duals_.row) total += price;
    for (std::size_t c = 0; c < p.duals_.cut.size(); ++c)
      total += static_cast<int128>(p.duals_.cut[c]) * cuts_->most[c];
    for (std::size_t l = 0; l < p.duals_.limit.size(); ++l)
      if (p.duals_.limit[l] != 0)
        total +=
            static_cast<int128>(p.duals_.limit[l]) * m_.capacity[l] / packing_prices::fraction + 1;
    return total;
  }

  /// Recomputes the prices of the live values in exact arithmetic: true if `p` agrees.
  constexpr bool agrees(const packing_state& s, const packing_prices& p) const {
    const packing_duals& d = p.duals_;
    if (d.row.size() != m_.rows || d.limit.size() != m_.capacity.size() ||
        (!d.cut.empty() && (p.edition_ != edition() || d.cut.size() > cuts_->size())))
      return false;
    table<int128> reduced(m_.values);
    for (std::uint32_t v = 0; v < m_.values; ++v)
      reduced[v] = static_cast<int128>(m_.cost[v]) * scale_;
    bool right = true;
    for (std::uint32_t r = 0; r < m_.rows; ++r) {
      right = right && d.row[r] >= 0;
      for (std::uint32_t e = m_.row_first[r]; e < m_.row_first[r + 1]; ++e)
        reduced[m_.entry[e]] += d.row[r];
    }
    for (std::uint32_t c = 0; c < d.cut.size(); ++c) {
      right = right && d.cut[c] >= 0;
      for (std::uint32_t e = cuts_->first[c]; e < cuts_->first[c + 1]; ++e)
        reduced[cuts_->value[e]] += static_cast<int128>(d.cut[c]) * cuts_->coefficient[e];
    }
    for (std::uint32_t v = 0; v < m_.values; ++v) {
      const int128 exact = reduced[v] + price_of_use(d.limit, v, false);
      // Values dropped before pricing lack the part of the limits.
      right = right && (s.alive[v] ? p.reduced_[v] == exact : p.reduced_[v] <= exact);
    }
    return right;
  }

 private:
  /// Sets the reduced costs, without the part of the limits.
  constexpr void price_rows(packing_prices& p) {
    for (std::uint32_t v = 0; v < m_.values; ++v) p.reduced_[v] = m_.cost[v] * scale_;
    for (std::uint32_t r = 0; r < m_.rows; ++r) {
      const std::int64_t price = p.duals_.row[r];
      if (price == 0) continue;
      for (std::uint32_t e = m_.row_first[r]; e < m_.row_first[r + 1]; ++e)
        p.reduced_[m_.entry[e]] += price;
      steps_ += m_.row_first[r + 1] - m_.row_first[r];
    }
    for (std::size_t c = 0; c < p.duals_.cut.size(); ++c) {
      const std::int64_t price = p.duals_.cut[c];
      if (price == 0) continue;
      for (std::uint32_t e = cuts_->first[c]; e < cuts_->first[c + 1]; ++e)
        p.reduced_[cuts_->value[e]] += price * cuts_->coefficient[e];
      steps_ += cuts_->first[c + 1] - cuts_->first[c];
    }
    steps_ += m_.values / 8;
  }

  /// Halves prices that rays have made so high that reduced costs might overflow 64 bits.
  constexpr void keep_in_range(packing_duals& d) const {
    int128 most = 0;
    for (const std::int64_t price : d.row) most += price;
    for (std::size_t c = 0; c < d.cut.size(); ++c)
      most += static_cast<int128>(d.cut[c]) * cuts_->largest[c];
    for (std::size_t l = 0; l < d.limit.size(); ++l)
      most += static_cast<int128>(d.limit[l]) * m_.capacity[l] / packing_prices::fraction;
    for (; most > largest_total / 4; most /= 2) {
      for (std::int64_t& price : d.row) price /= 2;
      for (std::int64_t& price : d.cut) price /= 2;
      for (std::int64_t& price : d.limit) price /= 2;
    }
  }

  /// True if the part of the limits in every reduced cost fits 64 bits with its fraction.
  constexpr bool fits(const table<std::int64_t>& limit) const {
    int128 most = 0;
    for (std::size_t l = 0; l < limit.size() && most < INT64_MAX; ++l)
      most += static_cast<int128>(limit[l]) * widest_[l];
    return most < INT64_MAX;
  }
  /// The price of a value's use of limits, rounded down; at most `largest_total`.
  constexpr std::int64_t price_of_use(const table<std::int64_t>& limit, std::uint32_t v,
                                      bool narrow) const {
    const std::int64_t* const weight = m_.weight.data();
    if (narrow) {
      std::int64_t sum = 0;
      for (std::size_t l = 0; l < limit.size(); ++l) sum += limit[l] * weight[l * m_.values + v];
      return sum / packing_prices::fraction;
    }
    constexpr int128 most = static_cast<int128>(largest_total) * packing_prices::fraction;
    int128 sum = 0;
    for (std::size_t l = 0; l < limit.size() && sum < most; ++l)
      sum += static_cast<int128>(limit[l]) * weight[l * m_.values + v];
    return sum < most ? static_cast<std::int64_t>(sum / packing_prices::fraction) : largest_total;
  }

  constexpr std::uint32_t edition() const { return cuts_ == nullptr ? 0 : cuts_->edition; }

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

  const packing_model& m_;
  const packing_cuts* cuts_ = nullptr;
  std::int64_t scale_ = 1;
  std::int64_t dearest_ = 0;
  std::uint64_t steps_ = 0;
  table<std::int64_t> widest_;  ///< by limit: the largest use by a value
};

}  // namespace wf::detail
