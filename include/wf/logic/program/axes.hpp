// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/result.hpp>
#include <wf/logic/program/tensor_program.hpp>

namespace wf::logic::detail {

/// Sets of numbers that are joined pairwise. Source: union-find with path halving; the smaller
/// number represents a set.
class disjoint_sets {
 public:
  constexpr explicit disjoint_sets(std::size_t size) : parent_(size) {
    for (std::uint32_t i = 0; i < size; ++i) parent_[i] = i;
  }
  /// The representative of a set.
  constexpr std::uint32_t find(std::uint32_t i) {
    for (; parent_[i] != i; i = parent_[i]) parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// Joins two sets.
  constexpr void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a < b) parent_[b] = a;
    if (b < a) parent_[a] = b;
  }

 private:
  table<std::uint32_t> parent_;
};

/// A copy of a run of a table with more entries, so that other users of the run keep it.
template <class T>
constexpr range copied(table<T>& all, range run, view<T> more) {
  const auto first = static_cast<std::uint32_t>(all.size());
  for (std::uint32_t i = 0; i < run.count; ++i) {
    const T each = all[run.first + i];
    all.push_back(each);
  }
  for (const T& each : more) all.push_back(each);
  return {first, static_cast<std::uint32_t>(all.size()) - first};
}
/// Likewise with one more entry.
template <class T>
constexpr range copied(table<T>& all, range run, const T& more) {
  const T kept = more;
  return copied(all, run, view<T>(&kept, 1));
}

/// Calls `visit(atom)` for every atom of a rule.
template <class Visit>
constexpr void for_each_atom_of(const tensor_program& p, const rule& r, Visit&& visit) {
  visit(r.head);
  for (const range part : {r.joins, r.negations, r.lookups})
    for (std::uint32_t i = 0; i < part.count; ++i) visit(p.atoms[part.first + i]);
}
/// Calls `visit(atom, rule)` for every atom of every rule.
template <class Visit>
constexpr void for_each_atom(const tensor_program& p, Visit&& visit) {
  for (const rule& r : p.rules) for_each_atom_of(p, r, [&](const atom& a) { visit(a, r); });
}

/// Numbers the positions of all tensors. Returns how many there are.
constexpr std::uint32_t number_positions(tensor_program& p) {
  std::uint32_t positions = 0;
  for (tensor_info& t : p.tensors) {
    t.axes = {positions, t.rank};
    positions += t.rank;
  }
  return positions;
}

/// Joins positions and variables into axes: those where one variable stands, unscaled, share it.
constexpr void join_axes(tensor_program& p, std::uint32_t positions) {
  const auto variables = static_cast<std::uint32_t>(p.variables.size());
  disjoint_sets sets(positions + variables);
  for_each_atom(p, [&](const atom& a, const rule& r) {
    for (std::uint32_t i = 0; i < a.terms.count; ++i)
      if (const term& t = p.terms[a.terms.first + i]; t.kind == term_kind::variable && t.scale == 1)
        sets.join(p.tensors[a.tensor].axes.first + i, positions + r.variables.first + t.variable);
  });
  table<std::uint32_t> numbers(positions + variables, none);
  const auto axis_of = [&](std::uint32_t element) {
    std::uint32_t& number = numbers[sets.find(element)];
    if (number == none) {
      number = static_cast<std::uint32_t>(p.axes.size());
      p.axes.push_back({});
    }
    return number;
  };
  for (std::uint32_t i = 0; i < positions; ++i) p.axes_of.push_back(axis_of(i));
  for (std::uint32_t i = 0; i < variables; ++i) {
    const std::uint32_t axis = axis_of(positions + i);
    p.axis_of_variable.push_back(axis);
    if (p.axes[axis].name.empty()) p.axes[axis].name = p.variables[i];
  }
}

/// Notes the extents of a declared input.
constexpr void declare_extents(tensor_program& p, const equation_statement& input) {
  const tensor_info& t = p.tensors[p.find(input.name)];
  for (std::uint32_t i = 0; i < t.rank; ++i)
    if (const extent e = input.type.shape[i]; e.is_fixed())
      p.axes[p.axes_of[t.axes.first + i]].extent = e.size();
}

/// Notes what an `axis` statement says of the variables of its name.
constexpr error declare_axis(tensor_program& p, const equation_statement& s, text_view source) {
  const auto fail = [&](text_view message) {
    return make_error(errc::bad_equation, s.name, message, position_at(source, s.offset));
  };
  const std::uint32_t members = s.function.empty() ? none : p.find(s.function);
  if (members != none)
    if (const tensor_info& t = p.tensors[members]; t.defined || t.rank != 1 || !t.boolean)
      return fail("the positions of an axis are listed by an input relation of one index");
  bool found = false;
  for (std::uint32_t v = 0; v < p.variables.size(); ++v) {
    if (!(p.variables[v].view() == s.name)) continue;
    found = true;
    axis_info& a = p.axes[p.axis_of_variable[v]];
    if (members == none && s.type.shape[0].is_fixed()) a.extent = s.type.shape[0].size();
    if (members != none) a.members = members;
  }
  return found ? error() : fail("no equation has this index");
}

