// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <limits>

#include <wf/logic/evaluate/rule_plan.hpp>
#include <wf/registry/domain/arithmetic.hpp>
#include <wf/registry/element_value.hpp>
#include <wf/registry/registry.hpp>

namespace wf::logic::detail {

/// Rows that the last round changed: a run of rows, or a list of them.
struct changed_rows {
  std::uint32_t first = 0, last = 0;           ///< rows [first, last)
  const table<std::uint32_t>* list = nullptr;  ///< or these
};

/// The value of an absent entry: what changes nothing under the sign of the tensor.
constexpr double zero_of(const tensor_info& t) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  return t.projection == projection::minimum   ? infinite
         : t.projection == projection::maximum ? -infinite
                                               : t.zero;
}

/// The error of rules that visit more rows than they may.
constexpr error too_many_bindings() {
  return make_error(errc::execution_stopped, "", "the rules visit more rows than max_bindings");
}

/// Evaluates a rule by its plan.
template <class Emit>
class rule_run {
 public:
  /// `emit(positions, value)` takes each contribution to the head, and returns false to stop; so
  /// does the run once it has visited `left` rows, of which it takes off what it visits.
  constexpr rule_run(const tensor_program& p, const rule_plan& plan, view<tensor_store> stores,
                     const index_set& indices, view<table<position>> axes,
                     const registry& operators, view<position> symbols, changed_rows changed,
                     view<std::uint32_t> older_than, std::uint64_t& left, Emit& emit)
      : program_(p),
        plan_(plan),
        rule_(p.rules[plan.rule]),
        stores_(stores),
        indices_(indices),
        axes_(axes),
        operators_(operators),
        symbols_(symbols),
        changed_(changed),
        older_than_(older_than),
        left_(left),
        emit_(emit),
        variables_(rule_.variables.count),
        joined_(rule_.joins.count),
        looked_up_(rule_.lookups.count) {}

  /// Gives operators that state no temperature this one.
  constexpr void set_temperature(double value) {
    has_temperature_ = true;
    temperature_ = value;
  }
  /// Lets `variables` be the whole binding for which `emit` is called.
  constexpr void keep_variables() { keeps_variables_ = true; }
  /// Runs all loops. False if `emit` stopped them, or after an error.
  constexpr bool run() { return step(0); }
  /// The rule's value where the only entry that it reads has this value; it reads no variables.
  constexpr double value_of(double entry) {
    for (double& each : joined_) each = entry;
    for (double& each : looked_up_) each = entry;
    return scalar(rule_.value);
  }
  /// The error, if there was one.
  constexpr const error& failure() const { return failure_; }
  /// True if the error is that there are too many rows.
  constexpr bool exhausted() const { return exhausted_; }
  /// The binding of the rule's variables for which `emit` is called, after `keep_variables`.
  constexpr view<std::int64_t> variables() const { return variables_; }
  /// The changed row for which `emit` is called.
  constexpr std::uint32_t changed_row() const { return changed_row_; }

 private:
  // Stands first: clang evaluates constants before it has seen the rest of the class.
  // A contribution for each row of the last loop (`last_loop`): what does not differ is computed at
  // the first one.
  class last_row {
   public:
    constexpr last_row(rule_run& run, const plan_step& s) : run_(run), step_(s) {}
    constexpr bool operator()(std::uint32_t r) {
      if (!run_.may_go_on() || (!begun_ && !begin())) return false;
      if (leaves_) return true;
      const last_loop& loop = run_.plan_.last;
      const tensor_store& store = run_.stores_[step_.tensor];
      const std::size_t rank = loop.columns.size();
      for (std::size_t k = 0; k < rank; ++k)
        if (loop.columns[k] != none) at_[k] = store.at(r, loop.columns[k]);
      if (loop.varies) {
        (step_.looks_up ? run_.looked_up_ : run_.joined_)[step_.index] = store.value(r);
        value_ = run_.head_value();
        if (run_.failure_.code != errc::none) return false;
      }
      return run_.is_absent(value_) || run_.emit_(static_cast<const position*>(at_), value_);
    }

   private:
    constexpr bool begin() {
      begun_ = true;
      for (std::size_t k = 0; k < run_.plan_.head.size(); ++k)
        if (run_.plan_.last.columns[k] == none && !run_.head_position(k, at_[k], leaves_))
          return false;
      if (leaves_ || run_.plan_.last.varies) return true;
      value_ = run_.head_value();
      return run_.failure_.code == errc::none;
    }

