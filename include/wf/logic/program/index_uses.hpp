// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/forms.hpp>

namespace wf::logic::detail {

/// Lists the indices of expressions.
class index_uses {
 public:
  constexpr index_uses(const equation_program& p, const name_table& names, const form_reader& forms)
      : tree_(p), names_(names), forms_(forms) {}

  /// Appends the indices of the references and relations in an expression, with repetition.
  constexpr void collect(std::uint32_t root, table<text_view>& to) const {
    const equation_node& n = node(root);
    if (n.kind == equation_kind::reference || n.kind == equation_kind::parity)
      for (std::uint32_t i = 0; i < n.indices.count; ++i)
        if (const index_term& t = tree_.indices[n.indices.first + i]; is_variable(t))
          to.push_back(t.name);
    const bool relation = n.kind == equation_kind::call && names_.function(n) == nullptr;
    for (std::uint32_t i = 0; i < n.children.count; ++i) {
      if (relation)
        collect_argument(child(n, i), to);
      else
        collect(child(n, i), to);
    }
  }
  /// Likewise, with the indices among `indices` that stand as numbers: x in x < y.
  constexpr void collect_used(std::uint32_t root, const table<text_view>& indices,
                              table<text_view>& to) const {
    const equation_node& n = node(root);
    if (n.kind == equation_kind::reference && !n.labelled && wf::detail::has_label(indices, n.name))
      to.push_back(n.name);
    if (n.kind == equation_kind::reference || n.children.count == 0 ||
        (n.kind == equation_kind::call && names_.function(n) == nullptr))
      return collect(root, to);
    for (std::uint32_t i = 0; i < n.children.count; ++i) collect_used(child(n, i), indices, to);
  }

 private:
  constexpr const equation_node& node(std::uint32_t i) const { return tree_.nodes[i]; }
  constexpr std::uint32_t child(const equation_node& n, std::uint32_t i) const {
    return child_of(tree_, n, i);
  }
  constexpr bool is_variable(const index_term& t) const {
    return (t.kind == index_kind::axis || t.kind == index_kind::slice) && !t.streams &&
           !forms_.is_step(t.name);
  }
  constexpr void collect_argument(std::uint32_t root, table<text_view>& to) const {
    const equation_node& n = node(root);
    if (n.kind == equation_kind::reference && !n.labelled && !forms_.is_step(n.name))
      to.push_back(n.name);
    for (std::uint32_t i = 0; i < n.children.count; ++i) collect_argument(child(n, i), to);
  }

  const equation_program& tree_;
  const name_table& names_;
  const form_reader& forms_;
};

}  // namespace wf::logic::detail
