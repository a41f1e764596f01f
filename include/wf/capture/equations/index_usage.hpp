// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/calls.hpp>
#include <wf/capture/equations/indices.hpp>

namespace wf::detail {

/// An axis on the right side of an equation.
struct axis_use {
  text_view name;
  std::uint32_t count = 0;  ///< how often it stands there
  label_list sources;       ///< the tensors and relations that have it
  bool reduced = false;     ///< an operator takes it away
};

/// The axes on the right side of an equation, by names alone, in the order in which they are met.
/// Axes that are stepped through are left out.
class index_usage {
 public:
  /// Of an expression. O(size · axes).
  constexpr index_usage(const equation_program& p, std::uint32_t root) : tree_(p) {
    collect(p.nodes[root]);
  }

  table<axis_use> axes;

 private:
  constexpr axis_use& use_of(text_view name) {
    for (axis_use& u : axes)
      if (u.name == name) return u;
    axes.push_back({name, 0, {}, false});
    return axes.back();
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
    if (n.kind == equation_kind::reduction)
      for (axis_use& u : axes) u.reduced = u.reduced || has_label(indices_of(tree_, n), u.name);
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
      for (axis_use& u : axes)
        if (a.name == "axis" && (a.kind != attribute_kind::string || a.characters == u.name))
          u.reduced = true;
    }
  }

  const equation_program& tree_;
};

/// Sorts names by code points, which UTF-8 keeps.
constexpr void sort_labels(label_list& names) {
  const auto is_before = [](text_view a, text_view b) {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
      if (a[i] != b[i]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[i]);
    return a.size() < b.size();
  };
  for (std::size_t i = 1; i < names.size(); ++i)
    for (std::size_t k = i; k > 0 && is_before(names[k], names[k - 1]); --k) {
      const text_view first = names[k];
      names[k] = names[k - 1];
      names[k - 1] = first;
    }
}

}  // namespace wf::detail
