// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/transform/expression_builder.hpp>
#include <wf/choice/transform/linalg/structure.hpp>

// Factorisations as values, which several solutions can share.
namespace wf::transforms {

namespace detail {

// A factorisation with factors as values, the results of `factorise`, and the kernels that solve
// with them; the factors are their first operands.
struct factor_kernels {
  const kernel_spec* factorise = nullptr;
  std::uint32_t factors = 1;                      // number of factors
  const kernel_spec* solve = nullptr;             // A·X = B
  const kernel_spec* solve_transposed = nullptr;  // Aᵀ·X = B
};

inline constexpr factor_kernels lu_kernels{&kernels::lu_factor, 2, &kernels::solve_lu,
                                           &kernels::solve_lu_transposed};

// A symmetric matrix is its own transpose.
inline constexpr factor_kernels ldl_kernels{&kernels::ldl_factor, 2, &kernels::solve_ldl,
                                            &kernels::solve_ldl};

// The solutions A⁻¹·B and A⁻ᵀ·B with one matrix that a graph contains, for any right-hand sides.
class solution_set {
 public:
  struct solution {
    node_id node = node_id::none;
    bool is_transposed = false;  // of the system with Aᵀ
  };

  // From the matrix of one solution; of A and Aᵀ the earlier value serves as the matrix.
  constexpr solution_set(const choice_graph& c, node_id asked) : choices_(c), asked_(asked) {
    const value_id given = c.inputs_of(asked)[0];
    matrix_ = c.representative(given);
    value_id turned = value_id::none;
    each_transpose(c, given, [&](value_id t) { turned = c.representative(t); });
    if (turned != value_id::none && index_of(turned) < index_of(matrix_)) {
      const value_id first = turned;
      turned = matrix_;
      matrix_ = first;
    }
    collect(matrix_, false);
    if (turned != value_id::none && turned != matrix_) collect(turned, true);
  }
  constexpr value_id matrix() const { return matrix_; }
  constexpr view<solution> all() const { return solutions_; }

  // True if one plan may need several solutions: not all of them stand for the same factor of one
  // product, whose orders solve for different right-hand sides.
  constexpr bool is_shared() const {
    if (reads_another(asked_)) return true;
    const std::uint32_t purpose = purpose_of(asked_);
    for (const solution& s : solutions_)
      if (purpose_of(s.node) != purpose) return true;
    return false;
  }

 private:
  constexpr bool is_solution(node_id id) const { return choices_.applies(id, kernels::solve); }
  constexpr void collect(value_id matrix, bool is_transposed) {
    for (const node_id id : choices_.readers_of(matrix))
      if (is_solution(id) && choices_.inputs_of(id)[0] == matrix)
        if (solutions_.empty() || solutions_.back().node != id)
          solutions_.push_back({id, is_transposed});
  }
  // The class for which a solution was made: the product with the factor A⁻¹, or its own class.
  constexpr std::uint32_t purpose_of(node_id id) const {
    for (const derivation_step& step : choices_.derivation_of(id)) {
      if (step.at == node_id::none) break;
      if (choices_.applies(step.at, kernels::solve_right)) continue;
      if (choices_.applies(step.at, kernels::matmul) || choices_.applies(step.at, kernels::matvec))
        return choices_.class_of(choices_.result_of(step.at));
      break;
    }
    return choices_.class_of(choices_.result_of(id));
  }
  // True if the right-hand side is another solution, a product with one as a factor, or a
  // transposed one.
  constexpr bool reads_another(node_id id) const {
    const value_id right = choices_.inputs_of(id)[1];
    if (is_solved(right)) return true;
    for (const node_id n : choices_.candidates_of(right))
      if (choices_.applies(n, kernels::matmul) || choices_.applies(n, kernels::matvec))
        for (const value_id factor : choices_.inputs_of(n))
          if (is_solved(factor)) return true;
    return false;
  }
  // True if a value is one of the solutions or the transpose of one.
  constexpr bool is_solved(value_id id) const {
    bool found = is_result(id);
    each_transpose(choices_, id, [&](value_id t) { found = found || is_result(t); });
    return found;
  }
  constexpr bool is_result(value_id id) const {
    for (const solution& s : solutions_)
      if (choices_.class_of(choices_.result_of(s.node)) == choices_.class_of(id)) return true;
    return false;
  }

  const choice_graph& choices_;
  node_id asked_;
  value_id matrix_ = value_id::none;
  table<solution> solutions_;
};

// Solves all systems with a matrix and its transpose by one factorisation.
constexpr result<nothing> share_factors(choice_graph& c, const solution_set& solutions,
                                        const factor_kernels& with) {
  const value_id matrix = solutions.matrix();
  const auto made = c.add(*with.factorise, {&matrix, 1});
  if (!made) return made.error();
  value_id operands[max_operands];
  for (std::uint32_t k = 0; k < with.factors; ++k)
    operands[k] = static_cast<value_id>(index_of(*made) + k);
  for (const solution_set::solution& s : solutions.all()) {
    const kernel_spec* const k = s.is_transposed ? with.solve_transposed : with.solve;
    operands[with.factors] = c.inputs_of(s.node)[1];
    const auto solved = c.add(*k, {operands, with.factors + 1});
    if (!solved) return solved.error();
    c.unite(c.result_of(s.node), *solved);
  }
  return nothing{};
}

// Structured matrices have faster kernels and need no factors.
constexpr result<nothing> lu_solve(choice_graph& c, node_id id) {
  const value_id matrix = c.inputs_of(id)[0];
  const properties known = c.known_of(matrix);
  if (!is_worth_a_look(c, matrix) || known.has(spd) || known.has(orthogonal) ||
      known.has(lower_triangular) || known.has(upper_triangular))
    return nothing{};
  const solution_set solutions(c, id);
  if (solutions.all().size() < 2 || !solutions.is_shared() || !admits_size(c, matrix))
    return nothing{};
  return share_factors(c, solutions, lu_kernels);
}
// Offered in addition to LU, which is faster for few rows.
constexpr result<nothing> ldl_solve(choice_graph& c, node_id id) {
  const value_id matrix = c.inputs_of(id)[0];
  if (!is_worth_a_look(c, matrix) || !is_only_symmetric(c, matrix) || c.known_of(matrix).has(spd))
    return nothing{};
  const solution_set solutions(c, id);
  if (solutions.all().size() < 2 || !solutions.is_shared() || !admits_size(c, matrix))
    return nothing{};
  return share_factors(c, solutions, ldl_kernels);
}

}  // namespace detail

/// One LU factorisation, with factors as values, for several solutions with a matrix or its
/// transpose, on either side. Not offered where a plan can need only one of the solutions, nor for
/// small matrices, where it does not pay.
inline constexpr transform lu_solve{"linalg",          "lu_solve", "factors that solutions share",
                                    &detail::lu_solve, true,       "solve"};
/// Shared factors P·A·Pᵀ = L·D·Lᵀ of a symmetric matrix, definite or indefinite: half the
/// arithmetic of LU.
inline constexpr transform ldl_solve{
    "linalg",           "ldl_solve", "symmetric factors that solutions share",
    &detail::ldl_solve, true,        "solve"};

}  // namespace wf::transforms
