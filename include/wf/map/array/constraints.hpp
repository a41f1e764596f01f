// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/array/prepare.hpp>

namespace wf {

/// In place of an operator index in a constraint: all operators.
inline constexpr std::uint32_t every_operator = UINT32_MAX;

/// The kind of a constraint.
enum class map_rule : std::uint8_t {
  pin,     ///< the operator runs on exactly these PEs
  inside,  ///< the operator runs on these PEs or some of them only
  forbid,  ///< the operator uses none of these PEs
  order,   ///< the operator finishes before another one starts
};

/// One user constraint on a mapping. Operators are indices into the workload; views have no PEs and
/// no constraints.
struct map_constraint {
  map_rule rule = map_rule::pin;  ///< kind of the constraint
  std::uint32_t op = 0;     ///< constrained operator; `every_operator` for `inside` and `forbid`
  std::uint32_t later = 0;  ///< for `order`: the operator that waits
  rectangle where;          ///< the PEs; unused for `order`

  friend constexpr bool operator==(const map_constraint&, const map_constraint&) = default;
};

/// The user constraints on a mapping: a value filled by chained calls. All constraints are hard: a
/// mapping satisfies all of them, or there is none and the conflicting constraints are named.
struct map_constraints {
  table<map_constraint> rules;  ///< in any order

  /// Adds a pin: the operator runs on exactly these PEs.
  constexpr map_constraints& pin(std::uint32_t op, const rectangle& where) {
    return add({map_rule::pin, op, 0, where});
  }
  /// Adds a region: the operator (or `every_operator`) runs on a rectangle inside it.
  constexpr map_constraints& keep_inside(std::uint32_t op, const rectangle& where) {
    return add({map_rule::inside, op, 0, where});
  }
  /// Adds an exclusion: the operator (or `every_operator`) uses none of these PEs.
  constexpr map_constraints& forbid(std::uint32_t op, const rectangle& where) {
    return add({map_rule::forbid, op, 0, where});
  }
  /// Adds a precedence: `earlier` finishes before `later` starts. Unlike an edge of the workload it
  /// moves no data, takes no time and holds no memory.
  constexpr map_constraints& order(std::uint32_t earlier, std::uint32_t later) {
    return add({map_rule::order, earlier, later, {}});
  }
  /// Appends a constraint of any kind.
  constexpr map_constraints& add(const map_constraint& c) {
    rules.push_back(c);
    return *this;
  }
  /// True if there is no constraint.
  constexpr bool empty() const { return rules.empty(); }