    rule_run& run_;
    const plan_step& step_;
    bool begun_ = false, leaves_ = false;
    position at_[max_rank] = {};
    double value_ = 0;
  };
  constexpr bool is_last_loop(std::size_t i) const {
    return plan_.last.is_plain && i + 1 == plan_.steps.size() && !keeps_variables_;
  }

  constexpr bool step(std::size_t i) {
    if (i == plan_.steps.size()) return contribute();
    const plan_step& s = plan_.steps[i];
    position key[max_rank] = {};
    switch (s.kind) {
      case step_kind::scan:
        return rows(s, i, 0, static_cast<std::uint32_t>(stores_[s.tensor].rows()));
      case step_kind::changed:
        if (changed_.list == nullptr) {
          for (changed_row_ = changed_.first; changed_row_ < changed_.last; ++changed_row_)
            if (!row(s, i, changed_row_)) return false;
          return true;
        }
        for (std::size_t k = 0; k < changed_.list->size(); ++k)
          if (changed_row_ = (*changed_.list)[k]; !row(s, i, changed_row_)) return false;
        return true;
      case step_kind::group:
        return group(s, i);
      case step_kind::test:
        return !positions_of(s.key, key) || !stands(stores_[s.tensor], key, s.index) || step(i + 1);
      case step_kind::absent:
        return (positions_of(s.key, key) && stores_[s.tensor].contains(key)) || step(i + 1);
      case step_kind::look_up:
        looked_up_[s.index] = value_at(s, key);
        return step(i + 1);
      case step_kind::compare:
        return !holds(program_.comparisons[s.index]) || step(i + 1);
      case step_kind::enumerate:
        for (const position p : axes_[program_.axis_of_variable[rule_.variables.first + s.index]]) {
          variables_[s.index] = p;
          if (!may_go_on() || !step(i + 1)) return false;
        }
        return true;
      case step_kind::meet:
        return meet(s, i);
    }
    return false;
  }
  // Runs over the rows of the part that has the fewest.
  constexpr bool meet(const plan_step& s, std::size_t i) {
    position key[max_rank] = {}, fewest_key[max_rank] = {};
    const meet_part* best = nullptr;
    std::size_t fewest = 0;
    for (const meet_part& p : s.parts) {
      std::size_t rows = 0;
      if (p.groups == none)
        rows = indices_.store(p.from, stores_).rows();
      else if (positions_of(p.key, key))
        rows = indices_[p.groups].count_of(key);
      if (rows == 0) return true;
      if (best != nullptr && rows >= fewest) continue;
      best = &p;
      fewest = rows;
      for (std::size_t c = 0; c < p.key.size(); ++c) fewest_key[c] = key[c];
    }
    const std::uint32_t before = best->older ? older_than_[best->from] : UINT32_MAX;
    if (best->groups != none)
      return indices_[best->groups].each(fewest_key, before,
                                         [&](std::uint32_t r) { return meet_row(s, i, *best, r); });
    for (std::uint32_t r = 0; r < fewest && r < before; ++r)
      if (!meet_row(s, i, *best, r)) return false;
    return true;
  }
  constexpr bool meet_row(const plan_step& s, std::size_t i, const meet_part& from,
                          std::uint32_t r) {
    if (!may_go_on()) return false;
    const tensor_store& rows = indices_.store(from.from, stores_);
    if (!bind(from.bind, rows, r) || !agrees(from.checks, rows, r)) return true;
    if (from.join != none && rows.valued()) joined_[from.join] = rows.value(r);
    position at[max_rank] = {};
    for (const meet_part& p : s.parts) {
      if (&p == &from) continue;
      if (!positions_of(p.full, at) || !stands(indices_.store(p.from, stores_), at, p.join))
        return true;
    }
    return step(i + 1);
  }

