// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <type_traits>

#include <wf/run/kernels/bilinear.hpp>
#include <wf/run/kernels/cholesky.hpp>
#include <wf/run/kernels/householder.hpp>
#include <wf/run/kernels/lu.hpp>
#include <wf/run/kernels/product_diagonal.hpp>
#include <wf/run/kernels/row_exchange.hpp>
#include <wf/run/kernels/symmetric_indefinite.hpp>
#include <wf/run/kernels/tensor_product.hpp>
#include <wf/run/kernels/triangular_product.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/elementwise.hpp>
#include <wf/run/operators/operation.hpp>
#include <wf/run/values/scalar.hpp>

// Linear algebra: products, solutions, factorisations, elimination steps, contractions. Matrices
// may have any layout, unless an operator's table row says otherwise.
namespace wf::compute {

namespace detail {

template <class Real>
const_vector_map<Real> vector(const tensor_view<Real>& t) {
  return {t.elements, t.size()};
}
template <class Real>
vector_map<Real> vector(const tensor_ref<Real>& t) {
  return {t.elements, t.view().size()};
}

// --- products ------------------------------------------------------------------------------------

// Scratch storage of products, after that of `exact_sums`.
template <class Real>
Real* product_storage(const application<Real>& a) {
  return a.scratch() + exact_sums_scratch(a.graph(), a.node());
}
// Elements of scratch storage for a product over the last two dimensions, that of `exact_sums`
// included.
template <class Real>
std::int64_t matmul_scratch(const graph_view& g, const node& n) {
  const shape &a = g[g.inputs_of(n)[0]].type.shape, &b = g[g.inputs_of(n)[1]].type.shape;
  return exact_sums_scratch(g, n) +
         product_scratch<Real>(a[a.rank - 2].size(), b[b.rank - 1].size(), a[a.rank - 1].size());
}
template <class Real>
text matmul(const application<Real>& a) {
  tensor_matmul(a.out(), a.in(0), a.in(1), product_storage(a));
  return {};
}
// C + A·B or C - A·B; C may share the storage of the result.
template <int Sign, class Real>
text matmul_onto(const application<Real>& a) {
  multiply_onto(matrix(a.out()), matrix(a.in(2)), Sign, matrix(a.in(0)), matrix(a.in(1)),
                product_storage(a));
  return {};
}
template <int Sign, class Real>
text matmul_onto_exactly(const application<Real>& a) {
  return exact_sums(
      a, bound_of_products<last_extent>, [](const auto& of) { return matmul_onto<Sign>(of); },
      [](const auto& of) { return matmul_onto<1>(of); });
}
template <class Real>
text matvec(const application<Real>& a) {
  multiply(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)));
  return {};
}
// With more columns than a few, general products read the matrix from a cache.
template <class Real>
text matmul_symmetric(const application<Real>& a) {
  constexpr Eigen::Index few = 3;
  const matrix_ref<Real> out = matrix(a.out());
  const matrix_view<Real> b = matrix(a.in(1));
  if (out.columns <= few && out.row_step() == 1 && b.row_step() == 1)
    multiply_symmetric_columns(out, matrix(a.in(0)), b);
  else
    multiply(out, matrix(a.in(0)), b, product_storage(a));
  return {};
}
template <class Real>
text matvec_symmetric(const application<Real>& a) {
  const Eigen::Index n = a.out().view().size();
  multiply_symmetric_columns(columns_at(a.out().elements, n, 1), matrix(a.in(0)),
                             columns_at(a.in(1).elements, n, 1));
  return {};
}
// Strassen's scheme for column-major and row-major results, built once.
inline const bilinear_scheme& strassen(bool by_columns) {
  static_assert(is_valid(strassen_scheme()));
  static const bilinear_scheme schemes[] = {transposed(strassen_scheme()), strassen_scheme()};
  return schemes[by_columns ? 1 : 0];
}
template <class Real>
void multiply_strassen(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                       const given<matrix_view<Real>>& b, given<Real>* scratch) {
  if (out.by_columns)
    multiply_bilinear(strassen(true), out, a, b, scratch);
  else
    multiply_bilinear(strassen(false), out.transposed(), b.transposed(), a.transposed(), scratch);
}
// Integer products do not depend on the scheme, but Strassen's intermediate sums are larger.
template <class Real>
text matmul_strassen(const application<Real>& a) {
  if (is_integer(a.result_type()))
    return exact_sums(a, bound_of_products<last_extent>, [](const auto& of) { return matmul(of); });
  if constexpr (is_field_scalar<Real>)
    multiply_strassen(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)), a.scratch());
  return {};
}
template <class Real>
std::int64_t strassen_scratch(const graph_view& g, const node& n) {
  if (!is_field_scalar<Real> || is_integer(g[graph_view::output_of(n)].type.type))
    return matmul_scratch<Real>(g, n);
  const shape &a = g[g.inputs_of(n)[0]].type.shape, &b = g[g.inputs_of(n)[1]].type.shape;
  return bilinear_scratch<Real>(a[0].size() / 2, b[1].size() / 2, a[1].size() / 2);
}
template <class Real>
text dot(const application<Real>& a) {
  *a.out().elements = vector(a.in(0)).conjugate().dot(vector(a.in(1)));
  return {};
}
template <class Real>
text outer(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out());
  const const_vector_map<Real> each = vector(a.in(out.by_columns ? 1 : 0));
  const const_vector_map<Real> along = vector(a.in(out.by_columns ? 0 : 1));
  for (Eigen::Index r = 0; r < out.runs(); ++r) {
    if constexpr (is_field_scalar<Real>) {
      vector_map<Real>(out.run(r), out.run_length()) = each(r) * along;
    } else {
      const Real* const from[] = {each.data() + r, along.data()};
      constexpr Eigen::Index steps[] = {0, 1};
      if (!checked_product_tile(out.run(r), from, steps, out.run_length())) return unfit<Real>();
    }
  }
  return {};
}
template <class Real>
text axpy(const application<Real>& a) {
  vector(a.out()) = *a.in(0).elements * vector(a.in(1)) + vector(a.in(2));
  return {};
}
template <class Real>
text norm(const application<Real>& a) {
  *a.out().elements = vector(a.in()).norm();
  return {};
}
template <class Real>
text trace(const application<Real>& a) {
  const matrix_view<Real> m = matrix(a.in());
  Real sum = 0;
  for (Eigen::Index i = 0; i < m.rows; ++i) sum += m(i, i);
  *a.out().elements = sum;
  return {};
}
template <class Real>
text diagonal(const application<Real>& a) {
  const matrix_view<Real> m = matrix(a.in());
  const Real* const from = m.elements;
  Real* const to = a.out().elements;
  const Eigen::Index size = m.rows, step = m.stride + 1;
  for (Eigen::Index i = 0; i < size; ++i) to[i] = from[i * step];
  return {};
}
template <class Real>
text product_diagonal(const application<Real>& a) {
  multiply_diagonal(a.out().elements, matrix(a.in(0)), matrix(a.in(1)));
  return {};
}
template <class Real>
text transpose(const application<Real>& a) {
  tensor_transpose(a.out(), a.in());
  return {};
}
template <class Real>
text identity_like(const application<Real>& a) {
  const matrix_ref<Real> m = matrix(a.out());
  fill(m, 0);
  for (Eigen::Index i = 0; i < m.rows; ++i) m(i, i) = 1;
  return {};
}
template <class Real>
text einsum(const application<Real>& a) {
  contract(a.out(), a.in(0), a.in(1), a.characters("equation"), product_storage(a));
  return {};
}
template <class Real>
std::int64_t einsum_scratch(const graph_view& g, const node& n) {
  const attribute* const equation = g.find_attribute(n, "equation");
  if (equation == nullptr) return 0;
  return exact_sums_scratch(g, n) + contract_scratch<Real>(g.text_of(equation->characters),
                                                           g[graph_view::output_of(n)].type.shape,
                                                           g[g.inputs_of(n)[0]].type.shape,
                                                           g[g.inputs_of(n)[1]].type.shape);
}
template <class Real>
text rearrange(const application<Real>& a) {
  tensor_rearrange(a.out(), a.in(), a.characters("equation"));
  return {};
}

