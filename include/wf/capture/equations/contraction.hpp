// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/indices.hpp>
#include <wf/capture/functions/operators.hpp>
#include <wf/contraction/exact_search.hpp>
#include <wf/contraction/network.hpp>
#include <wf/contraction/order.hpp>
#include <wf/registry/domain/einsum.hpp>
#include <wf/registry/domain/movement.hpp>

namespace wf::detail {

/// A captured tensor with index names for its dimensions, or a number not yet captured.
struct tensor_value {
  value_id id = value_id::none;
  bool is_number = false;
  double number = 0;
  bool labelled = false;    ///< false: a whole tensor without index names
  table<text_view> labels;  ///< one name per dimension, all distinct
};

/// Lowers products and sums of tensors with named dimensions to the operators that fit best. They
/// are added to a `graph_capture`, or to a type with its members `apply`, `type_of`, `captured`,
/// `derived_extent` and `fail`.
template <class Capture>
class tensor_lowering {
 public:
  constexpr explicit tensor_lowering(Capture& to) : capture_(to) {}

  /// Appends an operator on two values.
  constexpr tensor_value apply(const captured_kernel& k, view<attribute_value> attributes,
                               const tensor_value& a, const tensor_value& b, bool labelled,
                               const node_location& at) {
    const value_id ids[2] = {a.id, b.id};
    tensor_value out;
    out.id = capture_.apply(k, attributes, {ids, 2}, {}, at);
    out.labelled = labelled || capture_.type_of(out.id).shape.rank == 0;
    return out;
  }
  /// Appends an operator on one value.
  constexpr value_id apply(const captured_kernel& k, view<attribute_value> attributes,
                           const tensor_value& a, const node_location& at) {
    return capture_.apply(k, attributes, {&a.id, 1}, {}, at);
  }

  /// Keeps one dimension of each name: `A[i,i]` is a diagonal.
  constexpr void diagonal(tensor_value& v, const node_location& at) {
    label_list once;
    for (text_view l : v.labels)
      if (!has_label(once, l)) once.push_back(l);
    if (once.size() != v.labels.size()) rearrange(v, once, at);
  }

  /// Permutes the dimensions to the order of `target`, which has the same names.
  constexpr void permute(tensor_value& v, const label_list& target, const node_location& at) {
    if (v.labels.size() != target.size() || equal(v.labels, target)) return;
    if (target.size() == 2) {
      v.id = apply(captured<kernels::transpose>, {}, v, at);
      v.labels = target;
    } else {
      rearrange(v, target, at);
    }
  }

  /// Reshapes a value to extents with the same number of elements.
  constexpr void reshape(tensor_value& v, view<extent> extents, const node_location& at) {
    attribute_value attributes[max_rank];
    for (std::size_t i = 0; i < extents.size(); ++i)
      attributes[i] = attribute_value::dimension(stated_extent_names[i], extents[i]);
    v.id = apply(captured<kernels::reshape>, {attributes, extents.size()}, v, at);
  }

  /// Sums over the dimensions not in `needed`, the last first.
  constexpr void project(tensor_value& v, const label_list& needed, const node_location& at) {
    label_list over;
    for (text_view l : v.labels)
      if (!has_label(needed, l)) over.push_back(l);
    reduce(v, over, captured<kernels::reduce_sum>, at);
  }
  /// Reduces over the dimensions with given names, the last first.
  constexpr void reduce(tensor_value& v, const label_list& over, const captured_kernel& k,
                        const node_location& at) {
    if (!over.empty() && over.size() == v.labels.size()) {
      v.id = apply(k, {}, v, at);
      v.labels = {};
      return;
    }
    for (std::size_t d = v.labels.size(); d-- > 0;) {
      if (!has_label(over, v.labels[d])) continue;
      const attribute_value axis = attribute_value::integer("axis", static_cast<std::int64_t>(d));
      v.id = apply(k, {&axis, 1}, v, at);
      label_list rest;
      for (std::size_t i = 0; i < v.labels.size(); ++i)
        if (i != d) rest.push_back(v.labels[i]);
      v.labels = static_cast<label_list&&>(rest);
    }
  }

  /// Appends an elementwise operator on values with named dimensions: the result has the union of
  /// the dimensions, first those of the operand with more of them (the left one on a tie), in its
  /// order.
  constexpr tensor_value elementwise(const captured_kernel& k, tensor_value a, tensor_value b,
                                     const node_location& at) {
    const bool right_first = a.labels.size() < b.labels.size();
    label_list all = right_first ? b.labels : a.labels;
    for (text_view l : right_first ? a.labels : b.labels)
      if (!has_label(all, l)) all.push_back(l);
    align(a, all, at);
    align(b, all, at);
    tensor_value out = apply(k, {}, a, b, true, at);
    out.labels = all;
    return out;
  }

