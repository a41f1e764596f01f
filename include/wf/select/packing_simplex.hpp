// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/table.hpp>
#include <wf/select/dual_ascent.hpp>
#include <wf/select/packing.hpp>

namespace wf::detail {

/// How a linear relaxation ended.
enum class simplex_status : std::uint8_t {
  optimal,     ///< the prices are best
  cutoff,      ///< the bound reached the cutoff
  limit,       ///< out of iterations; the prices are valid all the same
  stuck,       ///< out of rows or digits; likewise
  infeasible,  ///< the relaxation has no solution
};

/// A basis of the relaxation: each class has a *key* value; beyond the keys as many further basic
/// values as rows are tight. The working matrix (rows by further values, each less its class's key)
/// is all that has to be inverted: generalised upper bounding (Dantzig and Van Slyke 1967).
struct packing_basis {
  table<std::uint32_t> key;    ///< of a class
  table<std::uint32_t> extra;  ///< further basic values
  table<std::uint32_t> row;    ///< tight rows, as many; limits are numbered after the rows
  table<double> inverse;       ///< of the working matrix: `extra` by `row`
};

/// The dual simplex method on the linear relaxation of a packing model. It starts from any basis
/// whose prices are not negative (no row tight: each class takes its cheapest value), and so goes
/// on from a parent's basis after values are dropped. In floating point: what it yields are prices,
/// from which bounds are computed exactly.
class packing_simplex {
 public:
  constexpr explicit packing_simplex(const packing_model& model) : m_(model) {
    const std::size_t all = m_.rows + m_.capacity.size();
    place_ = table<std::uint32_t>(all, packing_model::none);
    extra_place_ = table<std::uint32_t>(m_.values, packing_model::none);
    share_ = table<double>(m_.capacity.size());
    for (std::size_t l = 0; l < m_.capacity.size(); ++l)
      share_[l] = m_.capacity[l] > 0 ? 1.0 / static_cast<double>(m_.capacity[l]) : 0.0;
    reduced_ = table<double>(m_.values);
    change_ = table<double>(m_.values);
    activity_ = table<double>(all);
    extras_of_ = table<std::uint32_t>(m_.classes);
    key_share_ = table<double>(m_.classes);
  }

