// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/circuit.hpp>
#include <wf/static.hpp>

// Circuits with published closed-form costs, built gate by gate. Registers are little-endian: a[0]
// is the least significant qubit.
namespace circuits {

using wires = wf::table<wf::wire>;

// n inputs name0, name1, ...
constexpr wires inputs(wf::circuit& c, const char* name, int n) {
  wires out;
  for (int i = 0; i < n; ++i) out.push_back(c.input((wf::text() << name << i).view()));
  return out;
}
constexpr wires zeros(wf::circuit& c, int n) {
  wires out;
  for (int i = 0; i < n; ++i) out.push_back(c.zero());
  return out;
}
constexpr void outputs(wf::circuit& c, const char* name, const wires& q) {
  for (std::size_t i = 0; i < q.size(); ++i) c.output((wf::text() << name << i).view(), q[i]);
}

// --8<-- [start:majority]
// The simple ripple-carry adder: b becomes a + b, z is flipped where the sum overflows, and the
// ancilla x, |0> before, is |0> again. 2n Toffolis, 4n + 1 CNOTs, 2n + 2 qubits. Source: Cuccaro,
// Draper, Kutin, Moulton, A new quantum ripple-carry addition circuit, quant-ph/0410184, section 2,
// figure 4, with the two-CNOT form of UMA (figure 2).
constexpr void majority(wf::circuit& c, wf::wire& x, wf::wire& y, wf::wire& carry) {
  c.cnot(carry, y);
  c.cnot(carry, x);
  c.toffoli(x, y, carry);
}
constexpr void unmajority_and_add(wf::circuit& c, wf::wire& x, wf::wire& y, wf::wire& carry) {
  c.toffoli(x, y, carry);
  c.cnot(carry, x);
  c.cnot(x, y);
}
constexpr void simple_cuccaro_adder(wf::circuit& c, wires& a, wires& b, wf::wire& x, wf::wire& z) {
  const std::size_t n = a.size();
  for (std::size_t i = 0; i < n; ++i) majority(c, i == 0 ? x : a[i - 1], b[i], a[i]);
  c.cnot(a[n - 1], z);
  for (std::size_t i = n; i-- > 0;) unmajority_and_add(c, i == 0 ? x : a[i - 1], b[i], a[i]);
}
// --8<-- [end:majority]

// The same sum with gates shared between the steps, for n >= 4: 2n - 1 Toffolis, 5n - 3 CNOTs,
// 2n - 4 NOTs, 2n + 2 qubits, depth 2n + 4. Source: as above, section 3, figure 5.
constexpr void cuccaro_adder(wf::circuit& c, wires& a, wires& b, wf::wire& x, wf::wire& z) {
  const std::size_t n = a.size();
  for (std::size_t i = 1; i < n; ++i) c.cnot(a[i], b[i]);
  c.cnot(a[1], x);
  c.toffoli(a[0], b[0], x);
  c.cnot(a[2], a[1]);
  c.toffoli(x, b[1], a[1]);
  c.cnot(a[3], a[2]);
  for (std::size_t i = 2; i + 2 < n; ++i) {  // carries upwards
    c.toffoli(a[i - 1], b[i], a[i]);
    c.cnot(a[i + 2], a[i + 1]);
  }
  c.toffoli(a[n - 3], b[n - 2], a[n - 2]);
  c.cnot(a[n - 1], z);
  c.toffoli(a[n - 2], b[n - 1], z);
  for (std::size_t i = 1; i + 1 < n; ++i) c.x(b[i]);
  c.cnot(x, b[1]);
  for (std::size_t i = 2; i < n; ++i) c.cnot(a[i - 1], b[i]);
  c.toffoli(a[n - 3], b[n - 2], a[n - 2]);
  for (std::size_t i = n - 3; i >= 2; --i) {  // and downwards
    c.toffoli(a[i - 1], b[i], a[i]);
    c.cnot(a[i + 2], a[i + 1]);
    c.x(b[i + 1]);
  }
  c.toffoli(x, b[1], a[1]);
  c.cnot(a[3], a[2]);
  c.x(b[2]);
  c.toffoli(a[0], b[0], x);
  c.cnot(a[2], a[1]);
  c.x(b[1]);
  c.cnot(a[1], x);
  for (std::size_t i = 0; i < n; ++i) c.cnot(a[i], b[i]);
}

// The adder without ancilla, for n >= 2: b becomes a + b, z is flipped where the sum overflows.
// 2n - 1 Toffolis, 5n - 5 CNOTs (7n - 6 gates), 2n + 1 qubits. Source: Takahashi, Tani, Kunihiro,
// Quantum addition circuits and unbounded fan-out, arXiv:0910.2530, section 2.
constexpr void takahashi_adder(wf::circuit& c, wires& a, wires& b, wf::wire& z) {
  const std::size_t n = a.size();
  const auto above = [&](std::size_t i) -> wf::wire& { return i + 1 < n ? a[i + 1] : z; };
  for (std::size_t i = 1; i < n; ++i) c.cnot(a[i], b[i]);
  for (std::size_t i = n - 1; i > 0; --i) c.cnot(a[i], above(i));
  for (std::size_t i = 0; i < n; ++i) c.toffoli(a[i], b[i], above(i));
  for (std::size_t i = n - 1; i > 0; --i) {
    c.cnot(a[i], b[i]);
    c.toffoli(a[i - 1], b[i - 1], a[i]);
  }
  for (std::size_t i = 1; i + 1 < n; ++i) c.cnot(a[i], a[i + 1]);
  for (std::size_t i = 0; i < n; ++i) c.cnot(a[i], b[i]);
}

// The adder of temporary conjunctions: b becomes a + b modulo 2^n; n - 1 conjunctions, 4n - 4 T
// gates, 3n - 1 qubits. Source: Gidney, Halving the cost of quantum addition, arXiv:1709.06648,
// figures 1 and 3; Quantum 2, 74 (2018).
constexpr void gidney_adder(wf::circuit& c, wires& a, wires& b) {
  const std::size_t n = a.size();
  wires carry;  // carry[i] goes into position i + 1
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (i > 0) {
      c.cnot(carry[i - 1], a[i]);
      c.cnot(carry[i - 1], b[i]);
    }
    carry.push_back(c.compute_and(a[i], b[i]));
    if (i > 0) c.cnot(carry[i - 1], carry[i]);
  }
  if (n > 1) c.cnot(carry[n - 2], b[n - 1]);
  for (std::size_t i = n - 1; i-- > 0;) {
    if (i > 0) c.cnot(carry[i - 1], carry[i]);
    c.erase_and(a[i], b[i], carry[i]);
    if (i > 0) c.cnot(carry[i - 1], a[i]);
  }
  for (std::size_t i = 0; i < n; ++i) c.cnot(a[i], b[i]);
}

