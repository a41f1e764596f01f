// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/heap.hpp>
#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/select/packing/model.hpp>

namespace wf::detail {

/// A valid inequality of a packing model: in every solution the coefficients of the taken values
/// add up to at most `most`.
struct packing_cut {
  /// A summand and its multiplier. `what` numbers the classes first, then the rows, then the cuts.
  struct term {
    std::uint32_t what = 0;
    std::int64_t times = 0;
  };

  table<std::uint32_t> value;  ///< ascending
  table<std::int32_t> coefficient;
  std::int64_t most = 0;
  std::int64_t divisor = 0;  ///< k of a mod-k cut; 0: a cycle cut
  table<term> terms;  ///< the sum of a mod-k cut; else the classes of a cycle, in the order of need
};

/// The cut pool of one model: valid inequalities that only strengthen its linear relaxation.
///
/// Flat arrays; `first` and `value_first` have one entry more than records.
struct packing_cuts {
  table<std::uint32_t> first = table<std::uint32_t>(1);  ///< by cut: its first entry
  table<std::uint32_t> value;
  table<std::int32_t> coefficient;
  table<std::int64_t> most;
  table<std::int64_t> largest;       ///< by cut: the largest of its coefficients and its right side
  table<std::uint32_t> value_first;  ///< by value: its first entry in the two below
  table<std::uint32_t> cut_of;
  table<std::int32_t> coefficient_of;
  std::uint32_t edition = 0;  ///< changes whenever cuts are renumbered

  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(most.size()); }

  /// Adds a cut; `index` must follow.
  constexpr void add(const packing_cut& cut) {
    value.append(cut.value);
    coefficient.append(cut.coefficient);
    most.push_back(cut.most);
    largest.push_back(cut.most);
    for (const std::int32_t c : cut.coefficient)
      if (largest.back() < c) largest.back() = c;
    first.push_back(static_cast<std::uint32_t>(value.size()));
  }
  /// Keeps the cuts with a non-zero `kept`, by their numbers, and renumbers them; `index` must
  /// follow.
  constexpr void keep(const table<std::uint8_t>& kept) {
    ++edition;
    std::uint32_t next = 0, to = 0, begin = 0;
    for (std::uint32_t c = 0; c < size(); ++c) {
      const std::uint32_t end = first[c + 1];
      if (kept[c]) {
        for (std::uint32_t e = begin; e < end; ++e, ++to) {
          value[to] = value[e];
          coefficient[to] = coefficient[e];
        }
        most[next] = most[c];
        largest[next] = largest[c];
        first[++next] = to;
      }
      begin = end;
    }
    value.resize(to);
    coefficient.resize(to);
    most.resize(next);
    largest.resize(next);
    first.resize(next + 1);
  }
  /// Builds the entries by value. O(entries + values).
  constexpr void index(std::uint32_t values) {
    value_first = table<std::uint32_t>(values + 1);
    for (const std::uint32_t v : value) ++value_first[v + 1];
    for (std::uint32_t v = 0; v < values; ++v) value_first[v + 1] += value_first[v];
    cut_of.resize(value.size());
    coefficient_of.resize(value.size());
    table<std::uint32_t> at(value_first);
    for (std::uint32_t c = 0; c < size(); ++c)
      for (std::uint32_t e = first[c]; e < first[c + 1]; ++e) {
        cut_of[at[value[e]]] = c;
        coefficient_of[at[value[e]]++] = coefficient[e];
      }
  }
};

/// Separates cuts that a solution of the linear relaxation violates.
///
/// - *Mod-k cuts*: a sum of rows, classes and cuts, divided by k and rounded down. It is violated
///   if its terms are nearly tight, k divides the coefficient of every value with a share, and k
///   does not divide its right side (Caprara, Fischetti and Letchford 2000; for k = 2 zero-half
///   cuts, among them odd holes and odd cycles of alternatives). Such sums are found by elimination
///   modulo k that keeps equations sparse (cf. Koster, Zymolka and Kutschka 2009).
/// - *Cycle cuts*: of n classes in a ring at most n - 1 take a value that needs the next one.
class packing_cutter {
 public:
  constexpr explicit packing_cutter(const packing_model& model) : m_(model) {}

