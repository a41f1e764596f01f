// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/select/packing/cuts.hpp>
#include <wf/select/packing/factor.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/prices.hpp>

namespace wf::detail {

/// The rows of the linear relaxation of a packing model: its rows, then its limits relative to
/// their capacities, then cuts relative to their right sides, so that each right side is 1. Its
/// variables are the values of the model, then one slack for each row.
class simplex_matrix {
 public:
  constexpr explicit simplex_matrix(const packing_model& model)
      : m_(model),
        all_(m_.rows + static_cast<std::uint32_t>(m_.capacity.size())),
        use_(m_.values * m_.capacity.size()),
        share_(m_.capacity.size()) {
    const std::size_t limits = m_.capacity.size();
    for (std::size_t l = 0; l < limits; ++l) {
      share_[l] = m_.capacity[l] > 0 ? 1.0 / static_cast<double>(m_.capacity[l]) : 0.0;
      for (std::uint32_t v = 0; v < m_.values; ++v)
        use_[v * limits + l] = static_cast<double>(m_.weight[l * m_.values + v]) * share_[l];
    }
  }

  /// Adds the cuts beyond those already known, which must be the first of `cuts`.
  constexpr void add_cuts(const packing_cuts& cuts) {
    cuts_ = &cuts;
    const std::uint32_t before = all_;
    all_ = first_cut() + cuts.size();
    for (std::uint32_t r = before; r < all_; ++r)
      unit_.push_back(1.0 / static_cast<double>(cuts.most[r - first_cut()]));
  }

  /// Row number of the first cut.
  constexpr std::uint32_t first_cut() const {
    return m_.rows + static_cast<std::uint32_t>(share_.size());
  }

  /// True if a variable is the slack of a row, not a value.
  constexpr bool is_slack(std::uint32_t variable) const { return variable >= m_.values; }

  /// The cost of a value's use of limits at the given prices.
  template <class Prices>
  constexpr double price_of_use(std::uint32_t v, const Prices& price) const {
    const std::size_t limits = share_.size();
    const double* const use = use_.data() + v * limits;
    double sum = 0;
    for (std::size_t l = 0; l < limits; ++l) sum += use[l] * price[m_.rows + l];
    return sum;
  }

  /// Adds `factor` times the coefficients of a value in rows, limits and cuts.
  constexpr void add_value(std::uint32_t v, double factor, sparse_vector& to) const {
    for (std::uint32_t i = m_.value_part_first[v]; i < m_.value_part_first[v + 1]; ++i)
      to.at(m_.parts[m_.value_part[i]].row) += factor;
    const std::size_t limits = share_.size();
    for (std::uint32_t l = 0; l < limits; ++l) to.at(m_.rows + l) += factor * use_[v * limits + l];
    if (unit_.empty()) return;
    for (std::uint32_t i = cuts_->value_first[v]; i < cuts_->value_first[v + 1]; ++i) {
      const std::uint32_t c = cuts_->cut_of[i];
      to.at(first_cut() + c) += factor * cuts_->coefficient_of[i] * unit_[c];
    }
  }

  /// Calls `f(value, use)` for the values in a cut, scaled to the right side 1.
  template <class F>
  constexpr void each_in_cut(std::uint32_t c, F&& f) const {
    for (std::uint32_t e = cuts_->first[c]; e < cuts_->first[c + 1]; ++e)
      f(cuts_->value[e], cuts_->coefficient[e] * unit_[c]);
  }

  /// Writes the price of a row in fixed point, scaled by `scale`.
  constexpr void price_row(packing_duals& d, std::uint32_t row, double price,
                           std::int64_t scale) const {
    std::int64_t out = 0;
    const double scaled = price > 0 ? price * static_cast<double>(scale) : 0;
    if (row < m_.rows) {
      out = scaled < static_cast<double>(dearest_price) ? static_cast<std::int64_t>(scaled)
                                                        : dearest_price;
      d.row[row] = out;
      return;
    }
    if (row >= first_cut()) {
      d.cut[row - first_cut()] = price_of_unit(row - first_cut(), scaled);
      return;
    }
    const std::size_t l = row - m_.rows;
    const double fine = scaled * share_[l] * static_cast<double>(packing_prices::fraction);
    if (fine < 1e18) out = static_cast<std::int64_t>(fine);
    d.limit[l] = out;
  }

  const packing_model& m_;
  const packing_cuts* cuts_ = nullptr;
  std::uint32_t all_;  ///< number of rows, limits and cuts
  table<double> use_;  ///< use of limit l by value v, relative to its capacity, at `v * limits + l`
  table<double> share_;  ///< by limit: 1 / capacity
  table<double> unit_;   ///< by cut: 1 / right side

 private:
  static constexpr std::int64_t dearest_price = 4 * packing_pricer::most_total;

  /// The fixed-point price of a unit of a cut's coefficients, capped so that no value pays more for
  /// a cut than for a row.
  constexpr std::int64_t price_of_unit(std::uint32_t c, double price) const {
    const std::int64_t most = dearest_price / cuts_->largest[c];
    const double of_unit = price * unit_[c];
    return of_unit < static_cast<double>(most) ? static_cast<std::int64_t>(of_unit) : most;
  }
};

}  // namespace wf::detail
