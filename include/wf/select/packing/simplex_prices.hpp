// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/select/packing/factor.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/simplex_basis.hpp>
#include <wf/select/packing/state.hpp>

namespace wf::detail {

/// The dual side of the simplex method: the prices of the rows and the reduced costs of the values,
/// how they move when a variable leaves the basis, and the ratio test that ends the move.
class simplex_prices : public simplex_basis {
 public:
  struct leaving {
    enum kind_type : std::uint8_t { nothing, basic, key } kind = nothing;
    std::uint32_t number = 0;  ///< the slot, or the class
    double sign = 1;           ///< sign of the reduced cost of the variable after it leaves
    double amount = 0;         ///< distance of the variable from its range
  };
  struct entering {
    bool found = false;
    std::uint32_t variable = 0;
    double length = 0;  ///< length of the step along the direction
    double slope = 0;   ///< slope of its reduced cost along the direction
  };

  constexpr explicit simplex_prices(const packing_model& model)
      : simplex_basis(model),
        lambda_(all_),
        reduced_(m_.values),
        change_(m_.values),
        y_(all_),
        touched_mark_(m_.classes) {}

  /// True if a class has values that may enter.
  constexpr bool is_open(const packing_state& s, std::uint32_t k) const {
    return s.class_count[k] > 1 || !s.alive[key_[k]];
  }

  /// Calls `f` for the live values of a class and for its key.
  template <class F>
  constexpr void each_live(const packing_state& s, std::uint32_t k, F&& f) const {
    for (const std::uint32_t v : s.left(k)) f(v);
    if (!s.alive[key_[k]]) f(key_[k]);
  }

  /// Gives each class whose key was dropped, and which has no other basic value, its cheapest live
  /// value as the key.
  constexpr void renew_keys(const packing_state& s) {
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (s.alive[key_[k]] || extras_of_[k] != 0) continue;
      if (!priced_) reprice(s);
      std::uint32_t best = packing_model::none;
      for (const std::uint32_t v : s.left(k))
        if (best == packing_model::none || reduced_[v] < reduced_[best] ||
            (reduced_[v] == reduced_[best] && v < best))
          best = v;
      value_ += reduced_[best] - reduced_[key_[k]];
      key_[k] = best;
      change_state();
      placed_ = false;
    }
  }