  /// The violated cuts, deepest first. `share` holds the shares of the values in the solution; the
  /// sums may use the cuts of `known`.
  constexpr table<packing_cut> run(const table<double>& share, const packing_cuts& known) {
    share_ = &share;
    known_ = &known;
    found_.clear();
    find_cycles();
    for (std::size_t i = 0; i < ways; ++i) {
      modulus_ = moduli[i];
      tolerance_ = tolerances[i];
      collect();
      eliminate();
    }
    return choose();
  }

  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  static constexpr std::uint32_t none = packing_model::none;
  /// Each way is a prime modulus with a tolerance, up to which shares and the slacks of terms count
  /// as zero. More ways find more cuts per round, which saves pivots.
  static constexpr std::size_t ways = 7;
  static constexpr std::int64_t moduli[ways] = {2, 3, 2, 2, 3, 5, 2};
  static constexpr double tolerances[ways] = {1e-6, 1e-6, 0.11, 0.26, 0.11, 1e-6, 0.34};
  static constexpr double least_violation = 0.02;
  static constexpr double least_depth = 0.02;  ///< violation / norm of the coefficients
  static constexpr std::size_t most_terms = 100;
  static constexpr std::int64_t largest = 1000;  ///< bound on coefficients and right sides
  static constexpr std::int32_t most_uses = 4;   ///< bound on the cuts per value in a run

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
  struct scored_cut {
    packing_cut cut;
    double depth = 0;  ///< squared distance of the solution from the hyperplane
    std::uint32_t number = 0;
  };
  struct deeper {
    constexpr bool operator()(const scored_cut& a, const scored_cut& b) const {
      return a.depth != b.depth ? a.depth > b.depth : a.number < b.number;
    }
  };
  struct column_count {
    std::uint32_t count = 0, column = 0;
  };
  struct fewer {
    constexpr bool operator()(const column_count& a, const column_count& b) const {
      return a.count != b.count ? a.count < b.count : a.column < b.column;
    }
  };
  struct arc {
    double length = 0;
    std::uint32_t from = 0, to = 0, begin = 0, end = 0;  ///< values in `user_`
  };
  struct reached {
    double length = 0;
    std::uint32_t at = 0;
  };
  struct nearer {
    constexpr bool operator()(const reached& a, const reached& b) const {
      return a.length != b.length ? a.length < b.length : a.at < b.at;
    }
  };

