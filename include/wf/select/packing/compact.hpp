// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/table.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/option_graph.hpp>
#include <wf/select/packing/pair_joins.hpp>
#include <wf/select/pairs.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/proof/recorder.hpp>
#include <wf/select/reduce/reduce.hpp>

namespace wf::detail {

/// Builds the packing model of a reduced problem, smaller than the problem:
/// - a class that is needed in any case and has one candidate is paid and removed, with the needs
///   that point to it; needs that follow from other needs are dropped;
/// - a class with one candidate that only one candidate needs is paid there (*folding*); two that
///   the same candidates need become one (*merging*);
/// - candidates that the must sets then show to be cyclic or subsumed are removed.
/// There is one row for a class k and a class e that some of k's candidates certainly need (by must
/// sets, not only as children): at most one of these candidates, of `off` of e, and of e's
/// candidates that need k. Rows that another row and its class's own rows imply are left out.
class selection_compactor : option_graph {
 public:
  constexpr selection_compactor(const selection_problem& problem, const selection_stage& stage,
                                const reduced_selection& reduced)
      : option_graph(reduced), stage_(stage), pairs_(reduced.pairs) {
    for (std::uint32_t m = 0; m < problem.metrics.size(); ++m) add_column(problem, m);
    const std::int64_t* const objective = r_.column(problem.metrics.size());
    for (std::uint32_t n = 0; n < r_.candidates; ++n) {
      option o;
      o.number = n;
      o.costs.push_back(objective[n]);
      for (const column& c : columns_) o.costs.push_back(r_.column(c.metric)[n]);
      for (std::uint32_t i = r_.child_first[n]; i < r_.child_first[n + 1]; ++i)
        o.needs.push_back(r_.child[i]);
      groups_[r_.owner[n]].options.push_back(static_cast<option&&>(o));
    }
    paid_ = table<std::int64_t>(1 + columns_.size());
  }

  /// Sets the proof recorder of the following reductions; null records nothing.
  constexpr void record(proof_recorder* recorder) { recorder_ = recorder; }

  /// Builds the model; it is empty if the reductions prove that there is no solution
  /// (`feasible()`).
  constexpr packing_model run() {
    if (settled_.empty()) settled_ = table<std::uint32_t>(r_.classes, packing_model::none);
    for (int round = 0; round < 12 && feasible_; ++round) {
      number();
      find_must_sets();
      changed_ = false;
      require_musts();
      for (std::size_t i = 0; i < order_.size() && feasible_; ++i) shrink(order_[i]);
      if (!feasible_) break;
      pay();
      if (!keeps_paths_) {
        number();
        fold();
        number();
        merge();
      }
      if (!changed_) break;
    }
    if (!feasible_) {
      if (recorder_ != nullptr) record_infeasible();
      return {};
    }
    number();
    find_must_sets();
    return build();
  }

  /// Takes over the values that a search of the model proved dead: their options are removed, and
  /// classes whose `off` is dead become needed. `run` then builds a smaller model.
  constexpr void restrict_to(const packing_model& m, const table<std::uint8_t>& alive) {
    for (std::uint32_t v = 0; v < m.values; ++v) {
      if (alive[v] || m.candidate_of[v] == packing_model::none) continue;
      table<option>& options = groups_[r_.owner[m.candidate_of[v]]].options;
      for (option& o : options)
        if (o.number == m.candidate_of[v]) o.dead = true;
    }
    for (std::uint32_t k = 0; k < m.classes; ++k) {
      const std::uint32_t n = m.candidate_of[m.first[k]];
      if (n == packing_model::none) continue;  // a joint class
      if (m.off[k] != packing_model::none && !alive[m.off[k]]) needed_[r_.owner[n]] = 1;
      remove_dead(groups_[r_.owner[n]].options);
    }
    scratch_.clear();
  }

  /// False if the reductions proved that there is no solution.
  constexpr bool feasible() const { return feasible_; }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_ + must_.steps(); }

 private:
  /// A metric that is kept beside the sum part of the objective.
  struct column {
    std::uint32_t metric = 0;
    aggregation kind = aggregation::sum;
  };
  struct user {
    std::uint32_t owner = 0, option = 0;
    friend constexpr bool operator==(const user&, const user&) = default;
  };

