// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/evaluate/linear_recursion.hpp>

namespace wf::logic::detail {

/// Computes a tensor of each step that is linear in tensors that change from step to step. The
/// coefficients are found once; as long as those tensors keep their positions, a further step is
/// the product of a sparse matrix and a vector.
class linear_step {
 public:
  constexpr linear_step(rule_engine& engine, const stratified_program& p, const stratum& s)
      : engine_(engine), strata_(p), program_(p.program), stratum_(s) {}

  /// True for one tensor of sums whose rules each read one changing tensor at most, as a factor.
  constexpr bool fits() {
    if (!stratum_.stepped || stratum_.tensors.count != 1 || stratum_.recursion != recursion::none ||
        !engine_.options().temperatures.empty())
      return false;
    head_ = strata_.tensors[stratum_.tensors.first];
    if (program_.tensors[head_].boolean) return false;
    const auto varies = [&](std::uint32_t t) {
      return program_.tensors[t].stepped || strata_.changes(t);
    };
    for (std::uint32_t i = 0; i < stratum_.rules.count; ++i) {
      const std::uint32_t number = strata_.rules[stratum_.rules.first + i];
      const rule& r = program_.rules[number];
      std::uint32_t join = none;
      if (r.initial) continue;
      if (!find_linear_join(program_, r, varies, join)) return false;
      if (join == none)
        constants_.push_back(number);
      else
        versions_.push_back({number, join, {}, 0});
    }
    return !versions_.empty();
  }
  /// Computes a step, after `fits`. False after an error, which the engine keeps.
  constexpr bool run() { return is_known() ? multiply() : collect(); }

 private:
  // Where the entries of a tensor stood. Without indices there are no columns to tell.
  struct places {
    std::size_t rows = 0;
    table<table<position>> columns;
    constexpr explicit places(const relation& r) : rows(r.rows), columns(r.columns) {}
    constexpr places() = default;
    constexpr bool are_of(const relation& r) const {
      return rows == r.rows && columns == r.columns;
    }
  };
  // A tensor that changes.
  struct source {
    std::uint32_t tensor = 0, first = 0;  // number of its first entry among those of all
    places entries;
  };

  constexpr std::uint32_t source_of(const planned_rule& v) const {
    return program_.atoms[program_.rules[v.rule].joins.first + v.changed_join].tensor;
  }

  // True if the changing tensors have the positions of before.
  constexpr bool is_known() {
    if (!known_) return false;
    for (const source& s : sources_) {
      engine_.store(s.tensor).list();
      if (!s.entries.are_of(engine_.store(s.tensor).entries())) return false;
    }
    return true;
  }
  constexpr bool collect() {
    known_ = true;
    sources_.clear();
    tensor_store out = engine_.started_store(head_);
    for (const std::uint32_t number : constants_)
      if (!engine_.add_all(number, out, nullptr)) return false;
    starting_ = out.entries().values;
    table<table<double>> values;
    std::uint32_t entries = 0;
    for (const planned_rule& v : versions_) {
      const std::uint32_t t = source_of(v);
      bool seen = false;
      for (const source& s : sources_) seen = seen || s.tensor == t;
      if (seen) continue;
      tensor_store& store = engine_.store(t);
      store.list();
      sources_.push_back({t, entries, places(store.entries())});
      values.push_back(store.entries().values);
      entries += static_cast<std::uint32_t>(store.rows());
      for (std::uint32_t row = 0; row < store.rows(); ++row) store.set_value(row, 1);
    }
    coefficient_rows rows;
    bool done = true;
    for (planned_rule& v : versions_) done = done && apply(v, out, rows);
    for (std::size_t i = 0; i < sources_.size(); ++i)
      for (std::uint32_t row = 0; row < values[i].size(); ++row)
        engine_.store(sources_[i].tensor).set_value(row, values[i][row]);
    if (!done) return false;
    starting_.resize(out.rows());
    matrix_.assemble(rows, out.rows());
    values_ = table<double>(entries);
    result_ = places(out.entries());
    engine_.replace(head_, static_cast<tensor_store&&>(out));
    return multiply();
  }
  constexpr bool apply(planned_rule& v, tensor_store& out, coefficient_rows& rows) {
    std::uint32_t first = 0;
    for (const source& s : sources_)
      if (s.tensor == source_of(v)) first = s.first;
    const auto count = static_cast<std::uint32_t>(engine_.store(source_of(v)).rows());
    const auto visit = [&](const position* at, double factor, std::uint32_t row) {
      rows.add(row_of(out, at), first + row, factor);
      return true;
    };
    return engine_.apply_from(v, {0, count, nullptr}, visit);
  }
  constexpr bool multiply() {
    tensor_store& out = engine_.store(head_);
    if (!out.listed() || !result_.are_of(out.entries())) {
      tensor_store made = engine_.empty_store(head_);
      position at[max_rank] = {};
      for (std::size_t row = 0; row < result_.rows; ++row) {
        for (std::size_t c = 0; c < result_.columns.size(); ++c) at[c] = result_.columns[c][row];
        std::uint32_t added = 0;
        (void)made.add(at, 0, projection::sum, added);
      }
      engine_.replace(head_, static_cast<tensor_store&&>(made));
    }
    for (const source& s : sources_) {
      const table<double>& from = engine_.store(s.tensor).entries().values;
      for (std::size_t row = 0; row < from.size(); ++row) values_[s.first + row] = from[row];
    }
    tensor_store& to = engine_.store(head_);
    for (std::uint32_t row = 0; row < starting_.size(); ++row)
      to.set_value(row, matrix_.row(row, starting_[row], values_));
    return true;
  }

  rule_engine& engine_;
  const stratified_program& strata_;
  const tensor_program& program_;
  const stratum& stratum_;
  std::uint32_t head_ = 0;
  table<std::uint32_t> constants_;  // rules that read nothing that changes
  table<planned_rule> versions_;    // the others
  bool known_ = false;
  table<source> sources_;
  places result_;
  table<double> starting_;  // by row of the result: what the constants give
  coefficient_matrix matrix_;
  table<double> values_;  // of the entries of all sources
};

}  // namespace wf::logic::detail
