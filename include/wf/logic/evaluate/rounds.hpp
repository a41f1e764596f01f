// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/real.hpp>
#include <wf/logic/evaluate/rule_engine.hpp>

namespace wf::logic::detail {

/// The error of a recursion that does not end: its head, the rounds, the last change.
constexpr bool fail_to_converge(rule_engine& engine, std::uint32_t head, std::uint64_t rounds,
                                const double* last_change) {
  text message;
  message << "no fixpoint within " << rounds << " rounds; the last change was ";
  if (last_change != nullptr)
    message << real_text(*last_change).view();
  else
    message << "a new row";
  return engine.fail(errc::not_converged, engine.program().tensors[head].name.view(),
                     message.view());
}

/// Evaluates a recursion of Booleans and extrema by semi-naive rounds: each derives what follows
/// from the rows that the last one changed. Source: Bancilhon 1986; Balbin and Ramamohanarao 1987.
class round_recursion {
 public:
  constexpr round_recursion(rule_engine& engine, const stratified_program& p, const stratum& s)
      : engine_(engine), strata_(p), program_(p.program), stratum_(s) {}

  /// Number of rounds.
  constexpr std::uint32_t rounds() const { return rounds_; }

  /// False after an error, which the engine keeps.
  constexpr bool run() {
    open();
    for (const growth& g : growing_) engine_.replace(g.tensor, engine_.started_store(g.tensor));
    for (std::uint32_t i = 0; i < stratum_.rules.count; ++i) {
      const std::uint32_t number = strata_.rules[stratum_.rules.first + i];
      if (!recurs(program_.rules[number]) &&
          !engine_.add_all(number, engine_.store(program_.rules[number].head.tensor), nullptr))
        return false;
    }
    for (growth& g : growing_) begin(g, 0);
    return finish();
  }
  /// Goes on from a fixpoint of a stratum, or the entries of one without recursion, after tensors
  /// that its rules join, or its own relations, have got rows behind those that they had `before`,
  /// by tensor. Of a sum, no two joins of a rule may have. False after an error.
  constexpr bool grow(view<std::uint32_t> before) {
    if (growing_.empty()) open();
    for (growth& g : growing_) begin(g, before[g.tensor]);
    for (std::uint32_t t = 0; t < before.size(); ++t) engine_.older(t) = before[t];
    ++mark_;
    for (planned_rule& v : outer_) {
      const rule& r = program_.rules[v.rule];
      const std::uint32_t t = program_.atoms[r.joins.first + v.changed_join].tensor;
      const changed_rows changed{before[t], static_cast<std::uint32_t>(engine_.store(t).rows()),
                                 nullptr};
      if (changed.first < changed.last && !run_version(v, changed)) return false;
    }
    // Rules have seen those rows; later rounds are about the stratum's own.
    for (std::uint32_t t = 0; t < before.size(); ++t)
      if (place_[t] == none) engine_.older(t) = UINT32_MAX;
    return finish();
  }
  /// True if `grow` gave a tensor's old rows other values.
  constexpr bool revised(std::uint32_t tensor) const { return growing_[place_[tensor]].revised; }

 private:
  constexpr void open() {
    place_ = table<std::uint32_t>(program_.tensors.size(), none);
    for (std::uint32_t i = 0; i < stratum_.tensors.count; ++i) {
      growing_.push_back({});
      growing_.back().tensor = strata_.tensors[stratum_.tensors.first + i];
      place_[growing_.back().tensor] = i;
    }
    for (std::uint32_t i = 0; i < stratum_.rules.count; ++i) {
      const std::uint32_t number = strata_.rules[stratum_.rules.first + i];
      const rule& r = program_.rules[number];
      for (std::uint32_t k = 0; k < r.joins.count; ++k) {
        const bool own = place_[program_.atoms[r.joins.first + k].tensor] != none;
        (own ? versions_ : outer_).push_back({number, k, {}, 0});
      }
    }
  }
  constexpr bool recurs(const rule& r) const {
    for (std::uint32_t k = 0; k < r.joins.count; ++k)
      if (place_[program_.atoms[r.joins.first + k].tensor] != none) return true;
    return false;
  }
  constexpr bool finish() {
    for (rounds_ = 1;; ++rounds_) {
      if (rounds_ != 1) ++mark_;
      for (planned_rule& v : versions_)
        if (!run_version(v)) return false;
      if (!end_round()) return true;
      if (!engine_.report(last_head_, rounds_)) return false;
      if (rounds_ >= engine_.options().max_rounds)
        return fail_to_converge(engine_, last_head_, rounds_,
                                engine_.store(last_head_).valued() ? &last_change_ : nullptr);
    }
  }

