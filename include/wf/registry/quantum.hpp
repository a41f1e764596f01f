// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/kernel.hpp>

namespace wf::kernels {

/// A Hadamard gate on every qubit of a register.
inline constexpr kernel_spec hadamard{.name = "hadamard",
                                      .domain = "quantum",
                                      .signature = "through q: qubit [N] -> r: qubit [N]",
                                      .costs = {{"qubits", "N"}, {"gates", "N"}, {"flops", "0"}},
                                      .in_place = true,
                                      .summary = "a Hadamard gate on every qubit"};

/// The quantum Fourier transform on a register: N Hadamards, N(N-1)/2 controlled phases and
/// floor(N/2) swaps. Source: Nielsen and Chuang, Quantum Computation and Quantum Information, 5.1.
inline constexpr kernel_spec quantum_fourier{
    .name = "quantum_fourier",
    .domain = "quantum",
    .signature = "through q: qubit [N] -> r: qubit [N]",
    .costs = {{"qubits", "N"}, {"gates", "N + N*(N-1)/2 + N//2"}, {"flops", "0"}},
    .in_place = true,
    .summary = "the quantum Fourier transform"};

/// Measures every qubit of a register in the computational basis.
inline constexpr kernel_spec measure{.name = "measure",
                                     .domain = "quantum",
                                     .signature = "q: qubit [N] -> b: bool [N]",
                                     .costs = {{"qubits", "N"}, {"gates", "N"}, {"flops", "0"}},
                                     .summary = "the measurement of a register"};

/// Every kernel of the domain.
inline constexpr kernel_spec quantum_domain[] = {hadamard, quantum_fourier, measure};

}  // namespace wf::kernels