// --- factorisations ------------------------------------------------------------------------------

inline constexpr text_view is_singular = "the matrix is singular";
inline constexpr text_view is_indefinite = "the matrix is not positive definite";

// A factorised copy of a matrix, in scratch storage.
template <class Real>
struct factors {
  matrix_ref<Real> of;    // column-major
  Real* rows = nullptr;   // LU: the row exchanges
  Real* spare = nullptr;  // one element per row
  Real* rest = nullptr;   // scratch storage for solving
  bool is_regular = true;

  // `whole`: false if only the lower triangle is needed.
  factors(const matrix_view<Real>& a, Real* scratch, bool whole = true)
      : factors<Real>(a, scratch, whole, stride_of(a.rows)) {}
  factors(const matrix_view<Real>& a, Real* scratch, bool whole, std::int64_t stride)
      : of{scratch, a.rows, a.columns, stride, true},
        rows(scratch + of.stride * a.columns),
        spare(rows + a.rows),
        rest(spare + a.rows) {
    if (whole)
      copy(of, a);
    else
      copy_lower(of, a);
  }
  // Columns at a power-of-two distance would evict each other from the cache.
  static constexpr std::int64_t stride_of(std::int64_t rows) {
    return rows % 128 == 0 ? rows + 8 : rows;
  }
  // Elements of scratch storage for right-hand sides of `columns` columns.
  static constexpr std::int64_t scratch_of(std::int64_t rows, std::int64_t columns) {
    return (stride_of(rows) + 2) * rows + solve_scratch<Real>(rows, std::max(rows, columns));
  }
};
// P·A = L·U in place, column-major; `rows` receives the exchanges, `magnitudes` the largest
// magnitude in each column of A. False if A is singular to rounding.
template <class Real>
bool factorise_regular(const matrix_ref<Real>& a, given<Real>* rows, given<Real>* magnitudes,
                       given<Real>* scratch) {
  for (Eigen::Index j = 0; j < a.columns; ++j)
    magnitudes[j] = const_vector_map<Real>(a.run(j), a.rows).cwiseAbs().maxCoeff();
  factorise_lu(a, rows, scratch);
  for (Eigen::Index j = 0; j < a.columns; ++j)
    if (!is_pivot(std::abs(a(j, j)), real_part(magnitudes[j]), a.rows)) return false;
  return true;
}
template <class Real>
factors<Real> lu_of(const given<matrix_view<Real>>& a, Real* scratch) {
  factors<Real> f(a, scratch);
  f.is_regular = factorise_regular(f.of, f.rows, f.spare, f.rest);
  return f;
}
// A = L·L' in place, given the diagonal of A. False if A is not positive definite, to rounding.
template <class Real>
bool factorise_definite(const matrix_ref<Real>& a, const given<Real>* diagonal,
                        given<Real>* scratch) {
  if (!factorise_cholesky(a, scratch)) return false;
  for (Eigen::Index j = 0; j < a.rows; ++j)
    if (!is_pivot(real_part(a(j, j) * a(j, j)), real_part(diagonal[j]), a.rows)) return false;
  return true;
}
template <class Real>
void copy_diagonal(Real* to, const given<matrix_view<Real>>& a) {
  for (Eigen::Index j = 0; j < a.rows; ++j) to[j] = a(j, j);
}
// A symmetric matrix is its own transpose, so it may be read as column-major.
template <class Real>
factors<Real> cholesky_of(const given<matrix_view<Real>>& of, Real* scratch) {
  const matrix_view<Real> a = of.by_columns ? of : of.transposed();
  factors<Real> f(a, scratch, false);
  copy_diagonal(f.spare, a);
  f.is_regular = factorise_definite(f.of, f.spare, f.rest);
  return f;
}

