// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <wf/run/application.hpp>
#include <wf/run/operation.hpp>

// Linear algebra: products, solutions, factorisations, the steps of an elimination, contractions.
// Whatever takes long to compile is instantiated once, on row-major matrices.
namespace wf::compute {

namespace detail {

using matrix_map = Eigen::Map<row_major>;
using const_matrix_map = Eigen::Map<const row_major>;
using vector_map = Eigen::Map<Eigen::VectorXd>;
using const_vector_map = Eigen::Map<const Eigen::VectorXd>;

// A matrix; a vector as a column.
inline const_matrix_map matrix(const tensor_view& t) {
  return {t.elements, t.extent(0), t.shape.rank < 2 ? 1 : t.extent(1)};
}
inline matrix_map matrix(const tensor_ref& t) {
  const const_matrix_map m = matrix(t.view());
  return {t.elements, m.rows(), m.cols()};
}
inline const_vector_map vector(const tensor_view& t) { return {t.elements, t.size()}; }
inline vector_map vector(const tensor_ref& t) { return {t.elements, t.view().size()}; }

// --- products ------------------------------------------------------------------------------------

inline text matmul(const application& a) {
  tensor_matmul(a.out(), a.in(0), a.in(1));
  return {};
}
inline text matvec(const application& a) {
  multiply(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)));
  return {};
}
// Of integers every way to multiply gives the same; of this one intermediate sums are larger.
inline text matmul_strassen(const application& a) {
  if (is_integer(a.result_type())) return exact_sums(a, &matmul);
  strassen(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)), &multiply);
  return {};
}
inline text dot(const application& a) {
  *a.out().elements = vector(a.in(0)).dot(vector(a.in(1)));
  return {};
}
inline text outer(const application& a) {
  const const_vector_map x = vector(a.in(0)), y = vector(a.in(1));
  for (Eigen::Index i = 0; i < x.size(); ++i)
    vector_map(a.out().elements + i * y.size(), y.size()) = x(i) * y;
  return {};
}
inline text axpy(const application& a) {
  vector(a.out()) = *a.in(0).elements * vector(a.in(1)) + vector(a.in(2));
  return {};
}
inline text norm(const application& a) {
  *a.out().elements = vector(a.in()).norm();
  return {};
}
inline text trace(const application& a) {
  *a.out().elements = matrix(a.in()).diagonal().sum();
  return {};
}
inline text transpose(const application& a) {
  tensor_transpose(a.out(), a.in());
  return {};
}
inline text identity_like(const application& a) {
  matrix(a.out()).setIdentity();
  return {};
}
inline text einsum(const application& a) {
  tensor_einsum(a.out(), a.in(0), a.in(1), a.characters("equation"));
  return {};
}
inline text rearrange(const application& a) {
  tensor_rearrange(a.out(), a.in(), a.characters("equation"));
  return {};
}

// --- solutions -----------------------------------------------------------------------------------

// X with A·X = B: by LU, by Cholesky.
using solver = bool (*)(matrix_map, const const_matrix_map&, const const_matrix_map&);
inline bool by_lu(matrix_map x, const const_matrix_map& a, const const_matrix_map& b) {
  return solve(x, a, b);
}
inline bool by_cholesky(matrix_map x, const const_matrix_map& a, const const_matrix_map& b) {
  return solve_cholesky(x, a, b);
}
inline text unsolved(solver by) {
  return by == &by_lu ? "the matrix is singular" : "the matrix is not positive definite";
}

template <solver By>
text inverted(const application& a) {
  const row_major unit = row_major::Identity(a.in().extent(0), a.in().extent(0));
  const bool done = By(matrix(a.out()), matrix(a.in()), {unit.data(), unit.rows(), unit.cols()});
  return done ? text() : unsolved(By);
}
template <solver By>
text solved(const application& a) {
  return By(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1))) ? text() : unsolved(By);
}
// X·A = B is A'·X' = B'.
template <solver By>
text solved_right(const application& a) {
  const row_major m = matrix(a.in(1)).transpose(), b = matrix(a.in(0)).transpose();
  row_major x(b.rows(), b.cols());
  if (!By({x.data(), x.rows(), x.cols()}, {m.data(), m.rows(), m.cols()},
          {b.data(), b.rows(), b.cols()}))
    return unsolved(By);
  matrix(a.out()) = x.transpose();
  return {};
}

