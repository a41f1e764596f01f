// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/strata.hpp>
#include <wf/logic/relation/database.hpp>
#include <wf/logic/relation/store.hpp>

namespace wf::logic::detail {

/// What the inputs of a run say about the axes of a program.
struct axis_binding {
  std::uint32_t domain = none;  ///< of its symbols
  const text* from = nullptr;   ///< name of the input that has it
  bool met = false;             ///< an input has a column along the axis
  std::int64_t extent = -1;     ///< number of positions, if declared or that of a dense tensor
  column_bounds bounds;         ///< of the positions in inputs and constants
  table<position> positions;    ///< all of them, if a rule runs along the axis
};

/// Binds the inputs of a run to the tensors of a program, axes to their positions, and symbols to
/// numbers.
class input_binding {
 public:
  constexpr input_binding(const tensor_program& p, const database& inputs)
      : program_(p), inputs_(inputs), axes(p.axes.size()), row_major(p.tensors.size()) {
    domains = inputs.domains;
    for (const tensor_literal& l : p.literals)
      literals_.add_dense(p.tensors[l.tensor].name.view(), l.extents, l.values);
  }

  /// What is given for a tensor: an input of its name, or the entries that the program states; null
  /// if there is neither.
  constexpr const named_relation* given_to(const tensor_info& t) const {
    return !t.ranked     ? nullptr
           : t.temporary ? literals_.find(t.name.view())
                         : inputs_.find(t.name.view());
  }

  /// The first error, if any: `missing_argument`, `argument_shape`, `bad_equation`.
  constexpr error run() {
    for (const tensor_info& t : program_.tensors)
      if (error e = input(t); e.code != errc::none) return e;
    for (std::uint32_t a = 0; a < axes.size(); ++a)
      if (program_.axes[a].extent >= 0) axes[a].extent = program_.axes[a].extent;
    if (error e = bind_symbols(); e.code != errc::none) return e;
    constants();
    for (const rule& r : program_.rules)
      if (error e = enumerated(r); e.code != errc::none) return e;
    return {};
  }

 private:
  const tensor_program& program_;
  const database& inputs_;
  database literals_;

 public:
  table<axis_binding> axes;
  table<symbol_domain> domains;
  table<position> symbols;  ///< by term, then by scalar node
  table<bool> row_major;    ///< by tensor: what is given is dense, in row-major order

 private:
  constexpr std::uint32_t axis_at(const tensor_info& t, std::uint32_t column) const {
    return program_.axes_of[t.axes.first + column];
  }

  // Compares an input with the tensor it is for.
  constexpr error input(const tensor_info& t) {
    const named_relation* const given = given_to(t);
    if (given == nullptr) {
      if (t.defined || !t.ranked) return {};  // an input that no equation reads has no rank
      return make_error(errc::missing_argument, t.name.view(), "the program reads this input");
    }
    const relation& r = given->entries;
    if (t.sealed)
      return make_error(errc::argument_shape, t.name.view(),
                        "is computed, and takes no facts of its own");
    if (r.rank != t.rank)
      return make_error(
          errc::argument_shape, t.name.view(),
          (text() << "the input has " << r.rank << " columns, the program's tensor " << t.rank)
              .view());
    if (r.valued == t.boolean)
      return make_error(errc::argument_shape, t.name.view(),
                        t.boolean ? "the input has values, the program reads a relation"
                                  : "the input is a relation, the program reads values");
    const bool dense = r.valued && r.rank != 0 && is_row_major(r, given->extents);
    row_major[static_cast<std::size_t>(&t - program_.tensors.data())] = dense;
    for (std::uint32_t c = 0; c < r.rank; ++c)
      if (error e = column(t, *given, c, dense); e.code != errc::none) return e;
    return {};
  }
  constexpr error column(const tensor_info& t, const named_relation& given, std::uint32_t c,
                         bool dense) {
    const std::uint32_t number = axis_at(t, c);
    axis_binding& a = axes[number];
    const std::uint32_t domain = given.domains.empty() ? none : given.domains[c];
    const column_bounds own = dense ? column_bounds{0, static_cast<std::uint64_t>(given.extents[c])}
                                    : bounds_of(given.entries.columns[c]);
    a.bounds.include(own);
    if (a.met && a.domain != domain && own.size != 0)
      return make_error(errc::argument_shape, t.name.view(),
                        (text() << "index " << c + 1 << " has other symbols than " << *a.from
                                << ", with which the program compares it")
                            .view());
    if (own.size != 0 || !a.met) a.domain = domain, a.from = &t.name;
    a.met = a.met || own.size != 0;
    if (given.extents.empty()) return {};
    const std::int64_t declared = program_.axes[number].extent;
    const std::int64_t known = declared >= 0 ? declared : a.extent;
    if (known >= 0 && known != given.extents[c])
      return make_error(
          errc::argument_shape, t.name.view(),
          (text() << "index " << c + 1 << " runs to " << given.extents[c] << ", not to " << known)
              .view());
    a.extent = given.extents[c];
    return {};
  }