// P·A·P' = L·D·L' of a symmetric matrix. Regular if it is not singular to rounding.
template <class Real>
struct symmetric_factors : factors<Real> {
  using factors<Real>::of, factors<Real>::rows, factors<Real>::spare, factors<Real>::rest,
      factors<Real>::is_regular;
  Real* diagonal = nullptr;  // diagonal of D⁻¹
  Real* beside = nullptr;    // off-diagonal elements of D⁻¹; `spare` holds the permutation

  symmetric_factors(const matrix_view<Real>& a, Real* scratch)
      : factors<Real>(a.by_columns ? a : a.transposed(), scratch, false, aligned_stride(a.rows)),
        diagonal(rest),
        beside(diagonal + a.rows) {
    rest = beside + a.rows;
    Real* const magnitudes = rest;
    symmetric_magnitudes(magnitudes, of);
    factorise_symmetric(of, rows, magnitudes + a.rows);
    follow_exchanges(spare, rows, a.rows);
    is_regular = invert_blocks(of, spare, magnitudes, diagonal, beside);
  }
  symmetric_substitution<Real> substitution() const { return {of, spare, rows, diagonal, beside}; }
  // Elements of scratch storage for right-hand sides of `columns` columns.
  static constexpr std::int64_t scratch_of(std::int64_t rows, std::int64_t columns) {
    return (aligned_stride(rows) + 4) * rows +
           std::max(rows + factorise_symmetric_scratch<Real>(rows),
                    solve_scratch<Real>(rows, std::max(rows, columns)));
  }
};

// Scratch storage for factorising `Operand`; right-hand sides, if any, have the size of the result.
template <class Factors, std::uint32_t Operand>
std::int64_t factors_scratch(const graph_view& g, const node& n) {
  const std::int64_t rows = g[g.inputs_of(n)[Operand]].type.shape[0].size();
  const std::int64_t elements = g[graph_view::output_of(n)].type.shape.elements();
  return Factors::scratch_of(rows, elements / std::max<std::int64_t>(rows, 1));
}
// Scratch storage for factorising in place: the diagonal or the exchanges, and products.
template <class Real>
std::int64_t in_place_scratch(const graph_view& g, const node& n) {
  const std::int64_t rows = g[g.inputs_of(n)[0]].type.shape[0].size();
  return rows + solve_scratch<Real>(rows, rows);
}

template <class Real>
text cholesky(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out());
  copy_diagonal(a.scratch(), matrix(a.in()));
  copy_lower(out, matrix(a.in()));
  const bool done = factorise_definite(out, a.scratch(), a.scratch() + out.rows);
  for (Eigen::Index j = 0; j < out.columns; ++j) std::fill_n(out.run(j), j, Real(0));
  return done ? text() : text(is_indefinite);
}
// Row i of P·A is row p[i] of A. Singular matrices are factorised, too.
template <class Real>
text lu(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out(0));
  copy(out, matrix(a.in()));
  factorise_lu(out, a.scratch(), a.scratch() + out.rows);
  follow_exchanges(a.out(1).elements, a.scratch(), out.rows);
  return {};
}
// Scratch storage: exchanges, column magnitudes, products.
template <class Real>
std::int64_t regular_scratch(const graph_view& g, const node& n) {
  return g[g.inputs_of(n)[0]].type.shape[0].size() + in_place_scratch<Real>(g, n);
}
template <class Real>
text lu_factor(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out(0));
  Real *const exchanges = a.scratch(), *const magnitudes = exchanges + out.rows;
  copy(out, matrix(a.in()));
  if (!factorise_regular(out, exchanges, magnitudes, magnitudes + out.rows)) return is_singular;
  follow_exchanges(a.out(1).elements, exchanges, out.rows);
  return {};
}
// L, the diagonal of D, and its off-diagonal elements right of the diagonal; zeros above.
template <class Real>
text ldl_factor(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out(0));
  const symmetric_factors<Real> f(matrix(a.in()), a.scratch());
  if (!f.is_regular) return is_singular;
  for (Eigen::Index j = 0; j < out.columns; ++j) {
    const Eigen::Index above = std::max<Eigen::Index>(j - 1, 0);
    std::fill_n(out.run(j), above, Real(0));
    std::copy(f.of.run(j) + above, f.of.run(j) + out.rows, out.run(j) + above);
  }
  std::copy_n(f.spare, out.rows, a.out(1).elements);
  return {};
}
inline text_view qr_fault(const graph_view& g, const node& n) {
  const shape& s = g[g.inputs_of(n)[0]].type.shape;
  return s[0].size() < s[1].size() ? "the matrix has more columns than rows" : "";
}
template <class Real>
std::int64_t qr_scratch(const graph_view& g, const node& n) {
  const shape& s = g[g.inputs_of(n)[0]].type.shape;
  const std::int64_t rows = s[0].size(), columns = s[1].size();
  return rows * columns + reflections<Real>::scratch(rows, columns, columns);
}
template <class Real>
text qr(const application<Real>& a) {
  const Eigen::Index rows = a.in().extent(0), columns = a.in().extent(1);
  const matrix_ref<Real> m = columns_at(a.scratch(), rows, columns), r = matrix(a.out(1));
  copy(m, matrix(a.in()));
  const reflections<Real> made(m, columns, columns, a.scratch() + rows * columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    std::copy_n(m.run(j), j + 1, r.run(j));
    std::fill_n(r.run(j) + j + 1, columns - j - 1, Real(0));
  }
  made.orthogonal_factor(matrix(a.out(0)));
  return {};
}
// Scratch storage for the matrix and the right-hand sides side by side: reflections apply to both.
template <class Real>
std::int64_t least_squares_scratch(const graph_view& g, const node& n) {
  const shape &s = g[g.inputs_of(n)[0]].type.shape, &b = g[g.inputs_of(n)[1]].type.shape;
  const std::int64_t rows = s[0].size(), columns = s[1].size();
  const std::int64_t sides = b.rank == 2 ? b[1].size() : 1, all = columns + sides;
  return factors<Real>::stride_of(rows) * all + columns +
         std::max(reflections<Real>::scratch(rows, columns, all),
                  solve_scratch<Real>(columns, sides));
}
template <class Real>
text least_squares(const application<Real>& a) {
  const matrix_view<Real> m = matrix(a.in(0)), b = matrix(a.in(1));
  const matrix_ref<Real> both{a.scratch(), m.rows, m.columns + b.columns,
                              factors<Real>::stride_of(m.rows), true};
  const matrix_ref<Real> left = both.block(0, 0, m.rows, m.columns);
  copy(left, m);
  copy(both.block(0, m.columns, m.rows, b.columns), b);
  Real* const magnitudes = both.elements + both.stride * both.columns;
  Real* const rest = magnitudes + m.columns;
  for (Eigen::Index j = 0; j < m.columns; ++j)
    magnitudes[j] = const_vector_map<Real>(left.run(j), m.rows).cwiseAbs().maxCoeff();
  reflections<Real>(both, m.columns, both.columns, rest);
  for (Eigen::Index j = 0; j < m.columns; ++j)
    if (!is_pivot(std::abs(left(j, j)), real_part(magnitudes[j]), m.rows))
      return "the matrix is not of full rank";
  const matrix_ref<Real> x = both.block(0, m.columns, m.columns, b.columns);
  solve_triangle(triangle::upper, left.block(0, 0, m.columns, m.columns), x, rest);
  copy(matrix(a.out()), x);
  return {};
}

