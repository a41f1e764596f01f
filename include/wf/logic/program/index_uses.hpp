// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/forms.hpp>

namespace wf::logic::detail {

/// Lists the indices of expressions.
class index_uses {
 public:
  constexpr index_uses(const equation_program& p, const name_table& names, const form_reader& forms)
      : tree_(p), names_(names), forms_(forms) {}

  /// True if an index is in a list; `_` is another index wherever it stands.
  static constexpr bool has(const table<text_view>& list, text_view wanted) {
    return !(wanted == "_") && wf::detail::has_label(list, wanted);
  }
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
    if (is_whole(n)) return collect(root, to);
    for (std::uint32_t i = 0; i < n.children.count; ++i) collect_used(child(n, i), indices, to);
  }
  /// True for nodes whose operands are not expressions: leaves and relations.
  constexpr bool is_whole(const equation_node& n) const {
    return n.children.count == 0 ||
           (n.kind == equation_kind::call && names_.function(n) == nullptr);
  }
  /// Appends the indices of an expression over which no product in it sums, with repetition.
  constexpr void collect_free(std::uint32_t root, table<text_view>& to) const {
    wf::detail::collect_free(tree_, root, *this, to);
  }
  /// The indices that the operand of an operator has, if what surrounds the call needs `needed`.
  constexpr table<text_view> needed_in(std::uint32_t operand,
                                       const table<text_view>& needed) const {
    table<text_view> out = needed;
    collect_free(operand, out);
    return out;
  }
  /// True if an expression sums over nothing: it can be computed for one binding of `needed`.
  constexpr bool is_pointwise(std::uint32_t root, const table<text_view>& needed) const {
    const equation_node& n = node(root);
    if (n.kind == equation_kind::reduction || n.kind == equation_kind::complement ||
        n.kind == equation_kind::comparison || n.kind == equation_kind::symbol ||
        n.kind > equation_kind::parity ||
        (n.kind == equation_kind::call && !name_table::is_elementwise(names_.function(n))))
      return false;
    if (n.kind == equation_kind::reference) {
      table<text_view> own;
      collect(root, own);
      for (text_view name : own)
        if (!has(needed, name)) return false;
      return true;
    }
    for (std::uint32_t i = 0; i < n.children.count; ++i) {
      const std::uint32_t part = child(n, i);
      if (!(n.kind == equation_kind::call ? is_pointwise(part, needed_in(part, needed))
                                          : is_pointwise(part, needed)))
        return false;
    }
    return true;
  }
  /// True if an expression sums, and does not depend on some index of the head whose terms are
  /// given: the sum is the same for all positions along it. `indices` are those of the definition.
  constexpr bool repeats_sum(std::uint32_t root, const table<text_view>& indices,
                             const table<term_form>& head) const {
    table<text_view> used, own;
    collect_used(root, indices, used);
    bool repeats = false, sums = false;
    for (const term_form& t : head) {
      own.push_back(t.name);
      repeats = repeats || (t.kind == term_kind::variable && !has(used, t.name));
    }
    for (text_view name : used) sums = sums || !has(own, name);
    return repeats && sums;
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
