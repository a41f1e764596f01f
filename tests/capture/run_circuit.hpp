// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <wf/ir/graph/view.hpp>

// Simulates captured circuits of single qubits, on basis states as bits or on a state vector, from
// the definitions of the gates and without kernels or costs.
namespace run_circuit {

// The position of each value's qubit: a gate keeps the positions of its operands; a new qubit gets
// a new one.
struct places {
  std::vector<int> of_value;
  int count = 0;
};

inline places places_of(const wf::graph_view& g) {
  places p;
  p.of_value.assign(g.values.size(), -1);
  for (std::size_t i = 0; i < g.values.size(); ++i)
    if (g.values[i].producer == wf::node_id::none) p.of_value[i] = p.count++;
  for (const wf::node& n : g.nodes)
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      p.of_value[n.outputs.first + k] =
          k < n.inputs.count ? p.of_value[wf::index_of(g.inputs_of(n)[k])] : p.count++;
  return p;
}

// The bits of all outputs from those of all inputs, in order, for circuits of NOT gates only. New
// qubits are 0; an erased conjunction must equal the conjunction.
inline std::vector<int> on_bits(const wf::graph_view& g, const std::vector<int>& inputs) {
  const places p = places_of(g);
  std::vector<int> bit(static_cast<std::size_t>(p.count), 0);
  for (std::size_t i = 0; i < inputs.size(); ++i) bit[i] = inputs[i];
  for (const wf::node& n : g.nodes) {
    const std::string op(g.op_name(n));
    const auto at = [&](std::uint32_t k) -> int& {
      return bit[static_cast<std::size_t>(p.of_value[wf::index_of(g.inputs_of(n)[k])])];
    };
    if (op == "pauli_x") {
      at(0) ^= 1;
    } else if (op == "cnot") {
      at(1) ^= at(0);
    } else if (op == "toffoli") {
      at(2) ^= at(0) & at(1);
    } else if (op == "swap") {
      std::swap(at(0), at(1));
    } else if (op == "compute_and") {
      bit[static_cast<std::size_t>(p.of_value[n.outputs.first + 2])] = at(0) & at(1);
    } else if (op == "erase_and") {
      REQUIRE(at(2) == (at(0) & at(1)));
    } else {
      REQUIRE_MESSAGE(op == "prepare", op);
    }
  }
  std::vector<int> out;
  for (const wf::output& o : g.outputs)
    out.push_back(bit[static_cast<std::size_t>(p.of_value[wf::index_of(o.source)])]);
  return out;
}

using amplitude = std::complex<double>;

class state {
 public:
  state(const wf::graph_view& g, std::uint64_t inputs)
      : g_(g), places_(places_of(g)), psi_(std::size_t{1} << places_.count) {
    psi_[inputs] = 1;
    for (const wf::node& n : g.nodes) apply(n);
  }
  // The bit position of an output in the state index.
  int place(std::size_t output) const {
    return places_.of_value[wf::index_of(g_.outputs[output].source)];
  }
  const std::vector<amplitude>& amplitudes() const { return psi_; }

 private:
  void apply(const wf::node& n) {
    const std::string op(g_.op_name(n));
    const amplitude i(0, 1);
    const double r = std::sqrt(0.5);
    const double order = static_cast<double>(g_.integer_attribute(n, "order", 0));
    const amplitude phase =
        std::exp(i * 2.0 * M_PI * (order < 0 ? -1.0 : 1.0) / std::exp2(std::abs(order)));
    if (op == "hadamard") return matrix(n, 0, r, r, r, -r);
    if (op == "pauli_x") return matrix(n, 0, 0, 1, 1, 0);
    if (op == "pauli_y") return matrix(n, 0, 0, -i, i, 0);
    if (op == "pauli_z") return matrix(n, 0, 1, 0, 0, -1);
    if (op == "phase_s") return matrix(n, 0, 1, 0, 0, i);
    if (op == "phase_s_inverse") return matrix(n, 0, 1, 0, 0, -i);
    if (op == "phase_t") return matrix(n, 0, 1, 0, 0, std::exp(i * M_PI / 4.0));
    if (op == "phase_t_inverse") return matrix(n, 0, 1, 0, 0, std::exp(-i * M_PI / 4.0));
    if (op == "phase") return matrix(n, 0, 1, 0, 0, phase);
    if (op == "cnot") return matrix(n, 1, 0, 1, 1, 0);
    if (op == "controlled_z") return matrix(n, 1, 1, 0, 0, -1);
    if (op == "controlled_phase") return matrix(n, 1, 1, 0, 0, phase);
    if (op == "toffoli") return matrix(n, 2, 0, 1, 1, 0);
    if (op == "swap") return swap(n);
    REQUIRE_MESSAGE((op == "prepare" || op == "measure"), op);
  }
  std::size_t bit(const wf::node& n, std::uint32_t k) const {
    return std::size_t{1} << places_.of_value[wf::index_of(g_.inputs_of(n)[k])];
  }
  // Applies a matrix to the last operand, controlled by the first `controls` operands.
  void matrix(const wf::node& n, std::uint32_t controls, amplitude a, amplitude b, amplitude c,
              amplitude d) {
    std::size_t mask = 0;
    for (std::uint32_t k = 0; k < controls; ++k) mask |= bit(n, k);
    const std::size_t target = bit(n, controls);
    for (std::size_t s = 0; s < psi_.size(); ++s) {
      if ((s & target) != 0 || (s & mask) != mask) continue;
      const amplitude zero = psi_[s], one = psi_[s | target];
      psi_[s] = a * zero + b * one;
      psi_[s | target] = c * zero + d * one;
    }
  }
  void swap(const wf::node& n) {
    const std::size_t a = bit(n, 0), b = bit(n, 1);
    for (std::size_t s = 0; s < psi_.size(); ++s)
      if ((s & a) != 0 && (s & b) == 0) std::swap(psi_[s], psi_[s ^ a ^ b]);
  }

  wf::graph_view g_;
  places places_;
  std::vector<amplitude> psi_;
};

// The largest number of gates on a path through the circuit.
inline int depth(const wf::graph_view& g) {
  std::vector<int> until(g.values.size(), 0);
  int deepest = 0;
  for (const wf::node& n : g.nodes) {
    if (g.op_name(n) == "prepare") continue;
    int before = 0;
    for (wf::value_id id : g.inputs_of(n)) before = std::max(before, until[wf::index_of(id)]);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) until[n.outputs.first + k] = before + 1;
    deepest = std::max(deepest, before + 1);
  }
  return deepest;
}

}  // namespace run_circuit
