// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/graph/choice_graph.hpp>
#include <wf/contraction/network.hpp>
#include <wf/registry/domain/einsum.hpp>
#include <wf/registry/domain/elementwise.hpp>
#include <wf/registry/domain/linalg/diagonal.hpp>
#include <wf/registry/domain/linalg/product.hpp>
#include <wf/registry/domain/linalg/transpose.hpp>
#include <wf/registry/domain/linalg/vector.hpp>
#include <wf/registry/domain/movement.hpp>
#include <wf/registry/einsum_equation.hpp>

namespace wf::transforms::detail {

// The part of an operator in a contraction, a product of tensors summed over indices.
enum class contraction_part : std::uint8_t {
  none,
  equation,  // by the letters of its attribute `equation`
  matmul,
  matvec,
  dot,
  outer,
  multiply,
  sum,
  transpose,
  permute,
  reshape,
  diagonal,
  trace
};

constexpr contraction_part contraction_part_of(std::uint64_t hash, text_view name) {
  struct row {
    std::uint64_t hash;
    text_view name;
    contraction_part part;
  };
  constexpr row rows[] = {
      {hash_text(kernels::einsum.name), kernels::einsum.name, contraction_part::equation},
      {hash_text(kernels::rearrange.name), kernels::rearrange.name, contraction_part::equation},
      {hash_text(kernels::matmul.name), kernels::matmul.name, contraction_part::matmul},
      {hash_text(kernels::matvec.name), kernels::matvec.name, contraction_part::matvec},
      {hash_text(kernels::dot.name), kernels::dot.name, contraction_part::dot},
      {hash_text(kernels::outer.name), kernels::outer.name, contraction_part::outer},
      {hash_text(kernels::multiply.name), kernels::multiply.name, contraction_part::multiply},
      {hash_text(kernels::reduce_sum.name), kernels::reduce_sum.name, contraction_part::sum},
      {hash_text(kernels::transpose.name), kernels::transpose.name, contraction_part::transpose},
      {hash_text(kernels::permute.name), kernels::permute.name, contraction_part::permute},
      {hash_text(kernels::reshape.name), kernels::reshape.name, contraction_part::reshape},
      {hash_text(kernels::diagonal.name), kernels::diagonal.name, contraction_part::diagonal},
      {hash_text(kernels::trace.name), kernels::trace.name, contraction_part::trace}};
  for (const row& r : rows)
    if (r.hash == hash && r.name == name) return r.part;
  return contraction_part::none;
}

constexpr einsum_equation equation_of(const choice_graph& c, node_id id) {
  const graph_view g = c.view();
  const attribute* const a = g.find_attribute(g[id], "equation");
  return {a == nullptr ? text_view() : g.text_of(a->characters)};
}

// True if a letter occurs twice in the result: building a diagonal matrix is no product of the
// operands.
constexpr bool repeats_letter(text_view letters) {
  for (std::size_t i = 0; i < letters.size(); ++i)
    if (letters.find(letters[i]) < i) return true;
  return false;
}

constexpr bool has_fixed_extents(const shape& s) {
  for (std::uint32_t d = 0; d < s.rank; ++d)
    if (!s[d].is_fixed() || s[d].size() < 1) return false;
  return s.has_rank();
}

// True if two shapes differ only in dimensions of extent 1.
constexpr bool same_but_for_units(const shape& a, const shape& b) {
  std::uint32_t i = 0, j = 0;
  while (true) {
    while (i < a.rank && a[i] == extent(1)) ++i;
    while (j < b.rank && b[j] == extent(1)) ++j;
    if (i == a.rank || j == b.rank) return i == a.rank && j == b.rank;
    if (!(a[i++] == b[j++])) return false;
  }
}

// True if a node of the workflow itself is a contraction of its operands.
constexpr bool is_contraction(const choice_graph& c, node_id id) {
  if (c.origin_of(id) != origin_id::captured || c.is_fixed(id)) return false;
  const contraction_part part = contraction_part_of(c.op_hash(id), c.view().op_name(c.view()[id]));
  if (part == contraction_part::none) return false;
  const value_type& made = c.type_of(c.result_of(id));
  if (!has_fixed_extents(made.shape)) return false;
  for (value_id operand : c.inputs_of(id))
    if (c.type_of(operand).type != made.type || !has_fixed_extents(c.type_of(operand).shape))
      return false;
  if (part == contraction_part::equation) {
    const einsum_equation equation = equation_of(c, id);
    return equation.has_result() && !repeats_letter(equation.result());
  }
  if (part == contraction_part::reshape)
    return same_but_for_units(c.type_of(c.inputs_of(id)[0]).shape, made.shape);
  return true;
}

// True if a node multiplies by a scalar.
constexpr bool is_scaling(const choice_graph& c, node_id id) {
  if (!c.applies(id, kernels::multiply)) return false;
  bool scales = false;
  for (value_id operand : c.inputs_of(id)) scales = scales || c.type_of(operand).shape.rank == 0;
  return scales;
}

// True unless a contraction has only matrices, vectors and a scalar, whose orders other transforms
// find.
constexpr bool is_of_tensors(const choice_graph& c, node_id id) {
  if (c.applies(id, kernels::einsum) || c.applies(id, kernels::reduce_sum)) return true;
  if (c.applies(id, kernels::matmul)) return c.type_of(c.result_of(id)).shape.rank > 2;
  if (!c.applies(id, kernels::multiply)) return false;
  if (!is_scaling(c, id)) return true;
  for (value_id operand : c.inputs_of(id))
    for (node_id inner : c.candidates_of(operand))
      if (c.origin_of(inner) == origin_id::captured && is_scaling(c, inner)) return true;
  return false;
}

// Number of reads of a value by nodes of the workflow.
constexpr std::uint32_t uses_of(const choice_graph& c, value_id id) {
  std::uint32_t uses = 0;
  table<node_id> seen;
  for (node_id reader : c.readers_of(id)) {
    bool is_new = c.origin_of(reader) == origin_id::captured;
    for (node_id other : seen) is_new = is_new && other != reader;
    if (!is_new) continue;
    seen.push_back(reader);
    for (value_id operand : c.inputs_of(reader)) uses += operand == c.representative(id) ? 1 : 0;
  }
  return uses;
}

// Flattens a value to one contraction: the workflow's operators that compute it, expanded until an
// operand is no contraction. Each expansion has its own summed indices. Dimensions of extent 1 have
// no index.
class contraction_reader {
 public:
  // Expands to at most `most` tensors; also values with other uses if `through_shared`.
  constexpr contraction_reader(const choice_graph& c, std::size_t most, bool through_shared)
      : choices_(c), most_(most), through_shared_(through_shared) {}