  friend constexpr bool operator==(const map_constraints&, const map_constraints&) = default;
};

/// A constraint as a phrase: "conv1 exactly on 4x4@(0,0)", "a before b".
constexpr text to_text(const map_constraint& c, const workload& w) {
  const auto name = [&](std::uint32_t op) {
    return op < w.operators.size() ? w.operators[op].label.view() : text_view("every operator");
  };
  text out(name(c.op));
  switch (c.rule) {
    case map_rule::pin:
      return out << " exactly on " << to_text(c.where).view();
    case map_rule::inside:
      return out << " inside " << to_text(c.where).view();
    case map_rule::forbid:
      return out << " not on " << to_text(c.where).view();
    case map_rule::order:
      return out << " before " << name(c.later);
  }
  return out;
}

/// Checks constraints one by one. Errors: `invalid_problem`, naming the operator, if one refers to
/// an operator that does not exist or is a view, to a rectangle that is empty or not inside the
/// array, or orders an operator before itself. Contradictory constraints are no error here: they
/// make the mapping infeasible. O(constraints).
constexpr result<nothing> validate(const map_constraints& constraints, const workload& w,
                                   const pe_array& array) {
  for (const map_constraint& c : constraints.rules) {
    const bool order = c.rule == map_rule::order;
    for (const std::uint32_t op : {c.op, order ? c.later : c.op}) {
      if (op == every_operator && (c.rule == map_rule::inside || c.rule == map_rule::forbid))
        continue;
      if (op >= w.operators.size())
        return make_error(errc::invalid_problem, w.name,
                          "a constraint speaks of an operator that does not exist");
      if (w.operators[op].is_view)
        return make_error(errc::invalid_problem, w.operators[op].label,
                          "a view occupies no PEs and can have no constraint");
    }
    if (order ? c.op == c.later
              : c.where.empty() || c.where.row < 0 || c.where.column < 0 ||
                    c.where.rows > array.rows - c.where.row ||
                    c.where.columns > array.columns - c.where.column)
      return make_error(errc::invalid_problem,
                        c.op < w.operators.size() ? w.operators[c.op].label : w.name,
                        order ? text("an operator cannot come before itself")
                              : text() << "the rectangle " << to_text(c.where).view()
                                       << " of a constraint is empty or not inside the array");
  }
  return nothing{};
}

/// Constraints indexed by prepared operator for a search. They must be valid.
class prepared_constraints {
 public:
  /// The empty set of constraints.
  constexpr prepared_constraints() = default;
  /// Indexes valid constraints of the workload that `w` was prepared from. O(constraints ·
  /// operators).
  constexpr prepared_constraints(const map_constraints& constraints, const prepared_workload& w) {
    if (constraints.empty()) return;
    std::uint32_t sources = 0;
    for (const prepared_operator& p : w.operators)
      sources = p.source < sources ? sources : p.source + 1;
    table<std::uint32_t> index(sources, every_operator);
    for (std::uint32_t v = 0; v < w.operators.size(); ++v) index[w.operators[v].source] = v;
    for (const map_constraint& c : constraints.rules) {
      map_constraint own = c;
      own.op = c.op == every_operator ? every_operator : index[c.op];
      if (c.rule == map_rule::order)
        own.later = index[c.later];
      else
        has_places_ = true;
      rules_.push_back(own);
    }
    list(w.operators.size());
  }

  /// True if no operator is constrained.
  constexpr bool empty() const { return rules_.empty(); }
  /// True if a constraint restricts PEs (`pin`, `inside`, `forbid`).
  constexpr bool has_places() const { return has_places_; }
  /// The constraints, with indices of prepared operators.
  constexpr view<map_constraint> rules() const { return rules_; }
  /// True if the operator may run on these PEs. O(its constraints).
  constexpr bool allows(std::uint32_t op, const rectangle& r) const {
    if (!has_places_) return true;
    for (std::uint32_t k : places_[op]) {
      const map_constraint& c = rules_[k];
      if (c.rule == map_rule::pin && !(c.where == r)) return false;
      if (c.rule == map_rule::inside && !covers(c.where, r)) return false;
      if (c.rule == map_rule::forbid && overlap(c.where, r)) return false;
    }
    return true;
  }
  /// Operators that must finish before `op` starts, by constraints alone.
  constexpr view<std::uint32_t> before(std::uint32_t op) const {
    return before_.empty() ? view<std::uint32_t>() : view<std::uint32_t>(before_[op]);
  }
  /// Operators that wait for `op`, by constraints alone.
  constexpr view<std::uint32_t> after(std::uint32_t op) const {
    return after_.empty() ? view<std::uint32_t>() : view<std::uint32_t>(after_[op]);
  }

  /// Candidate rectangles derived from the constraints, for strategies that do not try every
  /// rectangle: pins and regions, and the bands above, below, left and right of excluded ones.
  /// Usable, without duplicates.
  constexpr table<rectangle> suggestions(const pe_array& a) const {
    table<rectangle> out;
    const auto suggest = [&](const rectangle& r) {
      if (!a.usable(r)) return;
      for (const rectangle& other : out)
        if (other == r) return;
      out.push_back(r);
    };
    for (const map_constraint& c : rules_) {
      const rectangle& r = c.where;
      if (c.rule == map_rule::pin || c.rule == map_rule::inside) suggest(r);
      if (c.rule != map_rule::forbid) continue;
      suggest({0, 0, r.row, a.columns});
      suggest({r.row + r.rows, 0, a.rows - r.row - r.rows, a.columns});
      suggest({0, 0, a.rows, r.column});
      suggest({0, r.column + r.columns, a.rows, a.columns - r.column - r.columns});
    }
    return out;
  }

