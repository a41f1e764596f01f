// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/capture/equations/tree.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/text/text.hpp>

namespace wf::detail {

/// Names of indices, in order.
using label_list = table<text_view>;

/// The position of the first equal label; the size of the list if there is none. O(labels).
constexpr std::size_t label_position(const label_list& list, text_view wanted) {
  std::size_t i = 0;
  while (i < list.size() && !(list[i] == wanted)) ++i;
  return i;
}

/// True if the list has the label. O(labels).
constexpr bool has_label(const label_list& list, text_view wanted) {
  return label_position(list, wanted) != list.size();
}

/// How often a label occurs. O(labels).
constexpr std::size_t count_label(const label_list& list, text_view wanted) {
  std::size_t found = 0;
  for (text_view l : list) found += l == wanted;
  return found;
}

/// Appends the labels that the list lacks, each once. O(labels of both, multiplied).
constexpr void add_missing(label_list& to, view<text_view> more) {
  for (text_view l : more)
    if (!has_label(to, l)) to.push_back(l);
}

/// The names of indices in a run of the program's table.
constexpr label_list names_of_indices(const equation_program& p, range r) {
  label_list out;
  out.reserve(r.count);
  for (std::uint32_t i = 0; i < r.count; ++i) out.push_back(p.indices[r.first + i].name);
  return out;
}

/// The names of the indices that a node of a program states itself: those of a reference or a
/// reduction.
constexpr label_list indices_of(const equation_program& p, const equation_node& n) {
  return names_of_indices(p, n.indices);
}

/// The node of an operand of a node, as an index into the nodes of the program.
constexpr std::uint32_t child_of(const equation_program& p, const equation_node& n,
                                 std::uint32_t i) {
  return p.children[n.children.first + i];
}

/// Appends the indices of the references in an expression, with repetition, and to `reduced`, if
/// given, those of its reductions. O(size of the expression).
constexpr void collect_indices(const equation_program& p, std::uint32_t root, label_list& out,
                               label_list* reduced = nullptr) {
  const equation_node& n = p.nodes[root];
  label_list* const into = n.kind == equation_kind::reduction ? reduced : &out;
  if (into != nullptr) into->append(indices_of(p, n));
  for (std::uint32_t i = 0; i < n.children.count; ++i)
    collect_indices(p, child_of(p, n, i), out, reduced);
}

/// Appends the indices of an expression over which no product in it sums, with repetition: those
/// that stand once in it. The operand of an operator has them, whether what surrounds the call
/// needs them or not: exp(A[i,j] + b[j]) has i and j, exp(A[i,j] b[j]) only i. `uses` says what
/// indices there are: `collect(root, list)` appends those of an expression, `is_whole(node)` is
/// true for nodes that are not looked into, `has(list, name)` finds one. O(size of the expression).
template <class Uses>
constexpr void collect_free(const equation_program& p, std::uint32_t root, const Uses& uses,
                            label_list& out) {
  const equation_node& n = p.nodes[root];
  if (uses.is_whole(n)) return uses.collect(root, out);
  label_list own;
  if (n.kind == equation_kind::product || n.kind == equation_kind::quotient) {
    uses.collect(root, own);
    for (text_view name : own)
      if (count_label(own, name) == 1) out.push_back(name);
    return;
  }
  for (std::uint32_t i = 0; i < n.children.count; ++i)
    collect_free(p, child_of(p, n, i), uses, own);
  const label_list reduced = n.kind == equation_kind::reduction ? indices_of(p, n) : label_list();
  for (text_view name : own)
    if (!uses.has(reduced, name)) out.push_back(name);
}

/// The indices of the references of a program, for `collect_free`.
struct reference_uses {
  const equation_program& program;  ///< must outlive this

  /// Appends those of an expression.
  constexpr void collect(std::uint32_t root, label_list& out) const {
    collect_indices(program, root, out);
  }
  /// True for nodes without operands.
  static constexpr bool is_whole(const equation_node& n) { return n.children.count == 0; }
  /// True if an index is in a list.
  static constexpr bool has(const label_list& list, text_view name) {
    return has_label(list, name);
  }
};

/// True for products and quotients of names and numbers alone. O(size of the expression).
constexpr bool is_monomial(const equation_program& p, std::uint32_t root) {
  const equation_node& n = p.nodes[root];
  if (n.kind != equation_kind::product && n.kind != equation_kind::quotient)
    return n.kind == equation_kind::reference || n.kind == equation_kind::number;
  return is_monomial(p, child_of(p, n, 0)) && is_monomial(p, child_of(p, n, 1));
}

/// A violation of the rules of indices, by its message and its offset in the source in characters;
/// without a message there is none.
struct index_problem {
  std::uint32_t offset = 0;
  text message;
};

/// Checks each term of a sum: an index that stands in it once is on the left side (`head`) or in a
/// reduction.
constexpr index_problem check_terms(const equation_program& p, std::uint32_t root,
                                    const label_list& head) {
  const equation_node& n = p.nodes[root];
  if (n.kind == equation_kind::sum || n.kind == equation_kind::difference ||
      n.kind == equation_kind::negation) {
    for (std::uint32_t i = 0; i < n.children.count; ++i)
      if (index_problem found = check_terms(p, child_of(p, n, i), head); !found.message.empty())
        return found;
    return {};
  }
  label_list all, reduced;
  collect_indices(p, root, all, &reduced);
  for (text_view index : all)
    if (count_label(all, index) == 1 && !has_label(head, index) && !has_label(reduced, index))
      return {n.offset, text() << "index " << index << " stands only here: sum over it with "
                               << "reduce(sum, " << index << "), or put it on the left"};
  return {};
}

/// Checks a definition: every index of its left side (`head`) occurs on the right, and every other
/// one twice in its term, or in a reduction, unless the sign says what becomes of it (`plain` is
/// false). O(n^2) for n indices.
constexpr index_problem check_indices(const equation_program& p, const equation_statement& s,
                                      const label_list& head, bool plain = true) {
  label_list all;
  collect_indices(p, s.root, all);
  for (text_view index : head)
    if (!all.empty() && !has_label(all, index))
      return {s.offset,
              text() << "index " << index << " of " << s.name << " is not on the right side"};
  if (!plain) return {};
  return check_terms(p, s.root, head);
}

}  // namespace wf::detail
