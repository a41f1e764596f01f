// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/box.hpp>
#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing/cuts.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/prices.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/proof/ledger.hpp>
#include <wf/select/proof/proof.hpp>
#include <wf/select/reduce/bound.hpp>
#include <wf/select/reduce/reduce.hpp>

namespace wf::detail {

/// Records the steps of the search of one component in its case.
class packing_trace {
 public:
  constexpr packing_trace(proof_ledger& ledger, const selection_problem& problem,
                          const reduced_selection& reduced, const table<std::uint32_t>& columns,
                          const packing_model& model)
      : ledger_(ledger), m_(model), columns_(columns) {
    candidates_ = static_cast<std::uint32_t>(problem.candidates.size());
    metrics_ = static_cast<std::uint32_t>(problem.metrics.size());
    table<std::uint32_t> classes;
    number(reduced, problem.classes, classes);
    at_ = ledger_.open(classes);
    if (at_ == proof_ledger::none) return;
    add_rows();
  }

  /// True if steps can be recorded.
  constexpr bool is_open() const { return at_ != proof_ledger::none && ledger_.is_open(at_); }

  /// The values dropped next follow from a decision, which needs no step.
  constexpr void decide() { why_ = nothing; }
  /// Reason of the next drops: they exclude all that is left of class `k`.
  constexpr void blame_class(std::uint32_t k) {
    why_ = support;
    group_ = group_of_[k];
  }
  /// Reason of the next drops: they reach the cutoff by these prices.
  constexpr void blame_prices(const packing_prices& p, std::int64_t scale) {
    why_ = prices;
    blamed_ = &p;
    scale_ = scale;
  }
  /// Reason of the next drops: they exceed limit `l`.
  constexpr void blame_limit(std::size_t l) {
    why_ = limit;
    limit_ = l;
  }
  constexpr void drop(std::uint32_t v) {
    if (why_ == nothing || !is_open()) return;
    if (why_ == prices) set_prices(*blamed_, scale_);
    if (why_ == limit) set_limit(limit_);
    if (why_ == support)
      add({proof_rule::support, group_, 0, 0, {}});
    else if (why_ != within)
      add({proof_rule::bound, 0, 0, 0, {}});
    why_ = within;
    ledger_.add_literal(at_, literal_of_[v]);
  }

  /// Closes the present case by these prices.
  constexpr void close_by_prices(const packing_prices& p, std::int64_t scale) {
    set_prices(p, scale);
    add({proof_rule::bound, 0, 0, 0, {}});
  }
  /// Closes the present case by the cost of what is taken in it.
  constexpr void close_by_cost() {
    begin_prices(1);
    add({proof_rule::bound, 0, 0, 0, {}});
  }
  constexpr void close_by_limit(std::size_t l) {
    set_limit(l);
    add({proof_rule::bound, 0, 0, 0, {}});
  }
  constexpr void close_by_cycle(std::uint32_t k) {
    add({proof_rule::cycle, group_of_[k], 0, 0, {}});
  }

  /// Records a cut, which later prices may use.
  constexpr void learn(const packing_cut& cut) {
    if (!is_open()) return;
    add({cut.divisor == 0 ? proof_rule::ring : proof_rule::cut, 0, 0, cut.divisor, {}});
    for (const packing_cut::term& t : cut.terms)
      if (cut.divisor == 0)
        ledger_.add_literal(at_, group_of_[t.what]);
      else
        ledger_.add_price(at_, {place_of(t.what), t.times});
    row_at_.push_back(rows_++);
  }

  /// Drops all cuts but those in `kept`, and renumbers the rest.
  constexpr void keep(const table<std::uint8_t>& kept) {
    std::size_t next = m_.rows;
    for (std::size_t c = 0; c < kept.size(); ++c)
      if (kept[c]) row_at_[next++] = row_at_[m_.rows + c];
    row_at_.resize(next);
    has_prices_ = false;
  }