// --- solutions -----------------------------------------------------------------------------------

// X with A·X = B, by LU, by Cholesky, and by factors of a symmetric matrix.
template <class Real>
struct by_lu {
  static constexpr text_view failure = is_singular;
  static factors<Real> of(const matrix_view<Real>& a, Real* scratch) { return lu_of(a, scratch); }
  static void solve(const factors<Real>& f, const matrix_ref<Real>& x, const matrix_view<Real>& b) {
    follow_exchanges(f.spare, f.rows, f.of.rows);
    copy_rows(x, b, f.spare);
    solve_triangle(triangle::unit_lower, f.of, x, f.rest);
    solve_triangle(triangle::upper, f.of, x, f.rest);
  }
};
template <class Real>
struct by_cholesky {
  static constexpr text_view failure = is_indefinite;
  static factors<Real> of(const matrix_view<Real>& a, Real* scratch) {
    return cholesky_of(a, scratch);
  }
  static void solve(const factors<Real>& f, const matrix_ref<Real>& x, const matrix_view<Real>& b) {
    copy(x, b);
    solve_triangle(triangle::lower, f.of, x, f.rest);
    solve_triangle(triangle::upper, matrix_view<Real>(f.of).transposed(), x, f.rest);
  }
};

template <class Real>
struct by_symmetric {
  static constexpr text_view failure = is_singular;
  static symmetric_factors<Real> of(const matrix_view<Real>& a, Real* scratch) {
    return {a, scratch};
  }
  static void solve(const symmetric_factors<Real>& f, const matrix_ref<Real>& x,
                    const matrix_view<Real>& b) {
    f.substitution().solve(x, b, f.rest);
  }
};

template <class By, class Real>
text solve(const matrix_ref<Real>& x, const matrix_view<Real>& a, const matrix_view<Real>& b,
           Real* scratch) {
  const auto f = By::of(a, scratch);
  if (!f.is_regular) return By::failure;
  By::solve(f, x, b);
  return {};
}
template <class By, class Real>
text solved(const application<Real>& a) {
  return solve<By>(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)), a.scratch());
}
// X·A = B is A'·X' = B'.
template <class By, class Real>
text solved_right(const application<Real>& a) {
  return solve<By>(matrix(a.out()).transposed(), matrix(a.in(1)).transposed(),
                   matrix(a.in(0)).transposed(), a.scratch());
}
template <class Real>
bool has_zero_on_diagonal(const matrix_view<Real>& m) {
  for (Eigen::Index i = 0; i < m.rows; ++i)
    if (m(i, i) == Real(0)) return true;
  return false;
}
// place[p[i]] = i for a permutation p of 0 to count - 1; false if p is not a permutation.
template <class Real>
bool invert_permutation(Real* place, const given<Real>* p, Eigen::Index count) {
  std::fill_n(place, count, Real(-1));
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::Index k = position_of(p[i], count);
    if (k < 0) return false;
    Real& at = place[k];
    if (real_part(at) >= 0) return false;
    at = as_element<Real>(i);
  }
  return true;
}
inline constexpr text_view no_permutation = "the rows of the factors are no permutation";