  /// Computes prices and reduced costs from the basis.
  constexpr void reprice(const packing_state& s) {
    step_.clear();
    for (std::uint32_t i = 0; i < all_; ++i)
      if (const std::uint32_t v = basic_[i]; !is_slack(v))
        step_.at(i) = static_cast<double>(m_.cost[key_[m_.owner[v]]] - m_.cost[v]);
    factor_.solve_transposed(step_);
    for (std::uint32_t r = 0; r < all_; ++r) lambda_[r] = step_[r];
    for (std::uint32_t v = 0; v < m_.values; ++v) reduced_[v] = static_cast<double>(m_.cost[v]);
    value_ = 0;
    for (std::uint32_t r = 0; r < all_; ++r) {
      const double price = lambda_[r];
      value_ -= price;
      if (price == 0) continue;
      if (r < m_.rows) {
        for (std::uint32_t e = m_.row_first[r]; e < m_.row_first[r + 1]; ++e)
          reduced_[m_.entry[e]] += price;
        steps_ += m_.row_first[r + 1] - m_.row_first[r];
      } else if (r >= first_cut()) {
        each_in_cut(r - first_cut(), [&](std::uint32_t v, double use) {
          reduced_[v] += price * use;
          ++steps_;
        });
      }
    }
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      each_live(s, k, [&](std::uint32_t v) { reduced_[v] += price_of_use(v, lambda_); });
      value_ += reduced_[key_[k]];
    }
    steps_ += factor_.entries() + m_.values;
    priced_ = true;
    if (!share_.empty()) ++pricing_;  // limits are priced for live values only
  }

  /// Computes the moves of prices (y_) and reduced costs (change_) per unit of growth of the
  /// leaving variable's reduced cost.
  constexpr void direct(const packing_state& s, const leaving& out) {
    for (const std::uint32_t k : touched_) touched_mark_[k] = 0;
    touched_.clear();
    moving_.clear();
    y_.clear();
    y_.at(out.number) = out.sign;
    factor_.solve_transposed(y_);
    bool limits = false;
    for (const std::uint32_t r : y_.index()) {
      if (y_[r] < 1e-12 && y_[r] > -1e-12) {
        y_.at(r) = 0;
        continue;
      }
      moving_.push_back(r);
      if (r < m_.rows)
        spread(s, r);
      else if (r < first_cut())
        limits = true;
      else
        spread_cut(s, r);
    }
    for (std::uint32_t k = 0; k < m_.classes && limits; ++k) {
      if (!is_open(s, k)) continue;
      touch(k);
      each_live(s, k, [&](std::uint32_t v) { change_[v] += price_of_use(v, y_); });
      steps_ += s.class_count[k];
    }
    steps_ += factor_.entries();
  }

  /// Ratio test: the first price or reduced cost to reach zero; among nearly equal ones, the
  /// fastest.
  constexpr entering find_entering(const packing_state& s) {
    double shortest = 1e300;
    falling_.clear();
    const auto notice = [&](std::uint32_t variable, double slope, double space) {
      if (slope >= -tiny) return;
      if (space < 0) space = 0;
      falling_.push_back({variable, slope, space});
      if (space + tiny < -slope * shortest) shortest = (space + tiny) / -slope;
    };
    for (const std::uint32_t r : moving_)
      if (slot_of_[m_.values + r] == packing_model::none) notice(m_.values + r, y_[r], lambda_[r]);
    for (const std::uint32_t k : touched_) {
      const std::uint32_t key = key_[k];
      const double at = reduced_[key], by = change_[key];
      for (const std::uint32_t v : s.left(k))
        if (v != key && slot_of_[v] == packing_model::none)
          notice(v, change_[v] - by, reduced_[v] - at);
      steps_ += s.class_count[k];
    }
    entering in;
    double steepest = 0;
    for (const candidate& c : falling_) {
      if (c.space > -c.slope * shortest || -c.slope <= steepest) continue;
      steepest = -c.slope;
      in = {true, c.variable, c.space / -c.slope, c.slope};
    }
    return in;
  }

  /// Moves prices and reduced costs by `length` along the direction.
  constexpr void advance(const packing_state& s, double length) {
    for (const std::uint32_t r : moving_) lambda_[r] += length * y_[r];
    for (const std::uint32_t k : touched_)
      each_live(s, k, [&](std::uint32_t v) { reduced_[v] += length * change_[v]; });
  }

  constexpr void follow_ray(double length) {
    for (const std::uint32_t r : moving_) lambda_[r] += length * y_[r];
    priced_ = false;
    change_state();
  }

  table<double> lambda_;            ///< by row: its price
  table<double> reduced_, change_;  ///< by value; valid for live values and for keys
  sparse_vector y_;                 ///< by row: the move of its price
  double value_ = 0;                ///< the bound that the prices prove
  bool priced_ = false;             ///< the prices are those of the basis
  std::uint64_t pricing_ = 0;

 private:
  static constexpr double tiny = 1e-9;

  struct candidate {
    std::uint32_t variable = 0;
    double slope = 0, space = 0;
  };

  /// Adds a row's move to the change of its values.
  constexpr void spread(const packing_state& s, std::uint32_t row) {
    for (std::uint32_t i = m_.row_part[row]; i < m_.row_part[row + 1]; ++i) {
      const packing_part& part = m_.parts[i];
      if (!is_open(s, part.owner)) continue;
      touch(part.owner);
      for (std::uint32_t e = part.begin; e < part.end; ++e) change_[m_.entry[e]] += y_[row];
      steps_ += part.end - part.begin;
    }
  }

  constexpr void spread_cut(const packing_state& s, std::uint32_t row) {
    each_in_cut(row - first_cut(), [&](std::uint32_t v, double use) {
      ++steps_;
      if (!is_open(s, m_.owner[v])) return;
      touch(m_.owner[v]);
      change_[v] += use * y_[row];
    });
  }

  constexpr void touch(std::uint32_t k) {
    if (touched_mark_[k]) return;
    touched_mark_[k] = 1;
    touched_.push_back(k);
    for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v) change_[v] = 0;
  }

  table<std::uint32_t> touched_;  ///< classes whose reduced costs move
  table<std::uint8_t> touched_mark_;
  table<std::uint32_t> moving_;  ///< rows whose prices move
  table<candidate> falling_;     ///< candidates to enter
};

}  // namespace wf::detail