  /// Records a branch on a value: two cases follow, first the one that `takes` names.
  constexpr void branch(std::uint32_t v, bool takes) {
    add({proof_rule::branch, literal_of_[v], takes ? 0U : 1U, 0, {}});
  }
  /// Begins a trial of one side of a branch; `end_trial` keeps its steps if they closed the side.
  /// If the other side was closed by a trial, this side continues the case.
  constexpr void begin_trial(std::uint32_t v, bool takes, bool other_is_closed) {
    before_ = ledger_.here(at_);
    if (!other_is_closed) branch(v, takes);
  }
  constexpr void end_trial(bool closed) {
    if (closed || !is_open()) return;
    ledger_.go_back(at_, before_);
    has_prices_ = false;
  }

  /// Ends the search of the component with `cutoff`; `closed`: it costs at least `bound`.
  constexpr void end(bool closed, std::int64_t bound, std::int64_t cutoff) {
    if (!is_open()) return;
    if (m_.classes != 0) ledger_.limit(at_, cutoff);
    if (closed) ledger_.close(at_, bound);
  }
  /// Gives up the proof: the search used an inference that no rule expresses.
  constexpr void fail() { ledger_.fail(proof_status::not_recorded); }

 private:
  /// Reasons for drops; `within`: the reason of the step written last.
  enum reason : std::uint8_t { nothing, support, prices, limit, within };

  constexpr void add(const proof_step& step) {
    ledger_.add(at_, step);
    why_ = nothing;
  }

  /// Numbers literals and classes as in the proof, those of joined classes last.
  constexpr void number(const reduced_selection& r, std::uint32_t all,
                        table<std::uint32_t>& classes) {
    std::uint32_t joints = 0, groups = 0;
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      const std::uint32_t v = m_.first[k];
      if (m_.is_joint(v)) {
        group_of_.push_back(all + groups++);
        for (std::uint32_t i = v; i < m_.first[k + 1]; ++i)
          literal_of_.push_back(candidates_ + all + joints++);
        continue;
      }
      const std::uint32_t owner = r.class_of[r.owner[m_.candidate_of[v]]];
      group_of_.push_back(owner);
      classes.push_back(owner);
      for (std::uint32_t i = v; i < m_.first[k + 1]; ++i)
        literal_of_.push_back(i == m_.off[k] ? candidates_ + owner
                                             : r.candidate_of[m_.candidate_of[i]]);
    }
  }

  /// The number of a class, row or cut as a term of a `cut` step.
  constexpr std::uint32_t place_of(std::uint32_t term) const {
    if (term < m_.classes) return 2 * group_of_[term];
    return 2 * (row_at_[term - m_.classes] - metrics_) + 1;
  }

  /// The first joined value in a row, or `none`: the row ties it to one of its two values.
  constexpr std::uint32_t joint_in(std::uint32_t row) const {
    for (std::uint32_t e = m_.row_first[row]; e < m_.row_first[row + 1]; ++e)
      if (m_.is_joint(m_.entry[e])) return m_.entry[e];
    return packing_model::none;
  }

  /// Adds the rows and their numbers in the proof: those of joined classes follow the others.
  constexpr void add_rows() {
    row_at_.resize(m_.rows);
    rows_ = metrics_;
    for (std::uint32_t row = 0; row < m_.rows; ++row) {
      if (joint_in(row) != packing_model::none) continue;
      row_at_[row] = rows_++;
      add({proof_rule::row, 0, 0, 0, {}});
      for (std::uint32_t e = m_.row_first[row]; e < m_.row_first[row + 1]; ++e)
        ledger_.add_literal(at_, literal_of_[m_.entry[e]]);
    }
    table<std::uint32_t> rows_from(m_.classes);
    for (std::uint32_t k = 0; k < m_.classes; ++k) {
      const std::uint32_t v = m_.first[k];
      if (!m_.is_joint(v)) continue;
      const std::uint32_t a = m_.owner[m_.joint_a[v]], b = m_.owner[m_.joint_b[v]];
      add({proof_rule::join, group_of_[a], group_of_[b], 0, {}});
      rows_from[k] = rows_;
      rows_ += m_.first[a + 1] - m_.first[a] + m_.first[b + 1] - m_.first[b];
    }
    for (std::uint32_t row = 0; row < m_.rows; ++row) {
      const std::uint32_t joint = joint_in(row);
      if (joint == packing_model::none) continue;
      std::uint32_t e = m_.row_first[row];
      while (m_.is_joint(m_.entry[e])) ++e;
      const std::uint32_t a = m_.owner[m_.joint_a[joint]], v = m_.entry[e], k = m_.owner[v];
      row_at_[row] = rows_from[m_.owner[joint]] + v - m_.first[k] +
                     (k == a ? 0 : m_.first[a + 1] - m_.first[a]);
    }
  }

