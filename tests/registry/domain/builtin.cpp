// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/builtin.hpp>

#include <map>
#include <set>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <wf/formula/language/parse.hpp>
#include <wf/registry/registry.hpp>

#include "../one_node.hpp"

namespace {

using one_node::attributes, one_node::operands, one_node::of, one_node::f64, one_node::qubits,
    one_node::integer;
using wf::dtype;

wf::attribute_value dimension(wf::text_view name, wf::extent e) {
  return wf::attribute_value::dimension(name, e);
}
wf::attribute_value word(wf::text_view name, wf::text_view value) {
  return wf::attribute_value::string(name, value);
}

// The results and costs of an operator on given operands. The figures were derived by hand from the
// definition of the operator, not from its formulas; an element of f64 has 8 bytes.
struct row {
  const char* op;
  operands in;
  attributes with;
  const char* out;
  const char* costs;
};

wf::value_type f32(auto... e) { return of(dtype::f32, e...); }
wf::value_type i64(auto... e) { return of(dtype::i64, e...); }
wf::value_type logic(auto... e) { return of(dtype::boolean, e...); }
wf::value_type peers(auto... e) { return of(dtype::peer, e...); }
wf::value_type c128(auto... e) { return of(dtype::c128, e...); }

std::vector<row> elementwise_rows() {
  const char* twelve =
      "flops=12 operations=16 macs=0 bytes_read=128 bytes_written=96 bytes=224 "
      "memory=96 peak_memory=224 gates=0 qubits=0";
  const operands pair{f64(3, 4), f64(4)}, one{f64(3, 4)};
  const char* unary = "flops=12 operations=12 bytes=192 memory=96 peak_memory=192";
  return {{"add", pair, {}, "f64[3x4]", twelve},
          {"add", {f64(2, 1, 4), f64(3, 1)}, {}, "f64[2x3x4]", "flops=24 operations=11"},
          {"subtract", pair, {}, "f64[3x4]", twelve},
          {"multiply", pair, {}, "f64[3x4]", twelve},
          {"divide", pair, {}, "f64[3x4]", twelve},
          {"power", pair, {}, "f64[3x4]", twelve},
          {"maximum", pair, {}, "f64[3x4]", twelve},
          {"minimum", pair, {}, "f64[3x4]", twelve},
          {"negate", one, {}, "f64[3x4]", unary},
          {"abs", one, {}, "f64[3x4]", unary},
          {"abs", {c128(3)}, {}, "f64[3]", "flops=12 bytes_read=48 bytes_written=24"},
          {"conjugate", {c128(3, 2)}, {}, "c128[3x2]", "flops=6 bytes=192"},
          {"reciprocal", one, {}, "f64[3x4]", unary},
          {"square", one, {}, "f64[3x4]", unary},
          {"sqrt", one, {}, "f64[3x4]", unary},
          {"exp", one, {}, "f64[3x4]", unary},
          {"log", one, {}, "f64[3x4]", unary},
          {"sin", one, {}, "f64[3x4]", unary},
          {"cos", one, {}, "f64[3x4]", unary},
          {"tanh", one, {}, "f64[3x4]", unary},
          {"sigmoid", one, {}, "f64[3x4]", "flops=48 operations=12"},
          {"sigmoid", one, {wf::attribute_value::floating("T", 0.5)}, "f64[3x4]", "flops=48"},
          {"step", one, {}, "f64[3x4]", unary},
          {"step", {i64(3)}, {}, "i64[3]", "flops=3 bytes=48"},
          {"equal", pair, {}, "bool[3x4]", "flops=12 operations=16 bytes=140"},
          {"less", pair, {}, "bool[3x4]", "flops=12 bytes_written=12"},
          {"logical_and", {logic(5), logic(5)}, {}, "bool[5]", "flops=0 operations=10 bytes=15"},
          {"logical_or", {logic(5), logic(5)}, {}, "bool[5]", "flops=0 operations=10 bytes=15"},
          {"logical_not", {logic(5)}, {}, "bool[5]", "flops=0 operations=5 bytes=10"}};
}

std::vector<row> linalg_rows() {
  const operands square{f64(6, 6)}, system{f64(6, 6), f64(6, 3)}, column{f64(6, 6), f64(6)};
  return {
      {"matmul",
       {f64(7, 2, 3), f64(3, 5)},
       {},
       "f64[7x2x5]",
       "flops=420 macs=210 operations=210 bytes_read=456 bytes_written=560"},
      {"matmul_add", {f64(2, 3), f64(3, 5), f64(2, 5)}, {}, "f64[2x5]", "flops=60 macs=30"},
      {"matmul_subtract", {f64(2, 3), f64(3, 5), f64(2, 5)}, {}, "f64[2x5]", "flops=60 macs=30"},
      {"gemmt", {f64(6, 4), f64(4, 6)}, {}, "f64[6x6] symmetric", "flops=168 macs=84"},
      {"syr2k", {f64(6, 4), f64(4, 6)}, {}, "f64[6x6] symmetric", "flops=309 macs=144"},
      {"matmul_half", system, {}, "f64[6x3]", "flops=132 macs=63"},
      {"matmul_symmetric", system, {}, "f64[6x3]", "flops=216 macs=108"},
      {"matmul_triangular", system, {}, "f64[6x3]", "flops=126 macs=63"},
      {"matmul_diagonal", system, {}, "f64[6x3]", "flops=18 macs=18"},
      {"matvec", {f64(2, 3), f64(3)}, {}, "f64[2]", "flops=12 macs=6"},
      {"matmul_permutation", system, {}, "f64[6x3]", "flops=0 operations=18 bytes=576"},
      {"matvec_permutation", column, {}, "f64[6]", "flops=0 operations=6 bytes=384"},
      {"matvec_symmetric", column, {}, "f64[6]", "flops=72 macs=36"},
      {"matmul_strassen", {f64(4, 4), f64(4, 4)}, {}, "f64[4x4]", "flops=184 macs=56"},
      {"transpose", {f64(7, 2, 3)}, {}, "f64[7x3x2]", "flops=0 bytes=0 memory=0 peak_memory=672"},
      {"dot", {f64(6), f64(6)}, {}, "f64[scalar]", "flops=12 macs=6 bytes_written=8"},
      {"outer", {f64(2), f64(3)}, {}, "f64[2x3]", "flops=6 operations=6"},
      {"axpy", {f64(), f64(6), f64(6)}, {}, "f64[6]", "flops=12 macs=6 bytes=152"},
      {"norm", {f64(6)}, {}, "f64[scalar]", "flops=12"},
      {"trace", square, {}, "f64[scalar]", "flops=5 operations=6"},
      {"diagonal", square, {}, "f64[6]", "flops=0 operations=6 bytes=96"},
      {"product_diagonal", {f64(6, 4), f64(4, 6)}, {}, "f64[6]", "flops=48 macs=24"},
      {"identity_like",
       square,
       {},
       "f64[6x6] identity",
       "flops=0 bytes_read=0 bytes_written=288 bytes=288"},
      // 6 columns: 1/3·216 + 18 + 1 = 91.
      {"cholesky", square, {}, "f64[6x6] lower nonsingular", "flops=91 memory=288"},
      // 2/3·216 - 18 + 5 = 131.
      {"lu", square, {}, "f64[6x6], i64[6]", "flops=131 bytes_written=336"},
      // Operand and result of 288 bytes each, the permutation, and scratch for exchanges and
      // magnitudes.
      {"lu_factor", square, {}, "f64[6x6], i64[6]", "flops=131 peak_memory=720"},
      // 3·(72 - 6).
      {"solve_lu", {f64(6, 6), i64(6), f64(6, 3)}, {}, "f64[6x3]", "flops=198 bytes_read=480"},
      {"solve_lu", {f64(6, 6), i64(6), f64(6)}, {}, "f64[6]", "flops=66"},
      {"solve_lu_transposed", {f64(6, 6), i64(6), f64(6, 3)}, {}, "f64[6x3]", "flops=198"},
      {"solve_lu_transposed", {f64(6, 6), i64(6), f64(6)}, {}, "f64[6]", "flops=66"},
      // 1/3·216 + 1/2·36 + 19 = 109; the solutions as by LU.
      {"ldl_factor", square, {}, "f64[6x6], i64[6]", "flops=109 bytes_written=336"},
      {"solve_ldl", {f64(6, 6), i64(6), f64(6, 3)}, {}, "f64[6x3]", "flops=198 bytes_read=480"},
      {"solve_ldl", {f64(6, 6), i64(6), f64(6)}, {}, "f64[6]", "flops=66"},
      // geqrf 672 - 18 + 42 + 9 + 14 for 7x3, orgqr 2·63 - 18 - 21 + 18 - 4; see below.
      {"qr", {f64(7, 3)}, {}, "f64[7x3], f64[3x3]", "flops=253"},
      // geqrf 672 - 18 + 42 + 9 + 14 for 7x3 is 126 - 18 + 21 + 9 + 14 = 152; ormqr of two columns
      // 2·(84 - 18 + 9) = 150, trsm 18. Scratch: both matrices, 3 magnitudes, triangles 3x3,
      // vectors 7x3, twice 3x5: 98 elements.
      {"least_squares", {f64(7, 3), f64(7, 2)}, {}, "f64[3x2]", "flops=320 peak_memory=1112"},
      {"least_squares", {f64(7, 3), f64(7)}, {}, "f64[3]", "flops=236"},
      {"solve_triangular", column, {}, "f64[6]", "flops=36 macs=15"},
      {"solve_diagonal", system, {}, "f64[6x3]", "flops=18"},
      // 1/3·216 + 4.
      {"inverse_triangular", square, {}, "f64[6x6] nonsingular", "flops=76"},
      {"inverse_diagonal", square, {}, "f64[6x6] nonsingular", "flops=6"},
      {"solve_triangular", system, {}, "f64[6x3]", "flops=108 macs=45"},
      // Scratch: the factors, the permutation, and a column.
      {"inverse", square, {}, "f64[6x6] nonsingular", "flops=393 peak_memory=960"},
      {"inverse_cholesky", square, {}, "f64[6x6] nonsingular", "flops=258 peak_memory=960"},
      // 131 + 3·(72 - 6); scratch as for the inverse.
      {"solve", system, {}, "f64[6x3]", "flops=329 peak_memory=960"},
      {"solve", column, {}, "f64[6]", "flops=197"},
      {"solve_right", {f64(3, 6), f64(6, 6)}, {}, "f64[3x6]", "flops=329"},
      {"solve_cholesky", system, {}, "f64[6x3]", "flops=307"},
      {"solve_cholesky", column, {}, "f64[6]", "flops=163"},
      // Scratch: two matrices with columns of 8, four columns of 6, a panel of 7 columns of 8, a
      // row and magnitudes: 188 elements.
      {"inverse_symmetric",
       square,
       {},
       "f64[6x6] symmetric nonsingular",
       "flops=255 peak_memory=2080"},
      {"solve_symmetric", system, {}, "f64[6x3]", "flops=307"},
      {"solve_symmetric", column, {}, "f64[6]", "flops=175"},
      {"solve_right_cholesky", {f64(3, 6), f64(6, 6)}, {}, "f64[3x6]", "flops=307"},
      {"fft", {c128(3, 8)}, {}, "c128[3x8]", "flops=360 operations=72 bytes=768"},
      {"inverse_fft", {c128(3, 8)}, {}, "c128[3x8]", "flops=408"},
      {"butterflies", {c128(3, 8)}, {}, "c128[3x8]", "flops=120"},
      {"bit_reversal", {f64(8)}, {}, "f64[8]", "flops=0 operations=8"}};
}

std::vector<row> nn_rows() {
  const attributes window{integer("window", 3), integer("stride", 2), integer("padding", 1)};
  const attributes plain{integer("stride", 1), integer("padding", 0)};
  const auto image = f32(2, 3, 8, 6), channel = f32(3);
  return {
      {"relu", {f32(4, 5)}, {}, "f32[4x5]", "flops=20 bytes=160"},
      {"gelu", {f32(4, 5)}, {}, "f32[4x5]", "flops=180"},
      {"silu", {f32(4, 5)}, {}, "f32[4x5]", "flops=100"},
      {"softmax", {f32(4, 5)}, {}, "f32[4x5]", "flops=100 operations=20"},
      {"causal_softmax", {f32(2, 4, 5)}, {}, "f32[2x4x5]", "flops=240"},
      {"masked_softmax",
       {f32(2, 4, 5), logic(4, 5)},
       {},
       "f32[2x4x5]",
       "flops=240 operations=60 bytes_read=180 bytes_written=160"},
      {"causal_mask",
       {},
       {dimension("d0", 3), dimension("d1", 5)},
       "bool[3x5]",
       "flops=0 operations=0 bytes_read=0 bytes_written=15"},
      // A row of 5: 5 + 5 + 5 + 5 + 3 + 15 = 38.
      {"layer_norm", {f32(4, 5), f32(5), f32(5)}, {}, "f32[4x5]", "flops=152 bytes=200"},
      // A row of 5: 5 + 5 + 3 + 10 = 23.
      {"rms_norm", {f32(4, 5), f32(5)}, {}, "f32[4x5]", "flops=92"},
      {"batch_norm", {image, channel, channel, channel, channel}, {}, "f32[2x3x8x6]", "flops=591"},
      {"linear", {f32(4, 5), f32(5, 3), f32(3)}, {}, "f32[4x3]", "flops=132 macs=60 operations=72"},
      {"conv2d", {image, f32(5, 3, 3, 3)}, plain, "f32[2x5x6x4]", "flops=12960 macs=6480"},
      {"depthwise_conv2d", {image, f32(3, 3, 3)}, plain, "f32[2x3x6x4]", "flops=2592 macs=1296"},
      {"max_pool2d", {image}, window, "f32[2x3x4x3]", "flops=648 operations=648"},
      {"average_pool2d", {image}, window, "f32[2x3x4x3]", "flops=648"},
      {"global_average_pool", {image}, {}, "f32[2x3]", "flops=288"},
      {"embedding",
       {f32(100, 8), i64(2, 5)},
       {},
       "f32[2x5x8]",
       "flops=0 bytes_read=400 bytes_written=320 bytes=720"},
      // A row of 8: 7 + 8 + 8 + 7 + 1 + 1 = 32; three rows, two additions and a division.
      {"cross_entropy", {f32(3, 8), i64(3)}, {}, "f32[scalar]", "flops=99"}};
}

std::vector<row> movement_rows() {
  const operands one{f32(4, 6)};
  const attributes to{dimension("d0", 3), dimension("d1", 8)};
  const char* const gate = "flops=0 operations=0 bytes=0";
  const char* moved = "flops=0 operations=0 bytes_read=0 bytes_written=0 memory=0 peak_memory=96";
  const char* copied = "flops=0 operations=0 bytes_read=0 bytes_written=0 memory=0 peak_memory=192";
  return {
      {"reshape", one, to, "f32[3x8]", copied},  // matrices may be stored by columns
      {"permute",
       {f32(4, 6, 5)},
       {integer("p0", 2), integer("p1", 0), integer("p2", 1)},
       "f32[5x4x6]",
       "flops=0 bytes=0"},
      {"slice",
       one,
       {integer("axis", 1), integer("start", 2), integer("length", 3)},
       "f32[4x3]",
       moved},
      {"broadcast_to",
       {f32(4, 1)},
       {dimension("d0", 2), dimension("d1", 4), dimension("d2", 6)},
       "f32[2x4x6]",
       "flops=0 bytes=0 memory=0 peak_memory=208"},
      {"split", one, {integer("axis", 1)}, "f32[4x3], f32[4x3]", moved},
      {"split",
       one,
       {integer("axis", 1), integer("parts", 3)},
       "f32[4x2], f32[4x2], f32[4x2]",
       moved},
      {"split", one, {integer("parts", 4)}, "f32[1x6], f32[1x6], f32[1x6], f32[1x6]", moved},
      {"concat", {f32(4, 6), f32(2, 6)}, {}, "f32[6x6]", "flops=0 operations=36 bytes=288"},
      {"concat", {f32(4, 6), f32(4, 1), f32(4, 2)}, {integer("axis", 1)}, "f32[4x9]", "bytes=288"},
      {"concat", {f32(1), f32(2), f32(3), f32(4)}, {}, "f32[10]", "operations=10 bytes=80"},
      {"pad",
       one,
       {integer("axis", 1), integer("before", 1), integer("after", 2)},
       "f32[4x9]",
       "flops=0 operations=36 bytes_read=96 bytes_written=144"},
      {"gather",
       {f32(4, 6), i64(2, 3)},
       {integer("axis", 1)},
       "f32[4x2x3]",
       "flops=0 bytes_read=144 bytes_written=96 bytes=240"},
      {"scatter_add",
       {f32(4, 6), i64(2), f32(2, 6)},
       {},
       "f32[4x6]",
       "flops=12 bytes_read=112 bytes_written=48 bytes=160 memory=0"},
      {"update_slice",
       {f32(8, 6), f32(1, 6), i64()},
       {},
       "f32[8x6]",
       "flops=0 operations=6 bytes_read=32 bytes_written=24 bytes=56 memory=0"},
      {"copy", one, {}, "f32[4x6]", "flops=0 operations=24 bytes=192"},
      {"cast", one, {word("dtype", "f16")}, "f16[4x6]", "bytes_read=96 bytes_written=48"},
      {"send",
       {f32(4, 6), peers(3)},
       {},
       "f32[4x6], peer[scalar], u64[scalar]",
       "flops=0 messages=3 bytes_read=288 bytes_written=0 bytes=288 memory=0"},
      {"receive",
       {},
       to,
       "f32[3x8], peer[scalar]",
       "flops=0 messages=0 bytes_read=0 bytes_written=96 bytes=96 memory=104"},
      {"collect",
       {f32(4, 6), peers(3)},
       {},
       "f32[3x4x6]",
       "flops=0 operations=0 bytes_read=288 bytes_written=288 bytes=576"},
      {"as_class", {peers(3)}, {word("class", "a")}, "peer[3]", "flops=0 operations=0 bytes=0"},
      {"signal", one, {}, "trigger[scalar]", "flops=0 operations=0 bytes=0"},
      {"dedup_gate_rx", {f32(4, 6), peers()}, {}, "f32[4x6], peer[scalar]", gate},
      {"peer_health_gate_rx", {f32(4, 6), peers()}, {}, "f32[4x6], peer[scalar]", gate},
      {"backoff_gate_rx", {f32(4, 6), peers()}, {}, "f32[4x6], peer[scalar]", gate},
      {"peer_health_gate_tx", {f32(4, 6), peers(3)}, {}, "peer[3]", gate},
      {"backoff_gate_tx", {f32(4, 6), peers(3)}, {}, "peer[3]", gate},
      {"deadline_check", {f32(4, 6), peers(3)}, {}, "trigger[scalar]", gate},
      {"sum", one, {integer("axis", 1)}, "f32[4]", "flops=20 operations=24"},
      {"max", one, {}, "f32[scalar]", "flops=23 operations=24"},
      {"mean", one, {integer("axis", 0)}, "f32[6]", "flops=24"},
      {"arg_max", one, {integer("axis", 1)}, "i64[4]", "flops=20 bytes_written=32"},
      {"where", {logic(4, 1), f32(6), f32(4, 6)}, {}, "f32[4x6]", "flops=0 operations=24"},
      {"after", {f32(4, 6), i64(3)}, {}, "f32[4x6]", "flops=0 bytes=0 memory=0"},
      {"barrier", {i64(3)}, {}, "i64[3]", "flops=0 bytes=0"},
      {"check", {f32(4, 6), logic()}, {}, "f32[4x6]", "flops=0 bytes=0"},
      {"positions", {f32(4, 6)}, {integer("axis", 1)}, "i64[6]", "bytes_read=0 bytes_written=48"}};
}

std::vector<row> quantum_rows() {
  const operands three{qubits(3)}, two{qubits(), qubits()}, both{qubits(3), qubits(3)};
  const attributes precise{integer("order", 4), integer("t_per_rotation", 40)};
  const char* clifford = "flops=0 gates=3 t_count=0 qubits=3 bytes=0 peak_memory=0";
  return {{"prepare", {}, {dimension("d0", 3)}, "qubit[3]", "flops=0 gates=0 qubits=3 memory=0"},
          {"hadamard", three, {}, "qubit[3]", clifford},
          {"pauli_x", three, {}, "qubit[3]", clifford},
          {"pauli_y", three, {}, "qubit[3]", clifford},
          {"pauli_z", three, {}, "qubit[3]", clifford},
          {"phase_s", three, {}, "qubit[3]", clifford},
          {"phase_s_inverse", three, {}, "qubit[3]", clifford},
          {"phase_t", three, {}, "qubit[3]", "gates=3 t_count=3"},
          {"phase_t_inverse", three, {}, "qubit[3]", "gates=3 t_count=3"},
          {"phase", three, precise, "qubit[3]", "gates=3 rotations=3 t_count=120"},
          {"cnot", both, {}, "qubit[3], qubit[3]", "gates=3 cnots=3 t_count=0 qubits=6"},
          {"cnot", two, {}, "qubit[scalar], qubit[scalar]", "gates=1 cnots=1 qubits=2"},
          {"controlled_z", two, {}, "qubit[scalar], qubit[scalar]", "gates=1 cnots=0"},
          {"controlled_phase", two, precise, "qubit[scalar], qubit[scalar]",
           "gates=1 rotations=1 t_count=120"},
          {"swap", both, {}, "qubit[3], qubit[3]", "gates=3 swaps=3"},
          {"toffoli",
           {qubits(), qubits(), qubits()},
           {},
           "qubit[scalar], qubit[scalar], qubit[scalar]",
           "gates=1 toffolis=1 t_count=7 qubits=3"},
          {"compute_and",
           two,
           {},
           "qubit[scalar], qubit[scalar], qubit[scalar]",
           "gates=1 t_count=4 toffolis=0 qubits=3"},
          {"erase_and",
           {qubits(), qubits(), qubits()},
           {},
           "qubit[scalar], qubit[scalar]",
           "gates=1 t_count=0 measurements=1 qubits=3"},
          {"reset", three, {}, "qubit[3]", "gates=3 measurements=3"},
          {"measure", three, {}, "bool[3]", "gates=3 measurements=3 bytes_written=3 qubits=3"},
          // 5 Hadamards, 10 rotations, 2 swaps.
          {"quantum_fourier", {qubits(5)}, {}, "qubit[5]", "gates=17 rotations=10 swaps=2"},
          {"inverse_quantum_fourier", {qubits(4)}, {}, "qubit[4]", "gates=12 rotations=6 swaps=2"},
          {"controlled_unitary",
           {qubits(), qubits(4)},
           {integer("gates_per_call", 9)},
           "qubit[scalar], qubit[4]",
           "unitary_calls=1 gates=9"},
          {"phase_oracle",
           {qubits(4)},
           {integer("gates_per_call", 9)},
           "qubit[4]",
           "oracle_calls=1 gates=9"},
          // 8 Hadamards, 8 NOTs, 2 Hadamards, and a NOT of three controls: 3 Toffolis.
          {"diffusion", {qubits(4)}, {}, "qubit[4]", "gates=21 toffolis=3 t_count=21 cnots=0"},
          {"diffusion", {qubits(2)}, {}, "qubit[2]", "gates=11 toffolis=0 cnots=1"}};
}

std::vector<row> tensor_rows() {
  return {{"einsum",
           {f64(3, 4, 5), f64(4, 3, 7)},
           {word("equation", "abc,bad->cd"), integer("points", 420)},
           "f64[5x7]",
           "flops=840 macs=420 operations=420 bytes_read=1152 bytes_written=280"},
          {"rearrange",
           {f64(3, 4, 5)},
           {word("equation", "abc->cab")},
           "f64[5x3x4]",
           "flops=0 bytes=0 memory=0 peak_memory=960"}};
}

std::vector<row> all_rows() {
  std::vector<row> all;
  for (const auto& some : {elementwise_rows(), linalg_rows(), nn_rows(), movement_rows(),
                           quantum_rows(), tensor_rows()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace

TEST_CASE("row 3: every built-in kernel is complete: unique name, signature, formulas, summary") {
  wf::registry r;
  for (const wf::kernel_list& domain : wf::builtin_domains) REQUIRE(r.add(domain));
  CHECK(r.kernels().size() == wf::builtin_registry().kernels().size());
  CHECK(r.kernels().size() >= 60);
  CHECK(r.kernels().size() * 2 < 512);  // the catalogue remains half empty
  for (const wf::kernel_spec* k : r.kernels()) {
    CAPTURE(std::string(k->name));
    CHECK(wf::builtin_registry().find(k->name)->signature == k->signature);
    const auto s = wf::parse_signature(k->signature);
    REQUIRE(s);
    CHECK_FALSE(k->summary.empty());
    for (const wf::parameter& p : s->parameters)
      CHECK((p.bound.empty() || wf::is_dtype_bound(p.bound)));
    std::set<std::string> metrics;
    for (const wf::cost_formula& c : wf::costs_of(*k)) {
      CHECK(wf::parse_formula(c.formula));
      CHECK(metrics.insert(std::string(c.metric)).second);
    }
    CHECK(metrics.count("flops") == 1);
    CHECK(k->name != wf::text_view("call"));  // reserved
  }
}

TEST_CASE("row 4: what every built-in kernel gives and costs, against figures worked out by hand") {
  const wf::registry r = wf::builtin_registry();
  std::map<std::string, int> seen;
  for (const row& line : all_rows()) {
    CAPTURE(line.op);
    const wf::kernel_spec* k = r.find(line.op);
    REQUIRE(k != nullptr);
    ++seen[line.op];
    CHECK(one_node::results(*k, line.in, line.with) == line.out);
    std::istringstream costs(line.costs);
    for (std::string pair; costs >> pair;) {
      CAPTURE(pair);
      const auto at = pair.find('=');
      CHECK(one_node::priced(*k, pair.substr(0, at), line.in, line.with) ==
            std::stoll(pair.substr(at + 1)));
    }
  }
  for (const wf::kernel_spec* k : r.kernels())
    // What runs a body costs what the body costs: tests/cost/body_price.cpp.
    CHECK_MESSAGE((seen.count(std::string(k->name)) == 1 || k->name == wf::text_view("constant") ||
                   k->name == wf::text_view("literal") || !k->repeats.empty()),
                  std::string(k->name));
}

TEST_CASE("what has a price in a metric nobody stated is an error, not zero") {
  const auto g = one_node::graph_of(wf::kernels::phase, {qubits(3)}, {integer("order", 4)});
  const auto t = wf::price(g.view(), one_node::metric_named("t_count"));
  REQUIRE_FALSE(t);
  CHECK(t.error().code == wf::errc::unknown_symbol);
}
