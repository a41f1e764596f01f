// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/evaluate/cyclic_joins.hpp>
#include <wf/logic/program/strata.hpp>
#include <wf/logic/relation/index_set.hpp>

namespace wf::logic::detail {

/// What a step of a plan does.
enum class step_kind : std::uint8_t {
  scan,       ///< every row of the atom's tensor
  changed,    ///< every row that the last round changed
  group,      ///< every row with a key
  test,       ///< goes on if the row at known positions is there
  absent,     ///< goes on if it is not
  look_up,    ///< its value, or the tensor's zero
  compare,    ///< goes on if a comparison holds
  enumerate,  ///< every position of a variable's axis
  meet,       ///< every position of a variable that all parts have
};

/// A position that a step computes from a variable: scale · variable + shift, or a constant.
struct computed_position {
  std::uint32_t variable = none;  ///< `none`: the constant `shift`
  std::int64_t scale = 1, shift = 0;
  std::int64_t extent = -1;  ///< of a head that may leave its axis: number of positions
};

/// A column whose positions give a variable: (position - shift) / scale, if it is whole.
struct bound_column {
  std::uint32_t column = 0, variable = 0;
  std::int64_t scale = 1, shift = 0;
};

/// A column whose positions a step compares with known ones.
struct checked_column {
  std::uint32_t column = 0;
  computed_position wanted;
};

/// One of the tables that give, and restrict, the positions of a variable.
struct meet_part {
  std::uint32_t from = none;    ///< the table of `index_set`: a tensor, or a projection of it
  std::uint32_t join = none;    ///< the join whose last variable this is
  std::uint32_t groups = none;  ///< number of the index that gives the rows of a key
  bool older = false;           ///< rows of the last round are left out
  bound_column bind = {none, none, 1, 0};
  table<checked_column> checks;   ///< columns that have the variable, too
  table<computed_position> key;   ///< of the index: what is known before
  table<computed_position> full;  ///< all positions of a row of the table, with the variable's
};

/// One loop, or one condition, of the evaluation of a rule.
struct plan_step {
  step_kind kind = step_kind::scan;
  std::uint32_t tensor = none;
  std::uint32_t index = none;    ///< number of the join, lookup, comparison or variable
  std::uint32_t groups = none;   ///< number of the index that gives the rows of a key
  bool older = false;            ///< rows of the last round are left out
  bool looks_up = false;         ///< of a scan: `index` is that of a lookup
  table<computed_position> key;  ///< of a group; all positions of a test or lookup
  table<bound_column> binds;
  table<checked_column> checks;
  table<meet_part> parts;  ///< of a meet
};

/// The last loop of a plan, if all that differs between its rows are positions of the head that
/// stand in columns as they are, and the value of its tensor.
struct last_loop {
  bool is_plain = false;
  bool varies = false;           ///< the rule's value depends on that of the row
  table<std::uint32_t> columns;  ///< by position of the head: the column, or `none`
};

/// How a rule is evaluated: nested loops over the rows of its joins. `changed_join` is the join
/// that runs over the rows of the last round; `none`: all run over all rows.
struct rule_plan {
  std::uint32_t rule = 0, changed_join = none;
  table<plan_step> steps;
  table<computed_position> head;
  last_loop last;
};

/// Orders the joins of a rule: next comes the atom with the fewest expected rows for what is bound.
/// Conditions stand as early as their variables are bound. Joins that form a cycle can be evaluated
/// variable by variable instead, which visits no more rows than there can be results
/// (generic join) [Ngo, Re, Rudra 2013].
class rule_planner {
 public:
  /// `axis_sizes` has the number of positions of each axis, as far as inputs tell; `extents` what
  /// declarations and dense inputs say of it, or -1; `axes` lists the positions.
  constexpr rule_planner(const tensor_program& p, view<tensor_store> stores, index_set& indices,
                         view<std::uint64_t> axis_sizes, view<std::int64_t> extents,
                         view<table<position>> axes)
      : program_(p),
        stores_(stores),
        indices_(indices),
        axis_sizes_(axis_sizes),
        extents_(extents),
        axes_(axes) {}

  /// Lets plans hold for the present entries only.
  constexpr void plan_once() { once_ = true; }

