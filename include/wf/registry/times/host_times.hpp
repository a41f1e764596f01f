// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/compiled.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/registry.hpp>
#include <wf/registry/static_catalogue.hpp>

namespace wf {

namespace kernels {

namespace detail {
constexpr kernel_spec timed(const char* op, const char* formula, const char* share = nullptr) {
  kernel_spec k{.name = op, .costs = {{"execution_time", formula}}};
  if (share != nullptr) k.costs[1] = {"parallel_share", share};
  k.overrides = true;
  return k;
}
}  // namespace detail

/// Execution times of kernels on one core, in nanoseconds: refines by the metric `execution_time`
/// every built-in kernel that the run-time executor computes and that is no view. Each is the sum
/// of arithmetic at the kernel's rate, memory traffic and call overhead, fitted to measurements of
/// that executor on a core with AVX-512, where large products reach 65 to 75 Gflop/s and products
/// within a cache 80. `wf-calibrate` measures another machine with the same formulas and writes its
/// coefficients. Beyond the second-level cache an element costs more: no element up to a threshold,
/// all elements from twice the threshold on, written with `min` and `max`; the threshold is a
/// fraction of `second_cache`, the bytes in `registry::caches`. Such a time of symbolic extents is
/// no polynomial. A kernel without a formula has an unknown time. `parallel_share` is the share of
/// it that threads divide (`price_on_cores`), from the speedup of matrices of 1,000 rows on two
/// cores.
inline constexpr kernel_spec host_times[] = {
    detail::timed("transpose", "0.01*A"),  // packing of a transposed operand
    detail::timed("matmul",
                  "127.2 + 0.025*C*K + 0.08*A + 0.12*B + 0.26*C + 0.18*min(A, 2*max(0, A - "
                  "second_cache/8.4)) + 0.15*min(B, 2*max(0, B - second_cache/8.4))",
                  "0.95"),
    detail::timed("matmul_add",
                  "127.2 + 0.025*D*K + 0.08*A + 0.12*B + 0.34*D + 0.18*min(A, 2*max(0, A - "
                  "second_cache/8.4)) + 0.15*min(B, 2*max(0, B - second_cache/8.4))",
                  "0.95"),
    detail::timed("matmul_subtract",
                  "127.2 + 0.025*D*K + 0.08*A + 0.12*B + 0.34*D + 0.18*min(A, 2*max(0, A - "
                  "second_cache/8.4)) + 0.15*min(B, 2*max(0, B - second_cache/8.4))",
                  "0.95"),
    detail::timed("gemmt", "233.3 + 0.0133*C*K + 0.28*A + 0.41*C", "0.92"),
    detail::timed("syr2k", "127.2 + 0.025*C*K + 0.06*A + 0.12*B + 0.8*C", "0.92"),
    detail::timed("matmul_half",
                  "179 + 0.0135*M*C + 0.047*P + 0.51*C + 5.6*M + 0.1*min(P, 2*max(0, P - "
                  "second_cache/5.25))",
                  "0.92"),
    detail::timed("matmul_symmetric",
                  "200 + 0.062*M*C + 2*C + 0.09*min(M*C, 2*max(0, M*C - second_cache/5.25))",
                  "0.95"),
    detail::timed("matmul_triangular",
                  "187 + 0.0136*M*C + 0.047*A + 0.52*C + 6.1*M + 0.1*min(A, 2*max(0, A - "
                  "second_cache/5.25))",
                  "0.92"),
    detail::timed("matmul_diagonal",
                  "83.63 + 0.22*C + 0.53*min(C, 2*max(0, C - second_cache/20)) + 0.6*M"),
    detail::timed(
        "matmul_permutation",
        "65.88 + 0.1474*P + 0.2055*min(P, 2*max(0, P - second_cache/10.5)) + 0.4114*C + 15.18*M"),
    detail::timed("matvec_permutation",
                  "52.5 + 0.1322*P + 0.194*min(P, 2*max(0, P - second_cache/10.5)) + 22.36*M"),
    detail::timed("matmul_strassen", "590.1 + 0.0218*M*N*K + 2.2*M*K + 2.2*K*N + 2.2*M*N", "0.85"),
    detail::timed("matvec", "101.8 + 0.078*M*K + 0.2*min(M*K, 2*max(0, M*K - second_cache/8.4))",
                  "0.8"),
    detail::timed("matvec_symmetric",
                  "150 + 0.062*M**2 + 2*M + 0.09*min(M**2, 2*max(0, M**2 - second_cache/5.25))"),
    detail::timed("dot", "78.45 + 0.0687*N"),
    detail::timed("outer", "65.59 + 0.1077*M*N + 1.687*N"),
    detail::timed("axpy", "85.19 + 0.08787*N"),
    detail::timed("norm", "71.65 + 0.07405*N"),
    detail::timed("trace", "59.36 + 0.5801*M"),
    detail::timed("diagonal", "60 + 1.5*M"),
    detail::timed("product_diagonal", "80 + 0.3*M*K"),
    detail::timed("slice", "10"),
    detail::timed("concat", "50 + 10*n + 0.15*C"),
    detail::timed("pad", "70 + 0.15*C"),
    detail::timed("reshape", "60 + 0.15*C"),
    detail::timed("identity_like",
                  "74.34 + 0.12*M**2 + 0.17*min(M**2, 2*max(0, M**2 - second_cache/8.4))"),
    detail::timed("solve_diagonal",
                  "95.3 + 0.22*X + 0.52*min(X, 2*max(0, X - second_cache/20)) + 1.1*M"),
    detail::timed("inverse_diagonal",
                  "69.26 + 0.131*M**2 + 0.2*min(M**2, 2*max(0, M**2 - second_cache/10.5))"),
    detail::timed("solve_triangular",
                  "N == 1 ? 102.3 + 0.04625*M**2 + 7.248*M + 0.1*min(M**2, 2*max(0, M**2 - "
                  "second_cache/5.25)) : 128 + 0.0147*M*X + 0.042*M**2 + 1.39*X + 11.75*M + "
                  "0.1*min(M**2, 2*max(0, M**2 - second_cache/5.25))",
                  "0.85"),
    detail::timed("inverse", "115 + 0.0359*M**3 + 6.1*M**2 + 53.7*M", "0.65"),
    detail::timed("inverse_cholesky", "111 + 0.01726*M**3 + 3.63*M**2 + 59.5*M", "0.7"),
    detail::timed("inverse_symmetric", "133 + 0.0222*M**3 + 4.6*M**2 + 107*M"),
    detail::timed("cholesky", "88 + 0.00448*M**3 + 1.41*M**2 + 13.4*M", "0.5"),
    detail::timed("lu", "102 + 0.0083*M**3 + 3.62*M**2 + 6.2*M", "0.5"),
    detail::timed("lu_factor", "99 + 0.0088*M**3 + 3.5*M**2 + 10.4*M", "0.5"),
    detail::timed("ldl_factor", "79.55 + 0.007009*M**3 + 1.851*M**2 + 72.39*M"),
    detail::timed("qr", "327.9 + 0.03173*(3*M - N)*N**2 + 2.556*M*N"),
    detail::timed("least_squares",
                  "K == 1 ? 308.7 + 0.01408*(3*M - N)*N**2 + 2.672*M*N : 440.5 + 0.01226*(3*M - "
                  "N)*N**2 + 3.373*M*N + 0.6717*M*K + 0.07441*M*N*K"),
    detail::timed("inverse_triangular", "93 + 0.00637*M**3 + 1.154*M**2 + 25.3*M", "0.75"),
    detail::timed("solve",
                  "N == 1 ? 95 + 0.0094*M**3 + 3.43*M**2 + 37.6*M : 262 + 0.0088*M**3 + 0.02*M*X + "
                  "4.4*M**2 + 3.55*X",
                  "0.7"),
    detail::timed("solve_cholesky",
                  "N == 1 ? 100 + 0.0045*M**3 + 1.37*M**2 + 36.5*M : 283 + 0.0038*M**3 + 0.022*M*X "
                  "+ 1.8*M**2 + 2.77*X",
                  "0.7"),
    detail::timed("solve_symmetric",
                  "N == 1 ? 54 + 0.0074*M**3 + 1.45*M**2 + 87*M : 176.9 + 0.007544*M**3 + "
                  "0.0243*M*X + 2.038*M**2 + 4.064*X + 92.42*M",
                  "0.5"),
    detail::timed("solve_right", "262 + 0.0088*M**3 + 0.02*M*X + 4.85*M**2 + 3.55*X", "0.7"),
    detail::timed("solve_right_cholesky", "283 + 0.0038*M**3 + 0.022*M*X + 1.8*M**2 + 2.77*X",
                  "0.75"),
    detail::timed("solve_lu",
                  "N == 1 ? 150 + 0.121*M**2 + 15*M + 0.19*min(M**2, 2*max(0, M**2 - "
                  "second_cache/8.4)) : 200 + 0.0257*M*X + 0.185*M**2 + 2.97*X + 19*M + "
                  "0.17*min(M**2, 2*max(0, M**2 - second_cache/8.4))"),
    detail::timed("solve_lu_transposed",
                  "N == 1 ? 147 + 0.1125*M**2 + 20.7*M + 0.19*min(M**2, 2*max(0, M**2 - "
                  "second_cache/8.4)) : 200 + 0.0257*M*X + 0.288*M**2 + 3.07*X + 21.5*M + "
                  "0.12*min(M**2, 2*max(0, M**2 - second_cache/8.4))"),
    detail::timed("solve_ldl",
                  "N == 1 ? 159.3 + 0.09382*M**2 + 20.42*M + 0.18*min(M**2, 2*max(0, M**2 - "
                  "second_cache/5.25)) : 261.1 + 0.02396*M*X + 0.3282*M**2 + 3.593*X + 28.56*M + "
                  "0.12*min(M**2, 2*max(0, M**2 - second_cache/5.25))"),
    detail::timed("add", "72.35 + 0.1948*C + 0.65*min(C, 2*max(0, C - second_cache/30))", "0.9"),
    detail::timed("subtract", "68.61 + 0.1952*C + 0.65*min(C, 2*max(0, C - second_cache/30))",
                  "0.9"),
    detail::timed("multiply", "62.14 + 0.2367*C + 0.65*min(C, 2*max(0, C - second_cache/30))",
                  "0.9"),
    detail::timed("divide", "81.86 + 0.5439*C + 0.39*min(C, 2*max(0, C - second_cache/30))", "0.9"),
    detail::timed("maximum", "73.1 + 0.2012*C + 0.65*min(C, 2*max(0, C - second_cache/30))", "0.9"),
    detail::timed("minimum", "71.47 + 0.1969*C + 0.65*min(C, 2*max(0, C - second_cache/30))",
                  "0.9"),
    detail::timed("negate", "65.98 + 0.1042*C + 0.465*min(C, 2*max(0, C - second_cache/20))",
                  "0.9"),
    detail::timed("reciprocal", "81.11 + 0.5451*C + 0.27*min(C, 2*max(0, C - second_cache/20))",
                  "0.9"),
    detail::timed("square", "67.82 + 0.1128*C + 0.43*min(C, 2*max(0, C - second_cache/20))", "0.9"),
    detail::timed(
        "einsum",
        "383.5 + 0.01787*points + 0.4229*min(points, 2000) + 0.6016*A + 0.4718*B + 0.3658*C"),
    detail::timed("rearrange", "167.7 + 1.912*C"),
    detail::timed("sum", "99.29 + 0.1135*A"),
    detail::timed("sqrt", "92.32 + 1.676*C", "0.9"),
    detail::timed("exp", "93.51 + 1.387*C", "0.9"),
    detail::timed("log", "84.3 + 1.919*C", "0.9"),
    detail::timed("tanh", "96.38 + 2.345*C", "0.9"),
    detail::timed("abs", "91.7 + 0.06881*C + 0.07871*min(C, 2*max(0, C - second_cache/20))", "0.9"),
    detail::timed("sin", "113.9 + 7.623*C", "0.9"),
    detail::timed("cos", "114.6 + 7.637*C", "0.9"),
    detail::timed("sigmoid", "118.8 + 1.537*C", "0.9"),
    detail::timed("step", "96.82 + 0.07259*C + 0.07547*min(C, 2*max(0, C - second_cache/20))",
                  "0.9"),
    detail::timed("power", "145.9 + 8.387*C", "0.9"),
    detail::timed("equal", "137.9 + 0.8274*C + 0.1761*min(C, 2*max(0, C - second_cache/30))"),
    detail::timed("less", "138.7 + 0.8398*C + 0.1639*min(C, 2*max(0, C - second_cache/30))"),
    detail::timed("logical_and", "243.7 + 2.432*C + 0.3296*min(C, 2*max(0, C - second_cache/30))"),
    detail::timed("logical_or", "244.2 + 2.377*C + 0.3473*min(C, 2*max(0, C - second_cache/30))"),
    detail::timed("logical_not", "169.6 + 1.534*C + 0.1292*min(C, 2*max(0, C - second_cache/20))"),
    detail::timed("bit_reversal", "241.4 + 2.688*Y"),
    detail::timed("relu", "96.82 + 0.07259*Y + 0.07547*min(Y, 2*max(0, Y - second_cache/20))",
                  "0.9"),
    detail::timed("gelu", "103 + 1.7*Y", "0.9"),
    detail::timed("silu", "119.9 + 1.58*Y", "0.9"),
    detail::timed("softmax", "180.7 + 1.53*Y + 20.07*Y/N"),
    detail::timed("causal_softmax", "263 + 1.015*Y + 4.616*Y/T"),
    detail::timed("masked_softmax", "290 + 2.42*Y + 20.07*Y/N"),
    detail::timed("causal_mask", "145 + 1.1*M"),
    detail::timed("layer_norm", "213.9 + 1.465*Y + 3.89*Y/N"),
    detail::timed("rms_norm", "193 + 0.9192*Y + 3.655*Y/N"),
    detail::timed("batch_norm", "132.5 + 0.1171*Y + 2.965*C"),
    detail::timed("linear", "236.2 + 0.01637*Y*K + 0.04755*X + 0.1003*W + 0.1815*Y"),
    detail::timed("conv2d", "0 + 0.02121*Y*C*R*S + 1.033*X*R*S + 0.1066*Y"),
    detail::timed("depthwise_conv2d", "406.9 + 0.3952*Y*R*S + 2.786*Y"),
    detail::timed("max_pool2d", "0 + 0.9536*Y*window**2 + 2.28*Y"),
    detail::timed("average_pool2d", "123.5 + 0.2608*Y*window**2 + 3.094*Y"),
    detail::timed("global_average_pool", "135.7 + 0.3681*X"),
    detail::timed("embedding", "200.3 + 0.877*Y + 10.93*ids"),
    detail::timed("cross_entropy", "187.1 + 3.65*X + 5.581*ids"),
    detail::timed("permute", "15.94 + 0.2571*C"),
    detail::timed("broadcast_to", "114.4 + 0.4114*C"),
    detail::timed("split", "19 + 15.5*parts"),
    detail::timed("gather", "186.6 + 3.491*C + 0.8883*ids"),
    detail::timed("scatter_add", "177.2 + 3.597*U + 0.1775*C + 0.8895*ids"),
    detail::timed("update_slice", "152.3 + 0.1054*B + 0.09176*C"),
    detail::timed("copy", "101.5 + 0.06167*C + 0.0722*min(C, 2*max(0, C - second_cache/20))"),
    detail::timed("cast", "190.9 + 1.011*C + 0.09279*min(C, 2*max(0, C - second_cache/20))"),
    detail::timed("max", "108.3 + 1.658*A + 0.8629*C"),
    detail::timed("mean", "134.9 + 0.07868*A + 0.04324*C"),
    detail::timed("arg_max", "60.65 + 4.667*A"),
    detail::timed("where", "178.2 + 0.8674*C + 0.1688*min(C, 2*max(0, C - second_cache/30))"),
    detail::timed("positions", "92 + 1.098*C"),
    detail::timed("constant", "23.62"),
    detail::timed("literal", "60 + 0.15*C"),
};

}  // namespace kernels

/// The built-in kernels with execution times: those of `kernels::host_times`, or a table measured
/// on another machine with caches `caches`. Errors: those of `registry::add`.
constexpr result<registry> timed_registry(view<kernel_spec> times, const host_caches& caches = {}) {
  registry r = builtin_registry();
  if (auto added = r.add(times); !added) return added.error();
  r.set_caches(caches);
  return r;
}
namespace detail {
template <const auto& Times>
constexpr registry make_timed_registry() {
  return registry(static_catalogue<Times>::value);
}
#ifdef WF_COMPILED
extern template struct compiled<&make_timed_registry<kernels::host_times>>;
#endif
}  // namespace detail

/// The built-in kernels with the times of `kernels::host_times`, as a constant. O(1). A template,
/// so that only a program that calls it has the compiler build the constant.
template <const auto& Times = kernels::host_times>
constexpr registry timed_registry() {
  return detail::call_compiled<&detail::make_timed_registry<Times>>();
}

}  // namespace wf
