// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/view.hpp>

// What kernels are measured on, as far as their signatures do not say it: see
// <wf/calibrate/one_kernel.hpp>.

namespace wf {

/// What a kernel is measured on.
///
/// `operands` are words, separated by spaces. An operand is its extents in brackets, formulas of
/// the random numbers m, n and k, and before them what it is filled with: nothing for numbers
/// between 0.1 and 1, `d` for a definite matrix, `i` for a symmetric one that is not definite, `l`
/// for a lower triangular one, `g` for a diagonal one, `s` for a permutation, `^` for the transpose
/// of the operand before, `p` for 0, 1, 2, ..., `j` and `c` for places along the first and the last
/// dimension of the first operand. Words behind them are attributes: `axis=1` a number,
/// `length:m` an extent, `equation="ab->ba"` a text, `elements#m*n` the digits of so many numbers.
struct sample_operands {
  /// The operator.
  text_view op;
  /// Its operands and attributes.
  text_view operands;
  /// What reads the first result of a view or a constant, which take time of their reader only:
  /// what that takes more than on an operand of its own is their time. Empty: the kernel is
  /// measured alone.
  text_view reader = {};
  /// The other operand of the reader.
  text_view reader_operand = {};
};

namespace kernels {

/// What built-in kernels are measured on where their signatures do not suffice: matrices of a
/// certain structure, extents that depend on each other, attributes.
inline constexpr sample_operands samples[] = {
    {"gemmt", "[m,k] ^[k,m]"},
    {"matmul_symmetric", "d[m,m] [m,1]"},
    {"matmul_triangular", "l[m,m] [m,n]"},
    {"matmul_diagonal", "g[m,m] [m,n]"},
    {"matmul_permutation", "s[m,m] [m,n]"},
    {"matvec_permutation", "s[m,m] [m]"},
    {"matmul_strassen", "[2*m,2*k] [2*k,2*n]"},
    {"transpose", "[k,m]", "matmul", "[k,n]"},
    {"solve_diagonal", "g[m,m] [m,n]"},
    {"inverse_diagonal", "g[m,m]"},
    {"inverse_triangular", "l[m,m]"},
    {"inverse_symmetric", "i[m,m]"},
    {"solve_triangular", "l[m,m] [m,n]"},
    {"solve_vector_triangular", "l[m,m] [m]"},
    {"solve_symmetric", "i[m,m] [m,n]"},
    {"solve_vector_symmetric", "i[m,m] [m]"},
    {"ldl_factor", "i[m,m]"},
    {"solve_ldl", "i[m,m] p[m] [m,n]"},
    {"solve_vector_ldl", "i[m,m] p[m] [m]"},
    {"qr", "[m+k,k]"},
    {"least_squares", "[m+k,k] [m+k,n]"},
    {"least_squares_vector", "[m+k,k] [m+k]"},
    {"reshape", "[m,n] d0:m*n", "add", "[m*n]"},
    {"permute", "[m,n] p0=1 p1=0", "add", "[n,m]"},
    {"rearrange", "[m,n] equation=\"ab->ba\"", "add", "[n,m]"},
    {"slice", "[2*m,n] start=m length:m", "add", "[m,n]"},
    {"broadcast_to", "[n] d0:m d1:n", "add", "[m,n]"},
    {"split", "[2*m,n]", "add", "[m,n]"},
    {"split3", "[3*m,n]", "add", "[m,n]"},
    {"split4", "[4*m,n]", "add", "[m,n]"},
    {"pad", "[m,n] before=m after=1"},
    {"gather", "[m,n] j[k]"},
    {"scatter_add", "[m,n] j[k] [k,n]"},
    {"update_slice", "[m+k,n] [m,n] p[]"},
    {"constant", "value=2", "multiply", "[m,n]"},
    {"literal", "d0:m d1:n dtype=\"f64\" elements#m*n"},
    {"cast", "[m,n] dtype=\"f64\""},
    {"sum", "[m,n] axis=1"},
    {"max", "[m,n] axis=1"},
    {"mean", "[m,n] axis=1"},
    {"arg_max", "[m,n] axis=1"},
    {"bit_reversal", "[m,2**floor(log2(n))]"},
    {"einsum", "[m,k] [n,k] equation=\"ab,cb->ca\" points:m*n*k"},
    {"linear", "[m,k] [k,n] [n]"},
    {"batch_norm", "[1,m,n,k] [m] [m] [m] [m]"},
    {"conv2d", "[1,m,k+4,k+4] [n,m,1+k%5,1+k%5]"},
    {"depthwise_conv2d", "[1,m,n+4,k+4] [m,1+n%5,1+k%5]"},
    {"max_pool2d", "[1,m,n+3,k+3] window=1+n%4 stride=1+k%2"},
    {"average_pool2d", "[1,m,n+3,k+3] window=1+n%4 stride=1+k%2"},
    {"global_average_pool", "[1,m,n,k]"},
    {"embedding", "[m,n] j[k]"},
    {"cross_entropy", "[m,n] c[m]"},
};

}  // namespace kernels

}  // namespace wf
