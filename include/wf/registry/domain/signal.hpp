// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/kernel.hpp>

namespace wf::kernels {

// A complex addition is two flops, a complex product six.

/// The discrete Fourier transform of the last dimension, whose extent is a power of two:
/// 5·N·log2(N) flops, the customary count of the radix-2 algorithm of Cooley and Tukey. Source: Van
/// Loan, Computational Frameworks for the Fast Fourier Transform, 1992, section 1.4.
inline constexpr kernel_spec fft{
    .name = "fft",
    .domain = "signal",
    .signature = "X: complex [..., N] -> Y[..., N]",
    .costs = {{"flops", "5*Y*log2(N)"}, {"operations", "X*log2(N)"}, {"scratch", "8*N"}},
    .in_place = true,
    .cuts = "*-",
    .laws = {.linear = true, .inverse = "inverse_fft"},
    .summary = "the discrete Fourier transform of the last dimension"};

/// The inverse transform of the last dimension: `fft` with conjugate twiddle factors, and a
/// division of each element by N (two flops).
inline constexpr kernel_spec inverse_fft{
    .name = "inverse_fft",
    .domain = "signal",
    .signature = "X: complex [..., N] -> Y[..., N]",
    .costs = {{"flops", "5*Y*log2(N) + 2*Y"}, {"operations", "X*log2(N)"}, {"scratch", "8*N"}},
    .in_place = true,
    .cuts = "*-",
    .laws = {.linear = true, .inverse = "fft"},
    .summary = "the inverse discrete Fourier transform of the last dimension"};

/// One stage of the radix-2 transform, number `stage` from 0: N/2 butterflies, each a complex
/// product with a twiddle factor and two complex additions, ten flops.
inline constexpr kernel_spec butterflies{
    .name = "butterflies",
    .domain = "signal",
    .signature = "X: complex [..., N] -> Y[..., N]",
    .costs = {{"flops", "5*Y"}, {"operations", "X"}, {"scratch", "8*N"}},
    .in_place = true,
    .cuts = "*-",
    .laws = {.linear = true},
    .summary = "one stage of the fast Fourier transform"};

/// Permutes the last dimension, whose extent is a power of two, by reversing the bits of the
/// indices.
inline constexpr kernel_spec bit_reversal{
    .name = "bit_reversal",
    .domain = "signal",
    .signature = "X: number [..., N] -> Y[..., N]",
    .costs = {{"flops", "0"}, {"operations", "X"}},
    .in_place = true,
    .adjoint = "dX = bit_reversal(dY)",
    .cuts = "*-",
    .laws = {.involution = true, .linear = true, .never_rounds = true, .inverse = "bit_reversal"},
    .summary = "the elements in bit-reversed order"};

/// Every kernel of the domain.
inline constexpr const kernel_spec* signal_domain[] = {&fft, &inverse_fft, &butterflies,
                                                       &bit_reversal};

}  // namespace wf::kernels
