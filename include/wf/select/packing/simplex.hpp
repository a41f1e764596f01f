// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/select/packing/cuts.hpp>
#include <wf/select/packing/factor.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/prices.hpp>
#include <wf/select/packing/state.hpp>

namespace wf::detail {

/// Outcome of solving a linear relaxation.
enum class simplex_status : std::uint8_t {
  optimal,     ///< the prices are optimal
  cutoff,      ///< the bound reached the cutoff
  limit,       ///< out of iterations; the prices are valid all the same
  stuck,       ///< out of numerical accuracy; likewise
  infeasible,  ///< the relaxation has no solution
};

/// A basis of the relaxation: each class has a *key* value; every row has a slot, which holds its
/// own slack unless listed here. Variables are the values, then the slacks, numbered after them;
/// limits are numbered after the rows, cuts after the limits.
struct packing_basis {
  table<std::uint32_t> key;             ///< by class: its key value
  table<std::uint32_t> slot, variable;  ///< slots without their own slack, and what they hold
  std::uint64_t stamp = 0;              ///< stamp of the basis when it was saved
  std::uint64_t pricing = 0;            ///< stamp of the reduced costs when it was saved
  std::uint64_t factor = 0;             ///< stamp of the matching factors, or 0,
  std::size_t updates = 0;              ///< and the number of their updates
};

/// The dual simplex method on the linear relaxation of a packing model. It starts from any dual
/// feasible basis, with no negative price (such as that of no tight row: each class takes its
/// cheapest value), and so continues from a parent's basis after values are dropped. It works in
/// floating point and yields prices, from which bounds are computed exactly.
///
/// A class's key takes the share that the other values leave, so that the basis has a column for
/// each row only: slacks, and values minus their class's key (generalised upper bounding, Dantzig
/// and Van Slyke 1967). The cost of a pivot is that of the classes in the rows whose prices move.
class packing_simplex {
 public:
  constexpr explicit packing_simplex(const packing_model& model)
      : m_(model),
        all_(m_.rows + static_cast<std::uint32_t>(m_.capacity.size())),
        factor_(all_),
        basic_(all_),
        slot_of_(m_.values + all_),
        extras_of_(m_.classes),
        touched_mark_(m_.classes),
        lambda_(all_),
        weight_(m_.values + all_, 1.0),
        x_(all_),
        y_(all_),
        u_(all_),
        step_(all_),
        taken_(all_),
        reduced_(m_.values),
        change_(m_.values),
        key_share_(m_.classes),
        use_(m_.values * m_.capacity.size()) {
    const std::size_t limits = m_.capacity.size();
    share_ = table<double>(limits);
    for (std::size_t l = 0; l < limits; ++l) {
      share_[l] = m_.capacity[l] > 0 ? 1.0 / static_cast<double>(m_.capacity[l]) : 0.0;
      for (std::uint32_t v = 0; v < m_.values; ++v)
        use_[v * limits + l] = static_cast<double>(m_.weight[l * m_.values + v]) * share_[l];
    }
    empty();
  }

  /// Adds the cuts beyond those already known, which must be the first of `cuts`. The basis stays,
  /// and the slacks of the new cuts join it. The cuts must outlive the use of this object.
  constexpr void use(const packing_cuts& cuts) {
    cuts_ = &cuts;
    const std::uint32_t before = all_;
    all_ = first_cut() + cuts.size();
    for (std::uint32_t r = before; r < all_; ++r) {
      basic_.push_back(m_.values + r);
      slot_of_.push_back(r);
      lambda_.push_back(0);
      weight_.push_back(1);
      unit_.push_back(1.0 / static_cast<double>(cuts.most[r - first_cut()]));
    }
    resize_rows();
  }

  /// True if a cut binds: its slack is not basic.
  constexpr bool binds(std::uint32_t cut) const {
    return slot_of_[m_.values + first_cut() + cut] == packing_model::none;
  }

  /// Drops the cuts that are not `kept`; the binding ones must be. The basis stays.
  constexpr void keep(const table<std::uint8_t>& kept) {
    table<std::uint32_t> extras, rows;  // basic values, and rows that bind
    std::uint32_t next = first_cut();
    for (std::uint32_t r = 0; r < all_; ++r)
      if (!is_slack(basic_[r])) extras.push_back(basic_[r]);
    for (std::uint32_t r = 0; r < all_; ++r) {
      const bool cut = r >= first_cut();
      if (cut && !kept[r - first_cut()]) continue;
      const std::uint32_t row = cut ? next++ : r;
      lambda_[row] = lambda_[r];
      weight_[m_.values + row] = weight_[m_.values + r];
      if (cut) unit_[row - first_cut()] = unit_[r - first_cut()];
      if (slot_of_[m_.values + r] == packing_model::none) rows.push_back(row);
    }
    all_ = next;
    unit_.resize(all_ - first_cut());
    basic_.resize(all_);
    slot_of_.resize(m_.values + all_);
    lambda_.resize(all_);
    weight_.resize(m_.values + all_);
    resize_rows();
    const table<std::uint32_t> counts(extras_of_);
    empty();
    extras_of_ = counts;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      slot_of_[m_.values + rows[i]] = packing_model::none;
      basic_[rows[i]] = extras[i];
      slot_of_[extras[i]] = rows[i];
    }
  }

