// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/shape_rule.hpp>

namespace wf::kernels {

// Gates consume qubits and return them: a qubit value is read once. On registers a gate acts on
// every qubit (or pair, or triple of qubits at the same position). Clifford gates need no T gate.
// The depth of a gate is one layer, on all its qubits at once.

/// Fresh qubits in the state |0>; shape in the extent attributes d0, d1, ...
inline constexpr kernel_spec prepare{.name = "prepare",
                                     .domain = "quantum",
                                     .signature = "-> q: qubit [...]",
                                     .costs = {{"flops", "0"}, {"gates", "0"}, {"depth", "0"}},
                                     .result_shape = &detail::stated_shape,
                                     .effects = effect::stateful,
                                     .summary = "fresh qubits in the state |0>"};

/// A Hadamard gate on every qubit.
inline constexpr kernel_spec hadamard{
    .name = "hadamard",
    .domain = "quantum",
    .signature = "through q: qubit [...] -> r: qubit [...]",
    .costs = {{"flops", "0"}, {"gates", "q"}, {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.involution = true, .linear = true, .inverse = "hadamard"},
    .summary = "a Hadamard gate on every qubit"};

/// A Pauli X gate (bit flip) on every qubit.
inline constexpr kernel_spec pauli_x{
    .name = "pauli_x",
    .domain = "quantum",
    .signature = "through q: qubit [...] -> r: qubit [...]",
    .costs = {{"flops", "0"}, {"gates", "q"}, {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.involution = true, .linear = true, .inverse = "pauli_x"},
    .summary = "a Pauli X gate on every qubit"};

/// A Pauli Y gate (bit and phase flip) on every qubit.
inline constexpr kernel_spec pauli_y{
    .name = "pauli_y",
    .domain = "quantum",
    .signature = "through q: qubit [...] -> r: qubit [...]",
    .costs = {{"flops", "0"}, {"gates", "q"}, {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.involution = true, .linear = true, .inverse = "pauli_y"},
    .summary = "a Pauli Y gate on every qubit"};

/// A Pauli Z gate (phase flip) on every qubit.
inline constexpr kernel_spec pauli_z{
    .name = "pauli_z",
    .domain = "quantum",
    .signature = "through q: qubit [...] -> r: qubit [...]",
    .costs = {{"flops", "0"}, {"gates", "q"}, {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.involution = true, .linear = true, .inverse = "pauli_z"},
    .summary = "a Pauli Z gate on every qubit"};

/// The gate S = diag(1, i) on every qubit.
inline constexpr kernel_spec phase_s{.name = "phase_s",
                                     .domain = "quantum",
                                     .signature = "through q: qubit [...] -> r: qubit [...]",
                                     .costs = {{"flops", "0"}, {"gates", "q"}, {"depth", "1"}},
                                     .result_shape = &detail::gate_shape,
                                     .in_place = true,
                                     .laws = {.linear = true, .inverse = "phase_s_inverse"},
                                     .summary = "the gate S on every qubit"};

/// The inverse of S, diag(1, -i), on every qubit.
inline constexpr kernel_spec phase_s_inverse{
    .name = "phase_s_inverse",
    .domain = "quantum",
    .signature = "through q: qubit [...] -> r: qubit [...]",
    .costs = {{"flops", "0"}, {"gates", "q"}, {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.linear = true, .inverse = "phase_s"},
    .summary = "the inverse of the gate S on every qubit"};

/// The gate T = diag(1, exp(iπ/4)) on every qubit.
inline constexpr kernel_spec phase_t{
    .name = "phase_t",
    .domain = "quantum",
    .signature = "through q: qubit [...] -> r: qubit [...]",
    .costs = {{"flops", "0"}, {"gates", "q"}, {"t_count", "q"}, {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.linear = true, .inverse = "phase_t_inverse"},
    .summary = "the gate T on every qubit"};

/// The inverse of T, diag(1, exp(-iπ/4)), on every qubit.
inline constexpr kernel_spec phase_t_inverse{
    .name = "phase_t_inverse",
    .domain = "quantum",
    .signature = "through q: qubit [...] -> r: qubit [...]",
    .costs = {{"flops", "0"}, {"gates", "q"}, {"t_count", "q"}, {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.linear = true, .inverse = "phase_t"},
    .summary = "the inverse of the gate T on every qubit"};

/// The gate diag(1, exp(2πi / 2^order)) on every qubit; its inverse for a negative `order`. The
/// number of T gates that approximate it depends on the precision and is the attribute
/// `t_per_rotation`; without it the T count is unknown.
inline constexpr kernel_spec phase{
    .name = "phase",
    .domain = "quantum",
    .signature = "through q: qubit [...], t_per_rotation: number -> r: qubit [...]",
    .costs = {{"flops", "0"},
              {"gates", "q"},
              {"rotations", "q"},
              {"t_count", "q*t_per_rotation"},
              {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.linear = true},
    .summary = "a rotation of the phase by a binary fraction on every qubit"};

/// A controlled NOT: flips the second qubit where the first is |1>.
inline constexpr kernel_spec cnot{
    .name = "cnot",
    .domain = "quantum",
    .signature = "through c: qubit [...], through t: qubit [...] -> d: qubit [...], u: qubit [...]",
    .costs = {{"flops", "0"}, {"gates", "t"}, {"cnots", "t"}, {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.involution = true, .linear = true, .inverse = "cnot"},
    .summary = "a controlled NOT"};

/// A controlled Z: flips the phase where both qubits are |1>.
inline constexpr kernel_spec controlled_z{
    .name = "controlled_z",
    .domain = "quantum",
    .signature = "through c: qubit [...], through t: qubit [...] -> d: qubit [...], u: qubit [...]",
    .costs = {{"flops", "0"}, {"gates", "t"}, {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.involution = true, .linear = true, .inverse = "controlled_z"},
    .summary = "a controlled Z"};

/// The gate `phase` on the second qubit where the first is |1>: three rotations, whose T gates are
/// counted (see `phase`), and two controlled NOTs.
inline constexpr kernel_spec controlled_phase{
    .name = "controlled_phase",
    .domain = "quantum",
    .signature =
        "through c: qubit [...], through t: qubit [...], t_per_rotation: number -> d: qubit [...], "
        "u: qubit [...]",
    .costs = {{"flops", "0"},
              {"gates", "t"},
              {"rotations", "t"},
              {"t_count", "3*t*t_per_rotation"},
              {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.linear = true},
    .summary = "a controlled rotation of the phase by a binary fraction"};

/// Exchanges two qubits.
inline constexpr kernel_spec swap{
    .name = "swap",
    .domain = "quantum",
    .signature = "through a: qubit [...], through b: qubit [...] -> c: qubit [...], d: qubit [...]",
    .costs = {{"flops", "0"}, {"gates", "a"}, {"swaps", "a"}, {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.involution = true, .linear = true, .inverse = "swap"},
    .summary = "exchanges two qubits"};

/// A doubly controlled NOT; seven T gates. Source: Nielsen, Chuang, Quantum Computation and
/// Quantum Information, figure 4.9.
inline constexpr kernel_spec toffoli{
    .name = "toffoli",
    .domain = "quantum",
    .signature =
        "through a: qubit [...], through b: qubit [...], through t: qubit [...] -> c: qubit [...], "
        "d: qubit [...], u: qubit [...]",
    .costs =
        {{"flops", "0"}, {"gates", "t"}, {"toffolis", "t"}, {"t_count", "7*t"}, {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.involution = true, .linear = true, .inverse = "toffoli"},
    .summary = "a doubly controlled NOT"};

/// A fresh qubit that holds the conjunction of both operands: four T gates. Source: Gidney, Halving
/// the cost of quantum addition, arXiv:1709.06648, figure 3.
inline constexpr kernel_spec compute_and{
    .name = "compute_and",
    .domain = "quantum",
    .signature =
        "through a: qubit [...], through b: qubit [...] -> c: qubit [...], d: qubit [...], e: "
        "qubit [...]",
    .costs = {{"flops", "0"}, {"gates", "a"}, {"t_count", "4*a"}, {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.inverse = "erase_and"},
    .summary = "a fresh qubit that holds the conjunction of two"};

/// Erases the third qubit, which holds the conjunction of the others, by a measurement and,
/// depending on its outcome, a controlled Z: no T gate. Source: as `compute_and`.
inline constexpr kernel_spec erase_and{
    .name = "erase_and",
    .domain = "quantum",
    .signature =
        "through a: qubit [...], through b: qubit [...], e: qubit [...] -> c: qubit [...], d: "
        "qubit [...]",
    .costs = {{"flops", "0"}, {"gates", "a"}, {"measurements", "a"}, {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.inverse = "compute_and"},
    .summary = "erases a qubit that holds the conjunction of two others"};

/// Resets every qubit to the state |0>: a measurement and, depending on its outcome, a NOT.
inline constexpr kernel_spec reset{
    .name = "reset",
    .domain = "quantum",
    .signature = "through q: qubit [...] -> r: qubit [...]",
    .costs = {{"flops", "0"}, {"gates", "q"}, {"measurements", "q"}, {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .in_place = true,
    .laws = {.idempotent = true},
    .effects = effect::stateful,
    .summary = "puts every qubit into the state |0>"};

/// Measures every qubit in the computational basis; the qubits are consumed.
inline constexpr kernel_spec measure{
    .name = "measure",
    .domain = "quantum",
    .signature = "q: qubit [...] -> b: bool [...]",
    .costs = {{"flops", "0"}, {"gates", "q"}, {"measurements", "q"}, {"depth", "1"}},
    .result_shape = &detail::gate_shape,
    .effects = effect::stateful,
    .summary = "the measurement of every qubit"};

/// The quantum Fourier transform of a register: N Hadamard gates, N(N-1)/2 controlled rotations and
/// floor(N/2) swaps. Depth: 2N - 1 layers, since rotations of disjoint pairs run in parallel, and
/// one layer of swaps. Source: Nielsen, Chuang, Quantum Computation and Quantum Information,
/// section 5.1.
inline constexpr kernel_spec quantum_fourier{
    .name = "quantum_fourier",
    .domain = "quantum",
    .signature = "through q: qubit [N], t_per_rotation: number -> r: qubit [N]",
    .costs = {{"flops", "0"},
              {"gates", "N + N*(N-1)/2 + N//2"},
              {"rotations", "N*(N-1)/2"},
              {"swaps", "N//2"},
              {"t_count", "3*N*(N-1)/2*t_per_rotation"},
              {"depth", "2*N - 1 + min(N//2, 1)"}},
    .in_place = true,
    .laws = {.linear = true, .inverse = "inverse_quantum_fourier"},
    .summary = "the quantum Fourier transform"};

/// The inverse quantum Fourier transform of a register: N Hadamard gates, N(N-1)/2 controlled
/// rotations and floor(N/2) swaps. Source: Nielsen, Chuang, Quantum Computation and Quantum
/// Information, section 5.1.
inline constexpr kernel_spec inverse_quantum_fourier{
    .name = "inverse_quantum_fourier",
    .domain = "quantum",
    .signature = "through q: qubit [N], t_per_rotation: number -> r: qubit [N]",
    .costs = {{"flops", "0"},
              {"gates", "N + N*(N-1)/2 + N//2"},
              {"rotations", "N*(N-1)/2"},
              {"swaps", "N//2"},
              {"t_count", "3*N*(N-1)/2*t_per_rotation"},
              {"depth", "2*N - 1 + min(N//2, 1)"}},
    .in_place = true,
    .laws = {.linear = true, .inverse = "quantum_fourier"},
    .summary = "the inverse quantum Fourier transform"};

/// A controlled unitary operator on a register, which phase estimation repeats. It counts as one
/// call; the attribute `gates_per_call` is the number of gates of a call.
inline constexpr kernel_spec controlled_unitary{
    .name = "controlled_unitary",
    .domain = "quantum",
    .signature =
        "through c: qubit [], through q: qubit [N], gates_per_call: number -> d: qubit [], r: "
        "qubit [N]",
    .costs = {{"flops", "0"}, {"unitary_calls", "1"}, {"gates", "gates_per_call"}},
    .in_place = true,
    .laws = {.linear = true},
    .summary = "a controlled unitary operator on a register"};

/// Flips the phase of the states that a search marks. It counts as one call; the attribute
/// `gates_per_call` is the number of gates of a call.
inline constexpr kernel_spec phase_oracle{
    .name = "phase_oracle",
    .domain = "quantum",
    .signature = "through q: qubit [N], gates_per_call: number -> r: qubit [N]",
    .costs = {{"flops", "0"}, {"oracle_calls", "1"}, {"gates", "gates_per_call"}},
    .in_place = true,
    .laws = {.involution = true, .linear = true, .inverse = "phase_oracle"},
    .summary = "flips the phase of marked states"};

/// The reflection about the uniform superposition, 2|s><s| - 1 up to a sign: Hadamard and X gates
/// on both sides of a Z with N - 1 controls. That Z is a multiply controlled NOT between two
/// Hadamards; for N > 3 the NOT takes 2N - 5 Toffolis with N - 3 clean ancillas (a Toffoli for N =
/// 3, a CNOT for N = 2). Source: Nielsen, Chuang, Quantum Computation and Quantum Information,
/// section 6.1.2 and figure 4.10.
inline constexpr kernel_spec diffusion{
    .name = "diffusion",
    .domain = "quantum",
    .signature = "through q: qubit [N] -> r: qubit [N]",
    .costs = {{"flops", "0"},
              {"gates", "4*N + 2 + max(2*N - 5, 1)"},
              {"toffolis", "N > 2 ? 2*N - 5 : 0"},
              {"t_count", "N > 2 ? 14*N - 35 : 0"},
              {"cnots", "N == 2 ? 1 : 0"}},
    .in_place = true,
    .laws = {.involution = true, .linear = true, .inverse = "diffusion"},
    .summary = "the reflection about the uniform superposition"};

/// Every kernel of the domain.
inline constexpr const kernel_spec* quantum_domain[] = {&prepare,
                                                        &hadamard,
                                                        &pauli_x,
                                                        &pauli_y,
                                                        &pauli_z,
                                                        &phase_s,
                                                        &phase_s_inverse,
                                                        &phase_t,
                                                        &phase_t_inverse,
                                                        &phase,
                                                        &cnot,
                                                        &controlled_z,
                                                        &controlled_phase,
                                                        &swap,
                                                        &toffoli,
                                                        &compute_and,
                                                        &erase_and,
                                                        &reset,
                                                        &measure,
                                                        &quantum_fourier,
                                                        &inverse_quantum_fourier,
                                                        &controlled_unitary,
                                                        &phase_oracle,
                                                        &diffusion};

}  // namespace wf::kernels