  // The number of a symbol on an axis; a new symbol gets the next number.
  constexpr error number_of(text_view symbol, std::uint32_t axis, position& out) {
    std::uint32_t& d = axes[axis].domain;
    if (d == none && axes[axis].met)
      return make_error(errc::bad_equation, symbol, "the symbol stands at an index of numbers");
    if (d == none) {
      d = static_cast<std::uint32_t>(domains.size());
      domains.push_back(symbol_domain(program_.axes[axis].name.view()));
    }
    out = domains[d].add(symbol);
    return {};
  }
  // Calls `visit(term, axis)` for the symbols in a rule's atoms.
  template <class Visit>
  constexpr void for_each_symbol(const rule& r, Visit&& visit) const {
    for_each_atom_of(program_, r, [&](const atom& a) {
      for (std::uint32_t i = 0; i < a.terms.count; ++i)
        if (const term& t = program_.terms[a.terms.first + i]; t.kind == term_kind::symbol)
          visit(t, axis_at(program_.tensors[a.tensor], i));
    });
  }
  // An axis that no input has takes the symbols of one where the rule has the same symbol.
  constexpr void share_domains(const rule& r) {
    for_each_symbol(r, [&](const term& here, std::uint32_t axis) {
      if (axes[axis].domain != none || axes[axis].met) return;
      for_each_symbol(r, [&](const term& there, std::uint32_t other) {
        if (axes[axis].domain == none && there.symbol == here.symbol)
          axes[axis].domain = axes[other].domain;
      });
    });
  }
  constexpr error bind_symbols() {
    symbols.resize(program_.terms.size() + program_.scalars.size());
    for (const rule& r : program_.rules) share_domains(r);
    error found;
    for_each_atom(program_, [&](const atom& a, const rule&) {
      for (std::uint32_t i = 0; i < a.terms.count; ++i) {
        const term& t = program_.terms[a.terms.first + i];
        if (t.kind != term_kind::symbol || found.code != errc::none) continue;
        found = number_of(t.symbol.view(), axis_at(program_.tensors[a.tensor], i),
                          symbols[a.terms.first + i]);
      }
    });
    if (found.code != errc::none) return found;
    for (const rule& r : program_.rules)
      for (std::uint32_t i = 0; i < r.comparisons.count; ++i) {
        const comparison& c = program_.comparisons[r.comparisons.first + i];
        for (const std::uint32_t side : {c.left, c.right}) {
          const scalar_node& s = program_.scalars[side];
          if (s.kind != scalar_kind::symbol) continue;
          const std::uint32_t axis = program_.axis_of_variable[r.variables.first + s.index];
          if (error e = number_of(s.name.view(), axis, symbols[program_.terms.size() + side]);
              e.code != errc::none)
            return e;
        }
      }
    return {};
  }
  // Constants widen the bounds of their axes.
  constexpr void constants() {
    for_each_atom(program_, [&](const atom& a, const rule&) {
      for (std::uint32_t i = 0; i < a.terms.count; ++i) {
        const term& t = program_.terms[a.terms.first + i];
        column_bounds& b = axes[axis_at(program_.tensors[a.tensor], i)].bounds;
        if (t.kind == term_kind::symbol) b.include(symbols[a.terms.first + i]);
        if (t.kind == term_kind::constant && t.shift == static_cast<position>(t.shift))
          b.include(static_cast<position>(t.shift));
      }
    });
    for (axis_binding& a : axes)
      if (a.extent > 0 && a.extent <= INT32_MAX) {
        a.bounds.include(0);
        a.bounds.include(static_cast<position>(a.extent - 1));
      }
  }

  // Lists the positions of the axes along which a rule runs.
  constexpr error enumerated(const rule& r) {
    const variable_uses uses = uses_of(program_, r);
    const table<bool> used = variables_in(program_, r);
    for (std::uint32_t v = 0; v < r.variables.count; ++v)
      if (used[v] && !uses.bound[v])
        if (error e = list(program_.axis_of_variable[r.variables.first + v]); e.code != errc::none)
          return e;
    return {};
  }
  constexpr error list(std::uint32_t axis) {
    axis_binding& a = axes[axis];
    if (!a.positions.empty()) return {};
    const axis_info& info = program_.axes[axis];
    if (info.members != none) {
      a.positions =
          sorted(inputs_.find(program_.tensors[info.members].name.view())->entries).columns[0];
    } else if (a.extent >= 0) {
      for (std::int64_t p = 0; p < a.extent; ++p) a.positions.push_back(static_cast<position>(p));
    } else {
      occurring(axis);
    }
    if (!a.positions.empty() || a.met || a.extent >= 0) return {};
    return make_error(errc::unbound_index, info.name.view(),
                      "no input tells how far the index runs: declare it with axis");
  }
  // The positions that occur in the inputs, in ascending order.
  constexpr void occurring(std::uint32_t axis) {
    const column_bounds& bounds = axes[axis].bounds;
    std::uint64_t rows = 0;
    for_each_column(axis, [&](view<position> column) { rows += column.size(); });
    if (bounds.size <= 8 * rows + 1024) {
      table<bool> occurs(static_cast<std::size_t>(bounds.size));
      for_each_column(axis, [&](view<position> column) {
        for (const position p : column) occurs[static_cast<std::size_t>(bounds.offset(p))] = true;
      });
      for (std::size_t place = 0; place < occurs.size(); ++place)
        if (occurs[place]) axes[axis].positions.push_back(bounds.at(place));
      return;
    }
    relation all(1, false);
    for_each_column(axis, [&](view<position> column) {
      for (const position p : column) all.append(&p);
    });
    all = sorted(all);
    for (const position p : all.columns[0])
      if (axes[axis].positions.empty() || axes[axis].positions.back() != p)
        axes[axis].positions.push_back(p);
  }
  // Calls `visit(positions)` for the columns of inputs along an axis.
  template <class Visit>
  constexpr void for_each_column(std::uint32_t axis, const Visit& visit) const {
    for (const tensor_info& t : program_.tensors)
      if (const named_relation* given = given_to(t); given != nullptr)
        for (std::uint32_t c = 0; c < t.rank; ++c)
          if (axis_at(t, c) == axis) visit(view<position>(given->entries.columns[c]));
  }
};

}  // namespace wf::logic::detail
