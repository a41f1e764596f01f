// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/builtin.hpp>
#include <wf/registry/registry.hpp>
#include <wf/registry/static_catalogue.hpp>

namespace wf {

namespace kernels {

namespace detail {
constexpr kernel_spec timed(const char* op, const char* formula) {
  kernel_spec k{.name = op, .costs = {{"execution_time", formula}}};
  k.overrides = true;
  return k;
}
}  // namespace detail

/// How long kernels take on one core, in nanoseconds: refines the built-in kernels by the metric
/// `execution_time`. Arithmetic at the rate of the kernel, traffic, and the call itself, fitted to
/// measurements of the run-time executor on a core with AVX-512 on which large products reach 65 to
/// 75 Gflop/s, those that fit in a cache 80; `tools/bench calibrate` measures another machine and
/// writes its table. Where operands and result fill a second cache of 2 MiB, elements of sums cost
/// more: none up to a number of elements, all from twice as many on, which `min` and `max` say;
/// such a time of symbolic extents is no polynomial. A kernel without a time counts a nanosecond
/// for a byte of operands and results.
inline constexpr kernel_spec host_times[] = {
    detail::timed("transpose", "0.01*A"),  // packing what lies the other way round
    detail::timed("matmul",
                  "127.2 + 0.025*C*K + 0.08*A + 0.12*B + 0.26*C + 0.18*min(A, 2*max(0, A - "
                  "250000)) + 0.15*min(B, 2*max(0, B - 250000))"),
    detail::timed("matmul_add",
                  "127.2 + 0.025*D*K + 0.08*A + 0.12*B + 0.34*D + 0.18*min(A, 2*max(0, A - "
                  "250000)) + 0.15*min(B, 2*max(0, B - 250000))"),
    detail::timed("matmul_subtract",
                  "127.2 + 0.025*D*K + 0.08*A + 0.12*B + 0.34*D + 0.18*min(A, 2*max(0, A - "
                  "250000)) + 0.15*min(B, 2*max(0, B - 250000))"),
    detail::timed("gemmt", "233.3 + 0.0133*C*K + 0.28*A + 0.41*C"),
    detail::timed("syr2k", "127.2 + 0.025*C*K + 0.06*A + 0.12*B + 0.8*C"),
    detail::timed("matmul_half",
                  "179 + 0.0135*M*C + 0.047*P + 0.51*C + 5.6*M + 0.1*min(P, 2*max(0, P - 400000))"),
    detail::timed("matmul_symmetric",
                  "200 + 0.062*M*C + 2*C + 0.09*min(M*C, 2*max(0, M*C - 400000))"),
    detail::timed("matmul_triangular",
                  "187 + 0.0136*M*C + 0.047*A + 0.52*C + 6.1*M + 0.1*min(A, 2*max(0, A - 400000))"),
    detail::timed("matmul_diagonal", "83.63 + 0.22*C + 0.53*min(C, 2*max(0, C - 105000)) + 0.6*M"),
    detail::timed("matmul_permutation",
                  "65.88 + 0.1474*P + 0.2055*min(P, 2*max(0, P - 200000)) + 0.4114*C + 15.18*M"),
    detail::timed("matvec_permutation",
                  "52.5 + 0.1322*P + 0.194*min(P, 2*max(0, P - 200000)) + 22.36*M"),
    detail::timed("matmul_strassen", "590.1 + 0.0218*M*N*K + 2.2*M*K + 2.2*K*N + 2.2*M*N"),
    detail::timed("matvec", "101.8 + 0.078*M*K + 0.2*min(M*K, 2*max(0, M*K - 250000))"),
    detail::timed("matvec_symmetric",
                  "150 + 0.062*M**2 + 2*M + 0.09*min(M**2, 2*max(0, M**2 - 400000))"),
    detail::timed("dot", "78.45 + 0.0687*N"),
    detail::timed("outer", "65.59 + 0.1077*M*N + 1.687*N"),
    detail::timed("axpy", "85.19 + 0.08787*N"),
    detail::timed("norm", "71.65 + 0.07405*N"),
    detail::timed("trace", "59.36 + 0.5801*M"),
    detail::timed("diagonal", "60 + 1.5*M"),
    detail::timed("product_diagonal", "80 + 0.3*M*K"),
    detail::timed("slice", "10"),
    detail::timed("concat", "70 + 0.15*C"),
    detail::timed("concat3", "80 + 0.15*C"),
    detail::timed("concat4", "90 + 0.15*C"),
    detail::timed("pad", "70 + 0.15*C"),
    detail::timed("reshape", "60 + 0.15*C"),
    detail::timed("identity_like", "74.34 + 0.12*M**2 + 0.17*min(M**2, 2*max(0, M**2 - 250000))"),
    detail::timed("solve_diagonal", "95.3 + 0.22*X + 0.52*min(X, 2*max(0, X - 105000)) + 1.1*M"),
    detail::timed("inverse_diagonal",
                  "69.26 + 0.131*M**2 + 0.2*min(M**2, 2*max(0, M**2 - 200000))"),
    detail::timed("solve_triangular",
                  "128 + 0.0147*M*X + 0.042*M**2 + 1.39*X + 11.75*M + 0.1*min(M**2, 2*max(0, M**2 "
                  "- 400000))"),
    detail::timed("solve_vector_triangular",
                  "102.3 + 0.04625*M**2 + 7.248*M + 0.1*min(M**2, 2*max(0, M**2 - 400000))"),
    detail::timed("inverse", "115 + 0.0359*M**3 + 6.1*M**2 + 53.7*M"),
    detail::timed("inverse_cholesky", "111 + 0.01726*M**3 + 3.63*M**2 + 59.5*M"),
    detail::timed("inverse_symmetric", "133 + 0.0222*M**3 + 4.6*M**2 + 107*M"),
    detail::timed("cholesky", "88 + 0.00448*M**3 + 1.41*M**2 + 13.4*M"),
    detail::timed("lu", "102 + 0.0083*M**3 + 3.62*M**2 + 6.2*M"),
    detail::timed("lu_factor", "99 + 0.0088*M**3 + 3.5*M**2 + 10.4*M"),
    detail::timed("ldl_factor", "79.55 + 0.007009*M**3 + 1.851*M**2 + 72.39*M"),
    detail::timed("qr", "327.9 + 0.03173*(3*M - N)*N**2 + 2.556*M*N"),
    detail::timed("least_squares",
                  "440.5 + 0.01226*(3*M - N)*N**2 + 3.373*M*N + 0.6717*M*K + 0.07441*M*N*K"),
    detail::timed("least_squares_vector", "308.7 + 0.01408*(3*M - N)*N**2 + 2.672*M*N"),
    detail::timed("inverse_triangular", "93 + 0.00637*M**3 + 1.154*M**2 + 25.3*M"),
    detail::timed("solve", "262 + 0.0088*M**3 + 0.02*M*X + 4.4*M**2 + 3.55*X"),
    detail::timed("solve_cholesky", "283 + 0.0038*M**3 + 0.022*M*X + 1.8*M**2 + 2.77*X"),
    detail::timed("solve_symmetric",
                  "176.9 + 0.007544*M**3 + 0.0243*M*X + 2.038*M**2 + 4.064*X + 92.42*M"),
    detail::timed("solve_right", "262 + 0.0088*M**3 + 0.02*M*X + 4.85*M**2 + 3.55*X"),
    detail::timed("solve_right_cholesky", "283 + 0.0038*M**3 + 0.022*M*X + 1.8*M**2 + 2.77*X"),
    detail::timed("solve_vector", "95 + 0.0094*M**3 + 3.43*M**2 + 37.6*M"),
    detail::timed("solve_vector_cholesky", "100 + 0.0045*M**3 + 1.37*M**2 + 36.5*M"),
    detail::timed("solve_vector_symmetric", "54 + 0.0074*M**3 + 1.45*M**2 + 87*M"),
    detail::timed(
        "solve_lu",
        "200 + 0.0257*M*X + 0.185*M**2 + 2.97*X + 19*M + 0.17*min(M**2, 2*max(0, M**2 - 250000))"),
    detail::timed("solve_vector_lu",
                  "150 + 0.121*M**2 + 15*M + 0.19*min(M**2, 2*max(0, M**2 - 250000))"),
    detail::timed("solve_lu_transposed",
                  "200 + 0.0257*M*X + 0.288*M**2 + 3.07*X + 21.5*M + 0.12*min(M**2, 2*max(0, M**2 "
                  "- 250000))"),
    detail::timed("solve_vector_lu_transposed",
                  "147 + 0.1125*M**2 + 20.7*M + 0.19*min(M**2, 2*max(0, M**2 - 250000))"),
    detail::timed("solve_ldl",
                  "261.1 + 0.02396*M*X + 0.3282*M**2 + 3.593*X + 28.56*M + 0.12*min(M**2, 2*max(0, "
                  "M**2 - 400000))"),
    detail::timed("solve_vector_ldl",
                  "159.3 + 0.09382*M**2 + 20.42*M + 0.18*min(M**2, 2*max(0, M**2 - 400000))"),
    detail::timed("add", "72.35 + 0.1948*C + 0.65*min(C, 2*max(0, C - 70000))"),
    detail::timed("subtract", "68.61 + 0.1952*C + 0.65*min(C, 2*max(0, C - 70000))"),
    detail::timed("multiply", "62.14 + 0.2367*C + 0.65*min(C, 2*max(0, C - 70000))"),
    detail::timed("divide", "81.86 + 0.5439*C + 0.39*min(C, 2*max(0, C - 70000))"),
    detail::timed("maximum", "73.1 + 0.2012*C + 0.65*min(C, 2*max(0, C - 70000))"),
    detail::timed("minimum", "71.47 + 0.1969*C + 0.65*min(C, 2*max(0, C - 70000))"),
    detail::timed("negate", "65.98 + 0.1042*C + 0.465*min(C, 2*max(0, C - 105000))"),
    detail::timed("reciprocal", "81.11 + 0.5451*C + 0.27*min(C, 2*max(0, C - 105000))"),
    detail::timed("square", "67.82 + 0.1128*C + 0.43*min(C, 2*max(0, C - 105000))"),
    detail::timed("einsum",
                  "383.5 + 0.01787*points + 0.4229*min(points, 2000) + 0.6016*A + 0.4718*B + "
                  "0.3658*C"),
    detail::timed("rearrange", "167.7 + 1.912*C"),
    detail::timed("sum", "99.29 + 0.1135*A"),
    detail::timed("sqrt", "92.32 + 1.676*C"),
    detail::timed("exp", "93.51 + 4.074*C"),
    detail::timed("log", "84.3 + 4.008*C"),
    detail::timed("tanh", "96.38 + 9.517*C"),
};

}  // namespace kernels

/// The built-in kernels with times: those of `kernels::host_times`, or a table that was measured on
/// another machine. Errors: those of `registry::add`.
constexpr result<registry> timed_registry(view<kernel_spec> times) {
  registry r = builtin_registry();
  if (auto added = r.add(times); !added) return added.error();
  return r;
}
/// The built-in kernels with the times of `kernels::host_times`, a constant. O(1).
constexpr registry timed_registry() {
  return registry(detail::static_catalogue<kernels::host_times>::value);
}

}  // namespace wf
