// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/constant_rule.hpp>
#include <wf/registry/shape_rule.hpp>

namespace wf::kernels {

// The operator name `call` is reserved for nested workflows.

/// a where the condition holds, else b, broadcasting; both are computed.
inline constexpr kernel_spec where{
    .name = "where",
    .domain = "control",
    .meaning = meaning::choice,
    .signature = "p: bool [...], A[...], B[...] -> C[...]",
    .costs = {{"flops", "0"}, {"operations", "C"}},
    .constant = &detail::chosen,
    .element =
        [](const constant_operands& x) { return detail::formulas::choice(x[0], x[1], x[2]); },
    .adjoint = "dA = where(p, dC, 0); dB = where(p, 0, dC)",
    .laws = {.elementwise = true},
    .summary = "one of two values by a condition, broadcasting"};

/// The first value, available once the second is computed: an ordering without payload.
inline constexpr kernel_spec after{.name = "after",
                                   .domain = "control",
                                   .meaning = meaning::identity,
                                   .signature = "A[...], B: any [...] -> C[...]",
                                   .costs = {{"flops", "0"}, {"operations", "0"}},
                                   .result_shape = &detail::first_shape,
                                   .is_view = true,
                                   .reading = &read_flat,
                                   .adjoint = "dA = dC; dB = 0",
                                   .summary = "the first value, once the second is there"};

/// The value itself; the optimizer moves nothing across, and neither merges nor drops it.
inline constexpr kernel_spec barrier{.name = "barrier",
                                     .domain = "control",
                                     .meaning = meaning::identity,
                                     .signature = "A: any [...] -> C[...]",
                                     .costs = {{"flops", "0"}, {"operations", "0"}},
                                     .is_view = true,
                                     .reading = &read_flat,
                                     .adjoint = "dA = dC",
                                     .effects = effect::external,
                                     .summary = "the value itself, across which nothing moves"};

/// The value itself if the condition holds; otherwise the run fails.
inline constexpr kernel_spec check{
    .name = "check",
    .domain = "control",
    .meaning = meaning::identity,
    .signature = "A[...], p: bool [] -> C[...]",
    .costs = {{"flops", "0"}, {"operations", "0"}},
    .is_view = true,
    .reading = &read_flat,
    .adjoint = "dA = dC",
    .effects = effect::external,
    .summary = "the value itself if a condition holds, else failure"};

/// 0, 1, 2, ...: an index per element of dimension `axis` of the operand, whose elements are not
/// read; the counter of a loop over that dimension.
inline constexpr kernel_spec positions{
    .name = "positions",
    .domain = "control",
    .signature = "A: any [...] -> C: i64 [...]",
    .costs = {{"flops", "0"}, {"operations", "C"}, {"bytes_read", "0"}, {"bytes", "C.bytes"}},
    .result_shape = &detail::positions_shape,
    .summary = "the positions along a dimension: 0, 1, 2, ..."};

/// What a workflow of its own, run again and again, makes of the last operands: x = f(reads, x),
/// until nothing changes by more than `tolerance` or for so many rounds. Its cost is a bound:
/// the rounds times the workflow's.
inline constexpr kernel_spec fixpoint{
    .name = "fixpoint",
    .domain = "control",
    .signature =
        "operands*X: any [...], body: string, carried = 1, rounds: number, tolerance: real "
        "-> carried*Y: any [...], runs: i64 [], converged: bool []",
    .costs = {{"flops", "0"}, {"operations", "0"}},
    .result_shape = &detail::carried_shape,
    .result_dtype = &detail::carried_dtype,
    .repeats = "rounds",
    .summary = "a workflow run on its own results until they do not change"};

/// Every kernel of the domain.
inline constexpr const kernel_spec* control_domain[] = {&where, &after,     &barrier,
                                                        &check, &positions, &fixpoint};

}  // namespace wf::kernels
