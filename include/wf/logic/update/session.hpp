// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/box.hpp>
#include <wf/logic/demand/matching.hpp>
#include <wf/logic/update/change.hpp>
#include <wf/logic/update/row_growth.hpp>

namespace wf::logic {

/// What an update did.
struct update_report {
  std::uint32_t grown = 0;       ///< strata that went on from where they were
  std::uint32_t recomputed = 0;  ///< strata that were evaluated again
  std::uint32_t kept = 0;        ///< strata of which nothing that they read had changed
  bool restarted = false;        ///< the inputs were bound anew, and everything was evaluated
  std::uint64_t added = 0;       ///< facts of the inputs that were new or have other values
  std::uint64_t removed = 0;     ///< facts of the inputs that were there
};

/// Keeps the tensors of a program while facts of its inputs come and go, and answers queries about
/// them.
///
/// Where relations and tensors that a stratum joins have got facts, its rules are applied to those
/// (semi-naive evaluation); a stratum that lost facts, or reads them in another way, is evaluated
/// again, and what does not depend on a change stays as it is. The results are those of `evaluate`
/// on the same inputs, but for the order in which sums are rounded. New symbols, new positions
/// along axes that rules run through, and programs with steps are evaluated anew; sampled
/// evaluations are refused.
class incremental_session {
 public:
  /// Nothing is evaluated before the first update or query. O(program + inputs).
  constexpr incremental_session(const stratified_program& program, database inputs,
                                const evaluation_options& options = {},
                                const registry& operators = rule_registry())
      : prepared_(program),
        operators_(operators),
        options_(options),
        inputs_(static_cast<database&&>(inputs)) {
    read_elsewhere_ = table<bool>(this->program().tensors.size());
    const stratified_program& p = prepared_.strata;
    for (const std::uint32_t number : p.rules)
      detail::for_each_atom_of(p.program, p.program.rules[number], [&](const atom& a) {
        if (p.stratum_of[a.tensor] != p.stratum_of[p.program.rules[number].head.tensor])
          read_elsewhere_[a.tensor] = true;
      });
    for (const stratum& s : p.strata) steps_ = steps_ || s.stepped;
  }
  // The evaluation refers to other members.
  incremental_session(const incremental_session&) = delete;
  incremental_session& operator=(const incremental_session&) = delete;

  /// The facts that the session has been given.
  constexpr const database& inputs() const { return inputs_; }
  /// The domains of symbols, by which entries are numbered.
  constexpr const table<symbol_domain>& domains() const {
    return evaluation_ ? engine().binding().domains : inputs_.domains;
  }

  /// Takes facts away, adds others, and brings all tensors up to date. The symbols of facts are
  /// those of their own database. Facts that are to be removed and are not there, or are to be
  /// added and are there, change nothing; a value that is added replaces one at the same positions;
  /// inputs that no rule reads stay as they are. After an error all facts are as before. Errors:
  /// `unknown_argument` for a name that is no tensor; those of `evaluate`. O(what depends on the
  /// changes + tensors + rules) for new facts, else as `evaluate`.
  constexpr result<update_report> update(const database& added, const database& removed = {}) {
    update_report report;
    box<detail::input_binding> first;
    if (!evaluation_) {
      first = make_box<detail::input_binding>(program(), inputs_);
      if (error e = first->run(); e.code != errc::none) return e;
    }
    detail::input_change change(program(), evaluation_ ? engine().binding() : *first, inputs_);
    if (error e = change.read(added, removed); e.code != errc::none) return e;
    const bool anew = !evaluation_ || change.rebinds() || steps_;
    change.apply(anew ? nullptr : &engine(), report.added, report.removed);
    if (anew && report.added + report.removed != 0) evaluation_ = {};
    const error e = evaluation_ ? spread(change, report) : start(report);
    if (e.code == errc::none) return report;
    change.undo();
    evaluation_ = {};
    return e;
  }