  /// True if the joins of the rule that was planned last form a cycle.
  constexpr bool is_cyclic() const { return cyclic_; }
  /// The binary logarithm of a bound on the rows that a plan of the rule that was planned last
  /// visits: rows of the longest group of each loop, and for loops by variables those of any
  /// results, once for each of their parts. The tensors of which it takes groups must be listed.
  constexpr double most_rows(const rule_plan& p) {
    const auto rows = [&](std::uint32_t t) { return binary_logarithm(stores_[t].rows()); };
    double out = 0;
    std::size_t parts = 0;
    for (const plan_step& s : p.steps)
      if (s.parts.size() > parts) parts = s.parts.size();
    for (const plan_step& s : p.steps) {
      if (s.kind == step_kind::group)
        out += binary_logarithm(indices_.extended(s.groups, stores_).longest());
      if (s.kind == step_kind::scan ||
          (s.kind == step_kind::changed && !(parts != 0 && core_[s.index])))
        out += rows(s.tensor);
      if (s.kind == step_kind::enumerate)
        out += binary_logarithm(
            axes_[program_.axis_of_variable[rule_->variables.first + s.index]].size());
    }
    if (parts == 0) return out;
    table<variable_set> sets;
    table<double> sizes;
    for (std::uint32_t i = 0; i < core_.size(); ++i) {
      if (!core_[i]) continue;
      sets.push_back(sets_[i]);
      sizes.push_back(rows(join(i).tensor));
    }
    return out + most_results(sets, sizes) + binary_logarithm(parts);
  }
  /// The plan of a rule. `symbols` has the positions of symbols, by term; `by_variables`: joins
  /// that form a cycle are evaluated variable by variable.
  constexpr rule_plan plan(std::uint32_t number, std::uint32_t changed_join, view<position> symbols,
                           bool by_variables = false) {
    symbols_ = symbols;
    rule_ = &program_.rules[number];
    find_core(*rule_);
    out_ = {};
    out_.rule = number;
    out_.changed_join = changed_join;
    bound_ = table<bool>(rule_->variables.count);
    done_ = table<bool>(rule_->joins.count);
    placed_ = table<bool>(rule_->comparisons.count + rule_->negations.count + rule_->lookups.count);
    place_conditions();
    if (changed_join != none) place_join(changed_join);
    if (by_variables) meet_in_core();
    for (std::uint32_t next = cheapest(); next != none; next = cheapest()) place_join(next);
    for (std::uint32_t i = 0; i < rule_->lookups.count; ++i) scan_lookup(i);
    const table<bool> used = variables_in(program_, *rule_);
    for (std::uint32_t v = 0; v < rule_->variables.count; ++v) {
      if (bound_[v] || !used[v]) continue;
      plan_step s;
      s.kind = step_kind::enumerate;
      s.index = v;
      bound_[v] = true;
      out_.steps.push_back(static_cast<plan_step&&>(s));
      place_conditions();
    }
    place_head();
    find_last_loop();
    return static_cast<rule_plan&&>(out_);
  }

 private:
  constexpr const atom& join(std::uint32_t i) const {
    return program_.atoms[rule_->joins.first + i];
  }
  constexpr bool is_known(const term& t) const {
    return t.kind != term_kind::variable || bound_[t.variable];
  }
  constexpr bool are_known(const atom& a) const {
    for (const term& t : program_.terms_of(a))
      if (!is_known(t)) return false;
    return true;
  }
  constexpr computed_position computed(const term& t) const {
    if (t.kind == term_kind::variable) return {t.variable, t.scale, t.shift, -1};
    const auto place = static_cast<std::size_t>(&t - program_.terms.data());
    return {none, 1, t.kind == term_kind::symbol ? symbols_[place] : t.shift, -1};
  }