// Solves with given factors of P·A = L·U: A⁻¹·B = U⁻¹·(L⁻¹·(P·B)).
template <class Real>
text solved_by_factors(const application<Real>& a) {
  const matrix_view<Real> f = matrix(a.in(0));
  const matrix_ref<Real> x = matrix(a.out());
  if (!invert_permutation(a.scratch(), a.in(1).elements, f.rows)) return no_permutation;
  if (has_zero_on_diagonal(f)) return is_singular;
  Real* const rest = a.scratch() + f.rows;
  copy_rows(x, matrix(a.in(2)), a.in(1).elements);
  solve_triangle(triangle::unit_lower, f, x, rest);
  solve_triangle(triangle::upper, f, x, rest);
  return {};
}
template <class Real>
std::int64_t by_factors_scratch(const graph_view& g, const node& n) {
  const std::int64_t rows = g[g.inputs_of(n)[0]].type.shape[0].size();
  const std::int64_t elements = g[graph_view::output_of(n)].type.shape.elements();
  return rows + solve_scratch<Real>(rows, elements / std::max<std::int64_t>(rows, 1));
}
// A⁻ᵀ·B = P'·(L⁻ᵀ·(U⁻ᵀ·B)), solved in scratch storage, whose rows are then permuted into the
// result.
template <class Real>
text solved_by_factors_transposed(const application<Real>& a) {
  const matrix_view<Real> f = matrix(a.in(0));
  const matrix_ref<Real> out = matrix(a.out());
  Real* const place = a.scratch();
  if (!invert_permutation(place, a.in(1).elements, f.rows)) return no_permutation;
  if (has_zero_on_diagonal(f)) return is_singular;
  matrix_ref<Real> x = out;
  x.elements = place + f.rows;
  x.stride = x.run_length();
  Real* const rest = x.elements + x.rows * x.columns;
  copy(x, matrix(a.in(2)));
  solve_triangle(triangle::lower, f.transposed(), x, rest);
  solve_triangle(triangle::unit_upper, f.transposed(), x, rest);
  copy_rows(out, x, place);
  return {};
}
template <class Real>
std::int64_t by_factors_transposed_scratch(const graph_view& g, const node& n) {
  return by_factors_scratch<Real>(g, n) + g[graph_view::output_of(n)].type.shape.elements();
}
// Solves with given factors of P·A·P' = L·D·L'.
template <class Real>
text solved_by_symmetric_factors(const application<Real>& a) {
  const matrix_view<Real> f = matrix(a.in(0));
  const Real* const place = a.in(1).elements;
  Real *const exchanges = a.scratch(), *const diagonal = exchanges + f.rows;
  Real *const beside = diagonal + f.rows, *const rest = beside + f.rows;
  if (!find_exchanges(exchanges, place, f.rows, diagonal)) return no_permutation;
  const auto is_pivot = [](Real pivot, Eigen::Index) { return pivot != Real(0); };
  if (!invert_blocks(f, f.rows, diagonal, beside, is_pivot)) return is_singular;
  const symmetric_substitution<Real> by{f, place, exchanges, diagonal, beside};
  by.solve(matrix(a.out()), matrix(a.in(2)), rest);
  return {};
}
template <class Real>
std::int64_t by_symmetric_factors_scratch(const graph_view& g, const node& n) {
  return by_factors_scratch<Real>(g, n) + 2 * g[g.inputs_of(n)[0]].type.shape[0].size();
}
// By LU. The inverse of the transpose is the transpose of the inverse.
template <class Real>
text inverted(const application<Real>& a) {
  const bool by_columns = matrix(a.out()).by_columns;
  const matrix_ref<Real> out = by_columns ? matrix(a.out()) : matrix(a.out()).transposed();
  const matrix_view<Real> m = by_columns ? matrix(a.in()) : matrix(a.in()).transposed();
  const factors<Real> f = lu_of(m, a.scratch());
  if (!f.is_regular) return is_singular;
  follow_exchanges(f.spare, f.rows, f.of.rows);
  fill(out, 0);
  for (Eigen::Index i = 0; i < out.rows; ++i) out(i, index_of(f.spare[i])) = 1;
  solve_triangle(triangle::unit_lower, f.of, out, f.rest);
  solve_triangle(triangle::upper, f.of, out, f.rest);
  return {};
}
// A⁻¹ = L⁻ᵀ·L⁻¹ in three steps that skip zeros, n³/3 operations each.
template <class Real>
text definite_inverted(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out());
  const factors<Real> f = cholesky_of(matrix(a.in()), a.scratch());
  if (!f.is_regular) return is_indefinite;
  invert_triangle(out, triangle::lower, f.of, f.rest);
  copy(f.of, out);
  multiply_transposed_lower(out, f.of, f.of, f.rest);
  mirror_lower(out);
  return {};
}
// A⁻¹ = P'·L⁻ᵀ·D⁻¹·L⁻¹·P, likewise. A symmetric result may be written as column-major.
template <class Real>
text symmetric_inverted(const application<Real>& a) {
  const matrix_ref<Real> out =
      matrix(a.out()).by_columns ? matrix(a.out()) : matrix(a.out()).transposed();
  const symmetric_factors<Real> f(matrix(a.in()), a.scratch());
  if (!f.is_regular) return is_singular;
  matrix_ref<Real> inverted = f.of;
  inverted.elements = f.rest;
  Real* const rest = f.rest + inverted.stride * inverted.columns;
  invert_triangle(inverted, triangle::unit_lower, f.of, rest);
  copy(f.of, inverted);
  multiply_blocks(f.of, f.diagonal, f.beside);
  multiply_transposed_lower(out, inverted, f.of, rest);
  mirror_lower(out);
  undo_exchanges(out, f.rows, out.rows);
  undo_exchanges(out.transposed(), f.rows, out.rows);
  return {};
}
template <class Real>
std::int64_t symmetric_inverse_scratch(const graph_view& g, const node& n) {
  const std::int64_t rows = g[g.inputs_of(n)[0]].type.shape[0].size();
  return aligned_stride(rows) * rows + symmetric_factors<Real>::scratch_of(rows, rows);
}

// True if all elements above the diagonal are zero.
template <class Real>
bool is_lower_triangular(const matrix_view<Real>& m) {
  for (Eigen::Index r = 0; r < m.runs(); ++r) {
    const Real* const run = m.run(r);
    const Eigen::Index first = m.by_columns ? 0 : std::min(r + 1, m.columns);
    const Eigen::Index last = m.by_columns ? std::min(r, m.rows) : m.columns;
    if (std::any_of(run + first, run + last, [](Real x) { return x != Real(0); })) return false;
  }
  return true;
}

// --- structure -----------------------------------------------------------------------------------