  // --- mod-k cuts ------------------------------------------------------------------------------

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
    if (fits) notice(static_cast<packing_cut&&>(cut));
  }

  // --- cycle cuts ------------------------------------------------------------------------------

  /// Finds the shortest cycle through each class (Dijkstra); the length of an arc is the share of
  /// its class that does not use it.
  constexpr void find_cycles() {
    list_arcs();
    if (arcs_.empty()) return;
    away_ = table<double>(m_.classes, far);
    from_ = table<std::uint32_t>(m_.classes);
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (arc_first_[k] == arc_first_[k + 1]) continue;
      binary_heap<reached, nearer> queue;
      table<std::uint32_t> visited;
      queue.push({0, k});
      bool closed = false;
      while (!queue.empty() && !closed) {
        const reached next = queue.pop();
        closed = next.at == k && away_[k] != far;
        if (closed || (next.at != k && next.length > away_[next.at])) continue;
        for (std::uint32_t i = arc_first_[next.at]; i < arc_first_[next.at + 1]; ++i) {
          const double length = next.length + arcs_[i].length;
          ++steps_;
          if (length >= 1 - least_violation || length >= away_[arcs_[i].to]) continue;
          if (away_[arcs_[i].to] == far) visited.push_back(arcs_[i].to);
          away_[arcs_[i].to] = length;
          from_[arcs_[i].to] = i;
          queue.push({length, arcs_[i].to});
        }
      }
      if (closed) cut_cycle(k);
      for (const std::uint32_t at : visited) away_[at] = far;
    }
  }

  static constexpr double far = 2;

  /// Builds arcs_: from each class to the classes that it needs with some share.
  constexpr void list_arcs() {
    arcs_.clear();
    user_.clear();
    arc_first_ = table<std::uint32_t>(1);
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      if (m_.block[k] != none) add_arcs(k);
      arc_first_.push_back(static_cast<std::uint32_t>(arcs_.size()));
    }
  }

  constexpr void add_arcs(std::uint32_t k) {
    listed_.clear();
    for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v)
      for (std::uint32_t i = m_.need_first[v]; i < m_.need_first[v + 1]; ++i)
        if (m_.block[m_.need[i]] == m_.block[k] && (*share_)[v] > 1e-6)
          listed_.push_back(m_.need[i]);
    sort_list();
    for (std::size_t i = 0; i < listed_.size(); ++i) {
      if (i > 0 && listed_[i] == listed_[i - 1]) continue;
      arc a;
      a.from = k;
      a.to = listed_[i];
      a.begin = static_cast<std::uint32_t>(user_.size());
      double used = 0;
      for (std::uint32_t v = m_.first[k]; v < m_.first[k + 1]; ++v) {
        bool uses = false;
        for (std::uint32_t n = m_.need_first[v]; n < m_.need_first[v + 1]; ++n, ++steps_)
          uses = uses || m_.need[n] == a.to;
        if (!uses) continue;
        user_.push_back(v);
        used += (*share_)[v];
      }
      a.end = static_cast<std::uint32_t>(user_.size());
      a.length = (used < 1 ? 1 - used : 0) + 1e-5;  // among equal lengths, fewest classes win
      arcs_.push_back(a);
    }
  }

  constexpr void cut_cycle(std::uint32_t k) {
    listed_.clear();
    packing_cut cut;
    std::uint32_t at = k;
    do {
      const arc& a = arcs_[from_[at]];
      for (std::uint32_t i = a.begin; i < a.end; ++i) listed_.push_back(user_[i]);
      cut.terms.push_back({at, 1});
      ++cut.most;
      at = a.from;
    } while (at != k);
    --cut.most;
    for (std::size_t i = 0, j = cut.terms.size() - 1; i < j; ++i, --j) {
      const packing_cut::term last = cut.terms[j];
      cut.terms[j] = cut.terms[i];
      cut.terms[i] = last;
    }
    sort_list();
    cut.value = listed_;
    cut.coefficient = table<std::int32_t>(listed_.size(), 1);
    notice(static_cast<packing_cut&&>(cut));
  }

  constexpr void sort_list() {
    stable_sort(listed_, [](std::uint32_t a, std::uint32_t b) { return a < b; });
  }

  // --- choice ----------------------------------------------------------------------------------

  constexpr void notice(packing_cut&& cut) {
    double used = 0, norm = 0;
    for (std::size_t i = 0; i < cut.value.size(); ++i) {
      used += cut.coefficient[i] * (*share_)[cut.value[i]];
      norm += static_cast<double>(cut.coefficient[i]) * cut.coefficient[i];
    }
    const double violation = used - static_cast<double>(cut.most);
    if (violation < least_violation || cut.most < 1 ||
        violation * violation < least_depth * least_depth * norm)
      return;
    const auto number = static_cast<std::uint32_t>(found_.size());
    found_.push({static_cast<packing_cut&&>(cut), violation * violation / norm, number});
  }

  /// Selects the deepest cuts such that no value occurs in more than `most_uses` of them.
  constexpr table<packing_cut> choose() {
    table<packing_cut> out;
    uses_ = table<std::int32_t>(m_.values);
    while (!found_.empty()) {
      scored_cut best = found_.pop();
      std::int32_t most = 0;
      for (const std::uint32_t v : best.cut.value)
        if (most < uses_[v]) most = uses_[v];
      if (most >= most_uses) continue;
      for (const std::uint32_t v : best.cut.value) ++uses_[v];
      out.push_back(static_cast<packing_cut&&>(best.cut));
    }
    return out;
  }

  const packing_model& m_;
  const table<double>* share_ = nullptr;
  const packing_cuts* known_ = nullptr;
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
  table<std::int32_t> uses_;
  table<arc> arcs_;
  table<std::uint32_t> arc_first_, user_, from_;
  table<double> away_;
  binary_heap<scored_cut, deeper> found_;
};

}  // namespace wf::detail
