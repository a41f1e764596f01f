// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/scalar_writer.hpp>

namespace wf::logic::detail {

/// A term before its rule's variables are numbered.
struct term_form {
  term_kind kind = term_kind::variable;
  text_view name;  ///< of a variable or symbol
  std::int64_t scale = 1, shift = 0;
  bool dotted = false;  ///< the axis along which operators of the equation work
  bool slice = false;   ///< of positions shift, shift + scale, ...: the variable is their number
  std::int64_t count = -1;  ///< how many positions a slice has; -1: as many as there are
};

/// An atom before its rule's variables are numbered.
struct atom_form {
  std::uint32_t tensor = none;
  table<term_form> terms;
  std::int64_t step = 0;
  std::uint32_t offset = 0;
};

/// A rule that is being built. Its scalar expressions go to the program directly.
class rule_draft : public scalar_writer {
  // Stands first: clang evaluates constants before it has seen the rest of the class.
  template <class T>
  static constexpr range appended(table<T>& to, const table<T>& list) {
    const auto first = static_cast<std::uint32_t>(to.size());
    for (const T& each : list) to.push_back(each);
    return {first, static_cast<std::uint32_t>(list.size())};
  }

 public:
  constexpr explicit rule_draft(tensor_program& to) : scalar_writer(to), program_(to) {}

  /// The number of a variable, which is added if it is new; every `_` is new. O(variables).
  constexpr std::uint32_t variable(text_view name) {
    for (std::uint32_t i = 0; i < variables_.size(); ++i)
      if (variables_[i] == name && !(name == "_")) return i;
    variables_.push_back(name);
    return static_cast<std::uint32_t>(variables_.size() - 1);
  }
  /// Adds a joined atom, once. Returns its number among the joins.
  constexpr std::uint32_t join(const atom_form& f) { return add(joins_, f); }
  /// Adds an atom that must not hold.
  constexpr void negate(const atom_form& f) { (void)add(negations_, f); }
  /// Adds an atom whose value is looked up. Returns its number among the lookups.
  constexpr std::uint32_t look_up(const atom_form& f) { return add(lookups_, f); }
  /// Adds a comparison.
  constexpr void compare(const comparison& c) { comparisons_.push_back(c); }

  /// Adds the rule to the program.
  constexpr void finish(const atom_form& head, wf::projection projection, bool initial,
                        std::uint32_t value) {
    rule r;
    r.head = numbered(head);
    for (const slice_bounds& s : slices_) {
      compare({comparison_sign::greater_equal, leaf(scalar_kind::variable, s.variable), number(0)});
      if (s.count >= 0)
        compare({comparison_sign::less, leaf(scalar_kind::variable, s.variable),
                 number(static_cast<double>(s.count))});
    }
    r.projection = projection;
    r.initial = initial;
    r.value = value;
    r.joins = appended(program_.atoms, joins_);
    r.negations = appended(program_.atoms, negations_);
    r.lookups = appended(program_.atoms, lookups_);
    r.comparisons = appended(program_.comparisons, comparisons_);
    r.variables.first = static_cast<std::uint32_t>(program_.variables.size());
    r.variables.count = static_cast<std::uint32_t>(variables_.size());
    for (text_view name : variables_) program_.variables.push_back(text(name));
    program_.rules.push_back(r);
  }

 private:
  // The positions of a slice as conditions on its variable.
  struct slice_bounds {
    std::uint32_t variable = 0;
    std::int64_t count = -1;
  };

  constexpr void bound(std::uint32_t variable, const term_form& t) {
    for (const slice_bounds& s : slices_)
      if (s.variable == variable) return;
    slices_.push_back({variable, t.count});
  }
  constexpr atom numbered(const atom_form& f) {
    atom a;
    a.tensor = f.tensor;
    a.step = f.step;
    a.offset = f.offset;
    table<term> terms;
    for (const term_form& t : f.terms) {
      term made;
      made.kind = t.kind;
      made.scale = t.scale;
      made.shift = t.shift;
      if (t.kind == term_kind::variable) made.variable = variable(t.name);
      if (t.slice) bound(made.variable, t);
      if (t.kind == term_kind::symbol) made.symbol = text(t.name);
      terms.push_back(made);
    }
    a.terms = appended(program_.terms, terms);
    return a;
  }
  constexpr bool same_terms(const atom& a, const atom_form& f) const {
    if (a.tensor != f.tensor || a.step != f.step) return false;
    for (std::uint32_t i = 0; i < a.terms.count; ++i) {
      const term& s = program_.terms[a.terms.first + i];
      const term_form& t = f.terms[i];
      if (s.kind != t.kind || s.scale != t.scale || s.shift != t.shift || t.name == "_")
        return false;
      if (s.kind == term_kind::variable && !(variables_[s.variable] == t.name)) return false;
      if (s.kind == term_kind::symbol && !(s.symbol.view() == t.name)) return false;
    }
    return true;
  }
  constexpr std::uint32_t add(table<atom>& to, const atom_form& f) {
    for (std::uint32_t i = 0; i < to.size(); ++i)
      if (same_terms(to[i], f)) return i;
    to.push_back(numbered(f));
    return static_cast<std::uint32_t>(to.size() - 1);
  }

  tensor_program& program_;
  table<text_view> variables_;
  table<atom> joins_, negations_, lookups_;
  table<comparison> comparisons_;
  table<slice_bounds> slices_;
};

}  // namespace wf::logic::detail