  // Returns false if there are too many tensors.
  constexpr bool read(value_id root) {
    root_ = choices_.class_of(root);
    dimensions all;
    const shape& s = choices_.type_of(root).shape;
    for (std::uint32_t d = 0; d < s.rank; ++d) {
      all.add(fresh(s[d]));
      if (all.of[d] != unit) network_.output.push_back(all.of[d]);
    }
    return visit(root, all);
  }
  // Its indices, and the values that are its operands.
  constexpr const tensor_network& network() const { return network_; }
  constexpr const table<value_id>& tensors() const { return tensors_; }
  // The first operator that is no matrix operator; none if there is none.
  constexpr node_id first() const { return first_; }
  // True if an expanded or expandable value has other uses.
  constexpr bool met_shared() const { return met_shared_; }

 private:
  static constexpr std::uint32_t unit = 0xffffffff;  // the index of a dimension of extent 1
  // The index of each dimension of a tensor.
  struct dimensions {
    std::uint32_t of[max_rank] = {};
    std::uint32_t rank = 0;
    constexpr void add(std::uint32_t index) { of[rank++] = index; }
  };

  constexpr std::uint32_t fresh(extent e) {
    if (e.size() == 1) return unit;
    network_.extents.push_back(static_cast<double>(e.size()));
    return static_cast<std::uint32_t>(network_.extents.size() - 1);
  }
  constexpr const shape& shape_of(value_id id) const { return choices_.type_of(id).shape; }

  constexpr bool visit(value_id value, const dimensions& all) {
    const node_id id = opened(value);
    if (id == node_id::none) {
      table<std::uint32_t> own;
      for (std::uint32_t d = 0; d < all.rank; ++d)
        if (all.of[d] != unit) own.push_back(all.of[d]);
      network_.add_operand(own);
      tensors_.push_back(value);
      return tensors_.size() <= most_;
    }
    if (first_ == node_id::none && is_of_tensors(choices_, id)) first_ = id;
    path_.push_back(choices_.class_of(value));
    dimensions operands[2];
    open(id, all, operands);
    bool fits = true;
    for (std::size_t i = 0; i < choices_.inputs_of(id).size() && fits; ++i)
      fits = visit(choices_.inputs_of(id)[i], operands[i]);
    path_.pop_back();
    return fits;
  }
  // The contraction node that expands a value; none if the value stays an operand.
  constexpr node_id opened(value_id value) {
    const std::uint32_t home = choices_.class_of(value);
    for (std::uint32_t above : path_)
      if (above == home) return node_id::none;
    for (node_id id : choices_.candidates_of(value)) {
      if (!is_contraction(choices_, id)) continue;
      if (home == root_ || !(choices_.is_output(value) || uses_of(choices_, value) > 1)) return id;
      met_shared_ = true;
      return through_shared_ ? id : node_id::none;
    }
    return node_id::none;
  }

