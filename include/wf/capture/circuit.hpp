// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/expression.hpp>
#include <wf/registry/domain/quantum.hpp>

namespace wf {

/// One qubit of a circuit under capture. A gate replaces the wires it acts on by its results, so
/// that a wire always holds the latest state of its qubit.
using wire = handle<dtype::qubit, dims<>>;

/// Appends quantum gates to a workflow, one node each: `circuit c(s); c.h(q[0]); c.cnot(q[0],
/// q[1]);`. Pricing the captured graph counts gates, T gates and qubits. A wire of another
/// workflow, or an unassigned one, is the error `foreign_handle` when the capture finishes.
class circuit {
 public:
  /// Appends the gates to a scope, which must outlive the circuit.
  constexpr explicit circuit(scope& s) : scope_(&s) {}

  /// Declares a qubit as an input of the workflow.
  constexpr wire input(text_view name) {
    return {scope_, scope_->input<qubit>(name, shape::of()).id()};
  }
  /// A fresh qubit in the state |0>.
  constexpr wire zero(const source_location& where = source_location::current()) {
    return {scope_, append(detail::captured<kernels::prepare>, {}, {}, 1, where)};
  }
  /// Makes a qubit an output.
  constexpr void output(text_view name, const wire& q) { scope_->output(name, q); }

  /// A Hadamard gate.
  constexpr void h(wire& q, const source_location& where = source_location::current()) {
    gate(detail::captured<kernels::hadamard>, {}, where, &q);
  }
  /// A Pauli X gate (NOT).
  constexpr void x(wire& q, const source_location& where = source_location::current()) {
    gate(detail::captured<kernels::pauli_x>, {}, where, &q);
  }
  /// A Pauli Y gate.
  constexpr void y(wire& q, const source_location& where = source_location::current()) {
    gate(detail::captured<kernels::pauli_y>, {}, where, &q);
  }
  /// A Pauli Z gate.
  constexpr void z(wire& q, const source_location& where = source_location::current()) {
    gate(detail::captured<kernels::pauli_z>, {}, where, &q);
  }
  /// The gate S = diag(1, i).
  constexpr void s(wire& q, const source_location& where = source_location::current()) {
    gate(detail::captured<kernels::phase_s>, {}, where, &q);
  }
  /// The gate S^-1 = diag(1, -i).
  constexpr void s_inverse(wire& q, const source_location& where = source_location::current()) {
    gate(detail::captured<kernels::phase_s_inverse>, {}, where, &q);
  }
  /// The gate T = diag(1, exp(iπ/4)).
  constexpr void t(wire& q, const source_location& where = source_location::current()) {
    gate(detail::captured<kernels::phase_t>, {}, where, &q);
  }
  /// The gate T^-1 = diag(1, exp(-iπ/4)).
  constexpr void t_inverse(wire& q, const source_location& where = source_location::current()) {
    gate(detail::captured<kernels::phase_t_inverse>, {}, where, &q);
  }
  /// Resets the qubit to the state |0>.
  constexpr void reset(wire& q, const source_location& where = source_location::current()) {
    gate(detail::captured<kernels::reset>, {}, where, &q);
  }
  /// The gate diag(1, exp(2πi / 2^order)); its inverse for a negative order.
  constexpr void phase(int order, wire& q,
                       const source_location& where = source_location::current()) {
    gate(detail::captured<kernels::phase>, of_order(order), where, &q);
  }
  /// A controlled NOT: flips the target if the control is |1>.
  constexpr void cnot(wire& control, wire& target,
                      const source_location& where = source_location::current()) {
    gate(detail::captured<kernels::cnot>, {}, where, &control, &target);
  }
  /// A controlled Z: flips the phase if both qubits are |1>.
  constexpr void cz(wire& a, wire& b, const source_location& where = source_location::current()) {
    gate(detail::captured<kernels::controlled_z>, {}, where, &a, &b);
  }
  /// A controlled `phase`: acts on the target if the control is |1>.
  constexpr void controlled_phase(int order, wire& control, wire& target,
                                  const source_location& where = source_location::current()) {
    gate(detail::captured<kernels::controlled_phase>, of_order(order), where, &control, &target);
  }
  /// Exchanges two qubits by a gate. (Exchanging two wires in the program costs nothing.)
  constexpr void swap(wire& a, wire& b, const source_location& where = source_location::current()) {
    gate(detail::captured<kernels::swap>, {}, where, &a, &b);
  }
  /// A Toffoli gate: flips the target if both controls are |1>.
  constexpr void toffoli(wire& a, wire& b, wire& target,
                         const source_location& where = source_location::current()) {
    gate(detail::captured<kernels::toffoli>, {}, where, &a, &b, &target);
  }
  /// The conjunction of two qubits in a fresh qubit, for four T gates; see `erase_and`.
  constexpr wire compute_and(wire& a, wire& b,
                             const source_location& where = source_location::current()) {
    wire* const wires[] = {&a, &b};
    const value_id first = on(detail::captured<kernels::compute_and>, {}, wires, 3, where);
    return {scope_, static_cast<value_id>(index_of(first) + 2)};
  }
  /// Erases a conjunction that `compute_and` made of these two qubits, without T gates.
  constexpr void erase_and(wire& a, wire& b, const wire& conjunction,
                           const source_location& where = source_location::current()) {
    wire last = conjunction;
    wire* const wires[] = {&a, &b, &last};
    on(detail::captured<kernels::erase_and>, {}, wires, 2, where);
  }
  /// Measures a qubit in the computational basis; the wire must not be used afterwards.
  constexpr handle<dtype::boolean, dims<>> measure(
      const wire& q, const source_location& where = source_location::current()) {
    wire last = q;
    wire* const wires[] = {&last};
    return {scope_, on(detail::captured<kernels::measure>, {}, wires, 0, where)};
  }