// --- structure -----------------------------------------------------------------------------------

// Calls `compute(lower)` for the triangle of the first operand that holds all elements: what is
// declared, else where there are zeros.
template <class Compute>
text on_triangle(const application& a, Compute compute) {
  const properties known = a.graph()[a.graph().inputs_of(a.node())[0]].type.known;
  const const_matrix_map m = matrix(a.in(0));
  const bool lower =
      known.has(lower_triangular) || (!known.has(upper_triangular) && m.isLowerTriangular(0));
  if (!lower && !known.has(upper_triangular) && !m.isUpperTriangular(0))
    return "the matrix is not triangular";
  return compute(lower) ? text() : unsolved(&by_lu);
}
inline text multiply_symmetric(const application& a) {
  gemmt(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)));
  return {};
}
inline text multiply_triangular(const application& a) {
  return on_triangle(a, [&](bool lower) {
    return matmul_triangular(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)), lower);
  });
}
inline text multiply_diagonal(const application& a) {
  matmul_diagonal(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)));
  return {};
}
inline text triangular_solved(const application& a) {
  return on_triangle(a, [&](bool lower) {
    return solve_triangular(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)), lower);
  });
}
inline text diagonal_solved(const application& a) {
  const bool done = solve_diagonal(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)));
  return done ? text() : unsolved(&by_lu);
}
inline text triangular_inverted(const application& a) {
  return on_triangle(
      a, [&](bool lower) { return inverse_triangular(matrix(a.out()), matrix(a.in()), lower); });
}
inline text diagonal_inverted(const application& a) {
  return inverse_diagonal(matrix(a.out()), matrix(a.in())) ? text() : unsolved(&by_lu);
}

// --- factorisations ------------------------------------------------------------------------------

inline text cholesky_factor(const application& a) {
  return cholesky(matrix(a.out()), matrix(a.in())) ? text() : unsolved(&by_cholesky);
}
// Row i of P·A is row p[i] of A. A singular matrix has factors, too.
inline text lu(const application& a) {
  if (a.in().size() == 0) return {};
  const Eigen::PartialPivLU<row_major> factors(matrix(a.in()));
  matrix(a.out(0)) = factors.matrixLU();
  const auto& target = factors.permutationP().indices();
  for (Eigen::Index i = 0; i < target.size(); ++i)
    a.out(1).elements[target(i)] = static_cast<double>(i);
  return {};
}
inline text_view qr_fault(const graph_view& g, const node& n) {
  const shape& s = g[g.inputs_of(n)[0]].type.shape;
  return s[0].size() < s[1].size() ? "the matrix has more columns than rows" : "";
}
// By Householder reflections I - 2·v·v'/v'v, one a column: each makes it a multiple of a unit
// vector. Their vectors v take the place of the columns.
inline text qr(const application& a) {
  const Eigen::Index rows = a.in().extent(0), columns = a.in().extent(1);
  std::vector<double> m(static_cast<std::size_t>(rows * columns)), q(m.size());  // by columns
  transpose_matrix(m.data(), a.in().elements, rows, columns);
  const auto tail = [&](std::vector<double>& of, Eigen::Index k, Eigen::Index column) {
    return vector_map(of.data() + column * rows + k, rows - k);
  };
  const auto reflect = [&](Eigen::Index k, std::vector<double>& of, Eigen::Index column) {
    const vector_map v = tail(m, k, k);
    const double square = v.squaredNorm();
    if (square > 0) tail(of, k, column) -= 2 * v.dot(tail(of, k, column)) / square * v;
  };
  matrix_map r = matrix(a.out(1));
  r.setZero();
  for (Eigen::Index k = 0; k < columns; ++k) {
    vector_map column = tail(m, k, k);
    r(k, k) = std::copysign(column.norm(), -column(0));
    column(0) -= r(k, k);
    for (Eigen::Index j = k + 1; j < columns; ++j) reflect(k, m, j), r(k, j) = tail(m, k, j)(0);
  }
  for (Eigen::Index k = columns; k-- > 0;) {
    tail(q, k, k)(0) = 1;
    for (Eigen::Index j = k; j < columns; ++j) reflect(k, q, j);
  }
  transpose_matrix(a.out(0).elements, q.data(), columns, rows);
  return {};
}

// --- elimination ---------------------------------------------------------------------------------

inline constexpr text_view no_such_row =
    "the permutation names a row or column that does not exist";