  /// The product of two values, summed over the shared names that are not in `needed`.
  constexpr tensor_value contract(tensor_value a, tensor_value b, const label_list& needed,
                                  const node_location& at) {
    label_list shared, summed;
    for (text_view l : a.labels)
      if (has_label(b.labels, l)) {
        shared.push_back(l);
        if (!has_label(needed, l)) summed.push_back(l);
      }
    if (summed.empty()) return elementwise(captured<kernels::multiply>, a, b, at);
    if (shared.size() == a.labels.size() && shared.size() == b.labels.size()) {
      tensor_value out = elementwise(captured<kernels::multiply>, a, b, at);
      reduce(out, summed, captured<kernels::reduce_sum>, at);
      return out;
    }
    if (tensor_value out; summed.size() == 1 && as_matrices(a, b, shared, summed[0], at, out))
      return out;
    return einsum(a, b, summed, at);
  }

  /// True if contracting these index lists from the left exceeds the maximum rank.
  static constexpr bool is_too_wide(view<label_list> factors, const label_list& needed) {
    label_list made;
    for (std::size_t k = 0; k < factors.size(); ++k) {
      const label_list& own = factors[k];
      label_list kept = needed, all = made;
      for (std::size_t i = k + 1; i < factors.size(); ++i) add_missing(kept, factors[i]);
      add_missing(all, own);
      label_list left;
      for (text_view l : all) {
        bool shared = false;
        for (text_view other : own) shared = shared || other == l;
        if (has_label(kept, l) || !shared || !has_label(made, l)) left.push_back(l);
      }
      if (left.size() > max_rank) return true;
      made = left;
    }
    return false;
  }

  /// The product of several values, summed over the names that are not in `needed`, in the order of
  /// least flops among those whose tensors stay within the maximum rank; an extent that is not
  /// fixed counts as 2. False if there is no such order. O(3^values).
  constexpr bool contract_in_best_order(table<tensor_value> tensors, const label_list& needed,
                                        const node_location& at, tensor_value& out) {
    label_list names;
    tensor_network network;
    for (tensor_value& v : tensors) {
      project(v, needed_of(tensors, needed, v), at);
      table<std::uint32_t> indices;
      const shape s = capture_.type_of(v.id).shape;
      for (std::uint32_t d = 0; d < v.labels.size(); ++d) {
        const auto i = static_cast<std::uint32_t>(label_position(names, v.labels[d]));
        indices.push_back(i);
        if (i < names.size()) continue;
        names.push_back(v.labels[d]);
        network.extents.push_back(s[d].is_fixed() ? static_cast<double>(s[d].size()) : 2);
        if (has_label(needed, v.labels[d])) network.output.push_back(i);
      }
      network.add_operand(indices);
    }
    const auto order = best_contraction(network, {contraction_count::operators, max_rank});
    if (!order) return false;
    for (const contraction_step& s : order->steps) {
      const tensor_value a = tensors[s.left], b = tensors[s.right];
      tensors[s.left].labels.clear();
      tensors[s.right].labels.clear();
      tensors.push_back(contract(a, b, needed_of(tensors, needed, a), at));
    }
    out = tensors[tensors.size() - 1];
    return true;
  }

 private:
  // The names of a tensor to keep: those needed and those of the other tensors.
  static constexpr label_list needed_of(const table<tensor_value>& tensors,
                                        const label_list& needed, const tensor_value& without) {
    label_list out = needed;
    for (const tensor_value& v : tensors)
      if (&v != &without) add_missing(out, v.labels);
    return out;
  }
  static constexpr bool equal(const label_list& a, const label_list& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }
  // Prepares a value for broadcasting to the dimensions `all`: same order, and extents of one for
  // missing dimensions before the last present one.
  constexpr void align(tensor_value& v, const label_list& all, const node_location& at) {
    label_list own;
    for (text_view l : all)
      if (has_label(v.labels, l)) own.push_back(l);
    permute(v, own, at);
    std::size_t first = 0;
    while (first < all.size() && !own.empty() && !(all[first] == own[0])) ++first;
    if (own.empty() || all.size() - first == own.size()) return;
    const shape s = capture_.type_of(v.id).shape;
    extent extents[max_rank];
    std::uint32_t d = 0;
    const std::size_t rank = all.size() - first < max_rank ? all.size() - first : max_rank;
    for (std::size_t i = 0; i < rank; ++i) {
      const bool has = d < own.size() && all[first + i] == own[d];
      extents[i] = has ? s[d] : extent(1);
      d += has;
    }
    reshape(v, {extents, rank}, at);
    v.labels = own;
  }

  constexpr void transposed(tensor_value& v, bool wanted, const node_location& at) {
    if (!wanted) return;
    v.id = apply(captured<kernels::transpose>, {}, v, at);
    const std::size_t n = v.labels.size();
    const text_view last = v.labels[n - 1];
    v.labels[n - 1] = v.labels[n - 2];
    v.labels[n - 2] = last;
  }

