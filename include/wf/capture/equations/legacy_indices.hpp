// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/calls.hpp>
#include <wf/capture/equations/indices.hpp>

namespace wf::detail {

/// Checks the indices of a legacy program, by their names alone: that each one of the left side
/// stands on the right, where a head with several equations may repeat others' values, and that
/// each other one stands there twice, or is projected by `max=`, `avg=` or a reduction. Axes that
/// are stepped through are not looked at, nor is a right side without indices.
class legacy_index_check {
 public:
  constexpr legacy_index_check(const equation_program& p, text_view source)
      : tree_(p), source_(source) {}

  /// The first error, or none. O(size of the program · indices of an equation).
  constexpr error run() {
    for (const equation_statement& s : tree_.statements)
      if (s.kind == equation_statement_kind::definition)
        if (const text message = problem(s); !message.empty())
          return make_error(errc::bad_equation, "", message.view(), position_at(source_, s.offset));
    return {};
  }

 private:
  /// An axis on the right side.
  struct axis_use {
    text_view name;
    std::uint32_t count = 0;
    label_list sources;    // who has it
    bool reduced = false;  // an operator takes it away
  };

  constexpr axis_use& use_of(text_view name) {
    for (axis_use& u : uses_)
      if (u.name == name) return u;
    uses_.push_back({name, 0, {}, false});
    return uses_.back();
  }
  constexpr void count(const index_term& t, text_view of) {
    if (t.streams || t.name.empty() || t.kind >= index_kind::symbol) return;
    axis_use& u = use_of(t.name);
    ++u.count;
    add_missing(u.sources, {&of, 1});
  }
  constexpr void collect(const equation_node& n) {
    if (n.kind == equation_kind::reference || n.kind == equation_kind::parity)
      for (std::uint32_t i = 0; i < n.indices.count; ++i)
        count(tree_.indices[n.indices.first + i], n.name);
    const bool relation = n.kind == equation_kind::call && !is_function(n.name);
    for (std::uint32_t i = 0; i < n.children.count; ++i) {
      const equation_node& child = tree_.nodes[child_of(tree_, n, i)];
      if (relation)
        argument(child, n.name);
      else
        collect(child);
    }
    if (n.kind == equation_kind::call) reduce(n);
  }
  // An argument of a relation.
  constexpr void argument(const equation_node& n, text_view of) {
    index_term t;
    t.name = n.name;
    if (n.kind == equation_kind::reference && !n.labelled) count(t, of);
    if (n.kind == equation_kind::entry) count(tree_.indices[n.indices.first], of);
    if (n.kind == equation_kind::sum || n.kind == equation_kind::difference)
      argument(tree_.nodes[child_of(tree_, n, 0)], of);
  }
  static constexpr bool is_function(text_view name) {
    if (is_equation_function(name)) return true;
    for (const renamed_function& known : renamed_functions)
      if (known.operator_name == name) return true;
    return false;
  }
  // A reduction takes away the axis that it names, or one that nothing else has.
  constexpr void reduce(const equation_node& n) {
    if (!(n.name == "max" || n.name == "mean" || n.name == "sum")) return;
    for (std::uint32_t i = 0; i < n.attributes.count; ++i) {
      const attribute_value& a = tree_.attributes[n.attributes.first + i];
      for (axis_use& u : uses_)
        if (a.name == "axis" && (a.kind != attribute_kind::string || a.characters == u.name))
          u.reduced = true;
    }
  }

  constexpr bool is_defined_once(text_view name) const {
    std::uint32_t equations = 0;
    for (const equation_statement& s : tree_.statements)
      equations += s.kind == equation_statement_kind::definition && s.name == name;
    return equations == 1;
  }
  constexpr text problem(const equation_statement& s) {
    uses_.clear();
    const equation_node& root = tree_.nodes[s.root];
    collect(root);
    if (uses_.empty()) return {};
    label_list right, left, projected, missing;
    text unmatched;
    const text line = text() << " (line " << position_at(source_, s.offset).line << ')';
    for (std::uint32_t i = 0; i < s.indices.count; ++i)
      if (const index_term& t = tree_.indices[s.indices.first + i]; !t.streams && !t.name.empty())
        add_missing(left, {&t.name, 1});
    for (const axis_use& u : uses_) right.push_back(u.name);
    sort(right);
    sort(left);
    for (const text_view name : right) {
      if (has_label(left, name)) continue;
      projected.push_back(name);
      const axis_use& u = use_of(name);
      const bool alone = u.count == 1 || root.kind == equation_kind::reference;
      if (!alone || u.reduced || s.projection != projection::plain) continue;
      unmatched << (unmatched.empty() ? ". unmatched RHS indices " : "; ") << name << " from ";
      for (std::size_t i = 0; i < u.sources.size(); ++i)
        unmatched << (i == 0 ? "" : ", ") << u.sources[i];
      unmatched << line.view();
    }
    for (const text_view name : left)
      if (!has_label(right, name) && is_defined_once(s.name)) missing.push_back(name);
    if (unmatched.empty() && missing.empty()) return {};
    text out;
    out << s.name << ": RHS joins on " << listed(right, s).view() << ", projects "
        << listed(projected, s).view() << ", but LHS expects " << listed(left, s).view();
    for (std::size_t i = 0; i < missing.size(); ++i)
      out << (i == 0 ? ". missing indices " : "; ") << shown(missing[i], s).view()
          << " expected on " << s.name << line.view();
    return out << unmatched.view() << '.';
  }

  static constexpr void sort(label_list& names) {
    for (std::size_t i = 1; i < names.size(); ++i)
      for (std::size_t k = i; k > 0 && is_before(names[k], names[k - 1]); --k) {
        const text_view first = names[k];
        names[k] = names[k - 1];
        names[k - 1] = first;
      }
  }
  // By code points, which UTF-8 keeps.
  static constexpr bool is_before(text_view a, text_view b) {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
      if (a[i] != b[i]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[i]);
    return a.size() < b.size();
  }
  // A name with a prime if it is dotted on the left side.
  constexpr text shown(text_view name, const equation_statement& s) const {
    text out(name);
    for (std::uint32_t i = 0; i < s.indices.count; ++i)
      if (const index_term& t = tree_.indices[s.indices.first + i]; t.dotted && t.name == name)
        return out << "\xE2\x80\xB2";
    return out;
  }
  constexpr text listed(const label_list& names, const equation_statement& s) const {
    text out("{");
    for (std::size_t i = 0; i < names.size(); ++i)
      out << (i == 0 ? "" : ", ") << shown(names[i], s).view();
    if (names.empty()) out << "\xE2\x88\x85";
    return out << '}';
  }

  const equation_program& tree_;
  text_view source_;
  table<axis_use> uses_;
};

}  // namespace wf::detail
