// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/draft.hpp>
#include <wf/logic/program/names.hpp>

namespace wf::logic::detail {

/// Reads index lists: turns the entries of references, left sides and calls of relations into
/// atoms, and tells names of indices from names of tensors. Errors are kept, the first one counts.
class form_reader {
 public:
  constexpr form_reader(const equation_program& p, text_view source, name_table& names)
      : tree_(p), source_(source), names_(names) {}

  /// Keeps an error at an offset in the source; false.
  constexpr bool fail(std::uint32_t offset, text_view message) {
    if (failure_.code == errc::none)
      failure_ = make_error(errc::bad_equation, "", message, position_at(source_, offset));
    return false;
  }
  /// The first error.
  constexpr const error& failure() const { return failure_; }

  /// True for the name of the axis of steps.
  constexpr bool is_step(text_view name) const { return !steps_.empty() && name == steps_; }
  /// Notes the axis of steps, of which there is one at most.
  constexpr bool set_steps(const index_term& t) {
    if (!steps_.empty() && !(steps_ == t.name))
      return fail(t.offset, (text() << "a program steps along one axis: " << steps_
                                    << ", so it cannot step along " << t.name)
                                .view());
    steps_ = t.name;
    return true;
  }

  /// The atom of a reference in square brackets, or of a name alone.
  constexpr bool reference(const equation_node& n, atom_form& out) {
    out.offset = n.offset;
    out.tensor = names_.add(n.name);
    for (std::uint32_t i = 0; i < n.indices.count; ++i)
      if (!append(tree_.indices[n.indices.first + i], out, nullptr)) return false;
    return settle(out, false);
  }
  /// The atom of a relation in parentheses.
  constexpr bool relation(const equation_node& n, atom_form& out) {
    out.offset = n.offset;
    out.tensor = names_.add(n.name);
    if (n.attributes.count != 0)
      return fail(n.offset, (text() << n.name << " is a relation: it takes indices only").view());
    for (std::uint32_t i = 0; i < n.children.count; ++i) {
      term_form t;
      if (!index(tree_.nodes[child_of(tree_, n, i)], t)) return false;
      if (t.kind == term_kind::variable && is_step(t.name)) {
        out.step = t.shift;
        names_.tensors()[out.tensor].stepped = true;
      } else {
        out.terms.push_back(t);
      }
    }
    return settle(out, true);
  }
  /// The atom of the left side of a statement; `initial` tells whether it is a first step.
  constexpr bool head(const equation_statement& s, atom_form& out, bool& initial) {
    out.offset = s.offset;
    out.tensor = names_.add(s.name);
    initial = false;
    for (std::uint32_t i = 0; i < s.indices.count; ++i)
      if (!append(tree_.indices[s.indices.first + i], out, &initial)) return false;
    return settle(out, s.boolean);
  }

 private:
  // The largest position is 2^31 - 1, so that no index needs a larger number.
  static constexpr bool fits(std::int64_t n) { return n > -2147483648 && n < 2147483648; }
  constexpr bool append(const index_term& t, atom_form& out, bool* initial) {
    if (!fits(t.shift) || !fits(t.first) || !fits(t.last) || !fits(t.step))
      return fail(t.offset, "an index is a whole number below 2^31");
    if (t.kind == index_kind::initial || t.streams || is_step(t.name)) {
      if (t.kind == index_kind::initial && initial == nullptr)
        return fail(t.offset, "the first step is stated on the left side only");
      if (t.kind == index_kind::initial && t.shift != 0)
        return fail(t.offset, "the first step has the number 0");
      if (initial != nullptr) *initial = t.kind == index_kind::initial;
      out.step = t.kind == index_kind::initial ? 0 : t.shift;
      names_.tensors()[out.tensor].stepped = true;
      return true;
    }
    term_form f;
    f.name = t.name;
    f.shift = t.shift;
    f.dotted = t.dotted;
    if (t.kind == index_kind::rest)
      return fail(t.offset, "'...' stands in the definitions of operators only");
    if (t.kind == index_kind::number) f.kind = term_kind::constant;
    if (t.kind == index_kind::symbol) f.kind = term_kind::symbol;
    if (t.kind == index_kind::slice) {
      if (t.first < 0 || t.last < 0)
        return fail(t.offset, "the bounds of a slice are not negative");
      f.shift = t.first;
      f.scale = t.step;
      f.slice = true;
      if (t.has_last) f.count = t.last > t.first ? (t.last - t.first - 1) / t.step + 1 : 0;
    }
    out.terms.push_back(f);
    return true;
  }

  // An argument of a relation.
  constexpr bool index(const equation_node& n, term_form& out) {
    switch (n.kind) {
      case equation_kind::number:
        out.kind = term_kind::constant;
        return whole(n, out.shift);
      case equation_kind::negation:
        if (!index(tree_.nodes[child_of(tree_, n, 0)], out) || out.kind != term_kind::constant)
          return fail(n.offset, "an index is a name, a number or a symbol");
        out.shift = -out.shift;
        return true;
      case equation_kind::symbol:
        out.kind = term_kind::symbol;
        out.name = n.name;
        return true;
      case equation_kind::reference:
        if (n.labelled) break;
        out.name = n.name;
        return true;
      case equation_kind::sum:
      case equation_kind::difference: {
        std::int64_t by = 0;
        const equation_node& right = tree_.nodes[child_of(tree_, n, 1)];
        if (right.kind != equation_kind::number || !whole(right, by) ||
            !index(tree_.nodes[child_of(tree_, n, 0)], out))
          break;
        out.shift += n.kind == equation_kind::sum ? by : -by;
        return fits(out.shift) || fail(n.offset, "an index is a whole number below 2^31");
      }
      default:
        break;
    }
    return fail(n.offset, "an index is a name, perhaps shifted (i+1), a number or a symbol");
  }
  constexpr bool whole(const equation_node& n, std::int64_t& out) {
    if (!(n.number >= 0 && n.number < 2147483648) ||
        static_cast<double>(static_cast<std::int64_t>(n.number)) != n.number)
      return fail(n.offset, "an index is a whole number below 2^31");
    out = static_cast<std::int64_t>(n.number);
    return true;
  }

  // Compares rank and kind with what is known of the tensor.
  constexpr bool settle(const atom_form& a, bool boolean) {
    tensor_info& t = names_.tensors()[a.tensor];
    if (a.terms.size() > max_rank) return fail(a.offset, "at most 8 indices");
    if (!t.ranked) {
      t.ranked = true;
      t.rank = static_cast<std::uint32_t>(a.terms.size());
      t.boolean = boolean;
      t.offset = a.offset;
      return true;
    }
    if (t.rank != a.terms.size())
      return fail(a.offset,
                  (text() << t.name.view() << " has " << t.rank
                          << (t.rank == 1 ? " index" : " indices") << ", not " << a.terms.size())
                      .view());
    if (t.boolean != boolean)
      return fail(a.offset, (text() << t.name.view()
                                    << (t.boolean ? " is Boolean: its indices stand in ( )"
                                                  : " has values: its indices stand in [ ]"))
                                .view());
    return true;
  }

  const equation_program& tree_;
  text_view source_;
  name_table& names_;
  text_view steps_;
  error failure_;
};

}  // namespace wf::logic::detail