  // Tries (stacks of) matrix products and matrix-vector products, with transposes only.
  constexpr bool as_matrices(tensor_value& a, tensor_value& b, const label_list& shared,
                             text_view summed, const node_location& at, tensor_value& out) {
    const std::size_t ranks[2] = {a.labels.size(), b.labels.size()};
    const std::size_t stacked = shared.size() - 1;
    if (stacked == 0 && ranks[0] + ranks[1] == 3) return as_vector_product(a, b, summed, at, out);
    if (ranks[0] < 2 || ranks[1] < 2) return false;
    const bool plain_right = stacked == 0 && ranks[1] == 2;  // the right operand broadcasts
    if (!plain_right && (ranks[0] != stacked + 2 || ranks[1] != stacked + 2)) return false;
    for (std::size_t i = 0; i < stacked; ++i)
      if (!(a.labels[i] == b.labels[i]) || a.labels[i] == summed) return false;
    const std::size_t at_left = label_position(a.labels, summed),
                      at_right = label_position(b.labels, summed);
    if (at_left + 2 < ranks[0] || at_right + 2 < ranks[1]) return false;
    transposed(a, at_left + 1 != ranks[0], at);
    transposed(b, at_right + 2 != ranks[1], at);
    out = apply(captured<kernels::matmul>, {}, a, b, true, at);
    for (std::size_t i = 0; i + 1 < ranks[0]; ++i) out.labels.push_back(a.labels[i]);
    out.labels.push_back(b.labels[ranks[1] - 1]);
    return true;
  }
  constexpr bool as_vector_product(tensor_value& a, tensor_value& b, text_view summed,
                                   const node_location& at, tensor_value& out) {
    tensor_value& matrix = a.labels.size() == 2 ? a : b;
    tensor_value& vector = a.labels.size() == 2 ? b : a;
    transposed(matrix, matrix.labels[0] == summed, at);
    out = apply(captured<kernels::matvec>, {}, matrix, vector, true, at);
    out.labels.push_back(matrix.labels[0]);
    return true;
  }

  // Appends letters, assigned in the order of appearance.
  static constexpr void write(text& equation, label_list& letters, const label_list& labels) {
    for (text_view l : labels) {
      const std::size_t i = label_position(letters, l);
      if (i == letters.size()) letters.push_back(l);
      equation << static_cast<char>(i < 26 ? 'a' + static_cast<int>(i)
                                           : 'A' + static_cast<int>(i) - 26);
    }
  }

  constexpr tensor_value einsum(const tensor_value& a, const tensor_value& b,
                                const label_list& summed, const node_location& at) {
    label_list letters, kept;
    for (const tensor_value* v : {&a, &b})
      for (text_view l : v->labels)
        if (!has_label(summed, l) && !has_label(kept, l)) kept.push_back(l);
    text equation;
    write(equation, letters, a.labels);
    equation << ',';
    write(equation, letters, b.labels);
    equation << "->";
    write(equation, letters, kept);
    const attribute_value attributes[] = {attribute_value::string("equation", equation.view()),
                                          attribute_value::dimension("points", points(a, b))};
    tensor_value out = apply(captured<kernels::einsum>, {attributes, 2}, a, b, true, at);
    out.labels = kept;
    return out;
  }
  // The product of the extents of all distinct names.
  constexpr extent points(const tensor_value& a, const tensor_value& b) {
    std::int64_t fixed = 1;
    polynomial symbolic(1);
    bool is_fixed = true, fits = true, known = true;
    const graph_view g = capture_.captured();
    for (const tensor_value* v : {&a, &b})
      for (std::size_t i = 0; i < v->labels.size(); ++i) {
        if (v == &b && has_label(a.labels, v->labels[i])) continue;
        const extent e = capture_.type_of(v->id).shape[static_cast<std::uint32_t>(i)];
        polynomial factor(1);
        is_fixed = is_fixed && e.is_fixed();
        fits = fits && is_fixed && checked_multiply(fixed, e.size(), fixed);
        known = known && polynomial_of(e, &g, factor) &&
                multiply(symbolic, factor, symbolic) == errc::none;
      }
    if (fits) return extent(fixed);
    if (known && !is_fixed) return capture_.derived_extent(to_text(symbolic).view());
    capture_.fail(
        make_error(errc::overflow, "einsum", "the number of products does not fit 63 bits"));
    return extent(1);
  }

  constexpr void rearrange(tensor_value& v, const label_list& target, const node_location& at) {
    label_list letters;
    text equation;
    write(equation, letters, v.labels);
    equation << "->";
    write(equation, letters, target);
    const attribute_value a = attribute_value::string("equation", equation.view());
    v.id = apply(captured<kernels::rearrange>, {&a, 1}, v, at);
    v.labels = target;
  }

  Capture& capture_;
};

}  // namespace wf::detail