  // Rows of a tensor of the stratum that changed in the last round, and those that change in this.
  struct growth {
    std::uint32_t tensor = 0;
    changed_rows last;
    table<std::uint32_t> last_list, list;
    table<std::uint32_t> listed_in;  // by row: the mark of the round in which it was listed
    std::uint32_t settled = 0;       // number of rows at first
    bool revised = false;            // a row of those has another value
  };

  // The rows behind the first `settled` ones are those of the last round.
  constexpr void begin(growth& g, std::uint32_t settled) {
    engine_.store(g.tensor).index();
    const auto rows = static_cast<std::uint32_t>(engine_.store(g.tensor).rows());
    engine_.older(g.tensor) = g.settled = settled;
    g.last = {settled, rows, nullptr};
    g.revised = false;
    if (!engine_.store(g.tensor).valued()) return;
    g.last_list.clear();
    for (std::uint32_t r = settled; r < rows; ++r) g.last_list.push_back(r);
    g.listed_in.resize(rows);
  }
  constexpr bool run_version(planned_rule& v) {
    const rule& r = program_.rules[v.rule];
    const growth& from = growing_[place_[program_.atoms[r.joins.first + v.changed_join].tensor]];
    const bool valued = engine_.store(from.tensor).valued();
    changed_rows changed = from.last;
    if (valued) changed.list = &from.last_list;
    if (valued ? from.last_list.empty() : changed.first == changed.last) return true;
    return run_version(v, changed);
  }
  constexpr bool run_version(planned_rule& v, changed_rows changed) {
    const rule& r = program_.rules[v.rule];
    growth& to = growing_[place_[r.head.tensor]];
    tensor_store& store = engine_.store(to.tensor);
    if (!store.valued())
      return engine_.apply(v, changed, [&](const position* at, double value) {
        std::uint32_t row = 0;
        store.add(at, value, r.projection, row);
        return true;
      });
    const value_sum sum = engine_.sum_of(to.tensor);
    const bool selects = selects_value(program_, r.value);
    return engine_.apply(v, changed, [&](const position* at, double value) {
      std::uint32_t row = 0;
      return store.add(at, value, sum, row) == added::nothing ||
             improved(to, row, store.value(row), selects);
    });
  }
  // Values that are selected from others do not grow without end.
  constexpr bool improved(growth& to, std::uint32_t row, double value, bool selects) {
    last_change_ = value;
    last_head_ = to.tensor;
    if (row < to.settled) to.revised = true;
    if (!selects && value - value != 0 &&
        stratum_.recursion != recursion::none)  // no value of an extreme
      return fail_to_converge(engine_, to.tensor, rounds_, &last_change_);
    if (row >= to.listed_in.size()) to.listed_in.resize(engine_.store(to.tensor).rows());
    if (to.listed_in[row] == mark_) return true;
    to.listed_in[row] = mark_;
    to.list.push_back(row);
    return true;
  }
  // The rows of this round become those of the last. False if there are none.
  constexpr bool end_round() {
    bool any = false;
    for (growth& g : growing_) {
      const auto rows = static_cast<std::uint32_t>(engine_.store(g.tensor).rows());
      engine_.older(g.tensor) = g.last.last;
      g.last = {g.last.last, rows, nullptr};
      g.last_list.swap(g.list);
      g.list.clear();
      const bool grew =
          engine_.store(g.tensor).valued() ? !g.last_list.empty() : g.last.first != rows;
      if (!grew) continue;
      any = true;
      last_head_ = g.tensor;
    }
    if (!any)
      for (const growth& g : growing_) engine_.older(g.tensor) = UINT32_MAX;
    return any;
  }

  rule_engine& engine_;
  const stratified_program& strata_;
  const tensor_program& program_;
  const stratum& stratum_;
  table<std::uint32_t> place_;  // by tensor: number in `growing_`, or `none`
  table<growth> growing_;
  table<planned_rule> versions_, outer_;  // a rule for each join of its own stratum; of others
  std::uint32_t rounds_ = 0, last_head_ = 0;
  std::uint32_t mark_ = 1;  // of the round, unlike those of all before
  double last_change_ = 0;
};

}  // namespace wf::logic::detail
