// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/place/feasibility.hpp>
#include <wf/search/deletion_filter.hpp>

namespace wf {

/// A conflict that makes a workload infeasible: incompatible operators, PEs, bytes and constraints.
struct mapping_conflict {
  /// `no_place`, `circle` or `out_of_memory`; `feasible` or `unknown` if no conflict was found: all
  /// other members but `memory_bytes` are then empty.
  feasibility kind = feasibility::unknown;
  /// The conflicting operators: indices in the workload, ascending.
  table<std::uint32_t> operators;
  /// The conflicting constraints: indices into `map_constraints::rules`, ascending.
  table<std::uint32_t> constraints;
  /// Bounding box of the PEs on which those constraints let the operators run; for `out_of_memory`
  /// only.
  rectangle where;
  /// Number of such PEs, without dead ones.
  std::int64_t elements = 0;
  /// For `out_of_memory`: the bytes that a PE must have at least: with fewer those operators cannot
  /// be mapped. Above `memory_bytes`. Otherwise 0.
  std::int64_t needed_bytes = 0;
  /// Memory of a PE of the array, in bytes.
  std::int64_t memory_bytes = 0;
  /// True if the set is proven irreducible: without any one of these operators or constraints the
  /// rest can be mapped by itself. False: a limit of steps was reached, and some elements may be
  /// needless.
  bool irreducible = false;

  /// True if there is a conflict.
  constexpr bool found() const {
    return kind != feasibility::feasible && kind != feasibility::unknown;
  }
  friend constexpr bool operator==(const mapping_conflict&, const mapping_conflict&) = default;
};

/// The conflict as a sentence that names operators, PEs, bytes and constraints. `w` and
/// `constraints` are those it was found for.
constexpr text to_text(const mapping_conflict& c, const workload& w,
                       const map_constraints& constraints = {}) {
  if (c.kind == feasibility::feasible) return text("there is a mapping");
  if (c.kind == feasibility::unknown)
    return text("no conflict was found within the limit of steps");
  text out;
  for (std::size_t i = 0; i < c.operators.size(); ++i)
    out << (i == 0                        ? ""
            : i + 1 == c.operators.size() ? " and "
                                          : ", ")
        << w.operators[c.operators[i]].label.view();
  const bool one = c.operators.size() == 1;
  if (c.kind == feasibility::no_place) {
    out << (one ? " has" : " have") << " no PEs left";
  } else if (c.kind == feasibility::circle) {
    out << " wait for each other in a circle";
  } else {
    out << (one ? " needs" : " together need") << " at least " << c.needed_bytes
        << " bytes in a PE on the " << c.elements << (c.elements == 1 ? " PE of " : " PEs of ")
        << to_text(c.where).view() << ", a PE has " << c.memory_bytes;
  }
  for (std::size_t i = 0; i < c.constraints.size(); ++i)
    out << (i == 0 ? "; asked for: " : ", ")
        << to_text(constraints.rules[c.constraints[i]], w).view();
  if (!c.irreducible) out << " (perhaps not all of them are needed for the conflict)";
  return out;
}

/// The conflict as an error: `mapping_infeasible` about the first of its operators.
constexpr error to_error(const mapping_conflict& c, const workload& w,
                         const map_constraints& constraints = {}) {
  return make_error(errc::mapping_infeasible,
                    c.operators.empty() ? w.name.view() : w.operators[c.operators[0]].label.view(),
                    to_text(c, w, constraints).view());
}

namespace detail {

/// Reduces a conflict to an irreducible one by deletion.
class mapping_conflict_finder {
 public:
  constexpr mapping_conflict_finder(const prepared_workload& w, const pe_array& array,
                                    const map_constraints& all, std::uint64_t max_steps,
                                    search_watch* watch)
      : w_(w), array_(array), all_(all), test_(w, array, watch) {
    test_.max_steps = max_steps;
  }

  constexpr mapping_conflict find(std::int64_t memory) {
    memory_ = memory;
    ops_ = table<char>(w_.operators.size(), char{1});
    rules_ = table<char>(all_.rules.size(), char{1});
    mapping_conflict out;
    out.memory_bytes = memory_;
    if (!start_small()) {
      out.kind = ask(memory_);
      if (!out.found()) return out;
    }
    irreducible_ = true;
    shorten(rules_);
    for (std::size_t part = ops_.size() / 2; part > 1; part /= 2) shorten(ops_, part);
    irreducible_ = true;  // only the last pass decides
    shorten(ops_);
    shorten(rules_);
    out.irreducible = irreducible_;
    describe(out);
    return out;
  }