  /// Adds a column for a metric that is a limited sum or path, or counts but is no sum. (The
  /// reductions enforce limits of maxima; a measured metric is at least its largest cost.)
  constexpr void add_column(const selection_problem& problem, std::uint32_t m) {
    const aggregation kind = problem.metrics[m].kind;
    const bool limited = stage_.maximum[m] != unbounded, counts = stage_.weight[m] != 0;
    if (kind == aggregation::measured && (limited || counts)) is_measured_ = true;
    if (kind == aggregation::critical_path && (limited || counts)) keeps_paths_ = true;
    const bool by_limit = kind == aggregation::sum || kind == aggregation::critical_path;
    if ((limited && by_limit) || (counts && kind != aggregation::sum))
      columns_.push_back({m, kind});
  }

  /// Marks the must sets of needed classes as needed.
  constexpr void require_musts() {
    for (const std::uint32_t k : order_) {
      if (!needed_[k]) continue;
      each_bit(must_.of(k), r_.words, [&](std::uint32_t e) {
        if (e >= r_.classes || needed_[e] || block_[e] == packing_model::none) return;
        require(e, k);
      });
    }
  }

  /// Marks class `e` as needed because class `k` needs it.
  constexpr void require(std::uint32_t e, std::uint32_t k) {
    if (recorder_ != nullptr) recorder_->needed(e, k);
    needed_[e] = 1;
    changed_ = true;
  }

  /// Drops implied needs, then options that are cyclic or subsumed.
  constexpr void shrink(std::uint32_t k) {
    table<option>& options = groups_[k].options;
    if (!keeps_paths_)
      for (option& o : options) drop_needs(o, k);
    for (option& o : options) {
      o.dead = o.dead || is_cyclic(o, k);
      if (o.dead && recorder_ != nullptr) recorder_->cyclic(o.number);
    }
    for (std::uint32_t i = is_measured_ ? 0 : static_cast<std::uint32_t>(options.size()); i-- > 0;)
      if (!options[i].dead) options[i].dead = is_subsumed(options, i);
    remove_dead(options);
    if (!options.empty()) return;
    feasible_ = false;
    emptied_ = k;
  }

  /// Records that the class without options leaves none to a needed class.
  constexpr void record_infeasible() {
    if (needed_[emptied_]) return recorder_->close(emptied_);
    find_must_sets();
    for (const std::uint32_t k : order_) {
      if (!needed_[k] || !recorder_->are_together(k, emptied_)) continue;
      bool cyclic = true;
      for (const option& o : groups_[k].options) cyclic = cyclic && is_cyclic(o, k);
      if (!cyclic) continue;
      for (const option& o : groups_[k].options) recorder_->cyclic(o.number);
      return recorder_->close(k);
    }
  }

