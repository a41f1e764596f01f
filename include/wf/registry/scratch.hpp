// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/kernel.hpp>

// Upper bounds, in bytes, on the scratch storage that the executors' operators request, for any
// instruction set they are compiled for. Sums of integers must be exact in doubles, so the
// magnitudes of all operands and results are stored. Large products pack blocks of both operands:
// depth up to 384, up to 8192 columns of the longer side and 240 of the shorter one.
namespace wf::kernels::detail {

// Products C = A·B.
inline constexpr kernel_cost product_scratch{
    "scratch",
    "(C.integers == 0 ? 0 : 8*(A + B + C)) + (min(min(M, N), K) < 16 or M*N*K <= 262144 "
    "? 0 : 8*min(K, 384)*(min(max(M, N), 8192) + min(min(M, N), 240) + 32) + 128)"};
inline constexpr kernel_cost product_onto_scratch{
    "scratch",
    "(D.integers == 0 ? 0 : 8*(A + B + C + D)) + (min(min(M, N), K) < 16 or M*N*K <= "
    "262144 ? 0 : 8*min(K, 384)*(min(max(M, N), 8192) + min(min(M, N), 240) + 32) + 128)"};
inline constexpr kernel_cost square_product_scratch{
    "scratch",
    "(C.integers == 0 ? 0 : 8*(A + B + C)) + (min(min(M, M), K) < 16 or M*M*K <= 262144 "
    "? 0 : 8*min(K, 384)*(min(max(M, M), 8192) + min(min(M, M), 240) + 32) + 128)"};
inline constexpr kernel_cost symmetric_product_scratch{
    "scratch",
    "(C.integers == 0 ? 0 : 8*(A + B + C)) + (min(min(M, N), M) < 16 or M*N*M <= 262144 "
    "? 0 : 8*min(M, 384)*(min(max(M, N), 8192) + min(min(M, N), 240) + 32) + 128)"};
// Products of triangular matrices; small triangles are copied and filled with zeros.
inline constexpr kernel_cost half_product_scratch{
    "scratch",
    "8*min(M, 48)**2 + (min(min(M, N), M) < 16 or M*N*M <= 262144 ? 0 : 8*min(M, "
    "384)*(min(max(M, N), 8192) + min(min(M, N), 240) + 32) + 128)"};
inline constexpr kernel_cost triangular_product_scratch{
    "scratch",
    "(C.integers == 0 ? 0 : 8*(A + B + C)) + 8*min(M, 48)**2 + (min(min(M, N), M) < 16 "
    "or M*N*M <= 262144 ? 0 : 8*min(M, 384)*(min(max(M, N), 8192) + min(min(M, N), 240) "
    "+ 32) + 128)"};
// Strassen's product: products of quarters.
inline constexpr kernel_cost strassen_scratch{
    "scratch",
    "(C.integers == 0 ? 0 : 8*(A + B + C) + (min(min(M, N), K) < 16 or M*N*K <= 262144 ? 0 : "
    "8*min(K, 384)*(min(max(M, N), 8192) + min(min(M, N), 240) + 32) + 128)) + "
    "8*min((K + 1)//2, 384)*(min((max(M, N) + 1)//2, 8192) + min((min(M, N) + 1)//2, 240) + 32) "
    "+ 128"};
// Contractions as products of an r-by-k and a k-by-c matrix. r·c·k is the number of points; r·c is
// at most the number of elements of the result; r·k and k·c are the operand sizes if the indices
// that both operands share are exactly the summed ones.
inline constexpr kernel_cost contraction_scratch{
    "scratch",
    "(C.integers == 0 ? 0 : 8*(A + B + C)) + (points < 2000 ? 0 : 8*(2*(min(C + 1, A + B) + "
    "points//max(C, 1)) + 16 + min(points//max(C, 1), 384)*32 + (A*B*C == points**2 ? min(A + B, "
    "min(points//max(C, 1), 384)*min(C + 1, 8432)) : "
    "min(points//max(C, 1), 384)*min(min(C + 1, A + B), 8432))))"};
// A copy of the matrix to factorise, its row exchanges and one column; from 128 rows on columns are
// padded to suit caches. Then a packed triangle with a panel of right-hand sides, and products.
inline constexpr kernel_cost solve_scratch{
    "scratch",
    "8*M*(M + 2 + (M < 128 ? 0 : 8)) + (M < 16 ? 0 : 8*(min(M, 256)**2//2 + 48*min(M, "
    "256) + 368)) + (M < 16 or M**2*max(M, N) <= 262144 ? 0 : 8*min(M, 384)*(min(max(M, "
    "N), 8192) + min(M, 240) + 32) + 128)"};
inline constexpr kernel_cost inverse_scratch{
    "scratch",
    "8*M*(M + 2 + (M < 128 ? 0 : 8)) + (M < 16 ? 0 : 8*(min(M, 256)**2//2 + 48*min(M, "
    "256) + 368)) + (M < 65 ? 0 : 8*min(M, 384)*(min(M, 8192) + min(M, 240) + 32) + 128)"};
// Complex elements take the copy alone, without a packed triangle and products.
inline constexpr kernel_cost complex_solve_scratch{"scratch(complex)",
                                                   "16*M*(M + 2 + (M < 128 ? 0 : 8))"};
// The same for a symmetric matrix: columns begin at cache lines; D⁻¹ and a panel are added.
inline constexpr kernel_cost inverse_symmetric_scratch{
    "scratch",
    "8*M*(2*((M + 7)//8*8 + (M < 121 ? 0 : 8)) + 5) + 8*(min(M, M < 600 ? 32 : M < 1200 "
    "? 48 : 64) + ((M + 7)//8*8 + (M < 121 ? 0 : 8))*(min(M, M < 600 ? 32 : M < 1200 ? "
    "48 : 64) + 1)) + (M <= 32 ? 0 : 8*(min(M, M < 600 ? 32 : M < 1200 ? 48 : 64) + "
    "1)*(min(M, 8192) + min(M, 240) + 32) + 128) + (M < 16 ? 0 : 8*(min(M, 256)**2//2 + "
    "48*min(M, 256) + 368)) + (M < 65 ? 0 : 8*min(M, 384)*(min(M, 8192) + min(M, 240) + "
    "32) + 128)"};
inline constexpr kernel_cost solve_symmetric_scratch{
    "scratch",
    "8*M*(((M + 7)//8*8 + (M < 121 ? 0 : 8)) + 5) + 8*(min(M, M < 600 ? 32 : M < 1200 ? "
    "48 : 64) + ((M + 7)//8*8 + (M < 121 ? 0 : 8))*(min(M, M < 600 ? 32 : M < 1200 ? 48 "
    ": 64) + 1)) + (M <= 32 ? 0 : 8*(min(M, M < 600 ? 32 : M < 1200 ? 48 : 64) + "
    "1)*(min(M, 8192) + min(M, 240) + 32) + 128) + (M < 16 ? 0 : 8*(min(M, 256)**2//2 + "
    "48*min(M, 256) + 368)) + (M < 16 or M**2*max(M, N) <= 262144 ? 0 : 8*min(M, "
    "384)*(min(max(M, N), 8192) + min(M, 240) + 32) + 128)"};
inline constexpr kernel_cost factorise_symmetric_scratch{
    "scratch",
    "8*M*(((M + 7)//8*8 + (M < 121 ? 0 : 8)) + 5) + 8*(min(M, M < 600 ? 32 : M < 1200 ? "
    "48 : 64) + ((M + 7)//8*8 + (M < 121 ? 0 : 8))*(min(M, M < 600 ? 32 : M < 1200 ? 48 "
    ": 64) + 1)) + (M <= 32 ? 0 : 8*(min(M, M < 600 ? 32 : M < 1200 ? 48 : 64) + "
    "1)*(min(M, 8192) + min(M, 240) + 32) + 128) + (M < 16 ? 0 : 8*(min(M, 256)**2//2 + "
    "48*min(M, 256) + 368)) + (M < 65 ? 0 : 8*min(M, 384)*(min(M, 8192) + min(M, 240) + "
    "32) + 128)"};
inline constexpr kernel_cost complex_factorise_symmetric_scratch{
    "scratch(complex)",
    "16*M*(((M + 7)//8*8 + (M < 121 ? 0 : 8)) + 5) + 16*(min(M, M < 600 ? 32 : M < 1200 "
    "? 48 : 64) + ((M + 7)//8*8 + (M < 121 ? 0 : 8))*(min(M, M < 600 ? 32 : M < 1200 ? "
    "48 : 64) + 1))"};
// Only the packed triangle, and products; one column takes neither.
inline constexpr kernel_cost triangle_scratch{
    "scratch",
    "(M < 16 or N == 1 ? 0 : 8*(min(M, 256)**2//2 + 48*min(M, 256) + 368)) + (M < 16 or N == 1 "
    "or M**2*max(M, N) <= 262144 ? 0 : 8*min(M, 384)*(min(max(M, N), 8192) + min(M, 240) + "
    "32) + 128)"};
inline constexpr kernel_cost square_triangle_scratch{
    "scratch",
    "(M < 16 ? 0 : 8*(min(M, 256)**2//2 + 48*min(M, 256) + 368)) + (M < 65 ? 0 : "
    "8*min(M, 384)*(min(M, 8192) + min(M, 240) + 32) + 128)"};
// In addition one or more columns, and possibly a copy of the right-hand sides.
inline constexpr kernel_cost factorise_scratch{
    "scratch",
    "8*M + (M < 16 ? 0 : 8*(min(M, 256)**2//2 + 48*min(M, 256) + 368)) + (M < 65 ? 0 : "
    "8*min(M, 384)*(min(M, 8192) + min(M, 240) + 32) + 128)"};
inline constexpr kernel_cost factorise_regular_scratch{
    "scratch",
    "16*M + (M < 16 ? 0 : 8*(min(M, 256)**2//2 + 48*min(M, 256) + 368)) + (M < 65 ? 0 : "
    "8*min(M, 384)*(min(M, 8192) + min(M, 240) + 32) + 128)"};
inline constexpr kernel_cost solve_factors_scratch{
    "scratch",
    "8*M + (M < 16 ? 0 : 8*(min(M, 256)**2//2 + 48*min(M, 256) + 368)) + (M < 16 or "
    "M**2*max(M, N) <= 262144 ? 0 : 8*min(M, 384)*(min(max(M, N), 8192) + min(M, 240) + "
    "32) + 128)"};
inline constexpr kernel_cost solve_factors_transposed_scratch{
    "scratch",
    "8*(M + X) + (M < 16 ? 0 : 8*(min(M, 256)**2//2 + 48*min(M, 256) + 368)) + (M < 16 "
    "or M**2*max(M, N) <= 262144 ? 0 : 8*min(M, 384)*(min(max(M, N), 8192) + min(M, 240) "
    "+ 32) + 128)"};
inline constexpr kernel_cost solve_symmetric_factors_scratch{
    "scratch",
    "24*M + (M < 16 ? 0 : 8*(min(M, 256)**2//2 + 48*min(M, 256) + 368)) + (M < 16 or "
    "M**2*max(M, N) <= 262144 ? 0 : 8*min(M, 384)*(min(max(M, N), 8192) + min(M, 240) + "
    "32) + 128)"};
// Householder reflections: triangles and vectors of a panel, their products with the matrix, and
// the packing of these products.
inline constexpr kernel_cost qr_scratch{
    "scratch",
    "8*M*N + 8*min(N, 64)*(N + M + 2*N) + (N < 16 or min(N, 64)*N*M <= 262144 ? 0 : "
    "8*min(M, 384)*(min(N, 64) + min(N, 8192) + 32) + 8*min(N, 64)*(min(max(M, N), 8192) "
    "+ min(min(M, N), 240) + 32) + 256)"};
inline constexpr kernel_cost least_squares_scratch{
    "scratch",
    "8*(M + (M < 128 ? 0 : 8))*(N + K) + 8*N + 8*min(N, 64)*(N + M + 2*(N + K)) + (N < "
    "16 or min(N, 64)*(N + K)*M <= 262144 ? 0 : 8*min(M, 384)*(min(N, 64) + min((N + K), "
    "8192) + 32) + 8*min(N, 64)*(min(max(M, (N + K)), 8192) + min(min(M, (N + K)), 240) "
    "+ 32) + 256) + (N < 16 ? 0 : 8*(min(N, 256)**2//2 + 48*min(N, 256) + 368)) + (N < "
    "16 or N**2*max(N, K) <= 262144 ? 0 : 8*min(N, 384)*(min(max(N, K), 8192) + min(N, "
    "240) + 32) + 128)"};
// Exact sums only.
inline constexpr kernel_cost matvec_scratch{"scratch", "(y.integers == 0 ? 0 : 8*(A + x + y))"};
inline constexpr kernel_cost dot_scratch{"scratch", "(s.integers == 0 ? 0 : 8*(x + y + s))"};
inline constexpr kernel_cost axpy_scratch{"scratch", "(z.integers == 0 ? 0 : 8*(a + x + y + z))"};
inline constexpr kernel_cost trace_scratch{"scratch", "(s.integers == 0 ? 0 : 8*(A + s))"};
inline constexpr kernel_cost product_diagonal_scratch{"scratch",
                                                      "(d.integers == 0 ? 0 : 8*(A + B + d))"};
inline constexpr kernel_cost scaling_scratch{"scratch", "(C.integers == 0 ? 0 : 8*(A + B + C))"};
inline constexpr kernel_cost sum_scratch{"scratch", "(C.integers == 0 ? 0 : 8*(A + C))"};
inline constexpr kernel_cost scatter_scratch{"scratch",
                                             "(C.integers == 0 ? 0 : 8*(A + ids + U + C))"};
inline constexpr kernel_cost linear_scratch{"scratch", "(Y.integers == 0 ? 0 : 8*(X + W + b + Y))"};
inline constexpr kernel_cost filter_scratch{"scratch", "(Y.integers == 0 ? 0 : 8*(X + K + Y))"};
inline constexpr kernel_cost pool_scratch{"scratch", "(Y.integers == 0 ? 0 : 8*(X + Y))"};
// Convolutions: also the windows of all output pixels of one image.
inline constexpr kernel_cost conv2d_scratch{
    "scratch",
    "(Y.integers == 0 ? 0 : 8*(X + K + Y)) + 8*C*R*S*((H + 2*padding - R)//stride + "
    "1)*((W + 2*padding - S)//stride + 1)"};

}  // namespace wf::kernels::detail
