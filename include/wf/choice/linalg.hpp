// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/transform.hpp>

namespace wf::transforms {

namespace detail {

// True if the node applies the kernel.
constexpr bool applies(const graph_view& g, const node& n, const kernel_spec& k) {
  return g.op_name(n) == k.name;
}

// The node that computes a value by the kernel, or null.
constexpr const node* producer_by(const graph_view& g, value_id id, const kernel_spec& k) {
  const node_id producer = g[id].producer;
  if (producer == node_id::none || !applies(g, g[producer], k)) return nullptr;
  return &g[producer];
}

// The factors of a product, left to right, through nested products of matrices and transposed
// products; `flipped` reads a factor transposed.
struct factor {
  value_id value = value_id::none;
  bool flipped = false;
};

constexpr void collect_factors(const choice_graph& c, value_id id, bool flipped,
                               table<factor>& out) {
  const graph_view g = c.view();
  if (const node* t = producer_by(g, id, kernels::transpose);
      t != nullptr && g[id].type.shape.rank == 2)
    return collect_factors(c, g.inputs_of(*t)[0], !flipped, out);
  const node* p = producer_by(g, id, kernels::matmul);
  if (p == nullptr || g[id].type.shape.rank != 2) {
    out.push_back({id, flipped && !g[c.representative(id)].type.known.has(symmetric)});
    return;
  }
  collect_factors(c, g.inputs_of(*p)[flipped ? 1 : 0], flipped, out);
  collect_factors(c, g.inputs_of(*p)[flipped ? 0 : 1], flipped, out);
}

// A product that reads the same transposed is symmetric; with nothing, or something positive
// semidefinite, in the middle it is positive semidefinite.
constexpr properties palindrome(const choice_graph& c, const table<factor>& f) {
  for (std::size_t i = 0, j = f.size() - 1; i < j; ++i, --j) {
    const bool self = c.type_of(f[i].value).known.has(symmetric);
    if (c.class_of(f[i].value) != c.class_of(f[j].value) || (!self && f[i].flipped == f[j].flipped))
      return {};
  }
  if (f.size() % 2 == 0) return psd;
  const properties middle = c.type_of(c.representative(f[f.size() / 2].value)).known;
  return middle.has(psd)         ? properties(psd)
         : middle.has(symmetric) ? properties(symmetric)
                                 : properties{};
}

// The matrix whose explicit inverse a value is, or none.
constexpr value_id inverted(const choice_graph& c, value_id id) {
  const graph_view g = c.view();
  const node* n = producer_by(g, id, kernels::inverse);
  return n == nullptr ? value_id::none : g.inputs_of(*n)[0];
}

// One way to compute a product: adds it and unites it with the other ways.
constexpr result<nothing> offer(choice_graph& c, value_id& product, const kernel_spec& k,
                                value_id left, value_id right) {
  const value_id operands[] = {left, right};
  const auto made = c.add(k, {operands, 2});
  if (!made) return made.error();
  if (product == value_id::none)
    product = *made;
  else
    c.unite(product, *made);
  return nothing{};
}

// left · right where one of them is the explicit inverse of a matrix: a solve instead.
constexpr result<nothing> offer_solves(choice_graph& c, value_id& product, value_id left,
                                       value_id right) {
  if (const value_id a = inverted(c, left); a != value_id::none) {
    const bool definite = c.type_of(c.representative(a)).known.has(spd);
    const bool vector = c.type_of(right).shape.rank == 1;
    if (auto r = offer(c, product, vector ? kernels::solve_vector : kernels::solve, a, right); !r)
      return r;
    if (definite)
      if (auto r =
              offer(c, product, vector ? kernels::solve_vector_cholesky : kernels::solve_cholesky,
                    a, right);
          !r)
        return r;
  }
  const value_id a = inverted(c, right);
  if (a == value_id::none || c.type_of(left).shape.rank != 2) return nothing{};
  if (auto r = offer(c, product, kernels::solve_right, left, a); !r) return r;
  if (!c.type_of(c.representative(a)).known.has(spd)) return nothing{};
  return offer(c, product, kernels::solve_right_cholesky, left, a);
}

// True if every reader of a value is a product or a transpose, so that a longer chain covers it.
constexpr bool is_inner(const graph_view& g, value_id id) {
  bool read = false;
  for (const node& n : g.nodes) {
    for (value_id operand : g.inputs_of(n)) {
      if (operand != id) continue;
      if (!applies(g, n, kernels::matmul) && !applies(g, n, kernels::matvec)) return false;
      read = true;
    }
  }
  return read && !g.is_output(id);
}

// All ways to multiply a run of matrices: for each run the value that stands for it. O(n³)
// products.
class chain_table {
 public:
  constexpr chain_table(choice_graph& c, const table<value_id>& leaves)
      : choices_(c), size_(leaves.size()), runs_(size_ * size_, value_id::none) {
    for (std::size_t i = 0; i < size_; ++i) run(i, i) = leaves[i];
  }
  constexpr result<value_id> fill() {
    for (std::size_t length = 2; length <= size_; ++length)
      for (std::size_t i = 0; i + length <= size_; ++i)
        for (std::size_t k = i; k + 1 < i + length; ++k)
          if (auto r = split(i, k, i + length - 1); !r) return r.error();
    return run(0, size_ - 1);
  }