  // The expected number of rows of a join for one binding: rows, divided for each known column by
  // the number of distinct positions in it, which is at most that of its axis.
  constexpr double expected(const atom& a) const {
    const tensor_store& s = stores_[a.tensor];
    double rows = static_cast<double>(s.rows());
    bool any = false;
    for (std::uint32_t c = 0; c < a.terms.count; ++c) {
      if (!is_known(program_.terms[a.terms.first + c])) continue;
      any = true;
      const std::uint64_t size =
          axis_sizes_[program_.axes_of[program_.tensors[a.tensor].axes.first + c]];
      const std::uint64_t distinct = size < s.rows() ? size : s.rows();
      rows /= distinct < 1 ? 1 : static_cast<double>(distinct);
    }
    if (are_known(a)) return rows < 1 ? rows : 1;
    return any ? rows : rows + 1;
  }
  constexpr std::uint32_t cheapest() {
    std::uint32_t best = none;
    double least = 0;
    for (std::uint32_t i = 0; i < rule_->joins.count; ++i) {
      if (done_[i]) continue;
      const double rows = expected(join(i));
      if (best == none || rows < least) best = i, least = rows;
    }
    return best;
  }
  static constexpr bool listed(const table<std::uint32_t>& list, std::uint32_t wanted) {
    for (const std::uint32_t each : list)
      if (each == wanted) return true;
    return false;
  }
  constexpr void place_join(std::uint32_t i) {
    done_[i] = true;
    const atom& a = join(i);
    plan_step s;
    s.tensor = a.tensor;
    s.index = i;
    s.older = out_.changed_join != none && out_.changed_join < i;
    const bool changed = i == out_.changed_join;
    if (are_known(a) && !changed) {
      s.kind = step_kind::test;
      for (const term& t : program_.terms_of(a)) s.key.push_back(computed(t));
      out_.steps.push_back(static_cast<plan_step&&>(s));
      return place_conditions();
    }
    table<std::uint32_t> key;
    for (std::uint32_t c = 0; c < a.terms.count && !changed; ++c)
      if (const term& t = program_.terms[a.terms.first + c]; is_known(t)) {
        key.push_back(c);
        s.key.push_back(computed(t));
      }
    s.kind = changed ? step_kind::changed : key.empty() ? step_kind::scan : step_kind::group;
    if (!key.empty()) s.groups = indices_.find(a.tensor, key, cyclic_);
    table<bool> fresh(rule_->variables.count);
    for (std::uint32_t c = 0; c < a.terms.count; ++c) {
      const term& t = program_.terms[a.terms.first + c];
      if (listed(key, c)) continue;
      if (is_known(t) || fresh[t.variable]) {
        s.checks.push_back({c, computed(t)});
      } else {
        fresh[t.variable] = true;
        s.binds.push_back({c, t.variable, t.scale, t.shift});
      }
    }
    for (std::uint32_t v = 0; v < fresh.size(); ++v) bound_[v] = bound_[v] || fresh[v];
    out_.steps.push_back(static_cast<plan_step&&>(s));
    place_conditions();
  }