  constexpr void begin_prices(std::int64_t scale) {
    has_prices_ = false;
    ledger_.add(at_, {proof_rule::prices, 0, 0, scale, {}});
  }
  constexpr void set_prices(const packing_prices& p, std::int64_t scale) {
    const packing_duals& d = p.duals();
    if (!is_open() || (has_prices_ && last_ == d)) return;
    begin_prices(scale);
    for (std::size_t l = 0; l < d.limit.size(); ++l)
      if (d.limit[l] != 0) ledger_.add_price(at_, {columns_[l], d.limit[l]});
    for (std::uint32_t row = 0; row < m_.rows; ++row)
      if (d.row[row] != 0) ledger_.add_price(at_, {row_at_[row], d.row[row]});
    for (std::size_t c = 0; c < d.cut.size(); ++c)
      if (d.cut[c] != 0) ledger_.add_price(at_, {row_at_[m_.rows + c], d.cut[c]});
    last_ = d;
    has_prices_ = true;
  }
  /// Prices one unit of one metric, and costs not at all.
  constexpr void set_limit(std::size_t l) {
    begin_prices(0);
    ledger_.add_price(at_, {columns_[l], 1});
  }

  proof_ledger& ledger_;
  const packing_model& m_;
  const table<std::uint32_t>& columns_;
  std::uint32_t at_ = proof_ledger::none, candidates_ = 0, metrics_ = 0, group_ = 0;
  std::uint32_t rows_ = 0;  ///< number of the next row in the proof, the metrics before it included
  table<std::uint32_t> literal_of_, group_of_;
  table<std::uint32_t> row_at_;  ///< number in the proof, of rows, then of cuts
  reason why_ = nothing;
  const packing_prices* blamed_ = nullptr;
  std::int64_t scale_ = 1;
  std::size_t limit_ = 0;
  bool has_prices_ = false;  ///< true if `last_` are the last prices written
  packing_duals last_;
  proof_ledger::mark before_;
};

/// Records the proof of a selection, level by level. Class and candidate numbers are those of the
/// reduced problem.
class proof_recorder {
 public:
  /// A recorder that gives up proofs of more than about `most` numbers.
  constexpr explicit proof_recorder(std::size_t most) : most_(most) {
    proof_.status = proof_status::complete;
  }

  /// Begins a level; records the candidates that the reductions removed.
  constexpr void begin(const selection_problem& problem, const selection_stage& stage,
                       const reduced_selection& reduced) {
    p_ = &problem;
    r_ = &reduced;
    traces_.clear();
    ledger_.begin(problem.classes, most_);
    columns_.clear();
    for (std::uint32_t m = 0; m < problem.metrics.size(); ++m)
      if (problem.metrics[m].kind == aggregation::sum && stage.maximum[m] != unbounded)
        columns_.push_back(m);
    for (const std::uint32_t n : reduced.removal_order) {
      const rejection& why = reduced.removed[n];
      if (why.kind == rejection_kind::over_limit) continue;  // a checker finds that by itself
      const bool dominated = why.kind == rejection_kind::dominated;
      const proof_rule rule = dominated ? proof_rule::subsumed : proof_rule::cyclic;
      ledger_.add(0, {rule, n, dominated ? why.by : 0, 0, {}});
    }
  }
  /// Ends a level; `proven`: nothing costs less than `value`.
  constexpr void end(bool proven, std::int64_t value) {
    if (!proven) give_up(proof_status::not_proven);
    if (proof_.status != proof_status::complete) return;
    proof_level level;
    give_up(ledger_.end(value, level));
    if (proof_.status == proof_status::complete)
      proof_.levels.push_back(static_cast<proof_level&&>(level));
  }
  /// Gives up the proof; the first reason stays.
  constexpr void give_up(proof_status why) {
    if (proof_.status != proof_status::complete) return;
    proof_.status = why;
    if (why != proof_status::complete) proof_.levels.clear();
  }
  constexpr selection_proof take() { return static_cast<selection_proof&&>(proof_); }