 private:
  static constexpr attribute_value of_order(int order) {
    return attribute_value::integer("order", order);
  }

  // `results` 0: one bit instead of qubits.
  constexpr value_id append(const captured_kernel& kernel, view<attribute_value> attributes,
                            view<value_id> operands, std::size_t results,
                            const source_location& where) {
    const value_type bit{dtype::boolean, {}, {}};
    const value_type qubits[3] = {wire::type, wire::type, wire::type};
    const view<value_type> types =
        results == 0 ? view<value_type>(&bit, 1) : view<value_type>(qubits, results);
    return detail::capture_of(*scope_).apply(kernel, attributes, operands, types, where);
  }

  // Applies a gate to wires and replaces them by its first results.
  constexpr value_id on(const captured_kernel& kernel, view<attribute_value> attributes,
                        view<wire*> wires, std::size_t results, const source_location& where) {
    value_id ids[3] = {};
    for (std::size_t i = 0; i < wires.size(); ++i) {
      if (wires[i]->owner() != scope_) {
        detail::capture_of(*scope_).fail_foreign(where);
        return value_id{};
      }
      ids[i] = wires[i]->id();
    }
    const value_id first = append(kernel, attributes, {ids, wires.size()}, results, where);
    for (std::size_t i = 0; i < wires.size() && i < results; ++i)
      *wires[i] = wire(scope_, static_cast<value_id>(index_of(first) + i));
    return first;
  }
  // An attribute with an empty name is left out.
  constexpr void gate(const captured_kernel& kernel, const attribute_value& attribute,
                      const source_location& where, wire* a, wire* b = nullptr, wire* c = nullptr) {
    wire* const all[] = {a, b, c};
    const std::size_t count = b == nullptr ? 1 : c == nullptr ? 2 : 3;
    on(kernel, {&attribute, attribute.name.empty() ? std::size_t{0} : std::size_t{1}}, {all, count},
       count, where);
  }

  scope* scope_;
};

}  // namespace wf