// Calls `compute(kind, m)` for the triangle of the first operand that holds all elements: the
// declared one, else the one whose complement is zero.
template <class Real, class Compute>
text on_triangle(const application<Real>& a, Compute compute) {
  const properties known = a.graph()[a.graph().inputs_of(a.node())[0]].type.known;
  const matrix_view<Real> m = matrix(a.in(0));
  bool lower = known.has(lower_triangular), upper = known.has(upper_triangular);
  if (!lower && !upper) lower = is_lower_triangular(m);
  if (!lower && !upper) upper = is_lower_triangular(m.transposed());
  if (!lower && !upper) return "the matrix is not triangular";
  return compute(lower ? triangle::lower : triangle::upper, m);
}
// A symmetric result is its own transpose, so it may be written as column-major.
template <class Real>
text gemmt(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out());
  multiply_symmetric(out.by_columns ? out : out.transposed(), matrix(a.in(0)), matrix(a.in(1)),
                     product_storage(a));
  return {};
}
template <class Real>
text syr2k(const application<Real>& a) {
  multiply(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)), product_storage(a));
  add_transposed(matrix(a.out()));
  return {};
}
template <class Real>
text matmul_half(const application<Real>& a) {
  multiply_triangle(matrix(a.out()), triangle::lower, matrix(a.in(0)), matrix(a.in(1)), a.scratch(),
                    Real(0.5));
  return {};
}
template <class Real>
std::int64_t half_scratch(const graph_view& g, const node& n) {
  const shape& out = g[graph_view::output_of(n)].type.shape;
  return multiply_triangle_scratch<Real>(out[0].size(), out[1].size());
}
template <class Real>
text matmul_triangular(const application<Real>& a) {
  return on_triangle(a, [&](triangle kind, const matrix_view<Real>& m) -> text {
    multiply_triangle(matrix(a.out()), kind, m, matrix(a.in(1)), product_storage(a));
    return {};
  });
}
template <class Real>
std::int64_t matmul_triangular_scratch(const graph_view& g, const node& n) {
  return exact_sums_scratch(g, n) + half_scratch<Real>(g, n);
}
// Scratch storage for products of the triangle with parts of the result.
template <class Real>
std::int64_t triangle_scratch(const graph_view& g, const node& n) {
  const shape& out = g[graph_view::output_of(n)].type.shape;
  return solve_scratch<Real>(out[0].size(), out[1].size());
}
template <class Real>
text solve_triangular(const application<Real>& a) {
  return on_triangle(a, [&](triangle kind, const matrix_view<Real>& m) -> text {
    if (has_zero_on_diagonal(m)) return is_singular;
    copy(matrix(a.out()), matrix(a.in(1)));
    solve_triangle(kind, m, matrix(a.out()), a.scratch());
    return {};
  });
}
template <class Real>
text inverse_triangular(const application<Real>& a) {
  return on_triangle(a, [&](triangle kind, const matrix_view<Real>& m) -> text {
    if (has_zero_on_diagonal(m)) return is_singular;
    invert_triangle(matrix(a.out()), kind, m, a.scratch());
    return {};
  });
}
// out = f(d)·b by rows, for the diagonal elements d of a matrix, which are read once. Blocks of 64
// x 64 of either order stay in a cache.
template <class Real, class F>
void scale_rows(const matrix_ref<Real>& out, const matrix_view<Real>& d, const matrix_view<Real>& b,
                F f) {
  constexpr Eigen::Index side = 64;
  Real scales[side];
  for (Eigen::Index row = 0; row < out.rows; row += side) {
    const Eigen::Index rows = std::min(side, out.rows - row);
    for (Eigen::Index i = 0; i < rows; ++i) scales[i] = f(d(row + i, row + i));
    for (Eigen::Index column = 0; column < out.columns; column += side) {
      const Eigen::Index columns = std::min(side, out.columns - column);
      for (Eigen::Index i = 0; i < rows && !out.by_columns; ++i)
        for (Eigen::Index j = column; j < column + columns; ++j)
          out(row + i, j) = scales[i] * b(row + i, j);
      for (Eigen::Index j = column; j < column + columns && out.by_columns; ++j)
        for (Eigen::Index i = 0; i < rows; ++i) out(row + i, j) = scales[i] * b(row + i, j);
    }
  }
}
template <class Real>
text matmul_diagonal(const application<Real>& a) {
  scale_rows(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)), [](Real x) { return x; });
  return {};
}
// Index of the only nonzero element of a run if it is 1, else -1.
template <class Real>
Eigen::Index find_one(const Real* run, Eigen::Index length) {
  constexpr Eigen::Index few = 32;
  Eigen::Index found = -1;
  for (Eigen::Index first = 0; first < length; first += few) {
    const Eigen::Index last = std::min(first + few, length);
    // Skips zeros, the common case, 32 at a time; only zeros have a magnitude sum of zero.
    if constexpr (is_field_scalar<Real>) {
      const Eigen::Map<const Eigen::Array<Real, few, 1>> next(run + first);
      if (last - first == few && next.abs().sum() == 0) continue;
    }
    for (Eigen::Index i = first; i < last; ++i) {
      if (run[i] == Real(0)) continue;
      if (run[i] != Real(1) || found >= 0) return -1;
      found = i;
    }
  }
  return found;
}
template <class Real>
text matmul_permutation(const application<Real>& a) {
  const matrix_view<Real> p = matrix(a.in(0));
  Real *const ones = a.scratch(), *const inverted = ones + p.rows;
  for (Eigen::Index r = 0; r < p.runs(); ++r)
    ones[r] = as_element<Real>(find_one(p.run(r), p.run_length()));
  if (!invert_permutation(inverted, ones, p.rows)) return "the matrix is no permutation";
  copy_rows(matrix(a.out()), matrix(a.in(1)), p.by_columns ? inverted : ones);
  return {};
}
inline std::int64_t permutation_scratch(const graph_view& g, const node& n) {
  return 2 * g[g.inputs_of(n)[0]].type.shape[0].size();
}
template <class Real>
text solve_diagonal(const application<Real>& a) {
  const matrix_view<Real> d = matrix(a.in(0));
  if (has_zero_on_diagonal(d)) return is_singular;
  scale_rows(matrix(a.out()), d, matrix(a.in(1)), [](Real x) { return Real(1) / x; });
  return {};
}
template <class Real>
text inverse_diagonal(const application<Real>& a) {
  const matrix_view<Real> d = matrix(a.in());
  const matrix_ref<Real> out = matrix(a.out());
  if (has_zero_on_diagonal(d)) return is_singular;
  fill(out, 0);
  for (Eigen::Index i = 0; i < d.rows; ++i) out(i, i) = Real(1) / d(i, i);
  return {};
}