 private:
  static constexpr bool covers(const rectangle& region, const rectangle& r) {
    return r.row >= region.row && r.column >= region.column &&
           r.row + r.rows <= region.row + region.rows &&
           r.column + r.columns <= region.column + region.columns;
  }
  constexpr void list(std::size_t operators) {
    places_.resize(operators);
    before_.resize(operators);
    after_.resize(operators);
    for (std::uint32_t k = 0; k < rules_.size(); ++k) {
      const map_constraint& c = rules_[k];
      if (c.rule == map_rule::order) {
        before_[c.later].push_back(c.op);
        after_[c.op].push_back(c.later);
        continue;
      }
      for (std::uint32_t v = 0; v < operators; ++v)
        if (c.op == every_operator || c.op == v) places_[v].push_back(k);
    }
  }

  table<map_constraint> rules_;
  bool has_places_ = false;
  table<table<std::uint32_t>> places_;
  table<table<std::uint32_t>> before_;
  table<table<std::uint32_t>> after_;
};

namespace detail {

/// A topological order under operands and constraints; incomplete if these form a cycle.
constexpr table<std::uint32_t> constrained_order(const prepared_workload& w,
                                                 const prepared_constraints& rules) {
  const auto n = static_cast<std::uint32_t>(w.operators.size());
  table<std::uint32_t> missing(n), out;
  for (std::uint32_t v = 0; v < n; ++v)
    missing[v] = w.operators[v].operands.count + static_cast<std::uint32_t>(rules.before(v).size());
  for (std::uint32_t v = 0; v < n; ++v)
    if (missing[v] == 0) out.push_back(v);
  for (std::size_t at = 0; at < out.size(); ++at) {
    for (std::uint32_t r : w.readers_of(out[at]))
      if (--missing[r] == 0) out.push_back(r);
    for (std::uint32_t r : rules.after(out[at]))
      if (--missing[r] == 0) out.push_back(r);
  }
  return out;
}

}  // namespace detail

/// Tightens the bounds of a prepared workload by constraints: `fastest` and `least_area` over the
/// allowed rectangles, and tails along orders. False if an operator has no rectangle left or
/// operators wait for each other in a cycle: then there is no mapping. O(constrained operators ·
/// rectangles + operators^2…3).
constexpr bool constrain(prepared_workload& w, const prepared_constraints& rules,
                         const pe_array& array, search_watch* watch = nullptr) {
  if (rules.empty()) return true;
  const table<std::uint32_t> order = detail::constrained_order(w, rules);
  if (order.size() != w.operators.size()) return false;
  std::int64_t area = 0;
  for (std::uint32_t v = 0; v < w.operators.size(); ++v) {
    prepared_operator& p = w.operators[v];
    if (rules.has_places()) {
      p.fastest = p.least_area = INT64_MAX;
      for (const rectangle& r : w.rectangles) {
        if (!rules.allows(v, r)) continue;
        for (const range& t : {w.runs[w.shape(p.kind, r.rows, r.columns, array)],
                               w.tilings_in_place(v, r.rows, r.columns, array)}) {
          if (t.count == 0) continue;
          p.fastest = detail::lesser(p.fastest, w.tilings[t.first].cycles);
          p.least_area = detail::lesser(p.least_area, w.tilings[t.first].cycles * r.area());
        }
      }
      if (p.fastest == INT64_MAX) return false;
    }
    area += p.least_area;
  }
  detail::bound_tails(w, watch);
  w.bound = detail::ceil_div(area, w.elements);
  for (std::size_t at = order.size(); at-- > 0;) {
    prepared_operator& p = w.operators[order[at]];
    for (std::uint32_t r : w.readers_of(order[at]))
      p.tail = detail::larger(p.tail, p.fastest + w.operators[r].tail);
    for (std::uint32_t r : rules.after(order[at]))
      p.tail = detail::larger(p.tail, p.fastest + w.operators[r].tail);
    w.bound = detail::larger(w.bound, p.tail);
  }
  return true;
}

}  // namespace wf