inline Eigen::Index step_of(const application& a) { return a.integer("step", 0); }

inline text identity_permutation(const application& a) {
  std::iota(a.out().elements, a.out().elements + a.out().view().size(), 0.0);
  return {};
}
inline text pivot_found(const application& a) {
  const bool done = find_pivot(vector(a.out()), matrix(a.in(0)), vector(a.in(1)), step_of(a));
  return done ? text() : text(no_such_row);
}
inline text rows_swapped(const application& a) {
  const bool done = swap_rows(matrix(a.out()), matrix(a.in(0)), vector(a.in(1)), step_of(a));
  return done ? text() : text(no_such_row);
}
inline text columns_permuted(const application& a) {
  const bool done = permute_columns(matrix(a.out()), matrix(a.in(0)), vector(a.in(1)));
  return done ? text() : text(no_such_row);
}
inline text row_eliminated(const application& a) {
  const tensor_view start = a.value(wf::detail::origin_of(a.graph(), a.node()));
  const double magnitude = column_magnitude(matrix(start), step_of(a));
  if (row_deconstruct(matrix(a.out()), matrix(a.in()), step_of(a), magnitude)) return {};
  return text() << "the matrix is singular, no pivot at step " << step_of(a);
}

}  // namespace detail

/// The operators of linear algebra and contractions. A matrix that is singular or not positive
/// definite, to rounding, has no inverse and solves nothing: that is a failure. Without properties
/// `solve_triangular` reads the triangle that holds all elements. Row i of P·A is row p[i] of A
/// for the permutation of `lu`; the diagonal of R of `qr` may be negative.
inline view<executable_operator> linalg_operators() {
  static constexpr executable_operator all[] = {
      {"matmul", [](const application& a) { return exact_sums(a, &detail::matmul); }},
      {"matvec", [](const application& a) { return exact_sums(a, &detail::matvec); }},
      {"matmul_strassen", &detail::matmul_strassen, &wf::detail::node_fault},
      {"gemmt", [](const application& a) { return exact_sums(a, &detail::multiply_symmetric); }},
      {"matmul_triangular",
       [](const application& a) { return exact_sums(a, &detail::multiply_triangular); }},
      {"matmul_diagonal",
       [](const application& a) { return exact_sums(a, &detail::multiply_diagonal); }},
      {"dot", [](const application& a) { return exact_sums(a, &detail::dot); }},
      {"outer", &detail::outer},
      {"axpy", [](const application& a) { return exact_sums(a, &detail::axpy); }},
      {"norm", &detail::norm},
      {"trace", [](const application& a) { return exact_sums(a, &detail::trace); }},
      {"transpose", &detail::transpose},
      {"identity_like", &detail::identity_like},
      {"einsum", [](const application& a) { return exact_sums(a, &detail::einsum); }},
      {"rearrange", [](const application& a) { return exact_sums(a, &detail::rearrange); }},
      {"inverse", &detail::inverted<&detail::by_lu>},
      {"inverse_triangular", &detail::triangular_inverted},
      {"inverse_diagonal", &detail::diagonal_inverted},
      {"inverse_cholesky", &detail::inverted<&detail::by_cholesky>},
      {"solve", &detail::solved<&detail::by_lu>},
      {"solve_vector", &detail::solved<&detail::by_lu>},
      {"solve_cholesky", &detail::solved<&detail::by_cholesky>},
      {"solve_vector_cholesky", &detail::solved<&detail::by_cholesky>},
      {"solve_right", &detail::solved_right<&detail::by_lu>},
      {"solve_right_cholesky", &detail::solved_right<&detail::by_cholesky>},
      {"solve_triangular", &detail::triangular_solved},
      {"solve_vector_triangular", &detail::triangular_solved},
      {"solve_diagonal", &detail::diagonal_solved},
      {"cholesky", &detail::cholesky_factor},
      {"lu", &detail::lu},
      {"qr", &detail::qr, &detail::qr_fault},
      {"identity_permutation", &detail::identity_permutation},
      {"find_pivot", &detail::pivot_found, &wf::detail::node_fault},
      {"swap_rows", &detail::rows_swapped, &wf::detail::node_fault},
      {"row_deconstruct", &detail::row_eliminated, &wf::detail::node_fault},
      {"permute_columns", &detail::columns_permuted},
  };
  return all;
}

}  // namespace wf::compute
