// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/view.hpp>

// Operands on which kernels are measured, where the signature does not determine them: see
// <wf/calibrate/one_kernel.hpp>.

namespace wf {

/// Operands and attributes of a kernel for its measurement.
///
/// `operands` are words separated by spaces. An operand is its extents in brackets, formulas of the
/// random numbers m, n and k (`n?` for an optional dimension; `[m,n]*(1+k%4)` for a number of such
/// operands), after a prefix for its contents: none for numbers between 0.1 and 1, `d` definite
/// matrix, `i` symmetric indefinite matrix, `l` lower triangular matrix, `g` diagonal matrix, `s`
/// permutation matrix, `^` transpose of the preceding operand, `p` 0, 1, 2, ..., `j` and `c`
/// indices along the first and the last dimension of the first operand. Attributes follow: `axis=1`
/// a number, `length:m` an extent, `equation="ab->ba"` a text, `elements#m*n` the digits of that
/// many numbers.
struct sample_operands {
  /// Name of the operator.
  text_view op;
  /// Its operands and attributes, as described above.
  text_view operands;
  /// Operator that reads the first result of a view or a constant, whose cost arises in the reader
  /// only: its time is the excess over the reader's time on a stored operand. Empty: the kernel is
  /// measured alone.
  text_view reader = {};
  /// The second operand of the reader, in the same notation.
  text_view reader_operand = {};
};

namespace kernels {

/// Samples of built-in kernels whose signatures do not suffice: structured matrices, dependent
/// extents, attributes.
inline constexpr sample_operands samples[] = {
    {"gemmt", "[m,k] ^[k,m]"},
    {"matmul_symmetric", "d[m,m] [m,1]"},
    {"matmul_triangular", "l[m,m] [m,n]"},
    {"matmul_diagonal", "g[m,m] [m,n]"},
    {"matmul_permutation", "s[m,m] [m,n]"},
    {"matvec_permutation", "s[m,m] [m]"},
    {"matmul_strassen", "[2*m,2*k] [2*k,2*n]"},
    {"transpose", "[k,m]", "matmul", "[k,n]"},
    {"solve_diagonal", "g[m,m] [m,n?]"},
    {"inverse_diagonal", "g[m,m]"},
    {"inverse_triangular", "l[m,m]"},
    {"inverse_symmetric", "i[m,m]"},
    {"solve_triangular", "l[m,m] [m,n?]"},
    {"solve_symmetric", "i[m,m] [m,n?]"},
    {"ldl_factor", "i[m,m]"},
    {"solve_ldl", "i[m,m] p[m] [m,n?]"},
    {"qr", "[m+k,k]"},
    {"least_squares", "[m+k,k] [m+k,n?]"},
    {"reshape", "[m,n] d0:m*n", "add", "[m*n]"},
    {"permute", "[m,n] p0=1 p1=0", "add", "[n,m]"},
    {"rearrange", "[m,n] equation=\"ab->ba\"", "add", "[n,m]"},
    {"slice", "[2*m,n] start=m length:m", "add", "[m,n]"},
    {"broadcast_to", "[n] d0:m d1:n", "add", "[m,n]"},
    {"split", "[(2+k%3)*m,n] parts=2+k%3", "add", "[m,n]"},
    {"concat", "[m,n]*(1+k%8)"},
    {"pad", "[m,n] before=m after=1"},
    {"gather", "[m,n] j[k]"},
    {"scatter_add", "[m,n] j[k] [k,n]"},
    {"update_slice", "[m+k,n] [m,n] p[]"},
    {"constant", "value=2", "multiply", "[m,n]"},
    {"literal", "d0:m d1:n dtype=\"f64\" elements#m*n"},
    {"causal_mask", "d0:m d1:n"},
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
