// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/map/place/arrange.hpp>

namespace wf {

/// One decision of a mapping: an operator, its PEs and its tiling, in place or apart; timing may
/// replace the tiling by its counterpart (`mapping_space::settled`).
struct decision {
  std::uint32_t op = 0;   ///< index into the prepared operators
  rectangle where;        ///< PEs on which it runs
  std::uint32_t how = 0;  ///< index into `prepared_workload::tilings`

  friend constexpr bool operator==(const decision&, const decision&) = default;
};

/// Limits and constraints of an edit of a mapping.
struct edit_options {
  /// Limit on elementary steps (see `search_limits::max_steps`); once reached, the result so far is
  /// the answer. The default takes about a second.
  std::uint64_t max_steps = 100'000'000;
  /// The constraints of the mapping: they still hold afterwards.
  map_constraints constraints = {};
  /// The groups of the mapping: they are preserved, too.
  operator_groups groups = {};
};

/// A mapping in the form of its decisions, some of which can be changed: the decisions in the order
/// of the starts, and the times that follow from them by the rules of a `mapping`.
///
/// Opening a valid mapping never makes it longer: placed in the order of its starts, each as early
/// as the rules allow, no operator starts later (the argument at `mapping_space`).
template <cost_predictor Predictor>
class mapping_editor {
 public:
  /// The space must outlive the editor and belong to `w`.
  constexpr mapping_editor(const workload& w, mapping_space<Predictor>& space)
      : w_(w), space_(space) {}

  /// Opens a mapping: extracts and times its decisions. Errors: `invalid_problem`, naming the
  /// operator if there is one, if it is not a mapping of this workload on this array or breaks its
  /// rules or constraints. O(operators · (operators + tilings)).
  constexpr result<nothing> open(const mapping& m) {
    const prepared_workload& p = space_.work();
    if (m.operators.size() != w_.operators.size() || m.rows != space_.array().rows ||
        m.columns != space_.array().columns)
      return make_error(errc::invalid_problem, w_.name,
                        "the mapping is of another workload or array");
    table<decision> plan;
    for (std::uint32_t v : ranked(m)) {
      const placement& at = m.operators[p.operators[v].source];
      decision d{v, at.where, UINT32_MAX};
      if (space_.array().usable(at.where)) {
        const range t = at.overwrites == overwrites_nothing ? space_.tilings(v, at.where)
                                                            : space_.tilings_in_place(v, at.where);
        for (std::uint32_t k = t.first; k < t.first + t.count; ++k)
          if (p.tilings[k] == at.how && at.result_bytes == space_.held(v, at.where)) d.how = k;
      }
      if (d.how == UINT32_MAX || !overwrites_rightly(m, v))
        return make_error(errc::invalid_problem, w_.operators[p.operators[v].source].label,
                          "it has no such placement");
      plan.push_back(d);
    }
    detail::stable_sort(plan, [&](const decision& a, const decision& b) {
      return m.operators[p.operators[a.op].source].start <
             m.operators[p.operators[b.op].source].start;
    });
    if (!try_plan(plan, [&](const partial_mapping& s) { return s.makespan <= m.makespan; }))
      return make_error(errc::invalid_problem, w_.name,
                        "the mapping breaks the rules of its model or a constraint");
    return nothing{};
  }

  /// The decisions in the order of the starts.
  constexpr const table<decision>& plan() const { return plan_; }
  /// The state, with all times, that follows from the decisions.
  constexpr const partial_mapping& state() const { return state_; }
  /// The placement rules that edits must obey.
  constexpr mapping_space<Predictor>& space() const { return space_; }
  /// Duration of an operator in cycles.
  constexpr std::int64_t cycles(std::uint32_t op) const {
    return space_.work().tilings[state_.spots[op].how].cycles;
  }
  /// Start cycle of an operator.
  constexpr std::int64_t start(std::uint32_t op) const {
    return state_.spots[op].finish - cycles(op);
  }

  /// Computes the times of other decisions into `out`. True if they are feasible, no operator
  /// finishes after `limit`, and the watch does not stop the edit. An operator must not precede
  /// those it waits for. O(operators · (ready operators + live results + PEs)).
  constexpr bool time(view<decision> plan, std::int64_t limit, partial_mapping& out) const {
    out = space_.root();
    space_.look(out);
    for (const decision& d : plan) {
      bool ready = false;
      for (std::uint32_t candidate : space_.ready()) ready = ready || candidate == d.op;
      if (!ready || !space_.leaves_groups(d.op, d.where)) return false;
      const std::uint32_t how = space_.settled(out, d.op, d.where, d.how);
      const std::int64_t start = space_.earliest(out, d.op, d.where, how);
      if (start == unbounded || !space_.go_on(2)) return false;
      space_.put(out, d.op, d.where, how, start);
      space_.follow(out);
      if (out.makespan > limit) return false;
    }
    return out.sequence.size() == out.spots.size();
  }
  /// Applies decisions if they are feasible, no operator finishes after `limit`, and
  /// `accept(state)` is true for the complete state. False: the mapping is unchanged.
  template <class Accept>
  constexpr bool try_plan(const table<decision>& plan, Accept&& accept,
                          std::int64_t limit = INT64_MAX) {
    partial_mapping s;
    if (!time(plan, limit, s) || !accept(s)) return false;
    plan_ = plan;
    state_ = static_cast<partial_mapping&&>(s);
    return true;
  }