  constexpr void remove_dead(table<option>& options) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < options.size(); ++i) {
      if (options[i].dead) continue;
      if (kept != i) options[kept] = static_cast<option&&>(options[i]);
      ++kept;
    }
    if (kept != options.size()) changed_ = true;
    while (options.size() > kept) options.pop_back();
  }

  /// Drops the needs of an option that are met anyway. Needs within the class's own component stay:
  /// the cycles that they can close must remain visible.
  constexpr void drop_needs(option& o, std::uint32_t k) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < o.needs.size(); ++i) {
      const std::uint32_t e = o.needs[i];
      bool met = false;
      if (block_[e] != block_[k]) {
        met = needed_[e] != 0;
        // Needs dropped earlier follow from needs that were kept.
        for (std::size_t j = 0; j < o.needs.size() && !met; ++j)
          met = (j < kept || j > i) && o.needs[j] != e && has_bit(must_.of(o.needs[j]), e);
      }
      if (met)
        changed_ = true;
      else
        o.needs[kept++] = e;
    }
    while (o.needs.size() > kept) o.needs.pop_back();
  }

  constexpr bool is_subsumed(const table<option>& options, std::uint32_t at) {
    const auto is_no_worse = [&](std::uint32_t i) {
      if (options[i].dead) return false;
      for (std::size_t m = 0; m < paid_.size(); ++m)
        if (options[i].costs[m] > options[at].costs[m]) return false;
      return pairs_.no_worse(problem_number(options[i]), problem_number(options[at]));
    };
    const std::uint32_t by = must_.find_subsuming(
        at, 0, static_cast<std::uint32_t>(options.size()), is_no_worse,
        [&](std::uint32_t i) { return view<std::uint32_t>(options[i].needs); });
    if (by == no_candidate) return false;
    if (recorder_ != nullptr) recorder_->subsumed(options[at].number, options[by].number);
    return true;
  }

  /// Pays needed classes with one option; a class that costs nothing and needs nothing counts as
  /// needed.
  constexpr void pay() {
    for (const std::uint32_t k : order_) {
      if (groups_[k].options.size() != 1) continue;
      option& o = groups_[k].options[0];
      settled_[k] = o.number;
      if (!needed_[k]) {
        if (o.needs.empty() && is_free(o) && !has_pairs(k) && !keeps_paths_) {
          needed_[k] = 1;
          changed_ = true;
        }
        continue;
      }
      bool inside = false;
      for (const std::uint32_t e : o.needs) {
        inside = inside || block_[e] == block_[k];
        if (!needed_[e]) require(e, k);
      }
      if (!is_free(o)) {
        if (recorder_ != nullptr) recorder_->pay(k, o.costs[0]);
        for (std::size_t m = 0; m < paid_.size(); ++m) {
          if (is_path(m)) continue;
          join_costs(m, paid_[m], o.costs[m]);
          o.costs[m] = 0;
        }
        changed_ = true;
      }
      if (!inside && !o.needs.empty() && !keeps_paths_) {
        o.needs.clear();
        changed_ = true;
      }
    }
  }

  constexpr bool is_free(const option& o) const {
    for (std::size_t m = 0; m < o.costs.size(); ++m)
      if (o.costs[m] != 0 && !is_path(m)) return false;
    return true;
  }
  constexpr bool is_path(std::size_t m) const {
    return m != 0 && columns_[m - 1].kind == aggregation::critical_path;
  }
  /// Combines a cost of column `m` with `to`: their sum, or their maximum if the metric is no sum.
  constexpr void join_costs(std::size_t m, std::int64_t& to, std::int64_t cost) const {
    if (m == 0 || columns_[m - 1].kind == aggregation::sum)
      to += cost;
    else if (to < cost)
      to = cost;
  }

  constexpr bool is_foldable(std::uint32_t k) const {
    return !needed_[k] && groups_[k].options.size() == 1 && block_size_[block_[k]] == 1 &&
           !has_pairs(k);
  }

  constexpr std::uint32_t problem_number(const option& o) const {
    return r_.candidate_of[o.number];
  }
  /// True if an option of the class occurs in a pair.
  constexpr bool has_pairs(std::uint32_t k) const {
    for (const option& o : groups_[k].options)
      if (!pairs_.of(problem_number(o)).empty()) return true;
    return false;
  }

  constexpr void take_over(option& o, const option& from) const {
    for (std::size_t m = 0; m < o.costs.size(); ++m) join_costs(m, o.costs[m], from.costs[m]);
    for (const std::uint32_t e : from.needs) add_need(o, e);
  }

  /// Folds each class with one option and one user into that user, which then pays for it.
  constexpr void fold() {
    table<std::uint32_t> users(r_.classes);
    table<user> last(r_.classes);
    for (const std::uint32_t k : order_)
      for (std::uint32_t i = 0; i < groups_[k].options.size(); ++i)
        for (const std::uint32_t e : groups_[k].options[i].needs) {
          ++users[e];
          last[e] = {k, i};
        }
    // Parents first, so that chains fold into their top at once.
    for (std::size_t i = order_.size(); i-- > 0;) {
      const std::uint32_t k = order_[i];
      if (!is_foldable(k) || users[k] != 1) continue;
      option& top = groups_[last[k].owner].options[last[k].option];
      const option& o = groups_[k].options[0];
      settled_[k] = o.number;
      if (recorder_ != nullptr) recorder_->fold(k, top.number);
      drop_need(top, k);
      const std::size_t before = top.needs.size();
      for (std::size_t n = 0; n < o.needs.size(); ++n) {
        const std::uint32_t e = o.needs[n];
        bool known = false;
        for (std::size_t j = 0; j < before; ++j) known = known || top.needs[j] == e;
        if (known)
          users[e] = users[e] > 2 ? users[e] - 1 : 0;  // its only user may be this one: next round
        else
          last[e] = last[k];
      }
      take_over(top, o);
      changed_ = true;
    }
  }

  /// Merges pairs of classes with one option each and the same users.
  constexpr void merge() {
    table<table<user>> users(r_.classes);
    for (const std::uint32_t k : order_)
      for (std::uint32_t i = 0; i < groups_[k].options.size(); ++i)
        for (const std::uint32_t e : groups_[k].options[i].needs) users[e].push_back({k, i});
    table<std::uint8_t> taken(r_.classes);
    for (const std::uint32_t k : order_) {
      if (!is_foldable(k) || users[k].empty() || taken[k]) continue;
      // Classes that share the first user are among its needs.
      const table<std::uint32_t> beside(
          groups_[users[k][0].owner].options[users[k][0].option].needs);
      for (const std::uint32_t e : beside) {
        ++steps_;
        if (e == k || taken[e] || !is_foldable(e) || !(users[e] == users[k])) continue;
        taken[k] = taken[e] = 1;
        if (recorder_ != nullptr) recorder_->merge(e, k);
        settled_[e] = groups_[e].options[0].number;
        settled_[k] = groups_[k].options[0].number;
        take_over(groups_[k].options[0], groups_[e].options[0]);
        for (const user& u : users[e]) drop_need(groups_[u.owner].options[u.option], e);
        changed_ = true;
        break;
      }
    }
  }

  /// True if the class belongs in the model: it is undecided, in a cycle, in a pair, or on a path.
  constexpr bool is_live(std::uint32_t k) const {
    return !needed_[k] || groups_[k].options.size() > 1 || block_size_[block_[k]] > 1 ||
           has_pairs(k) || keeps_paths_;
  }

  constexpr packing_model build() {
    packing_model m;
    table<std::uint32_t> number(r_.classes, packing_model::none), live;
    table<std::uint32_t> first_value(r_.classes);
    for (std::size_t i = order_.size(); i-- > 0;) {  // parents first
      const std::uint32_t k = order_[i];
      if (groups_[k].options.size() == 1)
        settled_[k] = groups_[k].options[0].number;
      else
        settled_[k] = packing_model::none;
      if (!is_live(k)) continue;
      number[k] = m.add_class();
      live.push_back(k);
      m.block.push_back(block_size_[block_[k]] > 1 ? block_[k] : packing_model::none);
      first_value[k] = m.values;
      for (const option& o : groups_[k].options) m.add_value(o.costs[0], o.number);
      if (!needed_[k]) m.off[number[k]] = m.add_value(0, packing_model::none);
    }
    m.base = paid_[0];
    for (const std::uint32_t k : live) add_rows(m, k, number, first_value);
    table<std::uint32_t> metrics;
    for (const column& c : columns_) metrics.push_back(c.metric);
    packing_joins joins(stage_, r_, metrics);
    joins.add_to(m);
    steps_ += joins.steps();
    for (std::size_t i = 0; i < columns_.size(); ++i) build_column(m, live, joins, i);
    if (keeps_paths_) {
      m.root = table<std::uint8_t>(m.classes);
      for (const std::uint32_t root : r_.roots) m.root[number[root]] = 1;
    }
    for (const std::uint32_t k : live) {
      for (const option& o : groups_[k].options) {
        m.need_first.push_back(static_cast<std::uint32_t>(m.need.size()));
        for (const std::uint32_t e : o.needs)
          if (block_[e] == block_[k] || keeps_paths_) m.need.push_back(number[e]);
      }
      if (!needed_[k]) m.need_first.push_back(static_cast<std::uint32_t>(m.need.size()));
    }
    for (std::size_t j = 0; j < joins.size(); ++j)
      m.need_first.push_back(static_cast<std::uint32_t>(m.need.size()));
    m.need_first.push_back(static_cast<std::uint32_t>(m.need.size()));
    m.settled = settled_;
    m.finish();
    return m;
  }

  /// Writes a column as a limit if it is a sum, else as a peak.
  constexpr void build_column(packing_model& m, const table<std::uint32_t>& live,
                              const packing_joins& joins, std::size_t i) {
    const std::uint32_t metric = columns_[i].metric;
    const bool sum = columns_[i].kind == aggregation::sum;
    if (sum)
      m.capacity.push_back(stage_.maximum[metric] - paid_[i + 1]);
    else
      m.peaks.push_back({stage_.weight[metric], stage_.maximum[metric], paid_[i + 1],
                         columns_[i].kind == aggregation::critical_path});
    table<std::int64_t>& costs = sum ? m.weight : m.peak_cost;
    for (const std::uint32_t k : live) {
      for (const option& o : groups_[k].options) costs.push_back(o.costs[i + 1]);
      if (!needed_[k]) costs.push_back(0);
    }
    for (std::size_t j = 0; j < joins.size(); ++j) costs.push_back(joins.cost(j, metric));
  }

  /// Adds the rows of one class: one for each class that some of its options certainly need, over
  /// these options.
  constexpr void add_rows(packing_model& m, std::uint32_t k, const table<std::uint32_t>& number,
                          const table<std::uint32_t>& first_value) {
    struct requirement {
      std::uint32_t e = 0;
      table<std::uint32_t> by;  ///< values
    };
    table<requirement> list;
    table<std::uint32_t>& at = scratch_;
    if (at.size() != r_.classes) at = table<std::uint32_t>(r_.classes, packing_model::none);
    for (std::uint32_t i = 0; i < groups_[k].options.size(); ++i) {
      must_.unite(groups_[k].options[i].needs);
      each_bit(must_.row(), r_.words, [&](std::uint32_t e) {
        if (e >= r_.classes || number[e] == packing_model::none || needed_[e]) return;
        if (at[e] == packing_model::none) {
          at[e] = static_cast<std::uint32_t>(list.size());
          list.push_back({e, {}});
        }
        list[at[e]].by.push_back(first_value[k] + i);
        ++steps_;
      });
    }
    for (const requirement& r : list) at[r.e] = packing_model::none;
    for (const requirement& r : list) {
      bool implied = false;
      for (const requirement& other : list)
        if (other.by.size() == r.by.size() && other.e != r.e && has_bit(must_.of(other.e), r.e) &&
            other.by == r.by) {
          implied = true;
          break;
        }
      if (implied) continue;
      table<std::uint32_t> members(r.by);
      const group& g = groups_[r.e];
      if (block_[r.e] == block_[k])  // an option of e that needs k would close a cycle
        for (std::uint32_t i = 0; i < g.options.size(); ++i)
          for (const std::uint32_t back : g.options[i].needs)
            if (back == k) members.push_back(first_value[r.e] + i);
      members.push_back(first_value[r.e] + static_cast<std::uint32_t>(g.options.size()));
      if (members[0] > members[members.size() - 1])  // e's values come before k's
        rotate(members, r.by.size());
      m.add_row(members);
    }
  }

  /// Moves the first `count` members behind the others.
  constexpr static void rotate(table<std::uint32_t>& members, std::size_t count) {
    table<std::uint32_t> out;
    for (std::size_t i = count; i < members.size(); ++i) out.push_back(members[i]);
    for (std::size_t i = 0; i < count; ++i) out.push_back(members[i]);
    members = static_cast<table<std::uint32_t>&&>(out);
  }

  const selection_stage& stage_;
  const pair_index& pairs_;
  table<column> columns_;
  table<std::int64_t> paid_;
  table<std::uint32_t> settled_, scratch_;
  bool keeps_paths_ = false;  ///< needs form paths: none is dropped, nothing is folded
  bool is_measured_ = false;  ///< a hook measures: no option subsumes another
  proof_recorder* recorder_ = nullptr;
  std::uint32_t emptied_ = 0;
  bool feasible_ = true;
  bool changed_ = false;
};

}  // namespace wf::detail