/// Gives every variable and every position of a tensor its axis, with what the statements, and more
/// statements about axes, say of it. Errors: `bad_equation`.
constexpr error settle_axes(tensor_program& p, const equation_program& tree, text_view source,
                            view<equation_statement> more = {}) {
  join_axes(p, number_positions(p));
  for (const equation_statement& s : more)
    if (error e = declare_axis(p, s, source); e.code != errc::none) return e;
  for (const equation_statement& s : tree.statements) {
    if (s.kind == equation_statement_kind::input) declare_extents(p, s);
    if (s.kind != equation_statement_kind::axis) continue;
    if (error e = declare_axis(p, s, source); e.code != errc::none) return e;
  }
  return {};
}

/// By variable of a rule: whether it stands anywhere in it. Rules made from another one share its
/// variables.
constexpr table<bool> variables_in(const tensor_program& p, const rule& r) {
  table<bool> used(r.variables.count);
  for_each_atom_of(p, r, [&](const atom& a) {
    for (const term& t : p.terms_of(a))
      if (t.kind == term_kind::variable) used[t.variable] = true;
  });
  const auto mark = [&](auto&& self, std::uint32_t node) -> void {
    if (node == none) return;
    const scalar_node& s = p.scalars[node];
    if (s.kind == scalar_kind::variable || s.kind == scalar_kind::parity) used[s.index] = true;
    self(self, s.left);
    self(self, s.right);
    self(self, s.other);
  };
  mark(mark, r.value);
  for (std::uint32_t i = 0; i < r.comparisons.count; ++i) {
    mark(mark, p.comparisons[r.comparisons.first + i].left);
    mark(mark, p.comparisons[r.comparisons.first + i].right);
  }
  return used;
}

/// The error of an index that must be bound.
constexpr error unbound(const tensor_program& p, text_view source, const rule& r,
                        std::uint32_t variable, text_view why) {
  const text_view name = p.variables[r.variables.first + variable].view();
  return make_error(errc::unbound_index, p.tensors[r.head.tensor].name.view(),
                    (text() << "index " << name << ' ' << why).view(),
                    position_at(source, r.head.offset));
}

/// How often each variable of a rule stands in joins and lookups, and whether a join binds it.
struct variable_uses {
  table<std::uint32_t> count;
  table<bool> bound, in_head;
};
constexpr variable_uses uses_of(const tensor_program& p, const rule& r) {
  variable_uses out{table<std::uint32_t>(r.variables.count), table<bool>(r.variables.count),
                    table<bool>(r.variables.count)};
  const auto each = [&](const atom& a, auto&& visit) {
    for (const term& t : p.terms_of(a))
      if (t.kind == term_kind::variable) visit(t);
  };
  each(r.head, [&](const term& t) { out.in_head[t.variable] = true; });
  for (std::uint32_t i = 0; i < r.joins.count; ++i)
    each(p.atoms[r.joins.first + i], [&](const term& t) {
      ++out.count[t.variable];
      out.bound[t.variable] = true;
    });
  for (std::uint32_t i = 0; i < r.lookups.count; ++i)
    each(p.atoms[r.lookups.first + i], [&](const term& t) { ++out.count[t.variable]; });
  return out;
}

/// Checks that every variable is bound, or runs along a known axis: one of a Boolean rule needs a
/// declared one. Under `=` an index that stands once on the right of a numeric rule, and not on
/// the left, is an error: `+=` says that it is summed over.
constexpr error check_indices(const tensor_program& p, text_view source) {
  for (const rule& r : p.rules) {
    const variable_uses uses = uses_of(p, r);
    const tensor_info& head = p.tensors[r.head.tensor];
    for (std::uint32_t v = 0; v < r.variables.count; ++v) {
      const axis_info& axis = p.axes[p.axis_of_variable[r.variables.first + v]];
      const bool declared = axis.extent >= 0 || axis.members != none;
      if (!uses.bound[v] && !declared && head.boolean)
        return unbound(p, source, r, v,
                       "is bound by no relation, and no axis statement says how "
                       "far it runs");
      if (!uses.bound[v] && !declared && !uses.in_head[v] && uses.count[v] == 0)
        return unbound(p, source, r, v, "stands only in a complement or a comparison");
      if (r.projection == projection::plain && !head.boolean && !uses.in_head[v] &&
          uses.count[v] == 1)
        return unbound(p, source, r, v,
                       head.temporary ? "stands once in a nested expression: sum over it by "
                                        "reduce, or put it on the left"
                                      : "stands once on the right: write += to sum over it, or "
                                        "put it on the left");
    }
  }
  return {};
}

}  // namespace wf::logic::detail