  /// The entries that match a query such as `Path('a', y)`, sorted, in the symbols of `domains()`.
  /// Errors: those of `read_query` and of a first evaluation. O(entries of the tensor).
  constexpr result<relation> ask(text_view source) {
    update_report report;
    if (error e = start(report); e.code != errc::none) return e;
    const auto q = read_query(source, program());
    if (!q) return q.error();
    const tensor_info& info = program().tensors[q->tensor];
    table<std::uint32_t> columns;
    for (std::uint32_t c = 0; c < info.rank; ++c)
      columns.push_back(engine().binding().axes[program().axes_of[info.axes.first + c]].domain);
    return detail::matching_entries(engine().store(q->tensor),
                                    detail::query_pattern(*q, columns, engine().binding().domains));
  }
  /// The number of entries of a tensor. Errors: those of a first evaluation; `unknown_argument`.
  constexpr result<std::size_t> size(text_view name) {
    update_report report;
    if (error e = start(report); e.code != errc::none) return e;
    const std::uint32_t t = program().find(name);
    if (t == none) return make_error(errc::unknown_argument, name, "is no tensor of the program");
    return engine().store(t).rows();
  }

 private:
  // How a tensor has changed.
  enum class state : std::uint8_t { same, grown, other };

  constexpr const tensor_program& program() const { return prepared_.strata.program; }
  constexpr detail::rule_engine& engine() const { return evaluation_->engine(); }
  constexpr std::uint32_t strata() const {
    return static_cast<std::uint32_t>(prepared_.strata.strata.size());
  }
  // Evaluates everything, unless that has been done.
  constexpr error start(update_report& report) {
    if (evaluation_) return {};
    if (options_.samples != 0)
      return make_error(errc::bad_attribute, "samples", "a session keeps no sampled evaluation");
    report.restarted = true;
    report.recomputed = strata();
    growths_.clear();
    growths_.resize(strata());
    row_growths_.clear();
    row_growths_.resize(strata());
    evaluation_ = make_box<detail::evaluation>(prepared_, inputs_, options_, operators_);
    if (evaluation_->evaluate_all()) return {};
    const error e = engine().failure();
    evaluation_ = {};
    return e;
  }

