// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/search/control.hpp>
#include <wf/select/bits.hpp>
#include <wf/select/reduce/reduce.hpp>

namespace wf::detail {

/// A partial selection: the live candidates and the classes that are certainly needed. A needed
/// class with one live candidate is decided.
struct partial_selection {
  table<word> alive;
  table<word> needed;
};

/// Propagation and lower bounds for partial selections.
///
/// *Closure*: the must sets make classes needed; a candidate that would close a cycle of decided
/// classes is dropped. *Bounds*, for the objective and for every limited sum, with needed classes
/// paid once at the top and free below:
/// - **tree bound**: bottom-up, a class costs its cheapest candidate. Each child of a candidate
///   adds its own bound if its reach is disjoint from the classes charged before, and else the
///   cheapest costs of those members of its must set that were not charged. Exact where nothing can
///   be shared (a matrix chain), blind to sharing that is merely possible.
/// - **split bound**: as if nothing were disjoint, but each class's bound is split evenly over the
///   classes that can need it: a feasible solution of the dual of the linear relaxation.
/// Both also bound each candidate of an open class from below, and so remove candidates that would
/// reach a limit. Any fixpoint is a bound: by induction over an acyclic selection, leaves first, no
/// class costs less than its value.
class selection_bounds {
 public:
  constexpr selection_bounds(const selection_problem& problem, const selection_stage& stage,
                             const reduced_selection& reduced)
      : p_(problem), stage_(stage), r_(reduced), metrics_(problem.metrics.size()) {
    visited_ = table<word>(r_.words);
    charged_ = table<word>(r_.words);
    row_ = table<word>(r_.words);
    reach_ = table<word>(static_cast<std::size_t>(r_.classes) * r_.words);
    value_ = least_ = contribution_ = table<std::int64_t>(r_.classes);
    candidate_value_ = table<std::int64_t>(r_.candidates);
    parents_ = last_parent_ = table<std::uint32_t>(r_.classes);
    choose_scales();
    list_flat();
  }

  /// The initial partial selection: all candidates are live, and the roots are needed.
  constexpr partial_selection root() const {
    partial_selection out{table<word>(r_.candidate_words), table<word>(r_.words)};
    for (std::uint32_t n = 0; n < r_.candidates; ++n) set_bit(out.alive.data(), n);
    for (const std::uint32_t k : r_.roots) set_bit(out.needed.data(), k);
    return out;
  }

  /// Forces a candidate: its class becomes needed and loses all others.
  constexpr void force(partial_selection& s, std::uint32_t n) const {
    const std::uint32_t k = r_.owner[n];
    set_bit(s.needed.data(), k);
    for (std::uint32_t i = r_.first[k]; i < r_.first[k + 1]; ++i)
      if (i != n) clear_bit(s.alive.data(), i);
  }

  /// Tightens the partial selection and returns a lower bound on the objective of its completions
  /// within the limits; `unbounded` if there are none.
  constexpr std::int64_t evaluate(partial_selection& s) {
    over_metric_ = no_metric;
    dropped_ = table<std::uint8_t>(metrics_);
    std::int64_t total = 0;
    for (int round = 0; round < 3; ++round) {
      if (!close(s)) return unbounded;
      survey(s);
      bool changed = false;
      total = bound_objective(s);
      if (total == unbounded) return total;
      for (std::uint32_t m = 0; m < metrics_; ++m) {
        const std::int64_t most = stage_.maximum[m];
        if (most == unbounded) continue;
        const aggregation kind = p_.metrics[m].kind;
        if (kind != aggregation::critical_path && kind != aggregation::sum) continue;
        bool dropped = false;
        const std::int64_t least =
            kind == aggregation::sum ? bound_sum(s, m, 0, most + 1, dropped) : bound_peak(s, m);
        if (least > most) {
          over_metric_ = m;
          // Candidates that this limit dropped might have exceeded it by less.
          over_least_ = dropped || dropped_[m] || r_.over_limit[m] ? most + 1 : least;
          return unbounded;
        }
        if (dropped) {
          dropped_[m] = 1;
          changed = true;
        }
      }
      if (!changed) break;
    }
    return total;
  }