  constexpr bool may_go_on() {
    if (left_-- != 0) return true;
    left_ = 0;
    exhausted_ = true;
    failure_ = too_many_bindings();
    return false;
  }
  constexpr bool rows(const plan_step& s, std::size_t i, std::uint32_t first, std::uint32_t last) {
    if (s.older && older_than_[s.tensor] < last) last = older_than_[s.tensor];
    if (is_last_loop(i)) {
      last_row loop(*this, s);
      for (std::uint32_t r = first; r < last; ++r)
        if (!loop(r)) return false;
      return true;
    }
    for (std::uint32_t r = first; r < last; ++r)
      if (!row(s, i, r)) return false;
    return true;
  }
  constexpr bool group(const plan_step& s, std::size_t i) {
    position key[max_rank] = {};
    if (!positions_of(s.key, key)) return true;
    const std::uint32_t before = s.older ? older_than_[s.tensor] : UINT32_MAX;
    if (is_last_loop(i)) {
      last_row loop(*this, s);
      return indices_[s.groups].each(key, before, [&](std::uint32_t r) { return loop(r); });
    }
    return indices_[s.groups].each(key, before, [&](std::uint32_t r) { return row(s, i, r); });
  }
  constexpr bool row(const plan_step& s, std::size_t i, std::uint32_t r) {
    if (!may_go_on()) return false;
    const tensor_store& store = stores_[s.tensor];
    for (const bound_column& b : s.binds)
      if (!bind(b, store, r)) return true;
    if (!agrees(s.checks, store, r)) return true;
    if (store.valued()) (s.looks_up ? looked_up_ : joined_)[s.index] = store.value(r);
    return step(i + 1);
  }
  // Gives a variable the position that it has in a row. False if it would be none.
  constexpr bool bind(const bound_column& b, const tensor_store& store, std::uint32_t r) {
    const std::int64_t off = std::int64_t{store.at(r, b.column)} - b.shift;
    if (b.scale == 1) {
      variables_[b.variable] = off;
      return true;
    }
    if (off < 0 || off % b.scale != 0) return false;
    variables_[b.variable] = off / b.scale;
    return true;
  }
  constexpr bool agrees(view<checked_column> checks, const tensor_store& store,
                        std::uint32_t r) const {
    for (const checked_column& c : checks)
      if (computed(c.wanted) != store.at(r, c.column)) return false;
    return true;
  }
  // True if there is an entry, whose value a join has then; `none`: no join has it.
  constexpr bool stands(const tensor_store& store, const position* at, std::uint32_t join) {
    if (join == none || !store.valued()) return store.contains(at);
    const std::uint32_t found = store.find(at);
    if (found != hash_index::none) joined_[join] = store.value(found);
    return found != hash_index::none;
  }
  constexpr double value_at(const plan_step& s, position* key) {
    const tensor_store& store = stores_[s.tensor];
    const bool possible = positions_of(s.key, key);
    if (!store.valued()) return possible && store.contains(key) ? 1 : 0;
    const std::uint32_t row = possible ? store.find(key) : hash_index::none;
    return row != hash_index::none ? store.value(row) : zero_of(program_.tensors[s.tensor]);
  }

  constexpr std::int64_t computed(const computed_position& p) const {
    return p.variable == none ? p.shift : p.scale * variables_[p.variable] + p.shift;
  }
  // False if a position is no number of 32 bits: then nothing stands there.
  constexpr bool positions_of(view<computed_position> key, position* out) const {
    for (std::size_t k = 0; k < key.size(); ++k) {
      const std::int64_t p = computed(key[k]);
      out[k] = static_cast<position>(p);
      if (out[k] != p) return false;
    }
    return true;
  }

  constexpr bool contribute() {
    position at[max_rank] = {};
    bool leaves = false;
    for (std::size_t k = 0; k < plan_.head.size(); ++k) {
      if (!head_position(k, at[k], leaves)) return false;
      if (leaves) return true;
    }
    const double v = head_value();
    if (failure_.code != errc::none) return false;
    return is_absent(v) || emit_(static_cast<const position*>(at), v);
  }
  // Computes a position of the head; `leaves` becomes true if its axis has no such position. False
  // after an error.
  constexpr bool head_position(std::size_t k, position& out, bool& leaves) {
    const std::int64_t p = computed(plan_.head[k]), extent = plan_.head[k].extent;
    if (extent >= 0 && (p < 0 || p >= extent)) return leaves = true, true;
    out = static_cast<position>(p);
    return out == p || leaves || too_far(p);
  }
  constexpr double head_value() {
    if (rule_.value == none) return is_extreme(rule_.projection) ? 0.0 : 1.0;
    return scalar(rule_.value);
  }
  // The zero of an extreme or operator is no entry.
  constexpr bool is_absent(double value) const {
    return !adds_terms(rule_.projection) && value == zero_of(program_.tensors[rule_.head.tensor]);
  }
  constexpr bool too_far(std::int64_t p) {
    failure_ = make_error(errc::overflow, program_.tensors[rule_.head.tensor].name.view(),
                          (text() << "position " << p << " does not fit 32 bits").view());
    return false;
  }