  // --- compaction ------------------------------------------------------------------------------

  constexpr void cyclic(std::uint32_t n) {
    add(r_->owner[n], {proof_rule::cyclic, candidate(n), 0, 0, {}});
  }
  constexpr void subsumed(std::uint32_t n, std::uint32_t by) {
    add(r_->owner[n], {proof_rule::subsumed, candidate(n), candidate(by), 0, {}});
  }
  /// Class `e` is needed because class `k` is.
  constexpr void needed(std::uint32_t e, std::uint32_t k) {
    add(e, {proof_rule::support, r_->class_of[k], 0, 0, {}});
    const std::uint32_t off = static_cast<std::uint32_t>(p_->candidates.size()) + r_->class_of[e];
    ledger_.add_literal(ledger_.home(r_->class_of[e]), off);
  }
  constexpr void fold(std::uint32_t k, std::uint32_t n) {
    add(k, {proof_rule::fold, r_->class_of[k], candidate(n), 0, {}});
  }
  constexpr void merge(std::uint32_t e, std::uint32_t k) {
    add(e, {proof_rule::merge, r_->class_of[e], r_->class_of[k], 0, {}});
  }
  constexpr void pay(std::uint32_t k, std::int64_t amount) { ledger_.pay(r_->class_of[k], amount); }
  /// Closes the case of class `k`, which is needed and has no candidate left.
  constexpr void close(std::uint32_t k) { ledger_.close(ledger_.home(r_->class_of[k]), unbounded); }
  /// True if two classes belong to one case.
  constexpr bool are_together(std::uint32_t k, std::uint32_t e) const {
    return ledger_.home(r_->class_of[k]) == ledger_.home(r_->class_of[e]);
  }

  /// Writes the tree bound of a level at its root state as the proof that nothing costs less than
  /// `value`. False, with no proof written, if the bound is below `value`, or if limits or cycles
  /// are involved.
  constexpr bool write_tree(selection_bounds& bounds, const partial_selection& root,
                            std::int64_t value) {
    if (!columns_.empty()) return false;
    for (std::uint32_t k = 0; k < r_->classes; ++k)
      if (r_->block_last[k] - r_->block_first[k] != 1) return false;
    table<proof_price> values;
    const std::int64_t least = bounds.list_tree(root, [&](std::uint32_t k, std::int64_t amount) {
      values.push_back({r_->class_of[k], amount});
    });
    if (least < value) return false;
    each_bit(root.needed.data(), r_->words, [&](std::uint32_t e) {
      for (const std::uint32_t k : r_->roots)
        if (k != e && has_bit(r_->must_of(k), e)) return needed(e, k);
    });
    ledger_.add(0, {proof_rule::tree, 0, 0, 0, {}});
    for (const proof_price& one : values) ledger_.add_price(0, one);
    ledger_.close(0, value);
    return true;
  }

  /// A trace for the search of a component, owned by the recorder; null if the proof has failed.
  constexpr packing_trace* open(const packing_model& model) {
    traces_.push_back(make_box<packing_trace>(ledger_, *p_, *r_, columns_, model));
    return traces_.back()->is_open() ? &*traces_.back() : nullptr;
  }

 private:
  constexpr std::uint32_t candidate(std::uint32_t n) const { return r_->candidate_of[n]; }
  constexpr void add(std::uint32_t k, const proof_step& step) {
    ledger_.add(ledger_.home(r_->class_of[k]), step);
  }

  std::size_t most_;
  const selection_problem* p_ = nullptr;
  const reduced_selection* r_ = nullptr;
  proof_ledger ledger_;
  table<std::uint32_t> columns_;
  table<box<packing_trace>> traces_;
  selection_proof proof_;
};

}  // namespace wf::detail