 private:
  constexpr value_id& run(std::size_t first, std::size_t last) {
    return runs_[first * size_ + last];
  }
  constexpr result<nothing> split(std::size_t first, std::size_t middle, std::size_t last) {
    const value_id left = run(first, middle), right = run(middle + 1, last);
    const bool vector = choices_.type_of(right).shape.rank == 1;
    value_id& product = run(first, last);
    if (auto r = offer(choices_, product, vector ? kernels::matvec : kernels::matmul, left, right);
        !r)
      return r;
    return offer_solves(choices_, product, left, right);
  }

  choice_graph& choices_;
  std::size_t size_;
  table<value_id> runs_;
};

constexpr result<nothing> chain_order(choice_graph& c, node_id id) {
  const graph_view g = c.view();
  const node n = g[id];
  const bool vector = applies(g, n, kernels::matvec);
  if (!vector && !applies(g, n, kernels::matmul)) return nothing{};
  const value_id root = graph_view::output_of(n);
  if (g[root].type.shape.rank > 2 || is_inner(g, root)) return nothing{};
  table<factor> factors;
  collect_factors(c, g.inputs_of(n)[0], false, factors);
  if (vector)
    factors.push_back({g.inputs_of(n)[1], false});
  else
    collect_factors(c, g.inputs_of(n)[1], false, factors);
  if (!vector) c.assume(root, palindrome(c, factors));
  table<value_id> leaves;
  for (const factor& f : factors) {
    value_id leaf = f.value;
    if (f.flipped) {
      const auto turned = c.add(kernels::transpose, {&f.value, 1});
      if (!turned) return turned.error();
      leaf = *turned;
    }
    leaves.push_back(leaf);
  }
  const auto whole = chain_table(c, leaves).fill();
  if (!whole) return whole.error();
  c.unite(root, *whole);
  return nothing{};
}

// Properties that follow from operands' inferred ones: sums of semidefinite matrices.
constexpr result<nothing> infer_sums(choice_graph& c, node_id id) {
  const graph_view g = c.view();
  const node& n = g[id];
  if (!applies(g, n, kernels::add)) return nothing{};
  const value_type types[] = {c.type_of(c.representative(g.inputs_of(n)[0])),
                              c.type_of(c.representative(g.inputs_of(n)[1]))};
  c.assume(graph_view::output_of(n), kernels::add.result_properties({{types, 2}, {}}));
  return nothing{};
}

constexpr result<nothing> definite_solve(choice_graph& c, node_id id) {
  const graph_view g = c.view();
  const node n = g[id];
  const kernel_spec* better = applies(g, n, kernels::solve) ? &kernels::solve_cholesky
                              : applies(g, n, kernels::solve_vector)
                                  ? &kernels::solve_vector_cholesky
                              : applies(g, n, kernels::inverse) ? &kernels::inverse_cholesky
                                                                : nullptr;
  if (better == nullptr || !c.type_of(c.representative(g.inputs_of(n)[0])).known.has(spd))
    return nothing{};
  table<value_id> operands(g.inputs_of(n));
  const auto made = c.add(*better, operands);
  if (!made) return made.error();
  c.unite(graph_view::output_of(n), *made);
  return nothing{};
}

constexpr result<nothing> gaussian_elimination(choice_graph& c, node_id id) {
  const node n = c.view()[id];
  if (!applies(c.view(), n, kernels::inverse)) return nothing{};
  const value_id a = c.view().inputs_of(n)[0];
  const attribute_value steps = attribute_value::dimension("steps", c.type_of(a).shape.extents[0]);
  const view<attribute_value> loop(&steps, 1);
  const auto start = c.add(kernels::identity_permutation, {&a, 1});
  if (!start) return start.error();
  const value_id find[] = {a, *start};
  const auto pivot = c.add(kernels::find_pivot, {find, 2}, loop);
  if (!pivot) return pivot.error();
  const value_id swap[] = {a, *pivot};
  const auto swapped = c.add(kernels::swap_rows, {swap, 2}, loop);
  if (!swapped) return swapped.error();
  const auto reduced = c.add(kernels::row_deconstruct, {&*swapped, 1}, loop);
  if (!reduced) return reduced.error();
  const value_id undo[] = {*reduced, *pivot};
  const auto made = c.add(kernels::permute_columns, {undo, 2});
  if (!made) return made.error();
  c.unite(graph_view::output_of(n), *made);
  return nothing{};
}

// Worth it only where seven half products beat eight, sums included; extents must be even.
constexpr result<nothing> strassen_split(choice_graph& c, node_id id) {
  const graph_view g = c.view();
  const node n = g[id];
  if (!applies(g, n, kernels::matmul)) return nothing{};
  const value_id operands[] = {g.inputs_of(n)[0], g.inputs_of(n)[1]};
  for (value_id operand : operands) {
    const shape& s = g[operand].type.shape;
    if (s.rank != 2) return nothing{};
    for (std::uint32_t d = 0; d < 2; ++d)
      if (!s[d].is_fixed() || s[d].size() < 512 || s[d].size() % 2 != 0) return nothing{};
  }
  const auto made = c.add(kernels::matmul_strassen, {operands, 2});
  if (!made) return made.error();
  c.unite(graph_view::output_of(n), *made);
  return nothing{};
}

}  // namespace detail

/// Every parenthesisation of a product of matrices (and a vector), through transposes; a factor
/// that is an explicit inverse may be solved with instead. Source: Cormen et al., Introduction to
/// Algorithms, 15.2 (matrix-chain multiplication).
inline constexpr transform chain_order{"linalg", "chain_order",
                                       "another order of the product, or a solve instead of an "
                                       "inverse",
                                       &detail::chain_order, false};
/// A sum of positive semidefinite matrices is one; with a definite one among them, definite.
inline constexpr transform infer_sums{"linalg", "infer_sums",
                                      "properties of sums from those of their terms",
                                      &detail::infer_sums, false};
/// Cholesky instead of LU for a matrix that is declared or inferred positive definite.
inline constexpr transform definite_solve{"linalg", "definite_solve",
                                          "Cholesky instead of LU for a definite matrix",
                                          &detail::definite_solve};
/// Gaussian elimination step by step instead of the library's inverse.
inline constexpr transform gaussian_elimination{
    "linalg", "gaussian_elimination", "Gaussian elimination instead of the library's inverse",
    &detail::gaussian_elimination, false};
/// One level of Strassen's product for even extents of at least 512.
inline constexpr transform strassen_split{"linalg", "strassen_split",
                                          "seven half-size products instead of eight",
                                          &detail::strassen_split};

/// The transforms of the domain, in the order they are applied.
inline constexpr transform linalg_transforms[] = {infer_sums, chain_order, definite_solve,
                                                  gaussian_elimination, strassen_split};

}  // namespace wf::transforms
