// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/index_usage.hpp>

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
  constexpr bool is_defined_once(text_view name) const {
    std::uint32_t equations = 0;
    for (const equation_statement& s : tree_.statements)
      equations += s.kind == equation_statement_kind::definition && s.name == name;
    return equations == 1;
  }
  constexpr text problem(const equation_statement& s) const {
    const equation_node& root = tree_.nodes[s.root];
    const index_usage uses(tree_, s.root);
    if (uses.axes.empty()) return {};
    label_list right, left, projected, missing;
    text unmatched;
    const text line = text() << " (line " << position_at(source_, s.offset).line << ')';
    for (std::uint32_t i = 0; i < s.indices.count; ++i)
      if (const index_term& t = tree_.indices[s.indices.first + i]; !t.streams && !t.name.empty())
        add_missing(left, {&t.name, 1});
    for (const axis_use& u : uses.axes) right.push_back(u.name);
    sort_labels(right);
    sort_labels(left);
    for (const text_view name : right) {
      if (has_label(left, name)) continue;
      projected.push_back(name);
      std::size_t place = 0;
      while (!(uses.axes[place].name == name)) ++place;
      const axis_use& u = uses.axes[place];
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
};

}  // namespace wf::detail