  // Computes the indices of the operands of a node whose result has the indices `all`.
  constexpr void open(node_id id, const dimensions& all, dimensions* to) {
    const view<value_id> in = choices_.inputs_of(id);
    switch (
        contraction_part_of(choices_.op_hash(id), choices_.view().op_name(choices_.view()[id]))) {
      case contraction_part::none:
        return;
      case contraction_part::equation:
        return open_equation(id, all, to);
      case contraction_part::matmul:
        return open_matmul(shape_of(in[0]), shape_of(in[1]), all, to);
      case contraction_part::matvec:
        to[0].add(all.of[0]);
        to[1].add(fresh(shape_of(in[1])[0]));
        return to[0].add(to[1].of[0]);
      case contraction_part::dot:
        to[0].add(fresh(shape_of(in[0])[0]));
        return to[1].add(to[0].of[0]);
      case contraction_part::outer:
        to[0].add(all.of[0]);
        return to[1].add(all.of[1]);
      case contraction_part::multiply:
        broadcast(shape_of(in[0]), 0, all, to[0]);
        return broadcast(shape_of(in[1]), 0, all, to[1]);
      case contraction_part::sum:
        return open_sum(id, shape_of(in[0]), all, to[0]);
      case contraction_part::transpose:
        to[0] = all;
        to[0].of[all.rank - 1] = all.of[all.rank - 2];
        to[0].of[all.rank - 2] = all.of[all.rank - 1];
        return;
      case contraction_part::permute:
        return open_permute(id, all, to[0]);
      case contraction_part::reshape: {
        std::uint32_t next = 0;
        for (std::uint32_t d = 0; d < shape_of(in[0]).rank; ++d) {
          const bool is_unit = shape_of(in[0])[d] == extent(1);
          while (!is_unit && all.of[next] == unit) ++next;
          to[0].add(is_unit ? unit : all.of[next++]);
        }
        return;
      }
      case contraction_part::diagonal:
        to[0].add(all.of[0]);
        return to[0].add(all.of[0]);
      case contraction_part::trace:
        to[0].add(fresh(shape_of(in[0])[0]));
        return to[0].add(to[0].of[0]);
    }
  }
  constexpr void open_equation(node_id id, const dimensions& all, dimensions* to) {
    const einsum_equation equation = equation_of(choices_, id);
    std::uint32_t index[128] = {};  // by letter: its index + 1
    bool known[128] = {};
    const text_view kept = equation.result();
    for (std::uint32_t d = 0; d < all.rank; ++d) {
      const auto letter = static_cast<std::size_t>(kept[d]);
      index[letter] = all.of[d] + 1;
      known[letter] = true;
    }
    for (std::size_t i = 0; i < choices_.inputs_of(id).size(); ++i) {
      const shape& s = shape_of(choices_.inputs_of(id)[i]);
      const text_view letters = equation.operand(i);
      for (std::uint32_t d = 0; d < s.rank; ++d) {
        const auto letter = static_cast<std::size_t>(letters[d]);
        if (!known[letter]) index[letter] = fresh(s[d]) + 1;
        known[letter] = true;
        to[i].add(index[letter] - 1);
      }
    }
  }
  constexpr void open_matmul(const shape& a, const shape& b, const dimensions& all,
                             dimensions* to) {
    const std::uint32_t summed = fresh(a[a.rank - 1]);
    broadcast(a, 2, all, to[0]);
    to[0].add(all.of[all.rank - 2]);
    to[0].add(summed);
    broadcast(b, 2, all, to[1]);
    to[1].add(summed);
    to[1].add(all.of[all.rank - 1]);
  }
  // The dimensions except the last `skip`, aligned on the right; those of extent 1 broadcast.
  static constexpr void broadcast(const shape& s, std::uint32_t skip, const dimensions& all,
                                  dimensions& to) {
    for (std::uint32_t d = 0; d + skip < s.rank; ++d)
      to.add(s[d] == extent(1) ? unit : all.of[all.rank - s.rank + d]);
  }
  constexpr void open_sum(node_id id, const shape& s, const dimensions& all, dimensions& to) {
    const graph_view g = choices_.view();
    const std::int64_t axis = g.integer_attribute(g[id], "axis", -1);
    std::uint32_t next = 0;
    for (std::uint32_t d = 0; d < s.rank; ++d)
      to.add(axis < 0 || d == axis ? fresh(s[d]) : all.of[next++]);
  }
  constexpr void open_permute(node_id id, const dimensions& all, dimensions& to) {
    const graph_view g = choices_.view();
    to.rank = all.rank;
    for (std::uint32_t d = 0; d < all.rank; ++d)
      to.of[g.integer_attribute(g[id], permuted_dimension_names[d], 0)] = all.of[d];
  }

  const choice_graph& choices_;
  std::size_t most_;
  bool through_shared_;
  std::uint32_t root_ = 0;
  tensor_network network_;
  table<value_id> tensors_;
  table<std::uint32_t> path_;  // the classes above the current one
  node_id first_ = node_id::none;
  bool met_shared_ = false;
};

}  // namespace wf::transforms::detail