// The quantum Fourier transform without the final reversal of the qubits: n Hadamards, n(n - 1)/2
// controlled rotations.
constexpr void fourier_in_place(wf::circuit& c, wires& q) {
  for (std::size_t i = q.size(); i-- > 0;) {
    c.h(q[i]);
    for (std::size_t j = i; j-- > 0;) c.controlled_phase(static_cast<int>(i - j + 1), q[j], q[i]);
  }
}
constexpr void inverse_fourier_in_place(wf::circuit& c, wires& q) {
  for (std::size_t i = 0; i < q.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      c.controlled_phase(-static_cast<int>(i - j + 1), q[j], q[i]);
    c.h(q[i]);
  }
}

// The textbook transform, with floor(n/2) final swaps. Source: Nielsen, Chuang, Quantum Computation
// and Quantum Information, section 5.1, figure 5.1.
constexpr void fourier(wf::circuit& c, wires& q) {
  fourier_in_place(c, q);
  for (std::size_t i = 0; i < q.size() / 2; ++i) c.swap(q[i], q[q.size() - 1 - i]);
}
constexpr void inverse_fourier(wf::circuit& c, wires& q) {
  for (std::size_t i = 0; i < q.size() / 2; ++i) c.swap(q[i], q[q.size() - 1 - i]);
  inverse_fourier_in_place(c, q);
}

// The transform adder: b becomes a + b modulo 2^n between a transform and its inverse; 2n qubits,
// the addition itself n(n + 1)/2 controlled rotations. Source: Draper, Addition on a quantum
// computer, quant-ph/0008033.
constexpr void draper_adder(wf::circuit& c, wires& a, wires& b) {
  fourier_in_place(c, b);
  for (std::size_t i = b.size(); i-- > 0;)
    for (std::size_t j = i + 1; j-- > 0;)
      c.controlled_phase(static_cast<int>(i - j + 1), a[j], b[i]);
  inverse_fourier_in_place(c, b);
}

// A NOT of m >= 3 controls with m - 2 clean ancillas: 2m - 3 Toffolis. Source: Nielsen, Chuang,
// section 4.3, figure 4.10 (m - 1 ancillas and 2(m - 1) Toffolis around a controlled gate; for a
// NOT the last pair and the gate become one Toffoli).
constexpr void controlled_not_clean(wf::circuit& c, wires& controls, wires& clean,
                                    wf::wire& target) {
  const std::size_t m = controls.size();
  const auto link = [&](std::size_t i) {
    c.toffoli(i == 0 ? controls[0] : clean[i - 1], controls[i + 1], clean[i]);
  };
  for (std::size_t i = 0; i + 2 < m; ++i) link(i);
  c.toffoli(clean[m - 3], controls[m - 1], target);
  for (std::size_t i = m - 2; i-- > 0;) link(i);
}