// Table row of a product of matrices in either order.
template <class Real, auto Run, auto Terms = last_extent>
constexpr executable_operator<Real> product(
    text_view name,
    std::int64_t (*scratch)(const graph_view&, const node&) = &matmul_scratch<Real>) {
  executable_operator<Real> out = sums<Real, Run, Terms>(name);
  out.scratch = scratch;
  return out;
}
// Table row of a product added to an operand.
template <class Real>
constexpr executable_operator<Real> onto(text_view name, implementation<Real> run) {
  using enum storage_order;
  executable_operator<Real> out{name, run, nullptr, &matmul_scratch<Real>};
  out.alike_operands = 1u << 2;
  return out.in_order(either, either);
}

// Table row of a product with a permutation.
template <class Real>
constexpr executable_operator<Real> permuted(text_view name) {
  using enum storage_order;
  executable_operator<Real> out{name, &matmul_permutation<Real>, nullptr, &permutation_scratch};
  out.alike_operands = 1u << 1;
  return out.in_order(either, either);
}

// Table row of an operator that factorises an operand.
template <class Real, std::uint32_t Operand, class Factors = factors<Real>>
constexpr executable_operator<Real> solution(text_view name, implementation<Real> run) {
  using enum storage_order;
  return executable_operator<Real>{name, run, nullptr, &factors_scratch<Factors, Operand>}.in_order(
      either, either);
}
// Table row of least squares.
template <class Real>
constexpr executable_operator<Real> least(text_view name) {
  using enum storage_order;
  return executable_operator<Real>{name, &least_squares<Real>, &qr_fault,
                                   &least_squares_scratch<Real>}
      .in_order(either, either);
}
// Table row of the factorisation of a symmetric matrix.
template <class Real>
constexpr executable_operator<Real> symmetric_factorisation(text_view name) {
  using enum storage_order;
  return executable_operator<Real>{name, &ldl_factor<Real>, nullptr,
                                   &factors_scratch<symmetric_factors<Real>, 0>}
      .in_order(either, columns);
}
// Table row of an operator that solves with factors.
template <class Real>
constexpr executable_operator<Real> by_factors(text_view name, implementation<Real> run,
                                               std::int64_t (*scratch)(const graph_view&,
                                                                       const node&)) {
  using enum storage_order;
  return executable_operator<Real>{name, run, nullptr, scratch}.in_order(either, either);
}

}  // namespace detail