  // The joins that form cycles, and the variables of all; none in a rule of over 64 variables.
  constexpr void find_core(const rule& r) {
    sets_ = table<variable_set>(r.joins.count);
    for (std::uint32_t i = 0; i < r.joins.count && r.variables.count <= 64; ++i)
      for (const term& t : program_.terms_of(program_.atoms[r.joins.first + i]))
        if (t.kind == term_kind::variable) sets_[i] |= variable_set{1} << t.variable;
    core_ = cyclic_core(sets_);
    cyclic_ = false;
    for (const bool each : core_) cyclic_ = cyclic_ || each;
  }
  constexpr void meet_in_core() {
    variable_set variables = 0;
    for (std::uint32_t i = 0; i < core_.size(); ++i)
      if (core_[i]) variables |= sets_[i];
    for (;;) {
      for (std::uint32_t i = 0; i < core_.size(); ++i)
        if (core_[i] && !done_[i] && are_known(join(i))) place_join(i);
      std::uint32_t best = none;
      double least = 0;
      for (std::uint32_t v = 0; v < bound_.size(); ++v) {
        if (bound_[v] || (variables >> v & 1) == 0) continue;
        const double rows = expected_positions(v);
        if (best == none || rows < least) best = v, least = rows;
      }
      if (best == none) return;
      place_meet(best);
    }
  }
  // The expected number of positions of a variable for one binding.
  constexpr double expected_positions(std::uint32_t v) const {
    double least =
        static_cast<double>(axis_sizes_[program_.axis_of_variable[rule_->variables.first + v]]);
    for (std::uint32_t i = 0; i < core_.size(); ++i)
      if (!done_[i] && (sets_[i] >> v & 1) != 0)
        if (const double rows = expected(join(i)); rows < least) least = rows;
    return least;
  }
  constexpr void place_meet(std::uint32_t v) {
    plan_step s;
    s.kind = step_kind::meet;
    s.index = v;
    for (std::uint32_t i = 0; i < core_.size(); ++i) {
      if (done_[i] || (sets_[i] >> v & 1) == 0) continue;
      bool last = true;
      for (const term& t : program_.terms_of(join(i)))
        last = last && (is_known(t) || t.variable == v);
      if (!last && !core_[i]) continue;
      s.parts.push_back(part(i, v, last));
      done_[i] = last;
    }
    bound_[v] = true;
    out_.steps.push_back(static_cast<plan_step&&>(s));
    place_conditions();
  }
  // What a join says of a variable: its rows, or their known columns and those with the variable.
  constexpr meet_part part(std::uint32_t i, std::uint32_t v, bool last) {
    const atom& a = join(i);
    meet_part out;
    table<std::uint32_t> columns, key;
    for (std::uint32_t c = 0; c < a.terms.count; ++c) {
      const term& t = program_.terms[a.terms.first + c];
      const auto place = static_cast<std::uint32_t>(columns.size());
      if (is_known(t)) {
        key.push_back(place);
        out.key.push_back(computed(t));
      } else if (t.variable != v) {
        continue;
      } else if (out.bind.column == none) {
        out.bind = {place, v, t.scale, t.shift};
      } else {
        out.checks.push_back({place, computed(t)});
      }
      columns.push_back(c);
      out.full.push_back(computed(t));
    }
    out.from = last ? a.tensor : indices_.project(a.tensor, columns);
    if (last) out.join = i;
    out.older = last && out_.changed_join != none && out_.changed_join < i;
    if (!key.empty()) out.groups = indices_.find(out.from, key, true);
    return out;
  }

  // Runs over the entries of a tensor that has one at all positions of some variables' axes,
  // instead of looking each up.
  constexpr void scan_lookup(std::uint32_t i) {
    const atom& a = program_.atoms[rule_->lookups.first + i];
    bool& placed = placed_[rule_->comparisons.count + rule_->negations.count + i];
    if (placed || !once_ || !is_complete(a)) return;
    placed = true;
    plan_step s;
    s.tensor = a.tensor;
    s.index = i;
    s.looks_up = true;
    for (std::uint32_t c = 0; c < a.terms.count; ++c) {
      const std::uint32_t v = program_.terms[a.terms.first + c].variable;
      s.binds.push_back({c, v, 1, 0});
      bound_[v] = true;
    }
    out_.steps.push_back(static_cast<plan_step&&>(s));
    place_conditions();
  }
  constexpr bool is_complete(const atom& a) const {
    const tensor_store& s = stores_[a.tensor];
    const bool knows_positions = s.listed() || s.kind() == lookup_kind::dense;
    if (!s.valued() || !knows_positions || s.rows() == 0 || a.terms.count == 0 ||
        !program_.has_plain_variables(a))
      return false;
    std::uint64_t cells = 1;
    for (std::uint32_t c = 0; c < a.terms.count; ++c) {
      const term& t = program_.terms[a.terms.first + c];
      if (is_known(t)) return false;
      const table<position>& axis =
          axes_[program_.axis_of_variable[rule_->variables.first + t.variable]];
      const column_bounds b = s.bounds_in(c);
      if (!are_all_of(b, axis) || cells > s.rows()) return false;
      cells *= b.size;
    }
    return cells == s.rows();
  }

  // A shift moves nothing beyond an axis of known extent.
  constexpr void place_head() {
    bool shifts = false;
    for_each_atom_of(program_, *rule_, [&](const atom& a) {
      for (const term& t : program_.terms_of(a)) shifts = shifts || t.shift != 0;
    });
    const range axes = program_.tensors[rule_->head.tensor].axes;
    for (std::uint32_t c = 0; c < rule_->head.terms.count; ++c) {
      out_.head.push_back(computed(program_.terms[rule_->head.terms.first + c]));
      if (shifts) out_.head.back().extent = extents_[program_.axes_of[axes.first + c]];
    }
  }