 private:
  /// Looks for a conflict of one operator alone or with its operands, which is fast to find.
  constexpr bool start_small() {
    const table<char> all = ops_;
    for (const bool with_operands : {false, true})
      for (std::uint32_t v = 0; v < ops_.size(); ++v) {
        ops_ = table<char>(ops_.size(), char{0});
        ops_[v] = 1;
        if (with_operands)
          for (const prepared_operand& o : w_.operands_of(v)) ops_[o.producer] = 1;
        if (conflicts(ask(memory_))) return true;
      }
    ops_ = all;
    return false;
  }
  static constexpr bool conflicts(feasibility f) {
    return f != feasibility::feasible && f != feasibility::unknown;
  }
  constexpr prepared_constraints kept_rules() const {
    map_constraints kept;
    for (std::size_t k = 0; k < rules_.size(); ++k)
      if (rules_[k] != 0) kept.add(all_.rules[k]);
    return prepared_constraints(kept, w_);
  }
  constexpr feasibility ask(std::int64_t memory) {
    const prepared_constraints rules = kept_rules();
    return test_(ops_, rules, memory);
  }
  /// Removes elements, or runs of `part` elements, if a conflict remains without them.
  constexpr void shorten(table<char>& elements, std::size_t part = 1) {
    const auto test = [&](std::size_t) {
      const feasibility f = ask(memory_);
      return conflicts(f)                ? conflict_answer::conflict
             : f == feasibility::unknown ? conflict_answer::unknown
                                         : conflict_answer::none;
    };
    irreducible_ = deletion_filter(elements, test, part) && irreducible_;
  }
  constexpr void describe(mapping_conflict& out) {
    out.kind = ask(memory_);
    for (std::uint32_t v = 0; v < ops_.size(); ++v)
      if (ops_[v] != 0) out.operators.push_back(w_.operators[v].source);
    for (std::uint32_t k = 0; k < rules_.size(); ++k)
      if (rules_[k] != 0) out.constraints.push_back(k);
    if (out.kind != feasibility::out_of_memory) return;
    list_elements(out);
    std::int64_t low = memory_, high = memory_ + 1;  // low: not enough
    while (conflicts(ask(high))) {
      low = high;
      high = low + (low < INT64_MAX / 8 ? low : 1);
    }
    while (low + 1 < high) {
      const std::int64_t middle = low + (high - low) / 2;
      (conflicts(ask(middle)) ? low : high) = middle;
    }
    out.needed_bytes = low + 1;
  }
  /// Lists the PEs on which the last answer lets its operators run.
  constexpr void list_elements(mapping_conflict& out) const {
    table<char> used(static_cast<std::size_t>(array_.elements()));
    rectangle box{INT32_MAX, INT32_MAX, 0, 0};
    std::int32_t down = 0, right = 0;
    for (std::uint32_t v = 0; v < ops_.size(); ++v) {
      if (ops_[v] == 0) continue;
      test_.rectangles(v, [&](const rectangle& r) {
        if (r.row < box.row) box.row = r.row;
        if (r.column < box.column) box.column = r.column;
        if (r.row + r.rows > down) down = r.row + r.rows;
        if (r.column + r.columns > right) right = r.column + r.columns;
        for (std::int32_t y = r.row; y < r.row + r.rows; ++y)
          for (std::int32_t x = r.column; x < r.column + r.columns; ++x)
            used[array_.index(y, x)] = 1;
      });
    }
    out.where = {box.row, box.column, down - box.row, right - box.column};
    for (char c : used) out.elements += c;
  }

  const prepared_workload& w_;
  const pe_array& array_;
  const map_constraints& all_;
  feasibility_test test_;
  std::int64_t memory_ = 0;
  table<char> ops_;    // by prepared operator: 1 if kept
  table<char> rules_;  // by constraint: 1 if kept
  bool irreducible_ = true;
};

}  // namespace detail

/// Finds an irreducible set of operators and constraints that makes a workload infeasible, and the
/// bytes that would be needed. The set is found by deletion: an element without which the rest is
/// still proven infeasible is removed (deletion filter: Chinneck and Dravnieks 1991).
/// `feasibility_test` decides exactly whether a subset can be mapped, first by the bytes that must
/// be in all PEs together, then by search; `max_steps` limits each such test. Tilings of the
/// predictor must not depend on `memory_bytes`. Errors: those of `validate` for workload, array and
/// constraints, and of `prepare` with unlimited memory. If the watch stops it, it finds no
/// conflict, or one that may not be irreducible. O(operators + constraints + bits of the bytes)
/// tests.
template <cost_predictor Predictor = cycle_model>
constexpr result<mapping_conflict> find_conflict(const workload& w, const pe_array& array,
                                                 const map_constraints& constraints = {},
                                                 std::uint64_t max_steps = 500'000,
                                                 const Predictor& predictor = {},
                                                 search_watch* watch = nullptr) {
  if (const auto valid = validate(array); !valid) return valid.error();
  pe_array roomy = array;
  roomy.memory_bytes = INT64_MAX / 2;
  const auto prepared = prepare(w, roomy, predictor, in_turn{}, watch);
  if (!prepared) return prepared.error();
  if (const auto valid = validate(constraints, w, array); !valid) return valid.error();
  return detail::mapping_conflict_finder(*prepared, roomy, constraints, max_steps, watch)
      .find(array.memory_bytes);
}

}  // namespace wf
