// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/heap.hpp>
#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/select/packing/cut_choice.hpp>
#include <wf/select/packing/cuts.hpp>
#include <wf/select/packing/model.hpp>

namespace wf::detail {

/// Separates mod-k cuts: a sum of rows, classes and cuts, divided by k and rounded down. It is
/// violated if its terms are nearly tight, k divides the coefficient of every value with a share,
/// and k does not divide its right side (Caprara, Fischetti and Letchford 2000; for k = 2 zero-half
/// cuts, among them odd holes and odd cycles of alternatives). Such sums are found by elimination
/// modulo k that keeps equations sparse (cf. Koster, Zymolka and Kutschka 2009).
class mod_k_separator {
 public:
  constexpr explicit mod_k_separator(const packing_model& model) : m_(model) {}

  /// Finds cuts of a prime modulus; shares and the slacks of terms up to `tolerance` count as zero.
  /// The sums may use the cuts of `known`.
  constexpr void find(const table<double>& share, const packing_cuts& known, std::int64_t modulus,
                      double tolerance, cut_chooser& to) {
    share_ = &share;
    known_ = &known;
    to_ = &to;
    modulus_ = modulus;
    tolerance_ = tolerance;
    collect();
    eliminate();
  }

  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  static constexpr std::size_t most_terms = 100;
  static constexpr std::int64_t largest = 1000;  ///< bound on coefficients and right sides

  /// A value or term in an equation with its multiplicity modulo k, which is not 0.
  struct occurrence {
    std::uint32_t what = 0;
    std::int64_t times = 0;
  };
  /// A sum of terms modulo k.
  struct equation {
    table<occurrence> columns;  ///< its fractional values, ascending
    table<occurrence> terms;    ///< ascending: classes, then rows, then cuts
    std::int64_t right = 0;     ///< the right side, modulo k
  };
  struct column_count {
    std::uint32_t count = 0, column = 0;
  };
  struct fewer {
    constexpr bool operator()(const column_count& a, const column_count& b) const {
      return a.count != b.count ? a.count < b.count : a.column < b.column;
    }
  };

  /// Calls `f(value, coefficient)` for each entry of a term; returns its right side.
  template <class F>
  constexpr std::int64_t each_entry(std::uint32_t term, F&& f) const {
    if (term < m_.classes) {
      for (std::uint32_t v = m_.first[term]; v < m_.first[term + 1]; ++v) f(v, 1);
      return 1;
    }
    if (term -= m_.classes; term < m_.rows) {
      for (std::uint32_t e = m_.row_first[term]; e < m_.row_first[term + 1]; ++e) f(m_.entry[e], 1);
      return 1;
    }
    term -= m_.rows;
    for (std::uint32_t e = known_->first[term]; e < known_->first[term + 1]; ++e)
      f(known_->value[e], known_->coefficient[e]);
    return known_->most[term];
  }

  /// Builds the system: an equation for each tight term, over its fractional values.
  constexpr void collect() {
    system_.clear();
    rows_with_ = table<table<std::uint32_t>>(m_.values);
    count_ = table<std::uint32_t>(m_.values);
    const std::uint32_t terms = m_.classes + m_.rows + known_->size();
    for (std::uint32_t t = 0; t < terms; ++t) {
      equation e;
      double used = 0;
      std::int64_t taken = 0;
      const std::int64_t most = each_entry(t, [&](std::uint32_t v, std::int64_t coefficient) {
        const double s = (*share_)[v];
        used += static_cast<double>(coefficient) * s;
        ++steps_;
        if (coefficient % modulus_ == 0 || s <= tolerance_) return;
        if (s >= 1 - tolerance_)
          taken += coefficient;
        else
          e.columns.push_back({v, coefficient % modulus_});
      });
      if (static_cast<double>(most) - used > tolerance_) continue;
      e.right = residue(most - taken);
      if (e.columns.empty() && e.right == 0) continue;
      e.terms.push_back({t, 1});
      if (e.columns.empty()) {
        divide(e);
        continue;
      }
      for (const occurrence& o : e.columns) {
        rows_with_[o.what].push_back(static_cast<std::uint32_t>(system_.size()));
        ++count_[o.what];
      }
      system_.push_back(static_cast<equation&&>(e));
    }
  }

  constexpr std::int64_t residue(std::int64_t x) const {
    return (x % modulus_ + modulus_) % modulus_;
  }
  /// The multiplicative inverse of a non-zero residue.
  constexpr std::int64_t inverse(std::int64_t x) const {
    std::int64_t y = 1;
    while (x * y % modulus_ != 1) ++y;
    return y;
  }

  static constexpr bool is_smaller(const equation& a, const equation& b) {
    if (a.terms.size() != b.terms.size()) return a.terms.size() < b.terms.size();
    return a.columns.size() < b.columns.size();
  }

  /// Sets users_ to the equations that contain a column; `rows_with_` may list others too.
  constexpr void list_equations(std::uint32_t column) {
    users_.clear();
    seen_.resize(system_.size());
    for (const std::uint32_t i : rows_with_[column]) {
      if (seen_[i] || times_in(system_[i].columns, column) == 0) continue;
      seen_[i] = 1;
      users_.push_back(i);
    }
    for (const std::uint32_t i : users_) seen_[i] = 0;
    steps_ += rows_with_[column].size();
  }

  static constexpr std::int64_t times_in(const table<occurrence>& sorted, std::uint32_t what) {
    std::size_t low = 0, high = sorted.size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (sorted[middle].what < what)
        low = middle + 1;
      else
        high = middle;
    }
    return low < sorted.size() && sorted[low].what == what ? sorted[low].times : 0;
  }