  /// The basis of no tight row.
  constexpr void reset(const packing_state& s) {
    packing_basis b;
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      std::uint32_t best = packing_model::none;
      for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v)
        if (s.alive[v] && (best == packing_model::none || m_.cost[v] < m_.cost[best])) best = v;
      b.key.push_back(best);
    }
    load(b);
  }
  constexpr const packing_basis& basis() const { return b_; }
  constexpr void load(const packing_basis& b) {
    for (const std::uint32_t r : b_.row) place_[r] = packing_model::none;
    for (const std::uint32_t v : b_.extra) extra_place_[v] = packing_model::none;
    for (const std::uint32_t v : b_.extra) --extras_of_[m_.owner[v]];
    b_ = b;
    for (std::uint32_t i = 0; i < b_.row.size(); ++i) place_[b_.row[i]] = i;
    for (std::uint32_t i = 0; i < b_.extra.size(); ++i) {
      extra_place_[b_.extra[i]] = i;
      ++extras_of_[m_.owner[b_.extra[i]]];
    }
  }

  /// Pivots until optimal, until the bound (the model's base left out) reaches `cutoff`, or at most
  /// `iterations` times. Where there is no solution, the prices go along what proves it until the
  /// bound has grown by `gain`.
  constexpr simplex_status solve(const packing_state& s, double cutoff, double gain,
                                 int iterations) {
    ray_row_ = packing_model::none;
    renew_keys(s);
    reprice();
    live_.clear();
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      if (s.class_count[k] > 1 || !s.alive[b_.key[k]]) live_.append(s.left(k));
    unlisted_.clear();
    for (const std::uint32_t v : b_.key)
      if (!s.alive[v] || s.class_count[m_.owner[v]] == 1) unlisted_.push_back(v);
    for (const std::uint32_t v : b_.extra)
      if (!s.alive[v]) unlisted_.push_back(v);
    for (int i = 0;; ++i) {
      place_shares();
      if (value_ >= cutoff) return simplex_status::cutoff;
      leaving out = find_leaving(s);
      if (out.kind == leaving::nothing) return simplex_status::optimal;
      if (b_.row.size() >= most_rows) return simplex_status::stuck;
      if (i == iterations) return simplex_status::limit;
      if (out.kind == leaving::key) out = swap_key(s, out.number);
      direct(out);
      const entering in = find_entering();
      if (!in.found) {  // the prices can grow for ever along this ray
        ray_ = gain / (out.amount > 1e-4 ? out.amount : 1e-4);
        for (std::size_t r = 0; r < size(); ++r) lambda_[r] += ray_ * delta_[r];
        ray_row_ = out.kind == leaving::row ? out.number : packing_model::none;
        return simplex_status::infeasible;
      }
      if (!pivot(out, in)) {
        if (!invert()) return simplex_status::stuck;
        reprice();
        if (++repairs_ > 20) return simplex_status::stuck;
      }
      ++pivots_;
      if (pivots_ % 64 == 0) {
        if (!invert()) return simplex_status::stuck;
        reprice();
      }
    }
  }

  /// The optimum (the model's base left out) as computed.
  constexpr double value() const { return value_; }
  /// The share of a value in the solution, after `solve` returned `optimal`,
  /// `limit` or `stuck`.
  constexpr double share(std::uint32_t v) const {
    if (b_.key[m_.owner[v]] == v) return key_share_[m_.owner[v]];
    return extra_place_[v] == packing_model::none ? 0.0 : x_[extra_place_[v]];
  }
  /// Hands out the prices in fixed point.
  constexpr void price(packing_prices& p, std::int64_t scale) const {
    for (std::int64_t& price : p.price) price = 0;
    for (std::int64_t& price : p.limit) price = 0;
    for (std::size_t i = 0; i < b_.row.size(); ++i) price_row(p, b_.row[i], lambda_[i], scale);
    if (ray_row_ != packing_model::none) price_row(p, ray_row_, ray_, scale);
  }
  /// Innermost visits made.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  struct leaving {
    enum kind_type : std::uint8_t { nothing, row, extra, key } kind = nothing;
    std::uint32_t number = 0;  ///< the row, the index of the extra, the class
    double sign = 1;           ///< of the reduced cost that the leaving value takes on
    double amount = 0;         ///< by how much it is out of its range
  };
  struct entering {
    bool found = false;
    bool is_value = false;
    std::uint32_t number = 0;  ///< the value, or the index of the row
    double length = 0;
  };

  static constexpr double tiny = 1e-9;
  static constexpr double small_pivot = 1e-7;
  static constexpr std::size_t most_rows = 700;

  constexpr std::size_t size() const { return b_.row.size(); }

  constexpr static void refill(table<double>& to, std::size_t size, double value) {
    to.resize(size);
    for (double& x : to) x = value;
  }

  constexpr void price_row(packing_prices& p, std::uint32_t row, double price,
                           std::int64_t scale) const {
    if (!(price > 0)) return;
    const double scaled = price * static_cast<double>(scale);
    if (row < m_.rows) {
      constexpr std::int64_t most = 4 * packing_ascent::most_total;
      p.price[row] = scaled < static_cast<double>(most) ? static_cast<std::int64_t>(scaled) : most;
      return;
    }
    const std::size_t l = row - m_.rows;
    const double fine = scaled * share_[l] * static_cast<double>(packing_prices::fraction);
    if (fine < 1e18) p.limit[l] = static_cast<std::int64_t>(fine);
  }

  /// The coefficient of a value in a row.
  constexpr double coefficient(std::uint32_t row, std::uint32_t v) const {
    if (row >= m_.rows) {
      const std::size_t l = row - m_.rows;
      return static_cast<double>(m_.weight[l * m_.values + v]) * share_[l];
    }
    for (std::uint32_t i = m_.value_part_first[v]; i < m_.value_part_first[v + 1]; ++i)
      if (m_.parts[m_.value_part[i]].row == row) return 1;
    return 0;
  }

  /// Adds `factor` times the column of a value, as far as tight rows go, to `to`.
  constexpr void add_column(std::uint32_t v, double factor, table<double>& to) const {
    for (std::uint32_t i = m_.value_part_first[v]; i < m_.value_part_first[v + 1]; ++i) {
      const std::uint32_t at = place_[m_.parts[m_.value_part[i]].row];
      if (at != packing_model::none) to[at] += factor;
    }
    for (std::uint32_t l = 0; l < m_.capacity.size(); ++l)
      if (const std::uint32_t at = place_[m_.rows + l]; at != packing_model::none)
        to[at] += factor * static_cast<double>(m_.weight[l * m_.values + v]) * share_[l];
  }

  /// A class whose key was dropped and which has no other basic value takes its cheapest one.
  constexpr void renew_keys(const packing_state& s) {
    bool renewed = false;
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      if (!s.alive[b_.key[k]] && extras_of_[k] == 0) renewed = true;
    if (!renewed) return;
    reprice();
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (s.alive[b_.key[k]] || extras_of_[k] != 0) continue;
      std::uint32_t best = packing_model::none;
      for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v)
        if (s.alive[v] && (best == packing_model::none || reduced_[v] < reduced_[best])) best = v;
      b_.key[k] = best;
    }
  }

  /// Prices and reduced costs from the basis.
  constexpr void reprice() {
    const std::size_t p = size();
    refill(lambda_, p, 0);
    for (std::size_t e = 0; e < p; ++e) {
      const std::uint32_t v = b_.extra[e];
      const double d = static_cast<double>(m_.cost[v] - m_.cost[b_.key[m_.owner[v]]]);
      if (d == 0) continue;
      const double* const row = b_.inverse.data() + e * p;
      for (std::size_t i = 0; i < p; ++i) lambda_[i] -= d * row[i];
    }
    for (std::uint32_t v = 0; v < m_.values; ++v) reduced_[v] = static_cast<double>(m_.cost[v]);
    for (std::size_t i = 0; i < p; ++i) spread(b_.row[i], lambda_[i], reduced_);
    steps_ += p * p + m_.values;
  }

  /// Adds `factor` times a row to `change_`, for the values that pivots look at.
  constexpr void spread_live(std::uint32_t row, double factor) {
    if (row < m_.rows || factor == 0) {
      spread(row, factor, change_);
      return;
    }
    const std::int64_t* const weight = m_.weight.data() + (row - m_.rows) * m_.values;
    const double f = factor * share_[row - m_.rows];
    double* const out = change_.data();
    for (const std::uint32_t v : live_) out[v] += f * static_cast<double>(weight[v]);
    for (const std::uint32_t v : unlisted_) out[v] += f * static_cast<double>(weight[v]);
    steps_ += live_.size();
  }

  /// Adds `factor` times a row to `to`, by value.
  constexpr void spread(std::uint32_t row, double factor, table<double>& to) {
    if (factor == 0) return;
    double* const out = to.data();
    if (row < m_.rows) {
      for (std::uint32_t e = m_.row_first[row]; e < m_.row_first[row + 1]; ++e)
        out[m_.entry[e]] += factor;
      steps_ += m_.row_first[row + 1] - m_.row_first[row];
    } else {
      const std::size_t l = row - m_.rows;
      const std::int64_t* const weight = m_.weight.data() + l * m_.values;
      const double f = factor * share_[l];
      for (std::uint32_t v = 0; v < m_.values; ++v) out[v] += f * static_cast<double>(weight[v]);
      steps_ += m_.values;
    }
  }

  /// The shares of basic values, the rows' activities and the objective.
  constexpr void place_shares() {
    const std::size_t p = size();
    refill(right_, p, 1);
    refill(x_, p, 0);
    for (double& a : activity_) a = 0;
    value_ = 0;
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      key_share_[k] = 1;
      add_column(b_.key[k], -1, right_);
      value_ += reduced_[b_.key[k]];
    }
    for (std::size_t i = 0; i < p; ++i) value_ -= lambda_[i];
    for (std::size_t e = 0; e < p; ++e) {
      const double* const row = b_.inverse.data() + e * p;
      double sum = 0;
      for (std::size_t i = 0; i < p; ++i) sum += row[i] * right_[i];
      x_[e] = sum;
      key_share_[m_.owner[b_.extra[e]]] -= sum;
    }
    for (std::uint32_t k = 0; k < m_.classes; ++k) act(b_.key[k], key_share_[k]);
    for (std::size_t e = 0; e < p; ++e) act(b_.extra[e], x_[e]);
    steps_ += p * p + m_.classes;
  }

  constexpr void act(std::uint32_t v, double share) {
    if (share == 0) return;
    for (std::uint32_t i = m_.value_part_first[v]; i < m_.value_part_first[v + 1]; ++i)
      activity_[m_.parts[m_.value_part[i]].row] += share;
    for (std::size_t l = 0; l < m_.capacity.size(); ++l)
      activity_[m_.rows + l] +=
          share * static_cast<double>(m_.weight[l * m_.values + v]) * share_[l];
  }

  /// The basic variable that is furthest out of its range.
  constexpr leaving find_leaving(const packing_state& s) const {
    leaving out;
    double worst = 1e-7;
    const auto consider = [&](double amount, leaving::kind_type kind, std::uint32_t number,
                              double sign) {
      if (amount <= worst) return;
      worst = amount;
      out.kind = kind;
      out.number = number;
      out.sign = sign;
      out.amount = amount;
    };
    for (std::uint32_t r = 0; r < activity_.size(); ++r)
      if (place_[r] == packing_model::none) consider(activity_[r] - 1, leaving::row, r, 1);
    for (std::uint32_t e = 0; e < x_.size(); ++e) {
      consider(-x_[e], leaving::extra, e, 1);
      if (!s.alive[b_.extra[e]]) consider(x_[e], leaving::extra, e, -1);
    }
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (extras_of_[k] == 0) continue;
      consider(-key_share_[k], leaving::key, k, 1);
      if (!s.alive[b_.key[k]]) consider(key_share_[k], leaving::key, k, -1);
    }
    return out;
  }

  /// Makes another basic value of the class its key, so that the old key can leave.
  constexpr leaving swap_key(const packing_state& s, std::uint32_t k) {
    const std::size_t p = size();
    const double old_share = key_share_[k];
    std::size_t best = p;
    for (std::size_t e = 0; e < p; ++e) {
      if (m_.owner[b_.extra[e]] != k) continue;
      if (best == p || (s.alive[b_.extra[e]] && !s.alive[b_.extra[best]]) ||
          (s.alive[b_.extra[e]] == s.alive[b_.extra[best]] && x_[e] > x_[best]))
        best = e;
    }
    double* const row = b_.inverse.data() + best * p;
    for (std::size_t e = 0; e < p; ++e) {
      if (e == best || m_.owner[b_.extra[e]] != k) continue;
      const double* const other = b_.inverse.data() + e * p;
      for (std::size_t i = 0; i < p; ++i) row[i] += other[i];
    }
    for (std::size_t i = 0; i < p; ++i) row[i] = -row[i];
    const std::uint32_t v = b_.extra[best];
    extra_place_[v] = packing_model::none;
    b_.extra[best] = b_.key[k];
    extra_place_[b_.key[k]] = static_cast<std::uint32_t>(best);
    b_.key[k] = v;
    key_share_[k] = x_[best];
    x_[best] = old_share;
    return {leaving::extra, static_cast<std::uint32_t>(best), old_share < 0 ? 1.0 : -1.0,
            old_share < 0 ? -old_share : old_share};
  }

  /// How prices (delta_) and reduced costs (change_) move as the leaving one's grows by one.
  constexpr void direct(const leaving& out) {
    const std::size_t p = size();
    refill(delta_, p, 0);
    for (double& c : change_) c = 0;
    if (out.kind == leaving::row) {
      for (std::size_t e = 0; e < p; ++e) {
        const std::uint32_t v = b_.extra[e];
        const double w = coefficient(out.number, v) - coefficient(out.number, b_.key[m_.owner[v]]);
        if (w == 0) continue;
        const double* const row = b_.inverse.data() + e * p;
        for (std::size_t i = 0; i < p; ++i) delta_[i] -= w * row[i];
      }
      spread_live(out.number, 1);
    } else {
      const double* const row = b_.inverse.data() + out.number * p;
      for (std::size_t i = 0; i < p; ++i) delta_[i] = out.sign * row[i];
    }
    for (std::size_t i = 0; i < p; ++i) {
      if (delta_[i] < 1e-12 && delta_[i] > -1e-12) delta_[i] = 0;
      spread_live(b_.row[i], delta_[i]);
    }
    steps_ += p;
  }

  /// The first price or reduced cost to reach zero; of nearly equals the one that moves fastest.
  constexpr entering find_entering() {
    double shortest = 1e300;
    for (std::size_t i = 0; i < size(); ++i)
      if (delta_[i] < -tiny) {
        const double t = (lambda_[i] > 0 ? lambda_[i] : 0) + tiny;
        if (t < -delta_[i] * shortest) shortest = t / -delta_[i];
      }
    falling_.clear();
    for (const std::uint32_t v : live_) {
      const std::uint32_t key = b_.key[m_.owner[v]];
      const double slope = change_[v] - change_[key];
      if (slope >= -tiny || extra_place_[v] != packing_model::none) continue;
      falling_.push_back(v);
      const double space = reduced_[v] - reduced_[key];
      const double t = (space > 0 ? space : 0) + tiny;
      if (t < -slope * shortest) shortest = t / -slope;
    }
    entering in;
    if (shortest == 1e300) return in;
    double steepest = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      if (delta_[i] >= -tiny) continue;
      const double t = lambda_[i] > 0 ? lambda_[i] : 0;
      if (t > -delta_[i] * shortest || -delta_[i] <= steepest) continue;
      steepest = -delta_[i];
      in = {true, false, static_cast<std::uint32_t>(i), t / -delta_[i]};
    }
    for (const std::uint32_t v : falling_) {
      const std::uint32_t key = b_.key[m_.owner[v]];
      const double slope = change_[v] - change_[key];
      const double space = reduced_[v] - reduced_[key];
      const double t = space > 0 ? space : 0;
      if (t > -slope * shortest || -slope <= steepest) continue;
      steepest = -slope;
      in = {true, true, v, t / -slope};
    }
    return in;
  }

  /// Exchanges the basis; false if the pivot is too small to be trusted.
  constexpr bool pivot(const leaving& out, const entering& in) {
    const std::size_t p = size();
    refill(column_, p, 0);
    refill(u_, p, 0);
    table<double>&column = column_, &u = u_;
    double corner = 0;
    if (in.is_value) {
      const std::uint32_t key = b_.key[m_.owner[in.number]];
      add_column(in.number, 1, column);
      add_column(key, -1, column);
      for (std::size_t e = 0; e < p; ++e) {
        const double* const row = b_.inverse.data() + e * p;
        double sum = 0;
        for (std::size_t i = 0; i < p; ++i) sum += row[i] * column[i];
        u[e] = sum;
      }
      if (out.kind == leaving::row) corner = change_[in.number] - change_[key];
      steps_ += p * p;
    }
    const auto is_small = [](double x) { return x < small_pivot && x > -small_pivot; };
    if (out.kind == leaving::row && in.is_value) {
      if (is_small(corner)) return false;
      advance(in.length);
      border(out.number, in.number, u, corner);
      lambda_.push_back(in.length);
    } else if (out.kind == leaving::row) {
      if (is_small(delta_[in.number])) return false;
      advance(in.length);
      replace_row(in.number, out.number);
      lambda_[in.number] = in.length;
    } else if (in.is_value) {
      if (is_small(u[out.number])) return false;
      advance(in.length);
      replace_extra(out.number, in.number, u);
    } else {
      if (is_small(b_.inverse[out.number * p + in.number])) return false;
      advance(in.length);
      shrink(out.number, in.number);
      for (std::size_t i = in.number; i + 1 < lambda_.size(); ++i) lambda_[i] = lambda_[i + 1];
      lambda_.pop_back();
    }
    return true;
  }

  /// Moves prices and reduced costs to where the entering one's is zero.
  constexpr void advance(double length) {
    for (std::size_t i = 0; i < size(); ++i) lambda_[i] += length * delta_[i];
    double* const reduced = reduced_.data();
    const double* const change = change_.data();
    for (std::uint32_t v = 0; v < m_.values; ++v) reduced[v] += length * change[v];
    steps_ += m_.values / 4;
  }

  /// A row and a value join.
  constexpr void border(std::uint32_t row, std::uint32_t v, const table<double>& u, double corner) {
    const std::size_t p = size(), q = p + 1;
    table<double>& grown = spare_;
    grown.resize(q * q);
    // delta_ is minus the new row times the inverse.
    for (std::size_t e = 0; e < p; ++e) {
      const double f = u[e] / corner;
      for (std::size_t i = 0; i < p; ++i) grown[e * q + i] = b_.inverse[e * p + i] - f * delta_[i];
      grown[e * q + p] = -f;
    }
    for (std::size_t i = 0; i < p; ++i) grown[p * q + i] = delta_[i] / corner;
    grown[p * q + p] = 1 / corner;
    b_.inverse.swap(grown);
    place_[row] = static_cast<std::uint32_t>(p);
    b_.row.push_back(row);
    add_extra(v);
    steps_ += q * q;
  }

  constexpr void add_extra(std::uint32_t v) {
    extra_place_[v] = static_cast<std::uint32_t>(b_.extra.size());
    b_.extra.push_back(v);
    ++extras_of_[m_.owner[v]];
  }

  /// A row takes the place of the tight row `at`.
  constexpr void replace_row(std::uint32_t at, std::uint32_t row) {
    const std::size_t p = size();
    const double pivot = -delta_[at];
    for (std::size_t e = 0; e < p; ++e) {
      double* const r = b_.inverse.data() + e * p;
      const double f = r[at] / pivot;
      for (std::size_t i = 0; i < p; ++i) r[i] += f * delta_[i];
      r[at] = f;
    }
    place_[b_.row[at]] = packing_model::none;
    place_[row] = at;
    b_.row[at] = row;
    steps_ += p * p;
  }

  /// A value takes the place of the extra `at`.
  constexpr void replace_extra(std::uint32_t at, std::uint32_t v, const table<double>& u) {
    const std::size_t p = size();
    double* const pivot = b_.inverse.data() + at * p;
    for (std::size_t i = 0; i < p; ++i) pivot[i] /= u[at];
    for (std::size_t e = 0; e < p; ++e) {
      if (e == at || u[e] == 0) continue;
      double* const r = b_.inverse.data() + e * p;
      for (std::size_t i = 0; i < p; ++i) r[i] -= u[e] * pivot[i];
    }
    const std::uint32_t old = b_.extra[at];
    extra_place_[old] = packing_model::none;
    --extras_of_[m_.owner[old]];
    b_.extra[at] = v;
    extra_place_[v] = at;
    ++extras_of_[m_.owner[v]];
    steps_ += p * p;
  }

  /// The extra `at` and the tight row `row` leave.
  constexpr void shrink(std::uint32_t at, std::uint32_t row) {
    const std::size_t p = size(), q = p - 1;
    table<double>& smaller = spare_;
    smaller.resize(q * q);
    const double* const pivot = b_.inverse.data() + at * p;
    std::size_t to = 0;
    for (std::size_t e = 0; e < p; ++e) {
      if (e == at) continue;
      const double* const r = b_.inverse.data() + e * p;
      const double f = r[row] / pivot[row];
      for (std::size_t i = 0; i < p; ++i)
        if (i != row) smaller[to++] = r[i] - f * pivot[i];
    }
    b_.inverse.swap(smaller);
    const std::uint32_t old = b_.extra[at];
    extra_place_[old] = packing_model::none;
    --extras_of_[m_.owner[old]];
    place_[b_.row[row]] = packing_model::none;
    for (std::size_t i = at; i < q; ++i) {
      b_.extra[i] = b_.extra[i + 1];
      extra_place_[b_.extra[i]] = static_cast<std::uint32_t>(i);
    }
    b_.extra.pop_back();
    for (std::size_t i = row; i < q; ++i) {
      b_.row[i] = b_.row[i + 1];
      place_[b_.row[i]] = static_cast<std::uint32_t>(i);
    }
    b_.row.pop_back();
    steps_ += p * p;
  }

  /// The inverse from scratch, by elimination with column pivoting; false if it is singular.
  constexpr bool invert() {
    const std::size_t p = size();
    // Rows of `a` are extras, columns tight rows: the transpose of the working matrix.
    table<double> a(p * p), column(p);
    for (std::size_t e = 0; e < p; ++e) {
      for (double& c : column) c = 0;
      add_column(b_.extra[e], 1, column);
      add_column(b_.key[m_.owner[b_.extra[e]]], -1, column);
      for (std::size_t i = 0; i < p; ++i) a[e * p + i] = column[i];
    }
    // Inverts a (so that the result is the transposed inverse) in place, Gauss-Jordan.
    table<std::uint32_t> of_row(p), of_column(p);
    table<std::uint8_t> used(p);
    for (std::size_t step = 0; step < p; ++step) {
      std::size_t r = step, c = p;
      double largest = 1e-9;
      for (std::size_t i = 0; i < p; ++i) {
        const double x = a[r * p + i] < 0 ? -a[r * p + i] : a[r * p + i];
        if (!used[i] && x > largest) {
          largest = x;
          c = i;
        }
      }
      if (c == p) return false;
      used[c] = 1;
      of_row[r] = static_cast<std::uint32_t>(c);
      of_column[c] = static_cast<std::uint32_t>(r);
      const double pivot = a[r * p + c];
      a[r * p + c] = 1;
      for (std::size_t i = 0; i < p; ++i) a[r * p + i] /= pivot;
      for (std::size_t j = 0; j < p; ++j) {
        if (j == r) continue;
        const double f = a[j * p + c];
        if (f == 0) continue;
        a[j * p + c] = 0;
        for (std::size_t i = 0; i < p; ++i) a[j * p + i] -= f * a[r * p + i];
      }
    }
    // In place, position (r, of_row[s]) now holds entry (of_row[r], s) of the inverse of a.
    b_.inverse = table<double>(p * p);
    for (std::size_t r = 0; r < p; ++r)
      for (std::size_t s = 0; s < p; ++s) b_.inverse[s * p + of_row[r]] = a[r * p + of_row[s]];
    steps_ += p * p * p;
    return true;
  }

  const packing_model& m_;
  packing_basis b_;
  table<std::uint32_t> live_;         ///< the values left of open classes
  table<std::uint32_t> unlisted_;     ///< basic values beside them
  table<std::uint32_t> falling_;      ///< of these, the ones whose reduced cost falls
  table<std::uint32_t> place_;        ///< of a row among the tight ones, or `none`
  table<std::uint32_t> extra_place_;  ///< of a value among the extras, or `none`
  table<std::uint32_t> extras_of_;    ///< of a class, how many extras it has
  table<double> share_;               ///< of a limit, one over its capacity
  table<double> lambda_, reduced_, delta_, change_, right_, x_, activity_, key_share_, column_, u_,
      spare_;
  double value_ = 0, ray_ = 0;
  std::uint32_t ray_row_ = packing_model::none;
  std::uint64_t pivots_ = 0;
  int repairs_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace wf::detail