  /// Resets to the basis of no tight row: each class takes its cheapest live value.
  constexpr void reset(const packing_state& s) {
    empty();
    key_.clear();
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      std::uint32_t best = packing_model::none;
      for (const std::uint32_t v : s.left(k))
        if (best == packing_model::none || m_.cost[v] < m_.cost[best] ||
            (m_.cost[v] == m_.cost[best] && v < best))
          best = v;
      key_.push_back(best);
    }
    invert();
    priced_ = fresh_ = false;
  }
  /// Saves the current basis to `b`.
  constexpr void save(packing_basis& b) const {
    b.key = key_;
    b.slot.clear();
    b.variable.clear();
    for (std::uint32_t i = 0; i < all_; ++i)
      if (basic_[i] != m_.values + i) {
        b.slot.push_back(i);
        b.variable.push_back(basic_[i]);
      }
    b.stamp = stamp_;
    b.pricing = pricing_;
    b.factor = factored_ ? factor_stamp_ : 0;
    b.updates = factor_.updates();
  }
  /// Restores a basis that this object saved.
  constexpr void load(const packing_basis& b) {
    if (b.stamp == stamp_) {
      if (b.pricing != pricing_) priced_ = false;  // the reduced costs cover fewer values
      return;
    }
    empty();
    fresh_ = false;
    key_ = b.key;
    for (const std::uint32_t i : b.slot) slot_of_[basic_[i]] = packing_model::none;
    for (std::size_t i = 0; i < b.slot.size(); ++i) {
      const std::uint32_t v = b.variable[i];
      basic_[b.slot[i]] = v;
      slot_of_[v] = b.slot[i];
      if (v < m_.values) ++extras_of_[m_.owner[v]];
    }
    stamp_ = b.stamp;
    priced_ = placed_ = false;
    factored_ = b.factor != 0 && b.factor == factor_stamp_;
    if (factored_) factor_.take_back(b.updates);
  }

  /// Pivots until optimal, until the bound (without the model's base) reaches `cutoff`, or at most
  /// `iterations` times. If there is no solution, the prices move along the ray that proves it
  /// until the bound has grown by `gain`.
  constexpr simplex_status solve(const packing_state& s, double cutoff, double gain,
                                 int iterations) {
    if (!factored_ && !invert()) reset(s);
    renew_keys(s);
    if (!priced_) reprice(s);
    if (!placed_) place();
    fresh_ = true;
    int repairs = 0;
    for (int i = 0;; ++i) {
      if (value_ >= cutoff) return simplex_status::cutoff;
      leaving out = find_leaving(s);
      if (out.kind == leaving::nothing) return simplex_status::optimal;
      if (i == iterations) return simplex_status::limit;
      if (out.kind == leaving::key) out = swap_key(s, out.number);
      direct(s, out);
      const entering in = find_entering(s);
      if (!in.found) {  // the prices can grow without bound along this ray
        follow_ray(gain / (out.amount > 1e-4 ? out.amount : 1e-4));
        return simplex_status::infeasible;
      }
      if (!exchange(s, out, in) || is_long()) {
        if (!invert()) return simplex_status::stuck;
        reprice(s);
        place();
        if (!exchanged_ && ++repairs > 20) return simplex_status::stuck;
      }
    }
  }

  /// Recomputes the prices and shares of the current basis after `load`, `use`, `keep` or `reset`;
  /// no effect if they are current.
  constexpr void refresh(const packing_state& s) {
    if (fresh_) return;
    if (!factored_ && !invert()) reset(s);
    if (!priced_) reprice(s);
    if (!placed_) place();
    fresh_ = true;
  }

  /// The bound (without the model's base) in floating point: the optimum once `solve` is `optimal`.
  constexpr double value() const { return value_; }
  /// The share of a value in the solution, after `solve` returned `optimal`, `limit` or `stuck`.
  constexpr double share(std::uint32_t v) const {
    assert(fresh_);
    if (key_[m_.owner[v]] == v) return key_share_[m_.owner[v]];
    return slot_of_[v] == packing_model::none ? 0.0 : x_[slot_of_[v]];
  }
  /// The shares of all values.
  constexpr table<double> shares() const {
    table<double> out(m_.values);
    for (std::uint32_t v = 0; v < m_.values; ++v) out[v] = share(v);
    return out;
  }
  /// Writes the prices to `d` in fixed point, scaled by `scale`.
  constexpr void price(packing_duals& d, std::int64_t scale) const {
    assert(fresh_);
    d.cut.resize(unit_.size());
    for (std::uint32_t r = 0; r < all_; ++r) price_row(d, r, lambda_[r], scale);
  }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }
  /// Number of pivots so far.
  constexpr std::uint64_t pivots() const { return pivots_; }

 private:
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

  static constexpr std::int64_t dearest_price = 4 * packing_pricer::most_total;
  static constexpr double tiny = 1e-9;
  static constexpr double small_pivot = 1e-7;
  static constexpr double feasible = 1e-7;
  static constexpr double least_weight = 1e-4;
  static constexpr std::size_t most_updates = 64;

  /// Gives every slot its own slack.
  constexpr void empty() {
    for (std::uint32_t v = 0; v < m_.values; ++v) slot_of_[v] = packing_model::none;
    for (std::uint32_t r = 0; r < all_; ++r) {
      basic_[r] = m_.values + r;
      slot_of_[m_.values + r] = r;
    }
    for (std::uint32_t& count : extras_of_) count = 0;
  }

  /// Makes room for `all_` rows; the basis must then be factorised.
  constexpr void resize_rows() {
    x_.resize(all_);
    taken_.resize(all_);
    y_ = u_ = step_ = sparse_vector(all_);
    factor_ = packing_factor(all_);
    factored_ = placed_ = fresh_ = false;
    change_state();
  }

  /// Row number of the first cut.
  constexpr std::uint32_t first_cut() const {
    return m_.rows + static_cast<std::uint32_t>(share_.size());
  }
  constexpr bool is_slack(std::uint32_t variable) const { return variable >= m_.values; }
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

  /// The cost of a value's use of limits at the given prices.
  template <class Prices>
  constexpr double price_of_use(std::uint32_t v, const Prices& price) const {
    const std::size_t limits = share_.size();
    const double* const use = use_.data() + v * limits;
    double sum = 0;
    for (std::size_t l = 0; l < limits; ++l) sum += use[l] * price[m_.rows + l];
    return sum;
  }

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

  /// The fixed-point price of a unit of a cut's coefficients, capped so that no value pays more for
  /// a cut than for a row.
  constexpr std::int64_t price_of_unit(std::uint32_t c, double price) const {
    const std::int64_t most = dearest_price / cuts_->largest[c];
    const double of_unit = price * unit_[c];
    return of_unit < static_cast<double>(most) ? static_cast<std::int64_t>(of_unit) : most;
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
  /// Adds `factor` times the column of a variable; that of a value is taken minus its class's key.
  constexpr void add_column(std::uint32_t variable, double factor, sparse_vector& to) const {
    if (is_slack(variable)) {
      to.at(variable - m_.values) += factor;
      return;
    }
    add_value(variable, factor, to);
    add_value(key_[m_.owner[variable]], -factor, to);
  }

  /// Calls `f(value, use)` for the values in a cut, scaled to the right side 1.
  template <class F>
  constexpr void each_in_cut(std::uint32_t c, F&& f) const {
    for (std::uint32_t e = cuts_->first[c]; e < cuts_->first[c + 1]; ++e)
      f(cuts_->value[e], cuts_->coefficient[e] * unit_[c]);
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
  constexpr void change_state() { stamp_ = ++clock_; }

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

  /// Computes the primal values of the basic variables and of the keys.
  constexpr void place() {
    step_.clear();
    for (std::uint32_t r = 0; r < all_; ++r) step_.at(r) = 1;
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      add_value(key_[k], -1, step_);
      key_share_[k] = 1;
    }
    factor_.solve(step_);
    for (std::uint32_t i = 0; i < all_; ++i) {
      x_[i] = step_[i];
      if (!is_slack(basic_[i])) key_share_[m_.owner[basic_[i]]] -= x_[i];
    }
    steps_ += factor_.entries() + m_.classes;
    placed_ = true;
  }

  /// The basic variable that is furthest out of its range, measured along its edge.
  constexpr leaving find_leaving(const packing_state& s) const {
    leaving out;
    double worst = 0;
    const auto consider = [&](double x, double weight, leaving::kind_type kind,
                              std::uint32_t number) {
      if (x * x <= worst * weight) return;
      worst = x * x / weight;
      out = {kind, number, x < 0 ? 1.0 : -1.0, x < 0 ? -x : x};
    };
    for (std::uint32_t i = 0; i < all_; ++i) {
      const double x = x_[i];
      if (x < -feasible || (x > feasible && !is_slack(basic_[i]) && !s.alive[basic_[i]]))
        consider(x, weight_[basic_[i]], leaving::basic, i);
    }
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      const double x = key_share_[k];
      if (extras_of_[k] != 0 && (x < -feasible || (x > feasible && !s.alive[key_[k]])))
        consider(x, key_weight(k), leaving::key, k);
    }
    return out;
  }

  constexpr double key_weight(std::uint32_t k) const {
    double sum = 0;
    for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v)
      if (slot_of_[v] != packing_model::none) sum += weight_[v];
    return sum;
  }

  /// Makes another basic value of the class its key, so that the old key can leave.
  constexpr leaving swap_key(const packing_state& s, std::uint32_t k) {
    std::uint32_t best = packing_model::none;
    others_.clear();
    for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v) {
      if (slot_of_[v] == packing_model::none) continue;
      others_.push_back(slot_of_[v]);
      if (best == packing_model::none || s.alive[v] > s.alive[best] ||
          (s.alive[v] == s.alive[best] && x_[slot_of_[v]] > x_[slot_of_[best]]))
        best = v;
    }
    const std::uint32_t slot = slot_of_[best], old = key_[k];
    std::size_t kept = 0;
    for (const std::uint32_t other : others_)
      if (other != slot) others_[kept++] = other;
    others_.resize(kept);
    factor_.reflect(slot, others_);
    slot_of_[best] = packing_model::none;
    slot_of_[old] = slot;
    basic_[slot] = old;
    key_[k] = best;
    const double share = key_share_[k];
    key_share_[k] = x_[slot];
    x_[slot] = share;
    change_state();
    return {leaving::basic, slot, share < 0 ? 1.0 : -1.0, share < 0 ? -share : share};
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

  /// Performs the pivot; false if it is numerically unreliable.
  constexpr bool exchange(const packing_state& s, const leaving& out, const entering& in) {
    u_.clear();
    add_column(in.variable, 1, u_);
    factor_.solve(u_);
    steps_ += factor_.entries();
    const double pivot = u_[out.number], error = pivot - in.slope * out.sign;
    exchanged_ = (pivot > small_pivot || pivot < -small_pivot) &&
                 (error < 0 ? -error : error) < 1e-6 * (1 + (pivot < 0 ? -pivot : pivot));
    if (!exchanged_) return false;
    reweigh(out, in.variable, pivot);
    advance(s, in.length);
    value_ += in.length * out.amount;
    shift(out.number, x_[out.number] / pivot);
    step_.clear();
    add_column(in.variable, 1, step_);
    add_column(basic_[out.number], -1, step_);
    factor_.replace(out.number, step_, y_, in.slope);
    rename(out.number, in.variable);
    change_state();
    ++pivots_;
    return true;
  }

  /// Updates `weight_` from the row y_ and the column u_ of the pivot (Forrest and Goldfarb 1992).
  constexpr void reweigh(const leaving& out, std::uint32_t entering, double pivot) {
    double own = 0;
    step_.clear();
    for (const std::uint32_t r : y_.index()) {
      if (y_[r] == 0) continue;
      own += y_[r] * y_[r];
      step_.at(r) = out.sign * y_[r];
    }
    factor_.solve(step_);
    for (const std::uint32_t i : u_.index()) {
      const double ratio = u_[i] / pivot;
      double& weight = weight_[basic_[i]];
      weight += ratio * (ratio * own - 2 * step_[i]);
      if (weight < least_weight) weight = least_weight;
    }
    weight_[entering] = own / (pivot * pivot);
    if (weight_[entering] < least_weight) weight_[entering] = least_weight;
  }

  /// Moves prices and reduced costs by `length` along the direction.
  constexpr void advance(const packing_state& s, double length) {
    for (const std::uint32_t r : moving_) lambda_[r] += length * y_[r];
    for (const std::uint32_t k : touched_)
      each_live(s, k, [&](std::uint32_t v) { reduced_[v] += length * change_[v]; });
  }

  /// Sets the entering variable to `share` and adjusts the other basic variables.
  constexpr void shift(std::uint32_t slot, double share) {
    for (const std::uint32_t i : u_.index()) {
      if (i == slot) continue;
      const double less = share * u_[i];
      x_[i] -= less;
      if (!is_slack(basic_[i])) key_share_[m_.owner[basic_[i]]] += less;
    }
    if (!is_slack(basic_[slot])) key_share_[m_.owner[basic_[slot]]] += x_[slot];
    x_[slot] = share;
  }

  constexpr void rename(std::uint32_t slot, std::uint32_t variable) {
    const std::uint32_t old = basic_[slot];
    slot_of_[old] = packing_model::none;
    if (is_slack(old))
      lambda_[old - m_.values] = lambda_[old - m_.values] < 0 ? 0 : lambda_[old - m_.values];
    else
      --extras_of_[m_.owner[old]];
    basic_[slot] = variable;
    slot_of_[variable] = slot;
    if (is_slack(variable)) {
      lambda_[variable - m_.values] = 0;
    } else {
      ++extras_of_[m_.owner[variable]];
      key_share_[m_.owner[variable]] -= x_[slot];
    }
  }

  constexpr void follow_ray(double length) {
    for (const std::uint32_t r : moving_) lambda_[r] += length * y_[r];
    priced_ = false;
    change_state();
  }

  /// True if the updates have grown so long that new factors are cheaper.
  constexpr bool is_long() const {
    return factor_.updates() >= most_updates || factor_.update_entries() > 3 * factor_.entries();
  }

  /// Refactorises the basis; false if it is singular.
  constexpr bool invert() {
    columns_.clear();
    extras_.clear();
    for (std::uint32_t r = 0; r < all_; ++r) {
      taken_[r] = slot_of_[m_.values + r] == packing_model::none;
      if (is_slack(basic_[r])) continue;
      extras_.push_back(basic_[r]);
      list_column(basic_[r]);
    }
    placed_ = false;
    factored_ = factor_.factorise(columns_, taken_);
    factor_stamp_ = factored_ ? ++clock_ : 0;
    if (!factored_) return false;
    for (std::uint32_t r = 0; r < all_; ++r) {
      if (taken_[r]) continue;
      basic_[r] = m_.values + r;
      slot_of_[m_.values + r] = r;
    }
    for (std::size_t j = 0; j < extras_.size(); ++j) {
      basic_[factor_.slot(j)] = extras_[j];
      slot_of_[extras_[j]] = factor_.slot(j);
    }
    steps_ += 4 * factor_.entries();
    change_state();
    return true;
  }

  /// Appends the column of a value minus its class's key to `columns_`.
  constexpr void list_column(std::uint32_t v) {
    step_.clear();
    add_column(v, 1, step_);
    for (const std::uint32_t r : step_.index())
      if (step_[r] != 0) columns_.add(r, step_[r]);
    columns_.close();
  }

  struct candidate {
    std::uint32_t variable = 0;
    double slope = 0, space = 0;
  };

  const packing_model& m_;
  const packing_cuts* cuts_ = nullptr;
  std::uint32_t all_;  ///< number of rows, limits and cuts
  packing_factor factor_;
  table<std::uint32_t> key_;        ///< by class: its key value
  table<std::uint32_t> basic_;      ///< by slot: its variable
  table<std::uint32_t> slot_of_;    ///< by variable: its slot, or `none`
  table<std::uint32_t> extras_of_;  ///< by class: number of basic values beside its key
  table<std::uint32_t> touched_;    ///< classes whose reduced costs move
  table<std::uint8_t> touched_mark_;
  table<std::uint32_t> moving_;  ///< rows whose prices move
  table<candidate> falling_;     ///< candidates to enter
  table<double> lambda_;         ///< by row: its price
  /// By variable while it is basic: about the square of its row of the inverse (dual steepest
  /// edge).
  table<double> weight_;
  table<double> x_;             ///< by slot: the primal value of its variable
  sparse_vector y_, u_, step_;  ///< a row and a column of the tableau; scratch
  table<std::uint8_t> taken_;
  table<double> reduced_, change_;  ///< by value; valid for live values and for keys
  table<double> key_share_;         ///< by class: the share of its key
  table<double> use_;  ///< use of limit l by value v, relative to its capacity, at `v * limits + l`
  table<double> share_;  ///< by limit: 1 / capacity
  table<double> unit_;   ///< by cut: 1 / right side
  sparse_columns columns_;
  table<std::uint32_t> extras_, others_;
  double value_ = 0;
  bool factored_ = false, priced_ = false, placed_ = false, exchanged_ = false;
  bool fresh_ = false;  ///< prices and shares are those of the basis, or of the end of `solve`
  std::uint64_t clock_ = 0, stamp_ = 0, factor_stamp_ = 0, pricing_ = 0;
  std::uint64_t pivots_ = 0, steps_ = 0;
};

}  // namespace wf::detail
