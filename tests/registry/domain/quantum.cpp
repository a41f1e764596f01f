// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/quantum.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>

#include "../one_node.hpp"

namespace {

using one_node::priced;
using wf::shape;

}  // namespace

TEST_CASE("the Fourier transform's gates by counting its circuit") {
  for (std::int64_t n = 1; n < 12; ++n) {
    std::int64_t gates = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      ++gates;                                           // a Hadamard
      for (std::int64_t j = i + 1; j < n; ++j) ++gates;  // a controlled phase
    }
    for (std::int64_t i = 0; i < n / 2; ++i) ++gates;  // a swap
    CHECK(priced(wf::kernels::quantum_fourier, wf::gates, {shape::of(n)}, {}, {wf::dtype::qubit}) ==
          gates);
    CHECK(priced(wf::kernels::measure, wf::gates, {shape::of(n)}, {}, {wf::dtype::qubit}) == n);
    CHECK(priced(wf::kernels::hadamard, wf::qubits, {shape::of(n)}, {}, {wf::dtype::qubit}) == n);
  }
}

TEST_CASE("row 3: qubits are not copied, so nothing is broadcast; gates take qubits only") {
  using one_node::f64, one_node::qubits, one_node::failure;
  using namespace wf::kernels;
  for (const auto* k : {&cnot, &controlled_z, &controlled_phase, &wf::kernels::swap}) {
    CHECK(failure(*k, {qubits(1), qubits(3)}) == wf::errc::shape_mismatch);
    CHECK(failure(*k, {f64(3), qubits(3)}) == wf::errc::dtype_mismatch);
  }
  CHECK(failure(toffoli, {qubits(3), qubits(3), qubits(2)}) == wf::errc::shape_mismatch);
  CHECK(failure(hadamard, {f64(3)}) == wf::errc::dtype_mismatch);
  CHECK(failure(quantum_fourier, {qubits()}) == wf::errc::shape_mismatch);
  CHECK(failure(controlled_unitary, {qubits(2), qubits(2)}) == wf::errc::shape_mismatch);
}