// A NOT of m >= 3 controls with m - 2 borrowed qubits in any state: 4(m - 2) Toffolis. Source:
// Barenco et al., Elementary gates for quantum computation, quant-ph/9503016, lemma 7.2.
constexpr void controlled_not_borrowed(wf::circuit& c, wires& controls, wires& borrowed,
                                       wf::wire& target) {
  const std::size_t m = controls.size();
  const auto link = [&](std::size_t i) {
    c.toffoli(i == 0 ? controls[0] : borrowed[i - 1], controls[i + 1],
              i + 2 < m ? borrowed[i] : target);
  };
  for (std::size_t first : {m - 1, m - 2}) {  // once with the target, once without
    for (std::size_t i = first; i-- > 1;) link(i);
    for (std::size_t i = 0; i < first; ++i) link(i);
  }
}

// Phase estimation with t counting qubits: t Hadamards, controlled powers of the operator as 2^t -
// 1 repetitions, an inverse transform. `repeat` applies the controlled operator once. Source:
// Nielsen, Chuang, section 5.2, figures 5.2 and 5.3.
template <class Repeat>
constexpr void phase_estimation(wf::circuit& c, wires& counting, const Repeat& repeat) {
  for (wf::wire& q : counting) c.h(q);
  for (std::size_t j = 0; j < counting.size(); ++j)
    for (std::uint64_t times = std::uint64_t{1} << j; times > 0; --times) repeat(counting[j]);
  inverse_fourier(c, counting);
}

// floor(π/4·√(N/M)): the number of iterations of a search among N = 2^qubits states with `marked`
// solutions. Exact, since π² lies between two fractions and k <= π/4·√(N/M) means 16·k²·M <= π²·N.
// Source: Boyer, Brassard, Høyer, Tapp, Tight bounds on quantum searching, quant-ph/9605034,
// section 3; Nielsen, Chuang, section 6.1.4. For 2 <= qubits <= 40.
constexpr std::int64_t grover_iterations(int qubits, std::int64_t marked) {
  const wf::int128 scale = 1'000'000'000'000'000'000;
  const wf::int128 pi_squared = 9'869'604'401'089'358'618ULL;  // times `scale`, rounded down
  const wf::int128 most = pi_squared * (wf::int128(1) << qubits) / scale;  // bound for 16·k²·M
  std::int64_t k = 0, step = std::int64_t{1} << 20;
  for (; step > 0; step /= 2) {
    const wf::int128 next = k + step;
    if (16 * next * next * marked <= most) k += step;
  }
  return k;
}

// Grover's search: a uniform superposition, then repeated pairs of an oracle call and a reflection.
// Source: Nielsen, Chuang, section 6.1, figures 6.1 and 6.2.
template <class Oracle, class Reflect>
constexpr void grover(std::int64_t iterations, const Oracle& oracle, const Reflect& reflect) {
  for (std::int64_t k = 0; k < iterations; ++k) {
    oracle();
    reflect();
  }
}

// Flips the phase of the state |mark> of n >= 2 qubits with n - 3 clean ancillas (none below 4).
constexpr void flip_phase(wf::circuit& c, wires& q, wires& clean, std::uint64_t mark) {
  for (std::size_t i = 0; i < q.size(); ++i)
    if (((mark >> i) & 1) == 0) c.x(q[i]);
  wires controls;
  for (std::size_t i = 0; i + 1 < q.size(); ++i) controls.push_back(q[i]);
  wf::wire& last = q[q.size() - 1];
  c.h(last);
  if (controls.size() == 1) c.cnot(controls[0], last);
  if (controls.size() == 2) c.toffoli(controls[0], controls[1], last);
  if (controls.size() > 2) controlled_not_clean(c, controls, clean, last);
  c.h(last);
  for (std::size_t i = 0; i + 1 < q.size(); ++i) q[i] = controls[i];
  for (std::size_t i = 0; i < q.size(); ++i)
    if (((mark >> i) & 1) == 0) c.x(q[i]);
}

// 2|s><s| - 1 up to a sign, gate by gate.
constexpr void reflect_about_mean(wf::circuit& c, wires& q, wires& clean) {
  for (wf::wire& w : q) c.h(w);
  flip_phase(c, q, clean, 0);
  for (wf::wire& w : q) c.h(w);
}

}  // namespace circuits