  /// A lower bound on all selections with candidate `n`; `unbounded` if there are none within the
  /// limits.
  constexpr std::int64_t evaluate_with(std::uint32_t n) {
    if (is_flat_) return flat_total_ - least_[r_.owner[n]] + r_.column(metrics_)[n];
    partial_selection s = root();
    force(s, n);
    return evaluate(s);
  }
  /// Estimated number of innermost-loop passes of `evaluate_with`.
  constexpr std::uint64_t visits_with() const {
    if (is_flat_) return 1;
    return 8 * (p_.limits.size() + 1) *
           (r_.candidates + r_.child.size() + std::uint64_t{r_.classes} * r_.words);
  }

  /// The tree bound of the sum part of the objective: calls `f(class, value)` for each class that
  /// may be needed, users first, and then with 0 for those that are needed, in the order in which
  /// they are charged.
  template <class F>
  constexpr std::int64_t list_tree(const partial_selection& s, F&& f) {
    survey(s);
    const std::int64_t* const own = r_.column(metrics_);
    std::int64_t total = 0;
    for (const std::uint32_t n : taken_) total += own[n];
    if (!open_.empty()) total = saturating_add(total, tree_total(s, own));
    for (std::size_t i = open_.empty() ? 0 : order_.size(); i-- > 0;)
      if (has_bit(visited_.data(), order_[i])) f(order_[i], value_[order_[i]]);
    for (const std::uint32_t n : taken_) f(r_.owner[n], std::int64_t{0});
    for (const std::uint32_t k : open_) f(k, std::int64_t{0});
    return total;
  }

  /// The metric whose limit made the last `evaluate` return `unbounded`, or `no_metric`.
  constexpr std::uint32_t over_metric() const { return over_metric_; }
  /// Lower bound on that metric in the completions of that partial selection.
  constexpr std::int64_t over_least() const { return over_least_; }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  constexpr bool is_alive(const partial_selection& s, std::uint32_t n) const {
    return has_bit(s.alive.data(), n);
  }

  /// Chooses for each column a power of two that keeps scaled totals in range: split values are
  /// scaled so that integer division loses little.
  constexpr void choose_scales() {
    scale_ = table<std::int64_t>(metrics_ + 1, 1);
    for (std::size_t column = 0; column <= metrics_; ++column) {
      std::int64_t total = 0;
      for (std::uint32_t k = 0; k < r_.classes; ++k) {
        std::int64_t most = 0;
        for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n)
          if (most < r_.column(column)[n]) most = r_.column(column)[n];
        total += most;
      }
      while (scale_[column] < 256 && total <= largest_total / 4 / scale_[column])
        scale_[column] *= 2;
    }
  }

