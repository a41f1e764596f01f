// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/builtin.hpp>
#include <wf/registry/registry.hpp>

namespace wf {

namespace kernels {

namespace detail {
constexpr kernel_spec timed(const char* op, const char* formula) {
  kernel_spec k{.name = op, .costs = {{"execution_time", formula}}};
  k.overrides = true;
  return k;
}
}  // namespace detail

/// How long kernels take on one core, in femtoseconds: refines the built-in kernels by the metric
/// `execution_time`. Arithmetic at the rate of the kernel, traffic, and the call itself, fitted to
/// measurements of the run-time executor on a core with AVX-512 at about 60 Gflop/s in products;
/// `tools/bench calibrate` measures another machine and writes its table. A kernel without a time
/// counts a femtosecond a byte, which is next to nothing.
inline constexpr kernel_spec host_times[] = {
    detail::timed("transpose", "10000*A"),  // packing what lies the other way round
    detail::timed("matmul", "127151827 + 28954*C*K + 88078*A + 91767*B + 298422*C"),
    detail::timed("matmul_add", "127151827 + 28954*D*K + 88078*A + 91767*B + 360000*D"),
    detail::timed("matmul_subtract", "127151827 + 28954*D*K + 88078*A + 91767*B + 360000*D"),
    detail::timed("gemmt", "233319792 + 13953*C*K + 625231*A + 387535*C + 786798*M"),
    detail::timed("matmul_triangular", "276630180 + 12989*M*C + 144825*A + 988650*C + 2130834*M"),
    detail::timed("matmul_diagonal", "82749243 + 679806*C + 1133203*M"),
    detail::timed("matmul_strassen",
                  "590053279 + 28224*M*N*K + 692786*M*K + 1126303*K*N + 1175214*M*N"),
    detail::timed("matvec", "101772613 + 72692*M*K + 16127*M"),
    detail::timed("dot", "78447201 + 68703*N"),
    detail::timed("outer", "65585039 + 107711*M*N + 1687417*N"),
    detail::timed("axpy", "85190100 + 87866*N"),
    detail::timed("norm", "71649621 + 74052*N"),
    detail::timed("trace", "59364790 + 580141*M"),
    detail::timed("diagonal", "60000000 + 1500000*M"),
    detail::timed("product_diagonal", "80000000 + 300000*M*K"),
    detail::timed("slice", "10000000"),
    detail::timed("concat", "70000000 + 150000*C"),
    detail::timed("concat3", "80000000 + 150000*C"),
    detail::timed("concat4", "90000000 + 150000*C"),
    detail::timed("pad", "70000000 + 150000*C"),
    detail::timed("reshape", "60000000 + 150000*C"),
    detail::timed("identity_like", "64144430 + 108792*M**2"),
    detail::timed("solve_diagonal", "72941681 + 997890*X + 2454616*M"),
    detail::timed("inverse_diagonal", "69262183 + 131028*M**2"),
    detail::timed("solve_triangular", "94844665 + 18126*M*X + 77928*M**2 + 2001048*X + 5863693*M"),
    detail::timed("solve_vector_triangular", "86520485 + 47055*M**2 + 5922176*M"),
    detail::timed("permute_columns", "171342388 + 902805*C + 2913241*N"),
    detail::timed("identity_permutation", "66815175 + 1547718*M"),
    detail::timed("find_pivot", "steps*(105535853 + 15823275*M)"),
    detail::timed("swap_rows", "steps*(139372234 + 689339*M*N)"),
    detail::timed("row_deconstruct", "steps*(139679571 + 1189230*M*N)"),
    detail::timed("inverse", "111488631 + 42325*M**3 + 9204889*M**2 + 14036184*M"),
    detail::timed("inverse_cholesky", "118000000 + 15400*M**3 + 5900000*M**2 + 22800000*M"),
    detail::timed("cholesky", "85634526 + 5233*M**3 + 1824058*M**2 + 9155908*M"),
    detail::timed("lu", "141837267 + 10020*M**3 + 4248712*M**2"),
    detail::timed("inverse_triangular", "84906486 + 4214*M**3 + 2759301*M**2 + 6001160*M"),
    detail::timed("solve", "172262773 + 8421*M**3 + 46234*M*X + 4271230*M**2 + 4032988*X"),
    detail::timed("solve_cholesky", "192083370 + 3129*M**3 + 49346*M*X + 2624025*M**2 + 3813545*X"),
    detail::timed("solve_right", "229603021 + 7369*M**3 + 57380*M*X + 5914467*M**2 + 421155*X"),
    detail::timed("solve_right_cholesky",
                  "205963854 + 2002*M**3 + 45801*M*X + 3829501*M**2 + 625676*X"),
    detail::timed("solve_vector", "102449598 + 11432*M**3 + 3701202*M**2 + 18236743*M"),
    detail::timed("solve_vector_cholesky", "100255715 + 5568*M**3 + 1818501*M**2 + 23733428*M"),
    detail::timed("add", "72345950 + 194781*C"),
    detail::timed("subtract", "68612740 + 195228*C"),
    detail::timed("multiply", "62138427 + 236731*C"),
    detail::timed("divide", "81864407 + 543946*C"),
    detail::timed("maximum", "73103347 + 201192*C"),
    detail::timed("minimum", "71467201 + 196913*C"),
    detail::timed("negate", "65978260 + 104166*C"),
    detail::timed("reciprocal", "81112483 + 545057*C"),
    detail::timed("square", "67819367 + 112843*C"),
    detail::timed("sqrt", "92323363 + 1676312*C"),
    detail::timed("exp", "93512239 + 4073730*C"),
    detail::timed("log", "84304450 + 4008149*C"),
    detail::timed("tanh", "96384261 + 9516637*C"),
};

}  // namespace kernels

/// The built-in kernels with times: those of `kernels::host_times`, or a table that was measured on
/// another machine. Errors: those of `registry::add`.
constexpr result<registry> timed_registry(view<kernel_spec> times) {
  registry r = builtin_registry();
  if (auto added = r.add(times); !added) return added.error();
  return r;
}
/// The built-in kernels with the times of `kernels::host_times`.
constexpr registry timed_registry() { return *timed_registry(kernels::host_times); }

}  // namespace wf