  constexpr void find_last_loop() {
    if (out_.steps.empty()) return;
    const plan_step& s = out_.steps.back();
    if ((s.kind != step_kind::scan && s.kind != step_kind::group) || !s.checks.empty()) return;
    last_loop loop;
    loop.is_plain = !reads_bound(s, rule_->value);
    loop.varies = reads_row(s, rule_->value);
    loop.columns = table<std::uint32_t>(out_.head.size(), none);
    for (const bound_column& b : s.binds) {
      loop.is_plain = loop.is_plain && b.scale == 1 && b.shift == 0;
      for (std::uint32_t k = 0; k < out_.head.size(); ++k) {
        const computed_position& p = out_.head[k];
        if (p.variable != b.variable) continue;
        loop.is_plain = loop.is_plain && p.scale == 1 && p.shift == 0 && p.extent < 0;
        loop.columns[k] = b.column;
      }
    }
    out_.last = static_cast<last_loop&&>(loop);
  }
  // True if a scalar expression reads a variable that a step binds.
  constexpr bool reads_bound(const plan_step& step, std::uint32_t node) const {
    return program_.any_scalar(node, [&](const scalar_node& n) {
      if (!n.reads_variable()) return false;
      for (const bound_column& b : step.binds)
        if (b.variable == n.index) return true;
      return false;
    });
  }
  // True if it reads the value of the step's row.
  constexpr bool reads_row(const plan_step& step, std::uint32_t node) const {
    const scalar_kind kind = step.looks_up ? scalar_kind::looked_up : scalar_kind::joined;
    return program_.any_scalar(
        node, [&](const scalar_node& n) { return n.kind == kind && n.index == step.index; });
  }

  constexpr bool scalar_known(std::uint32_t node) const {
    return !program_.any_scalar(node, [&](const scalar_node& n) {
      if (n.reads_variable()) return !bound_[n.index];
      if (n.kind == scalar_kind::joined) return !done_[n.index];
      return n.kind == scalar_kind::looked_up &&
             !placed_[rule_->comparisons.count + rule_->negations.count + n.index];
    });
  }
  // Adds lookups, complements and comparisons whose variables are bound.
  constexpr void place_conditions() {
    const std::uint32_t comparisons = rule_->comparisons.count, negations = rule_->negations.count;
    for (std::uint32_t i = 0; i < rule_->lookups.count; ++i)
      place_atom(rule_->lookups.first + i, step_kind::look_up, i, comparisons + negations + i);
    for (std::uint32_t i = 0; i < negations; ++i)
      place_atom(rule_->negations.first + i, step_kind::absent, i, comparisons + i);
    for (std::uint32_t i = 0; i < comparisons; ++i) {
      const comparison& c = program_.comparisons[rule_->comparisons.first + i];
      if (placed_[i] || !scalar_known(c.left) || !scalar_known(c.right)) continue;
      placed_[i] = true;
      plan_step s;
      s.kind = step_kind::compare;
      s.index = rule_->comparisons.first + i;
      out_.steps.push_back(static_cast<plan_step&&>(s));
    }
  }
  constexpr void place_atom(std::uint32_t number, step_kind kind, std::uint32_t index,
                            std::uint32_t place) {
    const atom& a = program_.atoms[number];
    if (placed_[place] || !are_known(a)) return;
    placed_[place] = true;
    plan_step s;
    s.kind = kind;
    s.tensor = a.tensor;
    s.index = index;
    for (const term& t : program_.terms_of(a)) s.key.push_back(computed(t));
    out_.steps.push_back(static_cast<plan_step&&>(s));
  }

  const tensor_program& program_;
  view<tensor_store> stores_;
  index_set& indices_;
  view<std::uint64_t> axis_sizes_;
  view<std::int64_t> extents_;
  view<table<position>> axes_;
  bool once_ = false;
  view<position> symbols_;
  const rule* rule_ = nullptr;
  rule_plan out_;
  table<bool> bound_, done_, placed_;
  table<variable_set> sets_;  // by join
  table<bool> core_;          // by join
  bool cyclic_ = false;
};

}  // namespace wf::logic::detail