  /// Sets is_flat_: true if there are no needs and the stage has only sums without limits, so that
  /// a class costs its cheapest candidate.
  constexpr void list_flat() {
    is_flat_ = r_.child.empty();
    for (std::uint32_t m = 0; m < metrics_; ++m)
      if (stage_.maximum[m] != unbounded ||
          (stage_.weight[m] != 0 && p_.metrics[m].kind != aggregation::sum))
        is_flat_ = false;
    if (!is_flat_) return;
    for (std::uint32_t k = 0; k < r_.classes; ++k) {
      least_[k] = unbounded;
      for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n)
        if (r_.column(metrics_)[n] < least_[k]) least_[k] = r_.column(metrics_)[n];
      flat_total_ += least_[k];
    }
  }

  /// Extends the needed classes to a fixpoint and drops candidates that close cycles; false if a
  /// needed class has no candidate left.
  constexpr bool close(partial_selection& s) {
    for (bool again = true; again;) {
      again = false;
      for (std::uint32_t w = 0; w < r_.words; ++w)
        for (word rest = s.needed[w]; rest != 0; rest &= rest - 1) {
          const std::uint32_t k = w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
          if (r_.block_last[k] - r_.block_first[k] > 1 && drop_cycles(s, k)) again = true;
          if (!gather_musts(s, k)) return false;
          for (std::uint32_t i = 0; i < r_.words; ++i) {
            again = again || (row_[i] & ~s.needed[i]) != 0;
            s.needed[i] |= row_[i];
          }
        }
    }
    return true;
  }

  /// Sets row_ to the classes that every live candidate of a class needs; false if none is live.
  constexpr bool gather_musts(const partial_selection& s, std::uint32_t k) {
    bool any = false;
    for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n) {
      if (!is_alive(s, n)) continue;
      const std::uint32_t begin = r_.child_first[n], end = r_.child_first[n + 1];
      steps_ += 1 + end - begin;
      bool empty = true;
      for (std::uint32_t w = 0; w < r_.words; ++w) {
        word united = 0;
        for (std::uint32_t i = begin; i < end; ++i) united |= r_.must_of(r_.child[i])[w];
        row_[w] = any ? row_[w] & united : united;
        empty = empty && row_[w] == 0;
      }
      any = true;
      if (empty) break;  // nothing can be common to all
    }
    return any;
  }

  /// Drops candidates of a needed class with a child from which decided classes lead back to it.
  constexpr bool drop_cycles(partial_selection& s, std::uint32_t k) {
    bool dropped = false;
    for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n) {
      if (!is_alive(s, n)) continue;
      for (std::uint32_t i = r_.child_first[n]; i < r_.child_first[n + 1]; ++i) {
        if (r_.block_first[r_.child[i]] != r_.block_first[k] || !leads_to(s, r_.child[i], k))
          continue;
        clear_bit(s.alive.data(), n);
        dropped = true;
        break;
      }
    }
    return dropped;
  }

  /// The decided candidate of a needed class, or `no_candidate`.
  constexpr std::uint32_t decided(const partial_selection& s, std::uint32_t k) const {
    if (!has_bit(s.needed.data(), k)) return no_candidate;
    std::uint32_t only = no_candidate;
    for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n) {
      if (!is_alive(s, n)) continue;
      if (only != no_candidate) return no_candidate;
      only = n;
    }
    return only;
  }

  constexpr bool leads_to(const partial_selection& s, std::uint32_t from, std::uint32_t to) {
    if (from == to) return true;
    stack_.clear();
    for (std::uint32_t w = 0; w < r_.words; ++w) charged_[w] = 0;
    stack_.push_back(from);
    set_bit(charged_.data(), from);
    while (!stack_.empty()) {
      const std::uint32_t n = decided(s, stack_.back());
      stack_.pop_back();
      if (n == no_candidate) continue;
      for (std::uint32_t i = r_.child_first[n]; i < r_.child_first[n + 1]; ++i) {
        const std::uint32_t c = r_.child[i];
        ++steps_;
        if (c == to) return true;
        if (r_.block_first[c] != r_.block_first[to] || has_bit(charged_.data(), c)) continue;
        set_bit(charged_.data(), c);
        stack_.push_back(c);
      }
    }
    return false;
  }

  /// Lists decided and open classes and the classes that open ones can still bring in (visited),
  /// counts the parents of the latter, and computes the reach of each class.
  constexpr void survey(const partial_selection& s) {
    open_.clear();
    taken_.clear();
    order_.clear();
    for (std::uint32_t w = 0; w < r_.words; ++w) visited_[w] = 0;
    each_bit(s.needed.data(), r_.words, [&](std::uint32_t k) {
      const std::uint32_t n = decided(s, k);
      if (n != no_candidate)
        taken_.push_back(n);
      else
        open_.push_back(k);
    });
    if (open_.empty()) return;
    mark_visited(s);
    for (std::size_t i = 0; i < order_.size();) i = reach_block(s, i);
  }

  /// Sets visited_ and order_ (ascending, open classes included), from parents to children, a
  /// strongly connected component as a whole.
  constexpr void mark_visited(const partial_selection& s) {
    std::size_t next_open = open_.size();
    for (std::uint32_t end = open_.back() + 1; end > 0;) {
      // An open class may lie in the middle of its component.
      end = r_.block_last[end - 1];
      const std::uint32_t begin = r_.block_first[end - 1];
      bool active = next_open > 0 && open_[next_open - 1] >= begin;
      for (std::uint32_t k = begin; k < end && !active; ++k) active = has_bit(visited_.data(), k);
      if (active && end - begin > 1)
        for (std::uint32_t k = begin; k < end; ++k)
          if (!has_bit(s.needed.data(), k)) visit(k);
      for (std::uint32_t k = end; active && k-- > begin;) {
        const bool is_open = next_open > 0 && open_[next_open - 1] == k;
        if (is_open) --next_open;
        if (!is_open && !has_bit(visited_.data(), k)) continue;
        order_.push_back(k);
        mark_children(s, k);
      }
      end = begin;
    }
    for (std::size_t i = 0, j = order_.size(); i + 1 < j; ++i) {
      const std::uint32_t k = order_[i];
      order_[i] = order_[--j];
      order_[j] = k;
    }
  }

  constexpr void visit(std::uint32_t k) {
    if (has_bit(visited_.data(), k)) return;
    set_bit(visited_.data(), k);
    parents_[k] = 0;
    last_parent_[k] = no_candidate;
  }

  constexpr void mark_children(const partial_selection& s, std::uint32_t k) {
    const std::uint32_t* const child = r_.child.data();
    const word* const needed = s.needed.data();
    std::uint32_t* const last_parent = last_parent_.data();
    for (std::uint32_t n = r_.first[k], last = r_.first[k + 1]; n < last; ++n) {
      if (!is_alive(s, n)) continue;
      const std::uint32_t begin = r_.child_first[n], end = r_.child_first[n + 1];
      steps_ += 1 + end - begin;
      for (std::uint32_t i = begin; i < end; ++i) {
        const std::uint32_t c = child[i];
        if ((needed[c >> 6] >> (c & 63)) & 1) continue;
        visit(c);
        if (last_parent[c] == k) continue;
        last_parent[c] = k;
        ++parents_[c];
      }
    }
  }

  /// Computes the reach of the classes of one component from order_[at] on: the visited classes
  /// below, and a visited class itself. Returns the index after the component.
  constexpr std::size_t reach_block(const partial_selection& s, std::size_t at) {
    const std::uint32_t end = r_.block_last[order_[at]];
    std::size_t last = at;
    word* const row = row_.data();
    const std::uint32_t* const child = r_.child.data();
    for (std::uint32_t w = 0; w < r_.words; ++w) row[w] = 0;
    for (; last < order_.size() && order_[last] < end; ++last) {
      const std::uint32_t k = order_[last];
      if (has_bit(visited_.data(), k)) set_bit(row_.data(), k);
      for (std::uint32_t n = r_.first[k], stop = r_.first[k + 1]; n < stop; ++n) {
        if (!is_alive(s, n)) continue;
        const std::uint32_t child_end = r_.child_first[n + 1];
        for (std::uint32_t i = r_.child_first[n]; i < child_end; ++i, ++steps_) {
          const std::uint32_t c = child[i];
          // The reach of a class in the row is there already.
          if (has_bit(row, c) || !has_bit(visited_.data(), c)) continue;
          if (r_.block_last[c] == end)
            set_bit(row, c);
          else
            unite(row, reach_of(c), r_.words);
        }
      }
    }
    for (std::size_t i = at; i < last; ++i)
      for (std::uint32_t w = 0; w < r_.words; ++w) reach_of(order_[i])[w] = row_[w];
    return last;
  }

  constexpr word* reach_of(std::uint32_t k) {
    return reach_.data() + static_cast<std::size_t>(k) * r_.words;
  }

  /// The cost that the children of a candidate add beyond the `charged_` classes, which grow if
  /// there are several children.
  constexpr std::int64_t cover(const std::int64_t* value, std::uint32_t n, bool charged) {
    std::int64_t total = 0;
    const word* single = nullptr;
    const word* const visited = visited_.data();
    const std::uint32_t* const child = r_.child.data();
    const std::uint32_t begin = r_.child_first[n], end = r_.child_first[n + 1];
    steps_ += end - begin;
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint32_t c = child[i];
      if (!((visited[c >> 6] >> (c & 63)) & 1)) continue;
      if (value[c] == unbounded) return unbounded;
      if (!charged && single == nullptr) {
        single = reach_of(c);
        total = value[c];
        continue;
      }
      if (!charged) {
        for (std::uint32_t w = 0; w < r_.words; ++w) charged_[w] = single[w];
        charged = true;
      }
      total += charge(value, c);
    }
    return total;
  }

  /// The cost that class `c` adds beyond the charged classes; charges it.
  constexpr std::int64_t charge(const std::int64_t* value, std::uint32_t c) {
    if (!overlaps(reach_of(c), charged_.data(), r_.words)) {
      unite(charged_.data(), reach_of(c), r_.words);
      return value[c];
    }
    std::int64_t total = 0;
    const word* const must = r_.must_of(c);
    for (std::uint32_t w = 0; w < r_.words; ++w) {
      const word fresh = must[w] & visited_[w] & ~charged_[w];
      charged_[w] |= fresh;
      for (word rest = fresh; rest != 0; rest &= rest - 1, ++steps_)
        total += least_[w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest))];
    }
    return total;
  }

  /// Sets least_ to the cheapest live candidate's cost and value_ to the tree bound of each listed
  /// class.
  constexpr void tree_values(const partial_selection& s, const std::int64_t* own) {
    for (const std::uint32_t k : order_) {
      std::int64_t least = unbounded;
      for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n)
        if (own[n] < least && is_alive(s, n)) least = own[n];
      least_[k] = least;
      value_[k] = unbounded;
    }
    for (std::size_t i = 0; i < order_.size();) {
      const std::uint32_t end = r_.block_last[order_[i]];
      std::size_t last = i;
      while (last < order_.size() && order_[last] < end) ++last;
      for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t j = i; j < last; ++j) changed = tree_value(s, own, order_[j]) || changed;
        if (last - i == 1) break;
      }
      i = last;
    }
  }

  constexpr bool tree_value(const partial_selection& s, const std::int64_t* own, std::uint32_t k) {
    std::int64_t least = unbounded;
    for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n) {
      if (!is_alive(s, n)) continue;
      const std::int64_t below = cover(value_.data(), n, false);
      const std::int64_t all = below == unbounded ? unbounded : own[n] + below;
      candidate_value_[n] = all;
      if (all < least) least = all;
    }
    const bool changed = least != value_[k];
    value_[k] = least;
    return changed;
  }

  /// The tree bound of all open classes together; leaves the contribution of each and the values of
  /// their candidates for `filter`.
  constexpr std::int64_t tree_total(const partial_selection& s, const std::int64_t* own) {
    tree_values(s, own);
    for (std::size_t gap = (open_.size() + 1) / 2; gap > 0; gap /= 2)  // dearest first
      for (std::size_t i = gap; i < open_.size(); ++i)
        for (std::size_t j = i; j >= gap && value_[open_[j - gap]] < value_[open_[j]]; j -= gap) {
          const std::uint32_t k = open_[j];
          open_[j] = open_[j - gap];
          open_[j - gap] = k;
        }
    charged_by_open_ = table<word>(r_.words);
    std::int64_t total = 0;
    for (const std::uint32_t k : open_) {
      if (overlaps(charged_by_open_.data(), reach_of(k), r_.words)) recharge(s, own, k);
      contribution_[k] = value_[k];
      if (value_[k] == unbounded) return unbounded;
      total += value_[k];
      unite(charged_by_open_.data(), reach_of(k), r_.words);
    }
    return total;
  }

  /// Recomputes the value of an open class with the classes charged by earlier ones free.
  constexpr void recharge(const partial_selection& s, const std::int64_t* own, std::uint32_t k) {
    std::int64_t least = unbounded;
    for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n) {
      if (!is_alive(s, n) || candidate_value_[n] == unbounded) continue;
      for (std::uint32_t w = 0; w < r_.words; ++w) charged_[w] = charged_by_open_[w];
      candidate_value_[n] = own[n] + cover(value_.data(), n, true);
      if (candidate_value_[n] < least) least = candidate_value_[n];
    }
    value_[k] = least;
  }

  /// The scaled split bound of all open classes together; leaves the same data for `filter`.
  constexpr std::int64_t split_total(const partial_selection& s, const std::int64_t* own,
                                     std::int64_t scale) {
    for (std::size_t i = 0; i < order_.size();) {
      const std::uint32_t end = r_.block_last[order_[i]];
      std::size_t last = i;
      for (; last < order_.size() && order_[last] < end; ++last) value_[order_[last]] = 0;
      // From 0 upwards, any number of sweeps gives a bound.
      for (int sweep = last - i == 1 ? 1 : 3; sweep > 0; --sweep)
        for (std::size_t j = i; j < last; ++j) split_value(s, own, scale, order_[j]);
      i = last;
    }
    std::int64_t total = 0;
    for (const std::uint32_t k : open_) {
      contribution_[k] = value_[k];
      total = saturating_add(total, value_[k]);
    }
    return total;
  }

  constexpr void split_value(const partial_selection& s, const std::int64_t* own,
                             std::int64_t scale, std::uint32_t k) {
    const std::uint32_t *const child = r_.child.data(), *const parents = parents_.data();
    const word* const visited = visited_.data();
    const std::int64_t* const value = value_.data();
    std::int64_t least = unbounded;
    for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n) {
      if (!is_alive(s, n)) continue;
      std::int64_t all = own[n] * scale;
      const std::uint32_t end = r_.child_first[n + 1];
      for (std::uint32_t i = r_.child_first[n]; i < end; ++i, ++steps_) {
        const std::uint32_t c = child[i];
        if (!((visited[c >> 6] >> (c & 63)) & 1)) continue;
        all = saturating_add(all, value[c] / parents[c]);
      }
      candidate_value_[n] = all;
      if (all < least) least = all;
    }
    value_[k] = least < largest_total ? least : largest_total;
  }

  /// Drops candidates of open classes with which the total would reach the cutoff.
  constexpr void filter(partial_selection& s, std::int64_t total, std::int64_t cutoff,
                        bool& changed) {
    for (const std::uint32_t k : open_)
      for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n)
        if (is_alive(s, n) &&
            saturating_add(total - contribution_[k], candidate_value_[n]) >= cutoff) {
          clear_bit(s.alive.data(), n);
          changed = true;
        }
  }

  /// Lower bound on a sum column plus `extra`; drops candidates that reach the cutoff.
  constexpr std::int64_t bound_sum(partial_selection& s, std::size_t column, std::int64_t extra,
                                   std::int64_t cutoff, bool& changed) {
    const std::int64_t* const own = r_.column(column);
    std::int64_t paid = extra;
    for (const std::uint32_t n : taken_) paid += own[n];
    if (open_.empty() || paid >= cutoff) return paid;
    const std::int64_t tree = saturating_add(paid, tree_total(s, own));
    if (tree >= cutoff) return tree;
    if (cutoff != unbounded) filter(s, tree, cutoff, changed);
    const std::int64_t scale = scale_[column];
    const std::int64_t scaled = split_total(s, own, scale);
    const std::int64_t split = saturating_add(paid, scaled / scale + (scaled % scale != 0));
    if (split < cutoff && cutoff <= largest_total / scale)
      filter(s, saturating_add(paid * scale, scaled), (cutoff - 1) * scale + 1, changed);
    return split > tree ? split : tree;
  }

  /// Lower bound on the critical path of a column, or on its maximum if it is no path, by the same
  /// recursion with max.
  constexpr std::int64_t bound_peak(const partial_selection& s, std::size_t column) {
    const bool path = p_.metrics[column].kind == aggregation::critical_path;
    const std::int64_t* const own = r_.column(column);
    for (std::int64_t& value : value_) value = 0;
    for (std::uint32_t k = 0; k < r_.classes; ++k) {  // one sweep from below: a bound in cycles too
      std::int64_t least = unbounded;
      for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n) {
        if (!is_alive(s, n)) continue;
        std::int64_t below = 0;
        for (std::uint32_t i = r_.child_first[n]; i < r_.child_first[n + 1]; ++i, ++steps_)
          if (below < value_[r_.child[i]]) below = value_[r_.child[i]];
        const std::int64_t with =
            path ? saturating_add(own[n], below) : (own[n] > below ? own[n] : below);
        if (with < least) least = with;
      }
      value_[k] = least;
    }
    std::int64_t total = 0;
    each_bit(s.needed.data(), r_.words, [&](std::uint32_t k) {
      if (total < value_[k]) total = value_[k];
    });
    return total;
  }

  constexpr std::int64_t bound_objective(partial_selection& s) {
    std::int64_t extra = 0;
    for (std::uint32_t m = 0; m < metrics_; ++m) {
      if (stage_.weight[m] == 0 || p_.metrics[m].kind == aggregation::sum) continue;
      const std::int64_t most = bound_peak(s, m);
      if (most == unbounded) return unbounded;
      extra += stage_.weight[m] * most;
    }
    bool dropped = false;  // nothing is dropped without a cutoff
    return bound_sum(s, metrics_, extra, unbounded, dropped);
  }

  const selection_problem& p_;
  const selection_stage& stage_;
  const reduced_selection& r_;
  std::size_t metrics_;
  bool is_flat_ = false;
  std::int64_t flat_total_ = 0;
  std::uint64_t steps_ = 0;
  std::uint32_t over_metric_ = no_metric;
  std::int64_t over_least_ = 0;
  table<std::uint8_t> dropped_;
  table<std::uint32_t> open_, taken_, order_, stack_, parents_, last_parent_;
  table<word> visited_, charged_, charged_by_open_, row_, reach_;
  table<std::int64_t> value_, least_, contribution_, candidate_value_, scale_;
};

}  // namespace wf::detail