  // Brings the strata up to date, one after the other.
  constexpr error spread(const detail::input_change& change, update_report& report) {
    states_ = table<state>(program().tensors.size(), state::same);
    before_.clear();
    for (std::uint32_t t = 0; t < states_.size(); ++t)
      before_.push_back(static_cast<std::uint32_t>(engine().store(t).rows()));
    table<bool> given(states_.size());
    for (const detail::tensor_change& c : change.changes()) {
      if (program().tensors[c.tensor].defined) {
        given[c.tensor] = c.lost || c.added.rows != 0;
        continue;
      }
      before_[c.tensor] = static_cast<std::uint32_t>(c.rows);
      if (c.lost)
        states_[c.tensor] = state::other;
      else if (engine().store(c.tensor).rows() != c.rows)
        states_[c.tensor] = state::grown;
    }
    engine().renew_bindings();
    for (std::uint32_t s = 0; s < strata(); ++s)
      if (!bring_up(s, given, report)) return engine().failure();
    engine().pack_indices();
    return {};
  }
  constexpr bool bring_up(std::uint32_t s, const table<bool>& given, update_report& report) {
    const stratified_program& p = prepared_.strata;
    bool changed = false, grows = p.strata[s].recursion != recursion::numeric;
    for (std::uint32_t i = 0; i < p.strata[s].tensors.count; ++i)
      if (given[p.tensors[p.strata[s].tensors.first + i]]) changed = true, grows = false;
    for (std::uint32_t i = 0; i < p.strata[s].rules.count; ++i)
      look_at(p.program.rules[p.rules[p.strata[s].rules.first + i]], s, changed, grows);
    if (!changed) return ++report.kept, true;
    return grows ? (++report.grown, grow(s, report)) : (++report.recomputed, recompute(s));
  }
  // Notes whether what a rule reads of other strata changed, and if so, in another way than by new
  // rows of what it joins.
  constexpr void look_at(const rule& r, std::uint32_t s, bool& changed, bool& grows) const {
    const stratified_program& p = prepared_.strata;
    std::uint32_t joins = 0;
    const auto look = [&](const range& part, bool joined) {
      for (std::uint32_t i = 0; i < part.count; ++i) {
        const std::uint32_t t = p.program.atoms[part.first + i].tensor;
        if (p.stratum_of[t] == s || states_[t] == state::same) continue;
        changed = true;
        joins += joined;
        grows = grows && joined && states_[t] == state::grown;
      }
    };
    look(r.joins, true);
    look(r.negations, false);
    look(r.lookups, false);
    const bool sums = !p.program.tensors[r.head.tensor].boolean && !is_extreme(r.projection);
    if (sums && joins > (r.projection == projection::mean ? 0U : 1U)) grows = false;
  }
  // True for a closure of which the entries are bits; those that others read are listed.
  constexpr bool grows_by_rows(std::uint32_t s) {
    if (!detail::row_growth::knows(program(), prepared_.by_rows[s]) || growths_[s]) return false;
    if (!row_growths_[s])
      row_growths_[s] = make_box<detail::row_growth>(
          engine(), prepared_.strata, prepared_.strata.strata[s], prepared_.by_rows[s]);
    if (!row_growths_[s]->fits()) return false;
    const std::uint32_t t = prepared_.by_rows[s].tensors[0];
    if (read_elsewhere_[t]) engine().store(t).list();
    return true;
  }
  constexpr bool grow(std::uint32_t s, update_report& report) {
    const stratified_program& p = prepared_.strata;
    bool out_of_bounds = false;
    if (grows_by_rows(s)) {
      if (!row_growths_[s]->grow(before_, out_of_bounds)) return false;
      if (out_of_bounds) return --report.grown, ++report.recomputed, recompute(s);
    } else {
      if (!growths_[s]) growths_[s] = make_box<detail::round_recursion>(engine(), p, p.strata[s]);
      if (!growths_[s]->grow(before_)) return false;
    }
    for (std::uint32_t i = 0; i < p.strata[s].tensors.count; ++i) {
      const std::uint32_t t = p.tensors[p.strata[s].tensors.first + i];
      if (growths_[s] && growths_[s]->revised(t))
        states_[t] = state::other;
      else if (engine().store(t).rows() != before_[t])
        states_[t] = state::grown;
    }
    return true;
  }
  constexpr bool recompute(std::uint32_t s) {
    const stratified_program& p = prepared_.strata;
    const range own = p.strata[s].tensors;
    table<detail::tensor_store> old;
    for (std::uint32_t i = 0; i < own.count; ++i) {
      const std::uint32_t t = p.tensors[own.first + i];
      old.push_back(static_cast<detail::tensor_store&&>(engine().store(t)));
      engine().replace(t, engine().empty_store(t));
    }
    growths_[s] = {};
    row_growths_[s] = {};
    if (!evaluation_->evaluate(s)) return false;
    for (std::uint32_t i = 0; i < own.count; ++i) {
      const std::uint32_t t = p.tensors[own.first + i];
      if (read_elsewhere_[t] && !detail::are_equal(old[i], engine().store(t)))
        states_[t] = state::other;
    }
    return true;
  }

  const detail::prepared_program prepared_;
  const registry operators_;
  const evaluation_options options_;
  database inputs_;
  bool steps_ = false;
  table<bool> read_elsewhere_;  // by tensor: a rule of another stratum reads it
  box<detail::evaluation> evaluation_;
  table<box<detail::round_recursion>> growths_;  // by stratum
  table<box<detail::row_growth>> row_growths_;   // likewise, of closures of bits
  table<state> states_;                          // by tensor, during an update
  table<std::uint32_t> before_;                  // and its number of rows before that
};

}  // namespace wf::logic
