// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/compare/same.hpp>
#include <wf/registry/domain/builtin.hpp>

namespace wf {

/// The set of equations by which a pass may rewrite a workflow.
enum class algebra : std::uint8_t {
  exact,  ///< those that preserve the bits of every successful run
  real,   ///< also those of real arithmetic: rounded results may differ in their last digits, and
          ///< more with infinities, NaNs or overflows
};

/// The laws of an operator that an algebra allows on elements of a type. In exact algebra:
///
/// - On booleans and qubits, which do not round: all laws.
/// - On integers, where overflow is a failure: the laws that introduce no new intermediate result:
///   commutativity, idempotence, involution, inverses. Regrouping may overflow elsewhere. On
///   unsigned integers real algebra allows no more: differences would become negative.
/// - On floating-point and complex elements: commutativity, unless the operator is idempotent like
///   maximum, where the choice between +0 and -0 and the treatment of NaNs depend on the order;
///   idempotence and involution of operators that never round.
///
/// O(1).
constexpr law_set laws_of(const kernel_spec& k, dtype elements, algebra allowed) {
  law_set laws = k.laws;
  if (elements == dtype::boolean || elements == dtype::qubit) return laws;
  if (allowed == algebra::real && !is_unsigned(elements)) return laws;
  laws.associative = laws.linear = false;
  laws.distributes_over = {};
  if (is_integer(elements)) return laws;
  if (laws.idempotent) laws.commutative = false;
  if (!laws.never_rounds) laws.idempotent = laws.involution = false;
  if (!laws.never_rounds || !laws.involution) laws.inverse = {};
  return laws;
}

namespace detail {

/// The kernels of a graph's operators, by operator index; null for an unregistered one.
constexpr table<const kernel_spec*> kernels_of(const graph_view& g, const registry& r) {
  table<const kernel_spec*> out;
  out.reserve(g.operations.size());
  for (const operation& o : g.operations) out.push_back(r.find(g.text_of(o.name)));
  return out;
}

/// The element type that decides which laws hold for a node: a floating-point or complex type among
/// its operands and results, else an integer type, else any.
constexpr dtype element_type(const graph_view& g, const node& n) {
  dtype found = dtype::unknown;
  const auto weight = [](dtype d) {
    return is_floating(d) || is_complex(d) ? 3 : is_integer(d) ? 2 : d != dtype::unknown ? 1 : 0;
  };
  const auto consider = [&](dtype d) { found = weight(d) > weight(found) ? d : found; };
  for (value_id operand : g.inputs_of(n)) consider(g[operand].type.type);
  for (std::uint32_t k = 0; k < n.outputs.count; ++k)
    consider(g.values[n.outputs.first + k].type.type);
  return found;
}

/// The laws of a node's operator; no laws if it has no kernel.
constexpr law_set laws_of(const graph_view& g, const node& n, const kernel_spec* k,
                          algebra allowed) {
  return k == nullptr ? law_set{} : wf::laws_of(*k, element_type(g, n), allowed);
}

}  // namespace detail

}  // namespace wf
