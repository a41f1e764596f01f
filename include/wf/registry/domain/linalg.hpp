// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/property_rules.hpp>
#include <wf/registry/scratch.hpp>

namespace wf::kernels {

namespace detail {

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

// The last two dimensions swapped.
constexpr view_reading read_transposed(const rule_input& in, std::uint32_t) {
  const std::uint32_t rank = in.operands[0].shape.rank;
  if (rank < 2) return {};
  view_reading out = view_reading::straight(rank);
  out.walker[rank - 2] = static_cast<std::uint8_t>(rank - 1);
  out.walker[rank - 1] = static_cast<std::uint8_t>(rank - 2);
  return out;
}

constexpr properties cholesky_structure(const rule_input&) {
  return lower_triangular | nonsingular;
}
constexpr properties orthogonal_structure(const rule_input& in) {
  const shape& s = in.operands[0].shape;
  return s[0] == s[1] && !s[0].is_unknown() ? properties(orthogonal) : properties();
}
constexpr properties identity_structure(const rule_input&) { return identity; }
constexpr properties symmetric_product_structure(const rule_input& in) {
  return symmetric | wf::detail::infer_by<product_rules>(in);
}
constexpr properties symmetric_inverse_structure(const rule_input& in) {
  return symmetric | wf::detail::infer_by<inverse_rules>(in);
}
constexpr properties symmetric_structure(const rule_input&) { return symmetric; }

}  // namespace detail

/// The matrix product of (stacks of) matrices: 2·M·N·K flops each.
inline constexpr kernel_spec matmul{
    .name = "matmul",
    .domain = "linalg",
    .meaning = meaning::product,
    .signature = "A: number [..., M, K], B: number [..., K, N] -> C[..., M, N]",
    .costs = {{"flops", "2*C*K"},
              {"flops(complex)", "8*C*K"},
              {"macs", "C*K"},
              {"operations", "C*K"},
              detail::product_scratch,
              {"scratch(complex)", "0"}},
    .result_properties = &wf::detail::infer_by<product_rules>,
    .cuts = "*cc",
    .laws = {.associative = true, .linear = true, .distributes_over = "add subtract"},
    .fusion = fusion_role::contraction,
    .summary = "the matrix product"};

/// C + A·B, in place of C: BLAS gemm. An element takes 2·K flops: K products and K additions.
inline constexpr kernel_spec matmul_add{
    .name = "matmul_add",
    .domain = "linalg",
    .signature = "A: number [M, K], B: number [K, N], through C: number [M, N] -> D[M, N]",
    .costs = {{"flops", "2*D*K"},
              {"flops(complex)", "8*D*K"},
              {"macs", "D*K"},
              {"operations", "D*K"},
              detail::product_onto_scratch,
              {"scratch(complex)", "0"}},
    .in_place = true,
    .cuts = "cc",
    .summary = "a matrix product added to a matrix"};

/// C - A·B, in place of C.
inline constexpr kernel_spec matmul_subtract{
    .name = "matmul_subtract",
    .domain = "linalg",
    .signature = "A: number [M, K], B: number [K, N], through C: number [M, N] -> D[M, N]",
    .costs = {{"flops", "2*D*K"},
              {"flops(complex)", "8*D*K"},
              {"macs", "D*K"},
              {"operations", "D*K"},
              detail::product_onto_scratch,
              {"scratch(complex)", "0"}},
    .in_place = true,
    .cuts = "cc",
    .summary = "a matrix product subtracted from a matrix"};

/// A product of two matrices that is known to be symmetric: computes one triangle and mirrors it.
/// Source: gemmt of Intel's MKL and of the BLAS since 3.12; syrk for B = Aᵀ.
inline constexpr kernel_spec gemmt{
    .name = "gemmt",
    .domain = "linalg",
    .signature = "A: number [M, K], B: number [K, M] -> C[M, M]",
    .costs = {{"flops", "(M + 1)*M*K"},
              {"flops(complex)", "4*(M + 1)*M*K"},
              {"macs", "(M + 1)*M*K/2"},
              {"operations", "(M + 1)*M*K/2"},
              detail::square_product_scratch,
              {"scratch(complex)", "0"}},
    .result_properties = &detail::symmetric_product_structure,
    .summary = "one triangle of a symmetric matrix product, mirrored"};

/// A·B + (A·B)ᵀ: one product; the sums of one triangle, mirrored. Source: BLAS syr2k, with its
/// second matrix transposed.
inline constexpr kernel_spec syr2k{.name = "syr2k",
                                   .domain = "linalg",
                                   .signature = "A: number [M, K], B: number [K, M] -> C[M, M]",
                                   .costs = {{"flops", "2*C*K + (M + 1)*M/2"},
                                             {"flops(complex)", "8*C*K + (M + 1)*M"},
                                             {"macs", "C*K"},
                                             {"operations", "C*K + (M + 1)*M/2"},
                                             detail::square_product_scratch,
                                             {"scratch(complex)", "0"}},
                                   .result_properties = &detail::symmetric_structure,
                                   .summary = "a matrix product and its transpose, added"};

/// T·B for the lower triangular T with P = T + Tᵀ, where P is symmetric: T is the lower triangle of
/// P with half its diagonal. Xᵀ·P·X is F + Fᵀ for F = Xᵀ·(T·X), at half the products with P.
inline constexpr kernel_spec matmul_half{
    .name = "matmul_half",
    .domain = "linalg",
    .signature = "P: floating [M, M], B: floating [M, N] -> C[M, N]",
    .costs = {{"flops", "(M + 1)*C + M"},
              {"macs", "(M + 1)*C/2"},
              {"operations", "(M + 1)*C/2 + M"},
              detail::half_product_scratch},
    .cuts = "-c",
    .summary = "half of a symmetric matrix, as T of P = T + Tᵀ, by a matrix"};

/// The product of a symmetric matrix, of which one triangle is read, and a few columns. Source:
/// BLAS symm.
inline constexpr kernel_spec matmul_symmetric{
    .name = "matmul_symmetric",
    .domain = "linalg",
    .signature = "A: number [M, M], B: number [M, N] -> C[M, N]",
    .costs = {{"flops", "2*C*M"},
              {"flops(complex)", "8*C*M"},
              {"macs", "C*M"},
              {"operations", "C*M"},
              detail::symmetric_product_scratch,
              {"scratch(complex)", "0"}},
    .result_properties = &wf::detail::infer_by<product_rules>,
    .cuts = "-c",
    .summary = "the product of a symmetric matrix and a matrix"};

/// The product of a triangular matrix and a matrix: M·(M + 1)/2 multiply-adds for each of N
/// columns. Source: BLAS trmm.
inline constexpr kernel_spec matmul_triangular{
    .name = "matmul_triangular",
    .domain = "linalg",
    .signature = "A: number [M, M], B: number [M, N] -> C[M, N]",
    .costs = {{"flops", "(M + 1)*C"},
              {"flops(complex)", "4*(M + 1)*C"},
              {"macs", "(M + 1)*C/2"},
              {"operations", "(M + 1)*C/2"},
              detail::triangular_product_scratch,
              {"scratch(complex)", "16*min(M, 48)**2"}},
    .result_properties = &wf::detail::infer_by<product_rules>,
    .cuts = "-c",
    .summary = "the product of a triangular matrix and a matrix"};

/// The product of a diagonal matrix and a matrix: scales the rows.
inline constexpr kernel_spec matmul_diagonal{
    .name = "matmul_diagonal",
    .domain = "linalg",
    .signature = "A: number [M, M], B: number [M, N] -> C[M, N]",
    .costs = {{"flops", "C"},
              {"flops(complex)", "6*C"},
              {"macs", "C"},
              {"operations", "C"},
              detail::scaling_scratch},
    .result_properties = &wf::detail::infer_by<product_rules>,
    .cuts = "-c",
    .summary = "the product of a diagonal matrix and a matrix"};

/// The product of a permutation matrix (one 1 in each row and column, zeros elsewhere) and a
/// matrix: permutes rows.
inline constexpr kernel_spec matmul_permutation{
    .name = "matmul_permutation",
    .domain = "linalg",
    .signature = "P: number [M, M], B: number [M, N] -> C[M, N]",
    .costs = {{"flops", "0"},
              {"macs", "0"},
              {"operations", "C"},
              {"scratch", "16*M"},
              {"scratch(complex)", "32*M"}},
    .result_properties = &wf::detail::infer_by<product_rules>,
    .cuts = "-c",
    .summary = "the product of a permutation matrix and a matrix"};

/// The product of a permutation matrix and a vector: `matmul_permutation` with one column.
inline constexpr kernel_spec matvec_permutation{
    .name = "matvec_permutation",
    .domain = "linalg",
    .signature = "P: number [M, M], x: number [M] -> y[M]",
    .costs = {{"flops", "0"},
              {"macs", "0"},
              {"operations", "M"},
              {"scratch", "16*M"},
              {"scratch(complex)", "32*M"}},
    .summary = "the product of a permutation matrix and a vector"};

/// The product of a matrix and a vector: 2·M·K flops.
inline constexpr kernel_spec matvec{.name = "matvec",
                                    .domain = "linalg",
                                    .meaning = meaning::product,
                                    .signature = "A: number [M, K], x: number [K] -> y[M]",
                                    .costs = {{"flops", "2*M*K"},
                                              {"flops(complex)", "8*M*K"},
                                              {"macs", "M*K"},
                                              {"operations", "M*K"},
                                              detail::matvec_scratch},
                                    .cuts = "c",
                                    .laws = {.linear = true, .distributes_over = "add subtract"},
                                    .fusion = fusion_role::contraction,
                                    .summary = "the product of a matrix and a vector"};

/// The product of a symmetric matrix, of which one triangle is read, and a vector. Source: BLAS
/// symv.
inline constexpr kernel_spec matvec_symmetric{
    .name = "matvec_symmetric",
    .domain = "linalg",
    .signature = "A: number [M, M], x: number [M] -> y[M]",
    .costs = {{"flops", "2*M**2"},
              {"flops(complex)", "8*M**2"},
              {"macs", "M**2"},
              {"operations", "M**2"},
              detail::matvec_scratch},
    .summary = "the product of a symmetric matrix and a vector"};

/// The transpose of (a stack of) matrices. Executors read the operand with its dimensions
/// swapped, so it costs nothing.
inline constexpr kernel_spec transpose{
    .name = "transpose",
    .domain = "linalg",
    .meaning = meaning::transposition,
    .signature = "A[...] -> C[...]",
    .costs = {{"flops", "0"}, {"operations", "0"}},
    .result_shape = &detail::transposed_shape,
    .result_properties = &wf::detail::infer_by<transpose_rules>,
    .is_view = true,
    .reading = &detail::read_transposed,
    .moves_elements = true,
    .laws = {.involution = true, .linear = true, .never_rounds = true, .inverse = "transpose"},
    .summary = "the transpose"};

/// The explicit inverse by LU with partial pivoting, as LAPACK getrf and getri: 2·M³ flops to
/// leading order. Source: LAPACK Working Note 41, appendix: getrf 2/3·M³ - 1/2·M² + 5/6·M, getri
/// 4/3·M³ - M² + 5/3·M.
inline constexpr kernel_spec inverse{
    .name = "inverse",
    .domain = "linalg",
    .meaning = meaning::inverse,
    .signature = "A: field [M, M] -> C[M, M]",
    .costs = {{"flops", "2*M**3 - 3/2*M**2 + 5/2*M"},
              {"flops(complex)", "8*M**3 - 3*M**2 + 7*M"},
              detail::solve_vector_scratch,
              {"scratch(complex)", "16*M*(M + 2 + (M < 128 ? 0 : 8))"}},
    .result_properties = &wf::detail::infer_by<inverse_rules>,
    .laws = {.involution = true, .inverse = "inverse"},
    .summary = "the explicit inverse by LU"};

/// The explicit inverse of a symmetric positive definite matrix, as potrf and potri: M³ flops to
/// leading order. Source: LAPACK Working Note 41: potrf 1/3·M³ + 1/2·M² + 1/6·M, potri 2/3·M³ +
/// 1/2·M² + 5/6·M.
inline constexpr kernel_spec inverse_cholesky{
    .name = "inverse_cholesky",
    .domain = "linalg",
    .meaning = meaning::inverse,
    .signature = "A: floating [M, M] -> C[M, M]",
    .costs = {{"flops", "M**3 + M**2 + M"}, detail::solve_vector_scratch},
    .result_properties = &wf::detail::infer_by<inverse_rules>,
    .laws = {.involution = true, .inverse = "inverse_cholesky"},
    .summary = "the explicit inverse of a symmetric positive definite matrix by Cholesky"};

/// The explicit inverse of a symmetric matrix, definite or indefinite, as sytrf and sytri: M³ flops
/// to leading order. Source: dopla of LAPACK's timing routines, after LAPACK Working Note 41: sytrf
/// 1/3·M³ + 1/2·M² + 19/6·M, sytri 2/3·M³ + 1/3·M.
inline constexpr kernel_spec inverse_symmetric{
    .name = "inverse_symmetric",
    .domain = "linalg",
    .meaning = meaning::inverse,
    .signature = "A: field [M, M] -> C[M, M]",
    .costs = {{"flops", "M**3 + 1/2*M**2 + 7/2*M"},
              {"flops(complex)", "4*M**3 + 3*M**2 + 23*M"},
              detail::inverse_symmetric_scratch,
              {"scratch(complex)",
               "16*M*(2*((M + 7)//8*8 + (M < 121 ? 0 : 8)) + 5) + 16*(min(M, M < 600 ? 32 : M < "
               "1200 ? 48 : 64) + ((M + 7)//8*8 + (M < 121 ? 0 : 8))*(min(M, M < 600 ? 32 : M < "
               "1200 ? 48 : 64) + 1))"}},
    .result_properties = &detail::symmetric_inverse_structure,
    .laws = {.involution = true, .inverse = "inverse_symmetric"},
    .summary = "the explicit inverse of a symmetric matrix, of which one triangle is read"};

/// The inverse of a triangular matrix, as trtri: M³/3 flops to leading order. Source: LAPACK
/// Working Note 41: trtri 1/3·M³ + 2/3·M.
inline constexpr kernel_spec inverse_triangular{
    .name = "inverse_triangular",
    .domain = "linalg",
    .signature = "A: field [M, M] -> C[M, M]",
    .costs = {{"flops", "1/3*M**3 + 2/3*M"},
              {"flops(complex)", "4/3*M**3 + 2*M**2 + 8/3*M"},
              detail::square_triangle_scratch,
              {"scratch(complex)", "0"}},
    .result_properties = &wf::detail::infer_by<inverse_rules>,
    .summary = "the explicit inverse of a triangular matrix"};

/// The inverse of a diagonal matrix: M divisions.
inline constexpr kernel_spec inverse_diagonal{
    .name = "inverse_diagonal",
    .domain = "linalg",
    .signature = "A: field [M, M] -> C[M, M]",
    .costs = {{"flops", "M"}, {"flops(complex)", "6*M"}},
    .result_properties = &wf::detail::infer_by<inverse_rules>,
    .summary = "the explicit inverse of a diagonal matrix"};

/// The solution X of A·X = B by LU with partial pivoting. Source: LAPACK Working Note 41: getrf
/// 2/3·M³ - 1/2·M² + 5/6·M, getrs N·(2·M² - M).
inline constexpr kernel_spec solve{
    .name = "solve",
    .domain = "linalg",
    .signature = "A: field [M, M], B: field [M, N] -> X[M, N]",
    .costs = {{"flops", "2/3*M**3 - 1/2*M**2 + 5/6*M + N*(2*M**2 - M)"},
              {"flops(complex)", "8/3*M**3 - M**2 + 13/3*M + N*(8*M**2 - 2*M)"},
              detail::solve_scratch,
              {"scratch(complex)", "16*M*(M + 2 + (M < 128 ? 0 : 8))"}},
    .summary = "the solution of A X = B by LU"};

/// The solution x of A·x = b by LU with partial pivoting: `solve` with one column.
inline constexpr kernel_spec solve_vector{
    .name = "solve_vector",
    .domain = "linalg",
    .signature = "A: field [M, M], b: field [M] -> x[M]",
    .costs = {{"flops", "2/3*M**3 - 1/2*M**2 + 5/6*M + 2*M**2 - M"},
              {"flops(complex)", "8/3*M**3 + 7*M**2 + 7/3*M"},
              detail::solve_vector_scratch,
              {"scratch(complex)", "16*M*(M + 2 + (M < 128 ? 0 : 8))"}},
    .summary = "the solution of A x = b by LU"};

/// The solution X of A·X = B for a symmetric positive definite A, by Cholesky. Source: LAPACK
/// Working Note 41: potrf 1/3·M³ + 1/2·M² + 1/6·M, potrs N·2·M².
inline constexpr kernel_spec solve_cholesky{
    .name = "solve_cholesky",
    .domain = "linalg",
    .signature = "A: floating [M, M], B: floating [M, N] -> X[M, N]",
    .costs = {{"flops", "1/3*M**3 + 1/2*M**2 + 1/6*M + 2*N*M**2"}, detail::solve_scratch},
    .summary = "the solution of A X = B by Cholesky"};

/// The solution x of A·x = b for a symmetric positive definite A, by Cholesky: `solve_cholesky`
/// with one column.
inline constexpr kernel_spec solve_vector_cholesky{
    .name = "solve_vector_cholesky",
    .domain = "linalg",
    .signature = "A: floating [M, M], b: floating [M] -> x[M]",
    .costs = {{"flops", "1/3*M**3 + 1/2*M**2 + 1/6*M + 2*M**2"}, detail::solve_vector_scratch},
    .summary = "the solution of A x = b by Cholesky"};

/// The solution X of A·X = B for a symmetric A, definite or indefinite, by P·A·Pᵀ = L·D·Lᵀ with
/// blocks of one and two rows in D. Source: J. Bunch, L. Kaufman, Some stable methods for
/// calculating inertia and solving symmetric linear systems, 1977; flops as for
/// `inverse_symmetric`: sytrf, sytrs N·(2·M² - M).
inline constexpr kernel_spec solve_symmetric{
    .name = "solve_symmetric",
    .domain = "linalg",
    .signature = "A: field [M, M], B: field [M, N] -> X[M, N]",
    .costs = {{"flops", "1/3*M**3 + 1/2*M**2 + 19/6*M + N*(2*M**2 - M)"},
              {"flops(complex)", "4/3*M**3 + 3*M**2 + 59/3*M + N*(8*M**2 - 2*M)"},
              detail::solve_symmetric_scratch,
              {"scratch(complex)",
               "16*M*(((M + 7)//8*8 + (M < 121 ? 0 : 8)) + 5) + 16*(min(M, M < 600 ? 32 : M < 1200 "
               "? 48 : 64) + ((M + 7)//8*8 + (M < 121 ? 0 : 8))*(min(M, M < 600 ? 32 : M < 1200 ? "
               "48 : 64) + 1))"}},
    .summary = "the solution of A X = B for a symmetric A, of which one triangle is read"};

/// The solution x of A·x = b for a symmetric A, definite or indefinite: `solve_symmetric` with one
/// column.
inline constexpr kernel_spec solve_vector_symmetric{
    .name = "solve_vector_symmetric",
    .domain = "linalg",
    .signature = "A: field [M, M], b: field [M] -> x[M]",
    .costs = {{"flops", "1/3*M**3 + 5/2*M**2 + 13/6*M"},
              {"flops(complex)", "4/3*M**3 + 11*M**2 + 53/3*M"},
              detail::factorise_symmetric_scratch,
              {"scratch(complex)",
               "16*M*(((M + 7)//8*8 + (M < 121 ? 0 : 8)) + 5) + 16*(min(M, M < 600 ? 32 : M < 1200 "
               "? 48 : 64) + ((M + 7)//8*8 + (M < 121 ? 0 : 8))*(min(M, M < 600 ? 32 : M < 1200 ? "
               "48 : 64) + 1))"}},
    .summary = "the solution of A x = b for a symmetric A, of which one triangle is read"};

/// The solution X of X·A = B by LU: the transposed `solve`.
inline constexpr kernel_spec solve_right{
    .name = "solve_right",
    .domain = "linalg",
    .signature = "B: field [N, M], A: field [M, M] -> X[N, M]",
    .costs = {{"flops", "2/3*M**3 - 1/2*M**2 + 5/6*M + N*(2*M**2 - M)"},
              {"flops(complex)", "8/3*M**3 - M**2 + 13/3*M + N*(8*M**2 - 2*M)"},
              detail::solve_scratch,
              {"scratch(complex)", "16*M*(M + 2 + (M < 128 ? 0 : 8))"}},
    .summary = "the solution of X A = B by LU"};

/// The solution X of X·A = B for a symmetric positive definite A, by Cholesky: the transposed
/// `solve_cholesky`.
inline constexpr kernel_spec solve_right_cholesky{
    .name = "solve_right_cholesky",
    .domain = "linalg",
    .signature = "B: floating [N, M], A: floating [M, M] -> X[N, M]",
    .costs = {{"flops", "1/3*M**3 + 1/2*M**2 + 1/6*M + 2*N*M**2"}, detail::solve_scratch},
    .summary = "the solution of X A = B by Cholesky"};

/// One level of Strassen's product: seven half-size products and eighteen half-size sums. Extents
/// must be even. Source: V. Strassen, Gaussian elimination is not optimal, 1969.
inline constexpr kernel_spec matmul_strassen{
    .name = "matmul_strassen",
    .domain = "linalg",
    .signature = "A: number [M, K], B: number [K, N] -> C[M, N]",
    .costs = {{"flops", "7/4*M*N*K + 5/4*(M*K + K*N) + 2*M*N"},
              {"flops(complex)", "7*M*N*K + 5/2*(M*K + K*N) + 4*M*N"},
              {"macs", "7/8*M*N*K"},
              {"operations", "7/8*M*N*K + 5/4*(M*K + K*N) + 2*M*N"},
              detail::strassen_scratch,
              {"scratch(complex)",
               "16*min((K + 1)//2, 384)*(min((max(M, N) + 1)//2, 8192) + min((min(M, N) + 1)//2, "
               "240) + 32) + 128"}},
    .laws = {.associative = true, .linear = true, .distributes_over = "add subtract"},
    .fusion = fusion_role::contraction,
    .summary = "one level of Strassen's matrix product"};

/// The inner product, 2·N flops as in a matrix product; complex vectors are not conjugated.
inline constexpr kernel_spec dot{
    .name = "dot",
    .domain = "linalg",
    .signature = "x: number [N], y: number [N] -> s[]",
    .costs = {{"flops", "2*N"},
              {"flops(complex)", "8*N"},
              {"macs", "N"},
              {"operations", "N"},
              detail::dot_scratch},
    .laws = {.commutative = true, .linear = true, .distributes_over = "add subtract"},
    .fusion = fusion_role::contraction,
    .summary = "the inner product of two vectors"};

/// The outer product x·yᵀ.
inline constexpr kernel_spec outer{
    .name = "outer",
    .domain = "linalg",
    .signature = "x: number [M], y: number [N] -> A[M, N]",
    .costs = {{"flops", "M*N"}, {"flops(complex)", "6*M*N"}, {"operations", "M*N"}},
    .cuts = "cc",
    .laws = {.linear = true, .distributes_over = "add subtract"},
    .fusion = fusion_role::contraction,
    .summary = "the outer product of two vectors"};

/// a·x + y, in place of y: one multiply-add per element.
inline constexpr kernel_spec axpy{
    .name = "axpy",
    .domain = "linalg",
    .signature = "a: number [], x: number [N], through y: number [N] -> z[N]",
    .costs = {{"flops", "2*N"},
              {"flops(complex)", "8*N"},
              {"macs", "N"},
              {"operations", "N"},
              detail::axpy_scratch},
    .in_place = true,
    .cuts = "c",
    .summary = "a x + y of vectors"};

/// The Euclidean norm: N products, N - 1 additions, a square root.
inline constexpr kernel_spec norm{.name = "norm",
                                  .domain = "linalg",
                                  .signature = "x: floating [N] -> s[]",
                                  .costs = {{"flops", "2*N"}, {"macs", "N"}, {"operations", "N"}},
                                  .summary = "the Euclidean norm of a vector"};

/// The trace of a square matrix.
inline constexpr kernel_spec trace{.name = "trace",
                                   .domain = "linalg",
                                   .signature = "A: number [M, M] -> s[]",
                                   .costs = {{"flops", "M - 1"},
                                             {"flops(complex)", "2*M - 2"},
                                             {"operations", "M"},
                                             detail::trace_scratch,
                                             {"summands", "M"}},
                                   .laws = {.linear = true, .monotone = true},
                                   .summary = "the sum of the diagonal"};

/// The diagonal of a square matrix.
inline constexpr kernel_spec diagonal{.name = "diagonal",
                                      .domain = "linalg",
                                      .signature = "A: number [M, M] -> d[M]",
                                      .costs = {{"flops", "0"},
                                                {"operations", "M"},
                                                {"bytes_read", "d.bytes"},
                                                {"bytes", "2*d.bytes"}},
                                      .laws = {.linear = true},
                                      .summary = "the diagonal of a matrix"};

/// The diagonal of the product of two matrices: inner products of rows of one with columns of the
/// other.
inline constexpr kernel_spec product_diagonal{
    .name = "product_diagonal",
    .domain = "linalg",
    .signature = "A: number [M, K], B: number [K, M] -> d[M]",
    .costs = {{"flops", "2*M*K"},
              {"flops(complex)", "8*M*K"},
              {"macs", "M*K"},
              {"operations", "M*K"},
              detail::product_diagonal_scratch},
    .cuts = "c",
    .laws = {.linear = true, .distributes_over = "add subtract"},
    .summary = "the diagonal of a matrix product"};

/// The identity matrix of the operand's size; the elements of the operand are not read.
inline constexpr kernel_spec identity_like{
    .name = "identity_like",
    .domain = "linalg",
    .signature = "A: number [M, M] -> C[M, M]",
    .costs = {{"flops", "0"}, {"operations", "0"}, {"bytes_read", "0"}, {"bytes", "C.bytes"}},
    .result_properties = &detail::identity_structure,
    .summary = "the identity matrix of the operand's size"};

/// The Cholesky factor L with L·Lᵀ = A for a symmetric positive definite A. Source: LAPACK Working
/// Note 41: potrf 1/3·M³ + 1/2·M² + 1/6·M.
inline constexpr kernel_spec cholesky{
    .name = "cholesky",
    .domain = "linalg",
    .signature = "A: floating [M, M] -> L[M, M]",
    .costs = {{"flops", "1/3*M**3 + 1/2*M**2 + 1/6*M"}, detail::factorise_scratch},
    .result_properties = &detail::cholesky_structure,
    .in_place = true,
    .summary = "the Cholesky factor of a symmetric positive definite matrix"};

/// The factors of P·A = L·U in one matrix, without the unit diagonal of L, and the permutation.
/// Source: LAPACK Working Note 41: getrf 2/3·M³ - 1/2·M² + 5/6·M.
inline constexpr kernel_spec lu{
    .name = "lu",
    .domain = "linalg",
    .signature = "A: field [M, M] -> F[M, M], p: i64 [M]",
    .costs = {{"flops", "2/3*M**3 - 1/2*M**2 + 5/6*M"},
              {"flops(complex)", "8/3*M**3 - M**2 + 13/3*M"},
              detail::factorise_scratch,
              {"scratch(complex)", "16*M"}},
    .in_place = true,
    .summary = "the LU factors of a matrix, and the permutation of its rows"};

/// `lu` for solving: it fails for a matrix that is singular to working precision, so that solutions
/// by its factors fail where `solve` does. Source: LAPACK Working Note 41: getrf.
inline constexpr kernel_spec lu_factor{
    .name = "lu_factor",
    .domain = "linalg",
    .signature = "A: field [M, M] -> F[M, M], p: i64 [M]",
    .costs = {{"flops", "2/3*M**3 - 1/2*M**2 + 5/6*M"},
              {"flops(complex)", "8/3*M**3 - M**2 + 13/3*M"},
              detail::factorise_regular_scratch,
              {"scratch(complex)", "32*M"}},
    .in_place = true,
    .summary = "the LU factors of a nonsingular matrix, and the permutation of its rows"};

/// The solution X of A·X = B from the LU factors of A. Source: LAPACK Working Note 41: getrs
/// N·(2·M² - M).
inline constexpr kernel_spec solve_lu{
    .name = "solve_lu",
    .domain = "linalg",
    .signature = "F: field [M, M], p: i64 [M], B: field [M, N] -> X[M, N]",
    .costs = {{"flops", "N*(2*M**2 - M)"},
              {"flops(complex)", "N*(8*M**2 - 2*M)"},
              detail::solve_factors_scratch,
              {"scratch(complex)", "16*M"}},
    .summary = "the solution of A X = B by the LU factors of A"};

/// The solution x of A·x = b from the LU factors of A: `solve_lu` with one column.
inline constexpr kernel_spec solve_vector_lu{
    .name = "solve_vector_lu",
    .domain = "linalg",
    .signature = "F: field [M, M], p: i64 [M], b: field [M] -> x[M]",
    .costs = {{"flops", "2*M**2 - M"},
              {"flops(complex)", "8*M**2 - 2*M"},
              detail::factorise_scratch,
              {"scratch(complex)", "16*M"}},
    .summary = "the solution of A x = b by the LU factors of A"};

/// The solution X of Aᵀ·X = B from the LU factors of A; X·A = B is its transpose. Source: as
/// `solve_lu`.
inline constexpr kernel_spec solve_lu_transposed{
    .name = "solve_lu_transposed",
    .domain = "linalg",
    .signature = "F: field [M, M], p: i64 [M], B: field [M, N] -> X[M, N]",
    .costs = {{"flops", "N*(2*M**2 - M)"},
              {"flops(complex)", "N*(8*M**2 - 2*M)"},
              detail::solve_factors_transposed_scratch,
              {"scratch(complex)", "16*(M + X)"}},
    .summary = "the solution of Aᵀ X = B by the LU factors of A"};

/// The solution x of Aᵀ·x = b from the LU factors of A: `solve_lu_transposed` with one column.
inline constexpr kernel_spec solve_vector_lu_transposed{
    .name = "solve_vector_lu_transposed",
    .domain = "linalg",
    .signature = "F: field [M, M], p: i64 [M], b: field [M] -> x[M]",
    .costs = {{"flops", "2*M**2 - M"},
              {"flops(complex)", "8*M**2 - 2*M"},
              detail::solve_vector_factors_transposed_scratch,
              {"scratch(complex)", "16*(M + x)"}},
    .summary = "the solution of Aᵀ x = b by the LU factors of A"};

/// The factors of P·A·Pᵀ = L·D·Lᵀ of a symmetric matrix in one matrix, and the permutation. Below
/// the diagonal is L, whose unit diagonal is not stored; on the diagonal that of D; right of the
/// diagonal the off-diagonal elements of D, nonzero in blocks of two rows; zeros above. It fails
/// for a matrix that is singular to working precision, like `solve_symmetric`, which is this and
/// `solve_ldl` in one. Source: as there: sytrf 1/3·M³ + 1/2·M² + 19/6·M.
inline constexpr kernel_spec ldl_factor{
    .name = "ldl_factor",
    .domain = "linalg",
    .signature = "A: field [M, M] -> F[M, M], p: i64 [M]",
    .costs = {{"flops", "1/3*M**3 + 1/2*M**2 + 19/6*M"},
              {"flops(complex)", "4/3*M**3 + 3*M**2 + 59/3*M"},
              detail::factorise_symmetric_scratch,
              {"scratch(complex)",
               "16*M*(((M + 7)//8*8 + (M < 121 ? 0 : 8)) + 5) + 16*(min(M, M < 600 ? 32 : M < 1200 "
               "? 48 : 64) + ((M + 7)//8*8 + (M < 121 ? 0 : 8))*(min(M, M < 600 ? 32 : M < 1200 ? "
               "48 : 64) + 1))"}},
    .summary =
        "the factors L D Lᵀ of a nonsingular symmetric matrix, of which one triangle is "
        "read, and the permutation of its rows"};

/// The solution X of A·X = B from the factors L·D·Lᵀ of a symmetric A. Source: as
/// `solve_symmetric`: sytrs N·(2·M² - M).
inline constexpr kernel_spec solve_ldl{
    .name = "solve_ldl",
    .domain = "linalg",
    .signature = "F: field [M, M], p: i64 [M], B: field [M, N] -> X[M, N]",
    .costs = {{"flops", "N*(2*M**2 - M)"},
              {"flops(complex)", "N*(8*M**2 - 2*M)"},
              detail::solve_symmetric_factors_scratch,
              {"scratch(complex)", "48*M"}},
    .summary = "the solution of A X = B by the factors L D Lᵀ of A"};

/// The solution x of A·x = b from the factors L·D·Lᵀ of a symmetric A: `solve_ldl` with one column.
inline constexpr kernel_spec solve_vector_ldl{
    .name = "solve_vector_ldl",
    .domain = "linalg",
    .signature = "F: field [M, M], p: i64 [M], b: field [M] -> x[M]",
    .costs = {{"flops", "2*M**2 - M"},
              {"flops(complex)", "8*M**2 - 2*M"},
              detail::solve_vector_symmetric_factors_scratch,
              {"scratch(complex)", "48*M"}},
    .summary = "the solution of A x = b by the factors L D Lᵀ of A"};

/// The factors Q with orthonormal columns and R upper triangular of A = Q·R, by Householder
/// reflections, for M >= N. Source: LAPACK Working Note 41: geqrf 2·M·N² - 2/3·N³ + M·N + N² +
/// 14/3·N, orgqr 2·M·N² - 2/3·N³ - M·N + 2·N² - 4/3·N.
inline constexpr kernel_spec qr{
    .name = "qr",
    .domain = "linalg",
    .signature = "A: floating [M, N] -> Q[M, N], R[N, N]",
    .costs = {{"flops", "4*M*N**2 - 4/3*N**3 + 3*N**2 + 10/3*N"}, detail::qr_scratch},
    .result_properties = &detail::orthogonal_structure,
    .summary = "the orthogonal and the triangular factor of a matrix"};

/// The X that minimizes ‖A·X - B‖ in each column, for M >= N and A of full rank, by Householder
/// reflections; never by the normal equations, which square the condition number. Source: LAPACK
/// Working Note 41: geqrf 2·M·N² - 2/3·N³ + M·N + N² + 14/3·N, ormqr 4·M·N·K - 2·N²·K + 3·N·K, and
/// trsm N²·K.
inline constexpr kernel_spec least_squares{
    .name = "least_squares",
    .domain = "linalg",
    .signature = "A: floating [M, N], B: floating [M, K] -> X[N, K]",
    .costs = {{"flops", "2*M*N**2 - 2/3*N**3 + M*N + N**2 + 14/3*N + K*(4*M*N - N**2 + 3*N)"},
              detail::least_squares_scratch},
    .summary = "the least squares solution of A X = B by Householder QR"};

/// The x that minimizes ‖A·x - b‖: `least_squares` with one column.
inline constexpr kernel_spec least_squares_vector{
    .name = "least_squares_vector",
    .domain = "linalg",
    .signature = "A: floating [M, N], b: floating [M] -> x[N]",
    .costs = {{"flops", "2*M*N**2 - 2/3*N**3 + 5*M*N + 23/3*N"},
              detail::least_squares_vector_scratch},
    .summary = "the least squares solution of A x = b by Householder QR"};

/// The solution X of A·X = B for a triangular A, by substitution: M·(M-1)/2 multiply-adds and M
/// divisions per column.
inline constexpr kernel_spec solve_triangular{
    .name = "solve_triangular",
    .domain = "linalg",
    .signature = "A: field [M, M], B: field [M, N] -> X[M, N]",
    .costs = {{"flops", "N*M**2"},
              {"flops(complex)", "N*(4*M**2 + 2*M)"},
              {"macs", "N*(M**2 - M)/2"},
              detail::triangle_scratch,
              {"scratch(complex)", "0"}},
    .cuts = "-c",
    .summary = "the solution of A X = B for a triangular A"};

/// The solution x of A·x = b for a triangular A: `solve_triangular` with one column.
inline constexpr kernel_spec solve_vector_triangular{
    .name = "solve_vector_triangular",
    .domain = "linalg",
    .signature = "A: field [M, M], b: field [M] -> x[M]",
    .costs = {{"flops", "M**2"}, {"flops(complex)", "4*M**2 + 2*M"}, {"macs", "(M**2 - M)/2"}},
    .summary = "the solution of A x = b for a triangular A"};

/// The solution X of A·X = B for a diagonal A: one division per element.
inline constexpr kernel_spec solve_diagonal{
    .name = "solve_diagonal",
    .domain = "linalg",
    .signature = "A: field [M, M], B: field [M, N] -> X[M, N]",
    .costs = {{"flops", "X"}, {"flops(complex)", "6*X"}},
    .summary = "the solution of A X = B for a diagonal A"};

/// Every kernel of the domain.
inline constexpr const kernel_spec* linalg_domain[] = {&matmul,
                                                       &matmul_add,
                                                       &matmul_subtract,
                                                       &gemmt,
                                                       &syr2k,
                                                       &matmul_half,
                                                       &matmul_symmetric,
                                                       &matmul_triangular,
                                                       &matmul_diagonal,
                                                       &matmul_permutation,
                                                       &matvec_permutation,
                                                       &matvec,
                                                       &matvec_symmetric,
                                                       &transpose,
                                                       &inverse,
                                                       &inverse_cholesky,
                                                       &inverse_symmetric,
                                                       &inverse_triangular,
                                                       &inverse_diagonal,
                                                       &solve,
                                                       &solve_vector,
                                                       &solve_cholesky,
                                                       &solve_vector_cholesky,
                                                       &solve_symmetric,
                                                       &solve_vector_symmetric,
                                                       &solve_right,
                                                       &solve_right_cholesky,
                                                       &matmul_strassen,
                                                       &dot,
                                                       &outer,
                                                       &axpy,
                                                       &norm,
                                                       &trace,
                                                       &diagonal,
                                                       &product_diagonal,
                                                       &identity_like,
                                                       &cholesky,
                                                       &lu,
                                                       &lu_factor,
                                                       &solve_lu,
                                                       &solve_vector_lu,
                                                       &solve_lu_transposed,
                                                       &solve_vector_lu_transposed,
                                                       &ldl_factor,
                                                       &solve_ldl,
                                                       &solve_vector_ldl,
                                                       &qr,
                                                       &least_squares,
                                                       &least_squares_vector,
                                                       &solve_triangular,
                                                       &solve_vector_triangular,
                                                       &solve_diagonal};

}  // namespace wf::kernels
