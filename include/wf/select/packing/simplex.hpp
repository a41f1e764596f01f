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
#include <wf/select/packing/simplex_basis.hpp>
#include <wf/select/packing/simplex_prices.hpp>
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

/// The dual simplex method on the linear relaxation of a packing model. It starts from any dual
/// feasible basis, with no negative price (such as that of no tight row: each class takes its
/// cheapest value), and so continues from a parent's basis after values are dropped. It works in
/// floating point and yields prices, from which bounds are computed exactly.
///
/// The cost of a pivot is that of the classes in the rows whose prices move.
class packing_simplex : simplex_prices {
 public:
  constexpr explicit packing_simplex(const packing_model& model)
      : simplex_prices(model),
        weight_(m_.values + all_, 1.0),
        x_(all_),
        u_(all_),
        key_share_(m_.classes) {}

  /// Adds the cuts beyond those already known, which must be the first of `cuts`. The basis stays,
  /// and the slacks of the new cuts join it. The cuts must outlive the use of this object.
  constexpr void use(const packing_cuts& cuts) {
    const std::uint32_t before = all_;
    add_cuts(cuts);
    for (std::uint32_t r = before; r < all_; ++r) {
      basic_.push_back(m_.values + r);
      slot_of_.push_back(r);
      lambda_.push_back(0);
      weight_.push_back(1);
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
  static constexpr double small_pivot = 1e-7;
  static constexpr double feasible = 1e-7;
  static constexpr double least_weight = 1e-4;

  /// Makes room for `all_` rows; the basis must then be factorised.
  constexpr void resize_rows() {
    resize_basis();
    x_.resize(all_);
    y_ = u_ = sparse_vector(all_);
    fresh_ = false;
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

  /// By variable while it is basic: about the square of its row of the inverse (dual steepest
  /// edge).
  table<double> weight_;
  table<double> x_;          ///< by slot: the primal value of its variable
  sparse_vector u_;          ///< the column of the tableau that enters
  table<double> key_share_;  ///< by class: the share of its key
  table<std::uint32_t> others_;
  bool exchanged_ = false;
  bool fresh_ = false;  ///< prices and shares are those of the basis, or of the end of `solve`
  std::uint64_t pivots_ = 0;
};

}  // namespace wf::detail