  constexpr bool holds(const comparison& c) {
    const double a = scalar(c.left), b = scalar(c.right);
    switch (c.sign) {
      case comparison_sign::less:
        return a < b;
      case comparison_sign::less_equal:
        return a <= b;
      case comparison_sign::greater:
        return a > b;
      case comparison_sign::greater_equal:
        return a >= b;
      case comparison_sign::equal:
        return a == b;
      case comparison_sign::different:
        return a != b;
    }
    return false;
  }
  constexpr double scalar(std::uint32_t number) {
    const scalar_node& n = program_.scalars[number];
    switch (n.kind) {
      case scalar_kind::number:
        return n.number;
      case scalar_kind::variable:
        return static_cast<double>(variables_[n.index]);
      case scalar_kind::symbol:
        return static_cast<double>(symbols_[program_.terms.size() + number]);
      case scalar_kind::joined:
        return joined_[n.index];
      case scalar_kind::looked_up:
        return looked_up_[n.index];
      case scalar_kind::sum:
        return scalar(n.left) + scalar(n.right);
      case scalar_kind::difference:
        return scalar(n.left) - scalar(n.right);
      case scalar_kind::product:
        return scalar(n.left) * scalar(n.right);
      case scalar_kind::quotient:
        return quotient(scalar(n.left), scalar(n.right));
      case scalar_kind::negation:
        return -scalar(n.left);
      case scalar_kind::power:
        return power(scalar(n.left), scalar(n.right));
      case scalar_kind::choice:
        return scalar(scalar(n.left) != 0 ? n.right : n.other);
      case scalar_kind::parity:
        return variables_[n.index] % 2 == 0 ? 1 - n.number : n.number;
      case scalar_kind::function:
        return function(n);
    }
    return 0;
  }
  // In constant evaluation the exponent must be a whole number.
  constexpr double power(double base, double exponent) {
    if (!__builtin_is_constant_evaluated()) return __builtin_pow(base, exponent);
    const double size = exponent < 0 ? -exponent : exponent;
    double out = 1;
    if (!(size < 1024) || static_cast<double>(static_cast<int>(size)) != size) {
      failure_ = make_error(errc::not_executable, program_.tensors[rule_.head.tensor].name.view(),
                            "a power in constant evaluation has a whole exponent below 1,024");
      return out;
    }
    for (int i = 0; i < static_cast<int>(size); ++i) out *= base;
    return exponent < 0 ? quotient(1, out) : out;
  }
  // IEEE division, which constant evaluation refuses by 0.
  static constexpr double quotient(double a, double b) {
    using limits = std::numeric_limits<double>;
    if (b != 0 || !__builtin_is_constant_evaluated()) return a / b;
    if (!(a < 0) && !(a > 0)) return limits::quiet_NaN();
    const bool negative = (a < 0) != wf::detail::is_negative_zero(b);
    return negative ? -limits::infinity() : limits::infinity();
  }
  // The operator of a function; those that were met last are known.
  constexpr const kernel_spec* operator_of(const scalar_node& n) {
    met_operator& known = met_[static_cast<std::size_t>(&n - program_.scalars.data()) % 4];
    if (known.node != &n) known = {&n, operators_.find(n.name.view())};
    return known.found;
  }
  constexpr double function(const scalar_node& n) {
    const kernel_spec* const k = operator_of(n);
    const std::uint32_t operands[3] = {n.left, n.right, n.other};
    double numbers[3] = {};
    std::size_t count = 0;
    for (; count < 3 && operands[count] != none; ++count) numbers[count] = scalar(operands[count]);
    view<attribute_value> attributes =
        view<attribute_value>(program_.attributes).part(n.attributes.first, n.attributes.count);
    table<attribute_value> more;
    if (has_temperature_ && rule_input{{}, attributes}.find("T") == nullptr) {
      more = table<attribute_value>(attributes);
      more.push_back(attribute_value::floating("T", temperature_));
      attributes = more;
    }
    double out = 0;
    if (k != nullptr && element_value(*k, {numbers, count}, attributes, out)) return out;
    if (failure_.code == errc::none)
      failure_ = make_error(errc::not_executable, n.name.view(),
                            "the operator states no value for one element");
    return 0;
  }

  const tensor_program& program_;
  const rule_plan& plan_;
  const rule& rule_;
  view<tensor_store> stores_;
  const index_set& indices_;
  view<table<position>> axes_;
  const registry& operators_;
  view<position> symbols_;
  changed_rows changed_;
  view<std::uint32_t> older_than_;  // by tensor: number of rows before the last round
  std::uint64_t& left_;             // number of rows that may still be visited
  Emit& emit_;
  table<std::int64_t> variables_;
  table<double> joined_, looked_up_;
  struct met_operator {
    const scalar_node* node = nullptr;
    const kernel_spec* found = nullptr;
  };
  met_operator met_[4];
  error failure_;
  std::uint32_t changed_row_ = 0;
  bool has_temperature_ = false, keeps_variables_ = false, exhausted_ = false;
  double temperature_ = 0;
};

}  // namespace wf::logic::detail
