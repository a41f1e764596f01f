// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/kernel.hpp>

namespace wf::kernels {

namespace detail {

constexpr properties product_structure(const rule_input& in) {
  const std::uint32_t triangles = wf::detail::lower_bit | wf::detail::upper_bit |
                                  wf::detail::diagonal_bit | wf::detail::orthogonal_bit |
                                  wf::detail::nonsingular_bit;
  return wf::detail::close_properties(in.operands[0].known.bits & in.operands[1].known.bits &
                                      triangles & ~wf::detail::symmetric_bit);
}

constexpr properties transposed_structure(const rule_input& in) {
  std::uint32_t b = in.operands[0].known.bits;
  const bool lower = (b & wf::detail::lower_bit) != 0, upper = (b & wf::detail::upper_bit) != 0;
  b &= ~(wf::detail::lower_bit | wf::detail::upper_bit);
  if (lower) b |= wf::detail::upper_bit;
  if (upper) b |= wf::detail::lower_bit;
  return {b};
}

// The inverse keeps every property of the list.
constexpr properties inverted_structure(const rule_input& in) {
  return in.operands[0].known | nonsingular;
}

constexpr result<shape> transposed_shape(const rule_input& in) {
  shape s = in.operands[0].shape;
  if (s.rank < 2)
    return make_error(errc::shape_mismatch, "transpose",
                      (text() << "needs a matrix, not " << to_text(s).view()).view());
  const extent last = s.extents[s.rank - 1];
  s.extents[s.rank - 1] = s.extents[s.rank - 2];
  s.extents[s.rank - 2] = last;
  return s;
}

}  // namespace detail

/// The matrix product of (stacks of) matrices: 2·M·N·K flops each.
inline constexpr kernel_spec matmul{
    .name = "matmul",
    .domain = "linalg",
    .signature = "A[..., M, K], B[..., K, N] -> C[..., M, N]",
    .costs = {{"flops", "2*C*K"}, {"macs", "C*K"}, {"operations", "C*K"}},
    .result_properties = &detail::product_structure,
    .summary = "the matrix product"};

/// The product of a matrix and a vector: 2·M·K flops.
inline constexpr kernel_spec matvec{
    .name = "matvec",
    .domain = "linalg",
    .signature = "A[M, K], x[K] -> y[M]",
    .costs = {{"flops", "2*M*K"}, {"macs", "M*K"}, {"operations", "M*K"}},
    .summary = "the product of a matrix and a vector"};

/// The transpose of (a stack of) matrices; executors read the operand the other way round, so it
/// costs nothing.
inline constexpr kernel_spec transpose{.name = "transpose",
                                       .domain = "linalg",
                                       .signature = "A[...] -> C[...]",
                                       .costs = {{"flops", "0"}, {"operations", "0"}},
                                       .result_shape = &detail::transposed_shape,
                                       .result_properties = &detail::transposed_structure,
                                       .is_view = true,
                                       .summary = "the transpose"};

/// The explicit inverse by LU with partial pivoting, as LAPACK's getrf and getri: 2·M³ flops to
/// leading order. Source: LAPACK Working Note 41, appendix: getrf 2/3·M³ - 1/2·M² + 5/6·M, getri
/// 4/3·M³ - M² + 5/3·M.
inline constexpr kernel_spec inverse{
    .name = "inverse",
    .domain = "linalg",
    .signature = "A: floating [M, M] -> C[M, M]",
    .costs = {{"flops", "2*M**3 - 3/2*M**2 + 5/2*M"}, {"scratch", "A.bytes + 8*M"}},
    .result_properties = &detail::inverted_structure,
    .summary = "the explicit inverse by LU"};

/// The explicit inverse of a symmetric positive definite matrix, as potrf and potri: M³ flops to
/// leading order. Source: LAPACK Working Note 41: potrf 1/3·M³ + 1/2·M² + 1/6·M, potri 2/3·M³ +
/// 1/2·M² + 5/6·M.
inline constexpr kernel_spec inverse_cholesky{
    .name = "inverse_cholesky",
    .domain = "linalg",
    .signature = "A: floating [M, M] -> C[M, M]",
    .costs = {{"flops", "M**3 + M**2 + M"}, {"scratch", "A.bytes"}},
    .result_properties = &detail::inverted_structure,
    .summary = "the explicit inverse of a symmetric positive definite matrix by Cholesky"};

/// X with A·X = B by LU with partial pivoting. Source: LAPACK Working Note 41: getrf 2/3·M³ -
/// 1/2·M²
/// + 5/6·M, getrs N·(2·M² - M).
inline constexpr kernel_spec solve{
    .name = "solve",
    .domain = "linalg",
    .signature = "A: floating [M, M], B: floating [M, N] -> X[M, N]",
    .costs = {{"flops", "2/3*M**3 - 1/2*M**2 + 5/6*M + N*(2*M**2 - M)"},
              {"scratch", "A.bytes + 8*M"}},
    .summary = "the solution of A X = B by LU"};

/// x with A·x = b by LU with partial pivoting: `solve` with one column.
inline constexpr kernel_spec solve_vector{
    .name = "solve_vector",
    .domain = "linalg",
    .signature = "A: floating [M, M], b: floating [M] -> x[M]",
    .costs = {{"flops", "2/3*M**3 - 1/2*M**2 + 5/6*M + 2*M**2 - M"}, {"scratch", "A.bytes + 8*M"}},
    .summary = "the solution of A x = b by LU"};

/// X with A·X = B, A symmetric positive definite, by Cholesky. Source: LAPACK Working Note 41:
/// potrf 1/3·M³ + 1/2·M² + 1/6·M, potrs N·2·M².
inline constexpr kernel_spec solve_cholesky{
    .name = "solve_cholesky",
    .domain = "linalg",
    .signature = "A: floating [M, M], B: floating [M, N] -> X[M, N]",
    .costs = {{"flops", "1/3*M**3 + 1/2*M**2 + 1/6*M + 2*N*M**2"}, {"scratch", "A.bytes"}},
    .summary = "the solution of A X = B by Cholesky"};

/// x with A·x = b, A symmetric positive definite, by Cholesky: `solve_cholesky` with one column.
inline constexpr kernel_spec solve_vector_cholesky{
    .name = "solve_vector_cholesky",
    .domain = "linalg",
    .signature = "A: floating [M, M], b: floating [M] -> x[M]",
    .costs = {{"flops", "1/3*M**3 + 1/2*M**2 + 1/6*M + 2*M**2"}, {"scratch", "A.bytes"}},
    .summary = "the solution of A x = b by Cholesky"};

/// X with X·A = B by LU: the transposed `solve`.
inline constexpr kernel_spec solve_right{
    .name = "solve_right",
    .domain = "linalg",
    .signature = "B: floating [N, M], A: floating [M, M] -> X[N, M]",
    .costs = {{"flops", "2/3*M**3 - 1/2*M**2 + 5/6*M + N*(2*M**2 - M)"},
              {"scratch", "A.bytes + 8*M"}},
    .summary = "the solution of X A = B by LU"};

/// X with X·A = B, A symmetric positive definite, by Cholesky: the transposed `solve_cholesky`.
inline constexpr kernel_spec solve_right_cholesky{
    .name = "solve_right_cholesky",
    .domain = "linalg",
    .signature = "B: floating [N, M], A: floating [M, M] -> X[N, M]",
    .costs = {{"flops", "1/3*M**3 + 1/2*M**2 + 1/6*M + 2*N*M**2"}, {"scratch", "A.bytes"}},
    .summary = "the solution of X A = B by Cholesky"};

/// One level of Strassen's product: seven half-size products and eighteen half-size sums. Extents
/// must be even. Source: V. Strassen, Gaussian elimination is not optimal, 1969.
inline constexpr kernel_spec matmul_strassen{
    .name = "matmul_strassen",
    .domain = "linalg",
    .signature = "A[M, K], B[K, N] -> C[M, N]",
    .costs = {{"flops", "7/4*M*N*K + 5/4*(M*K + K*N) + 2*M*N"},
              {"macs", "7/8*M*N*K"},
              {"operations", "7/8*M*N*K + 5/4*(M*K + K*N) + 2*M*N"},
              {"scratch", "(A.bytes + B.bytes + C.bytes)/4"}},
    .summary = "one level of Strassen's matrix product"};

/// The permutation that changes nothing, one entry a row of A: where Gaussian elimination starts.
inline constexpr kernel_spec identity_permutation{.name = "identity_permutation",
                                                  .domain = "linalg",
                                                  .signature = "A[M, N] -> p: i64 [M]",
                                                  .costs = {{"flops", "0"}},
                                                  .summary = "the identity permutation"};

/// The first part of a step of Gaussian elimination: finds the row of the largest remaining entry
/// in the step's column and records it in the permutation. 2·M flops a step, `steps` steps.
inline constexpr kernel_spec find_pivot{
    .name = "find_pivot",
    .domain = "linalg",
    .signature = "A: floating [M, N], through p: i64 [M] -> q: i64 [M]",
    .costs = {{"flops", "steps*2*M"}},
    .in_place = true,
    .summary = "the pivot row of a column"};

/// The second part of a step: the pivot row changes places with the diagonal one. M flops a step,
/// `steps` steps.
inline constexpr kernel_spec swap_rows{
    .name = "swap_rows",
    .domain = "linalg",
    .signature = "through A: floating [M, N], p: i64 [M] -> C: floating [M, N]",
    .costs = {{"flops", "steps*M"}},
    .in_place = true,
    .summary = "exchanges the pivot row with the diagonal row"};

/// The third part of a step, in place (Gauss-Jordan): divides the pivot row and clears the column
/// of all other rows. M·N flops a step (a multiply-add is one), `steps` steps.
inline constexpr kernel_spec row_deconstruct{
    .name = "row_deconstruct",
    .domain = "linalg",
    .signature = "through A: floating [M, N] -> C[M, N]",
    .costs = {{"flops", "steps*M*N"}, {"macs", "steps*M*N"}},
    .in_place = true,
    .summary = "eliminates a column from all other rows"};

/// Undoes, on the columns of an inverse computed in place, the row exchanges of its elimination.
inline constexpr kernel_spec permute_columns{
    .name = "permute_columns",
    .domain = "linalg",
    .signature = "A: floating [M, N], p: i64 [N] -> C: floating [M, N]",
    .costs = {{"flops", "0"}},
    .in_place = true,
    .summary = "exchanges columns in the reverse order of a permutation"};

/// Every kernel of the domain.
inline constexpr kernel_spec linalg_domain[] = {matmul,
                                                matvec,
                                                transpose,
                                                inverse,
                                                inverse_cholesky,
                                                solve,
                                                solve_vector,
                                                solve_cholesky,
                                                solve_vector_cholesky,
                                                solve_right,
                                                solve_right_cholesky,
                                                matmul_strassen,
                                                identity_permutation,
                                                find_pivot,
                                                swap_rows,
                                                row_deconstruct,
                                                permute_columns};

}  // namespace wf::kernels