  /// The plan with the decision of an operator replaced, and moved to its position in the order of
  /// starts if it starts at `start_of_it` and all others keep their starts.
  constexpr table<decision> changed(const decision& d, std::int64_t start_of_it) const {
    table<decision> out;
    bool there = false;
    for (const decision& other : plan_) {
      if (other.op == d.op) continue;
      if (!there && start(other.op) > start_of_it) {
        out.push_back(d);
        there = true;
      }
      out.push_back(other);
    }
    if (!there) out.push_back(d);
    return out;
  }
  /// The cycle from which an operator could run on given PEs by its operands and orders alone.
  constexpr std::int64_t ready_at(std::uint32_t op, const rectangle& where) const {
    std::int64_t ready = 0;
    for (const prepared_operand& o : space_.work().operands_of(op)) {
      const spot& from = state_.spots[o.producer];
      ready = detail::larger(
          ready, saturating_add(from.finish, space_.predictor().transfer(space_.array(), from.where,
                                                                         where, o.bytes)));
    }
    for (std::uint32_t earlier : space_.before(op))
      ready = detail::larger(ready, state_.spots[earlier].finish);
    return ready;
  }
  /// True if the edit has to end: its step limit is reached, or the callback stopped it.
  constexpr bool over(const edit_options& options) {
    return space_.steps() >= options.max_steps || !space_.go_on(plan_.size());
  }
  /// True if no other operator uses the PEs in [from, from + cycles). O(operators).
  constexpr bool is_free(std::uint32_t op, const rectangle& where, std::int64_t from,
                         std::int64_t cycles) const {
    for (const decision& d : plan_)
      if (d.op != op && start(d.op) < from + cycles && state_.spots[d.op].finish > from &&
          overlap(d.where, where))
        return false;
    return true;
  }

  /// The mapping given by the decisions, with bound, counters and status of `before`, except that
  /// the status is `proven` if the makespan meets the bound.
  constexpr mapping close(const mapping& before) const {
    mapping m = finish_mapping(w_, space_, state_);
    m.bound = before.bound;
    m.counters = before.counters;
    m.status = m.bound == m.makespan ? search_status::proven : before.status;
    return m;
  }

 private:
  /// True if an operator overwrites nothing, or a result that it may overwrite on the same PEs.
  constexpr bool overwrites_rightly(const mapping& m, std::uint32_t v) const {
    const prepared_workload& p = space_.work();
    const placement& at = m.operators[p.operators[v].source];
    if (at.overwrites == overwrites_nothing) return true;
    for (std::uint32_t u : p.overwritable_by(v))
      if (p.operators[u].source == at.overwrites)
        return m.operators[at.overwrites].where == at.where;
    return false;
  }
  /// Prepared operators in the order of the mapping's sequence; missing ones come last.
  constexpr table<std::uint32_t> ranked(const mapping& m) const {
    const prepared_workload& p = space_.work();
    table<std::uint32_t> index(w_.operators.size(), UINT32_MAX), out;
    for (std::uint32_t v = 0; v < p.operators.size(); ++v) index[p.operators[v].source] = v;
    const auto take = [&](std::uint32_t source) {
      if (source >= index.size() || index[source] == UINT32_MAX) return;
      out.push_back(index[source]);
      index[source] = UINT32_MAX;
    };
    for (std::uint32_t source : m.sequence) take(source);
    for (const prepared_operator& o : p.operators) take(o.source);
    return out;
  }

  const workload& w_;
  mapping_space<Predictor>& space_;
  table<decision> plan_;
  partial_mapping state_;
};

/// Opens a mapping, calls `change(editor, options)` and closes it: the way to write custom edits.
/// Errors: those of `prepare`, `mapping_editor::open` and `order_of`; `invalid_problem` for invalid
/// constraints. The callback is asked after every `search_watch::interval` elementary steps, with
/// the makespan and bound of `m`; once it stops the edit, the result so far, or `m`, is the answer.
template <class Change, class Callback = keep_going, cost_predictor Predictor = cycle_model>
constexpr result<mapping> edit(const workload& w, const pe_array& array, const mapping& m,
                               Change&& change, const edit_options& options = {},
                               Callback&& callback = {}, const Predictor& predictor = {}) {
  const auto tell = [&] {
    return static_cast<bool>(callback(search_progress{m.makespan, m.bound, 0, 0}));
  };
  const callable_to<const decltype(tell), bool> ask(tell);
  search_watch watch(ask);
  auto prepared = prepare(w, array, predictor, in_turn{}, &watch);
  if (watch.stopped()) return m;
  if (!prepared) return prepared.error();
  if (const auto valid = validate(options.constraints, w, array); !valid) return valid.error();
  const prepared_constraints rules(options.constraints, *prepared);
  const auto order = order_of(options.groups, *prepared, w);
  if (!order) return order.error();
  const prepared_groups groups(*order, *prepared);
  mapping_space<Predictor> space(*prepared, array, predictor, &rules, &watch, &groups);
  mapping_editor<Predictor> editor(w, space);
  const auto opened = editor.open(m);
  if (watch.stopped()) return m;
  if (!opened) return opened.error();
  change(editor, options);
  return editor.close(m);
}

}  // namespace wf