  /// Adds a multiple of an ascending list to another; calls `changed(what, came)` for each entry
  /// that appears or vanishes.
  template <class F>
  constexpr void merge(table<occurrence>& to, const table<occurrence>& from, std::int64_t times,
                       F&& changed) {
    merged_.clear();
    std::size_t i = 0, j = 0;
    while (i < to.size() || j < from.size()) {
      if (j == from.size() || (i < to.size() && to[i].what < from[j].what)) {
        merged_.push_back(to[i++]);
      } else if (i == to.size() || from[j].what < to[i].what) {
        changed(from[j].what, true);
        merged_.push_back({from[j].what, residue(times * from[j].times)});
        ++j;
      } else {
        const std::int64_t sum = residue(to[i].times + times * from[j].times);
        if (sum == 0)
          changed(to[i].what, false);
        else
          merged_.push_back({to[i].what, sum});
        ++i;
        ++j;
      }
    }
    steps_ += i + j;
    to.swap(merged_);
  }

  /// Removes an equation from the system.
  template <class Enqueue>
  constexpr void give_up(equation& e, Enqueue&& enqueue) {
    for (const occurrence& o : e.columns) {
      --count_[o.what];
      enqueue(o.what);
    }
    e.columns.clear();
  }

  /// Adds a multiple of an equation to another, which is given up if it exceeds `most_terms`.
  template <class Enqueue>
  constexpr void add(std::uint32_t to, std::uint32_t from, std::int64_t times, Enqueue&& enqueue) {
    equation& e = system_[to];
    const auto change = [&](std::uint32_t v, bool came) {
      if (came) {
        ++count_[v];
        rows_with_[v].push_back(to);
      } else {
        --count_[v];
      }
      enqueue(v);
    };
    merge(e.columns, system_[from].columns, times, change);
    merge(e.terms, system_[from].terms, times, [](std::uint32_t, bool) {});
    e.right = residue(e.right + times * system_[from].right);
    if (e.terms.size() > most_terms)
      give_up(e, enqueue);
    else if (e.columns.empty() && e.right != 0)
      divide(e);
  }

  /// Eliminates all columns, the one in the fewest equations first; the pivot is the equation of
  /// fewest terms.
  constexpr void eliminate() {
    binary_heap<column_count, fewer> order;
    const auto enqueue = [&](std::uint32_t v) {
      if (count_[v] != 0) order.push({count_[v], v});
    };
    for (std::uint32_t v = 0; v < m_.values; ++v) enqueue(v);
    while (!order.empty()) {
      const column_count next = order.pop();
      if (count_[next.column] != next.count) continue;
      list_equations(next.column);
      if (users_.empty()) continue;
      std::uint32_t pivot = users_[0];
      for (const std::uint32_t i : users_)
        if (is_smaller(system_[i], system_[pivot])) pivot = i;
      const std::int64_t unit = inverse(times_in(system_[pivot].columns, next.column));
      for (const std::uint32_t i : users_)
        if (i != pivot) {
          const std::int64_t times = times_in(system_[i].columns, next.column);
          add(i, pivot, residue(-times * unit), enqueue);
        }
      give_up(system_[pivot], enqueue);
    }
  }

  /// Makes a cut of a sum: scales it so that rounding lowers its right side most, divides it by k
  /// and rounds down. Rounding must not lower the coefficient of a taken value: its class joins the
  /// sum.
  constexpr void divide(const equation& e) {
    sum_.resize(m_.values);
    std::int64_t most = 0;
    listed_.clear();
    packing_cut cut;
    cut.divisor = modulus_;
    const auto add_term = [&](std::uint32_t term, std::int64_t times) {
      cut.terms.push_back({term, times});
      most += times * each_entry(term, [&](std::uint32_t v, std::int64_t coefficient) {
                if (sum_[v] == 0) listed_.push_back(v);
                sum_[v] += times * coefficient;
              });
    };
    const std::int64_t factor = residue(-inverse(e.right));
    for (const occurrence& o : e.terms) add_term(o.what, residue(factor * o.times));
    for (std::size_t i = 0; i < listed_.size(); ++i)
      if (const std::uint32_t v = listed_[i]; (*share_)[v] > 0.5 && sum_[v] % modulus_ != 0)
        add_term(m_.owner[v], modulus_ - sum_[v] % modulus_);
    sort_list();
    cut.most = most / modulus_;
    bool fits = cut.most <= largest;
    for (const std::uint32_t v : listed_) {
      if (const std::int64_t coefficient = sum_[v] / modulus_; coefficient > 0) {
        fits = fits && coefficient <= largest;
        cut.value.push_back(v);
        cut.coefficient.push_back(static_cast<std::int32_t>(coefficient));
      }
      sum_[v] = 0;
    }
    steps_ += listed_.size();
    if (fits) to_->notice(static_cast<packing_cut&&>(cut), *share_);
  }

  constexpr void sort_list() {
    stable_sort(listed_, [](std::uint32_t a, std::uint32_t b) { return a < b; });
  }

  const packing_model& m_;
  const table<double>* share_ = nullptr;
  const packing_cuts* known_ = nullptr;
  cut_chooser* to_ = nullptr;
  double tolerance_ = 0;
  std::int64_t modulus_ = 2;
  std::uint64_t steps_ = 0;
  table<equation> system_;
  table<table<std::uint32_t>> rows_with_;  ///< by value: the equations that contain it or did so
  table<std::uint32_t> count_;             ///< by value: number of equations that contain it
  table<std::uint32_t> users_, listed_;
  table<occurrence> merged_;
  table<std::uint8_t> seen_;
  table<std::int64_t> sum_;
};

}  // namespace wf::detail