namespace detail {

// Number of terms per sum of a contraction: the product of the extents of the letters that the
// result lacks.
inline constexpr auto terms_of_contraction = [](const auto& a) {
  const text_view equation = a.characters("equation");
  const std::size_t arrow = std::min(equation.find('-'), equation.size());
  const text_view result = equation.part(std::min(arrow + 2, equation.size()));
  std::uint64_t terms = 1;
  std::uint32_t operand = 0, dimension = 0;
  for (std::size_t i = 0; i < arrow; ++i) {
    if (equation[i] == ',') {
      ++operand, dimension = 0;
      continue;
    }
    const bool is_first = equation.find(equation[i]) == i;
    const Eigen::Index extent = a.in(operand).extent(dimension++);
    if (is_first && result.find(equation[i]) >= result.size())
      terms = bounded_product(terms, magnitude(extent));
  }
  return static_cast<Eigen::Index>(std::min<std::uint64_t>(terms, INT64_MAX));
};

// Operators on all element types.
template <class Real>
constexpr auto contraction_rows() {
  using enum storage_order;
  using operation = executable_operator<Real>;
  return std::to_array<operation>({
      operation{"transpose", &transpose<Real>}.in_order(either, either),
      operation{"einsum",
                [](const application<Real>& a) {
                  return exact_sums(a, bound_of_products<terms_of_contraction>,
                                    [](const auto& of) { return einsum(of); });
                },
                nullptr, &einsum_scratch<Real>}
          .in_order(either, either),
      sums<Real, [](const auto& a) { return rearrange(a); }, one_term>("rearrange"),
  });
}
// Operators on numbers.
template <class Real>
constexpr auto product_rows() {
  using enum storage_order;
  using operation = executable_operator<Real>;
  constexpr auto twice = [](const auto& a) { return 2 * last_extent(a); };
  return std::to_array<operation>({
      product<Real, [](const auto& a) { return matmul(a); }>("matmul"),
      onto<Real>("matmul_add", &matmul_onto_exactly<1, Real>),
      onto<Real>("matmul_subtract", &matmul_onto_exactly<-1, Real>),
      sums<Real, [](const auto& a) { return matvec(a); }, last_extent>("matvec"),
      sums<Real, [](const auto& a) { return matvec_symmetric(a); }, last_extent>(
          "matvec_symmetric"),
      operation{"matmul_strassen", &matmul_strassen<Real>, &wf::detail::node_fault,
                &strassen_scratch<Real>}
          .in_order(either, either),
      product<Real, [](const auto& a) { return gemmt(a); }>("gemmt"),
      product<Real, [](const auto& a) { return syr2k(a); }, twice>("syr2k"),
      product<Real, [](const auto& a) { return matmul_symmetric(a); }>("matmul_symmetric"),
      product<Real, [](const auto& a) { return matmul_triangular(a); }>(
          "matmul_triangular", &matmul_triangular_scratch<Real>),
      sums<Real, [](const auto& a) { return matmul_diagonal(a); }, one_term>("matmul_diagonal"),
      permuted<Real>("matmul_permutation"),
      permuted<Real>("matvec_permutation"),
      sums<Real, [](const auto& a) { return dot(a); }, last_extent>("dot"),
      operation{"outer", &outer<Real>}.in_order(either, either),
      sums<Real, [](const auto& a) { return axpy(a); }, one_term>("axpy"),
      sums<Real, [](const auto& a) { return trace(a); }, last_extent>("trace"),
      operation{"diagonal", &diagonal<Real>}.in_order(either, either),
      sums<Real, [](const auto& a) { return product_diagonal(a); }, last_extent>(
          "product_diagonal"),
      operation{"identity_like", &identity_like<Real>}.in_order(either, either),
  });
}
// Operators on fields.
template <class Real>
constexpr auto solution_rows() {
  using enum storage_order;
  using operation = executable_operator<Real>;
  return std::to_array<operation>({
      operation{"matmul_half", &matmul_half<Real>, nullptr, &half_scratch<Real>}.in_order(either,
                                                                                          either),
      {"norm", &norm<Real>},
      solution<Real, 0>("inverse", &inverted<Real>),
      solution<Real, 0>("inverse_cholesky", &definite_inverted<Real>),
      operation{"inverse_symmetric", &symmetric_inverted<Real>, nullptr,
                &symmetric_inverse_scratch<Real>}
          .in_order(either, either),
      solution<Real, 0>("solve", &solved<by_lu<Real>, Real>),
      solution<Real, 0>("solve_vector", &solved<by_lu<Real>, Real>),
      solution<Real, 0>("solve_cholesky", &solved<by_cholesky<Real>, Real>),
      solution<Real, 0>("solve_vector_cholesky", &solved<by_cholesky<Real>, Real>),
      solution<Real, 0, symmetric_factors<Real>>("solve_symmetric",
                                                 &solved<by_symmetric<Real>, Real>),
      solution<Real, 0, symmetric_factors<Real>>("solve_vector_symmetric",
                                                 &solved<by_symmetric<Real>, Real>),
      solution<Real, 1>("solve_right", &solved_right<by_lu<Real>, Real>),
      solution<Real, 1>("solve_right_cholesky", &solved_right<by_cholesky<Real>, Real>),
      operation{"inverse_triangular", &inverse_triangular<Real>, nullptr, &triangle_scratch<Real>}
          .in_order(either, either),
      operation{"inverse_diagonal", &inverse_diagonal<Real>}.in_order(either, either),
      operation{"solve_triangular", &solve_triangular<Real>, nullptr, &triangle_scratch<Real>}
          .in_order(either, either),
      operation{"solve_vector_triangular", &solve_triangular<Real>}.in_order(either, either),
      operation{"solve_diagonal", &solve_diagonal<Real>}.in_order(either, either),
      operation{"cholesky", &cholesky<Real>, nullptr, &in_place_scratch<Real>}.in_order(either,
                                                                                        columns),
      operation{"lu", &lu<Real>, nullptr, &in_place_scratch<Real>}.in_order(either, columns),
      operation{"lu_factor", &lu_factor<Real>, nullptr, &regular_scratch<Real>}.in_order(either,
                                                                                         columns),
      by_factors<Real>("solve_lu", &solved_by_factors<Real>, &by_factors_scratch<Real>),
      by_factors<Real>("solve_vector_lu", &solved_by_factors<Real>, &by_factors_scratch<Real>),
      by_factors<Real>("solve_lu_transposed", &solved_by_factors_transposed<Real>,
                       &by_factors_transposed_scratch<Real>),
      by_factors<Real>("solve_vector_lu_transposed", &solved_by_factors_transposed<Real>,
                       &by_factors_transposed_scratch<Real>),
      symmetric_factorisation<Real>("ldl_factor"),
      by_factors<Real>("solve_ldl", &solved_by_symmetric_factors<Real>,
                       &by_symmetric_factors_scratch<Real>),
      by_factors<Real>("solve_vector_ldl", &solved_by_symmetric_factors<Real>,
                       &by_symmetric_factors_scratch<Real>),
      operation{"qr", &qr<Real>, &qr_fault, &qr_scratch<Real>}.in_order(either, columns),
      least<Real>("least_squares"),
      least<Real>("least_squares_vector"),
  });
}

}  // namespace detail

/// The operators of linear algebra and contractions for an element type. A matrix that is singular
/// or not positive definite, to rounding, cannot be inverted or solved with: a failure. Without
/// declared properties `solve_triangular` reads the triangle that holds all elements. Products with
/// a permutation fail if the matrix is not one. Row i of P·A is row p[i] of A for the permutation
/// of `lu` and `lu_factor`; of these only the latter fails for a singular matrix. Solving by LU
/// factors fails if their diagonal has a zero. For the permutation of `ldl_factor` element (i, j)
/// of P·A·Pᵀ is element (p[i], p[j]) of A; solving by these factors fails if a block of D is
/// singular. The diagonal of R of `qr` may be negative. `least_squares` fails if an element of that
/// diagonal is zero to rounding, relative to the largest element of its column of A: then A is not
/// of full rank.
template <class Real>
view<executable_operator<Real>> linalg_operators() {
  using namespace detail;
  if constexpr (std::is_same_v<Real, bool>)
    return rows_of<&contraction_rows<Real>>();
  else if constexpr (!is_field_scalar<Real>)
    return rows_of<&product_rows<Real>, &contraction_rows<Real>>();
  else
    return rows_of<&product_rows<Real>, &contraction_rows<Real>, &solution_rows<Real>>();
}

}  // namespace wf::compute
