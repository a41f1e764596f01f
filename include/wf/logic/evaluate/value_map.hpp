// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/tensor_program.hpp>
#include <wf/registry/element_value.hpp>
#include <wf/registry/registry.hpp>

namespace wf::logic::detail {

/// Computes the scalar expression of a rule that reads one entry, for many entries at a time. At
/// run time only.
class value_map {
 public:
  constexpr value_map(const tensor_program& p, const registry& operators)
      : program_(p), operators_(operators) {}

  /// True for an expression of numbers, the entry, arithmetic but powers, and operators that give
  /// many elements (`kernel_spec::elements`).
  constexpr bool fits(std::uint32_t node) const {
    const scalar_node& n = program_.scalars[node];
    switch (n.kind) {
      case scalar_kind::number:
      case scalar_kind::joined:
      case scalar_kind::looked_up:
        return true;
      case scalar_kind::sum:
      case scalar_kind::difference:
      case scalar_kind::product:
      case scalar_kind::quotient:
        return fits(n.left) && fits(n.right);
      case scalar_kind::negation:
        return fits(n.left);
      case scalar_kind::function: {
        const kernel_spec* const k = operators_.find(n.name.view());
        bool all = k != nullptr && k->elements != nullptr && n.left != none;
        for (const std::uint32_t operand : {n.left, n.right, n.other})
          all = all && (operand == none || fits(operand));
        return all;
      }
      default:
        return false;
    }
  }
  /// The expression, which `fits`, for each entry, in its place.
  void run(std::uint32_t node, table<double>& entries) const {
    double made[block];
    for (std::size_t first = 0; first < entries.size(); first += block) {
      const std::size_t left = entries.size() - first, count = left < block ? left : block;
      part(node, entries.data() + first, made, count);
      for (std::size_t i = 0; i < count; ++i) entries[first + i] = made[i];
    }
  }

 private:
  static constexpr std::size_t block = 256;

  void part(std::uint32_t node, const double* entries, double* out, std::size_t count) const {
    const scalar_node& n = program_.scalars[node];
    double second[block];
    switch (n.kind) {
      case scalar_kind::number:
        for (std::size_t i = 0; i < count; ++i) out[i] = n.number;
        return;
      case scalar_kind::function:
        return function(n, entries, out, count);
      case scalar_kind::negation:
        part(n.left, entries, out, count);
        for (std::size_t i = 0; i < count; ++i) out[i] = -out[i];
        return;
      case scalar_kind::sum:
      case scalar_kind::difference:
      case scalar_kind::product:
      case scalar_kind::quotient:
        part(n.left, entries, out, count);
        part(n.right, entries, second, count);
        return combine(n.kind, out, second, count);
      default:
        for (std::size_t i = 0; i < count; ++i) out[i] = entries[i];
    }
  }
  static void combine(scalar_kind kind, double* a, const double* b, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      a[i] = kind == scalar_kind::sum          ? a[i] + b[i]
             : kind == scalar_kind::difference ? a[i] - b[i]
             : kind == scalar_kind::product    ? a[i] * b[i]
                                               : a[i] / b[i];
  }
  void function(const scalar_node& n, const double* entries, double* out, std::size_t count) const {
    double operands[3][block];
    const double* given[3] = {operands[0], operands[1], operands[2]};
    std::size_t arity = 0;
    for (const std::uint32_t operand : {n.left, n.right, n.other})
      if (operand != none) part(operand, entries, operands[arity++], count);
    const rule_input node{
        {wf::detail::three_reals, arity},
        view<attribute_value>(program_.attributes).part(n.attributes.first, n.attributes.count)};
    operators_.find(n.name.view())->elements(node, given, out, count);
  }

  const tensor_program& program_;
  const registry& operators_;
};

}  // namespace wf::logic::detail
