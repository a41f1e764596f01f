// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/indices.hpp>
#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/logic/program/tensor_program.hpp>
#include <wf/registry/domain/elementwise.hpp>
#include <wf/registry/registry.hpp>
#include <wf/registry/signature.hpp>

namespace wf::logic::detail {

using wf::detail::child_of;

/// The operator by which the rules of a tensor combine values: that of the semirings in which it is
/// the addition; "" for sums, means and relations.
constexpr text_view addition_name(const tensor_info& t) {
  return t.projection == projection::maximum    ? kernels::maximum.name
         : t.projection == projection::minimum  ? kernels::minimum.name
         : t.projection == projection::combined ? t.combining.view()
                                                : text_view();
}

/// What the names of a program mean: finds the tensors, and which calls are relations.
class name_table {
 public:
  constexpr name_table(const equation_program& p, const registry& operators)
      : program_(p), operators_(operators) {}
  /// The operators must outlive the table.
  name_table(const equation_program&, registry&&) = delete;

  /// The number of a tensor, which is added if it is new. Expected O(1).
  constexpr std::uint32_t add(text_view name) {
    if (const std::uint32_t known = find(name); known != none) return known;
    tensor_info t;
    t.name = text(name);
    tensors_.push_back(static_cast<tensor_info&&>(t));
    const auto number = static_cast<std::uint32_t>(tensors_.size() - 1);
    by_name_.insert(hash_text(name), number);
    return number;
  }
  /// The number of a tensor, or `none`. Expected O(1).
  constexpr std::uint32_t find(text_view name) const {
    return by_name_.find(hash_text(name),
                         [&](std::uint32_t n) { return tensors_[n].name.view() == name; });
  }
  /// The tensor with a name whose equations have a tensor, or part of them.
  constexpr std::uint32_t owner_of(std::uint32_t tensor) const {
    return tensors_[tensor].temporary ? tensors_[tensor].part_of : tensor;
  }
  /// The tensors that are known.
  constexpr table<tensor_info>& tensors() { return tensors_; }
  /// The tensors that are known.
  constexpr const table<tensor_info>& tensors() const { return tensors_; }

  /// The operator of a function call; null for a relation: a name that the program defines or
  /// declares as a tensor, or one that is no operator for this number of arguments and is applied
  /// to indices only.
  constexpr const kernel_spec* function(const equation_node& n) const {
    if (find(n.name) != none && (tensors_[find(n.name)].defined || declared(n.name)))
      return nullptr;
    const kernel_spec* const k = operators_.find(n.name);
    if (k == nullptr) return nullptr;
    const auto s = parse_signature(k->signature);
    const std::size_t least = n.children.count;
    return s && (s->takes(least) ||
                 (least > s->inputs && least <= s->inputs + s->attributes.size()))
               ? k
               : nullptr;
  }
  /// The operator of that name, or null.
  constexpr const kernel_spec* operator_of(text_view name) const { return operators_.find(name); }
  /// The operator of `addition_name`, or null.
  constexpr const kernel_spec* addition_of(const tensor_info& t) const {
    return operators_.find(addition_name(t));
  }
  /// True for an operator that is called element by element.
  static constexpr bool is_elementwise(const kernel_spec* k) {
    return k != nullptr && k->laws.elementwise && k->definition.empty();
  }
  /// True if every argument of a call can be an index: a name, a number, a symbol, or a name and a
  /// number added.
  constexpr bool takes_indices(const equation_node& n) const {
    for (std::uint32_t i = 0; i < n.children.count; ++i)
      if (!is_index(program_.nodes[child_of(program_, n, i)])) return false;
    return true;
  }
  /// What is said of a name that is no operator's.
  constexpr text unknown(text_view name) const {
    table<text_view> known;
    for (const kernel_spec* each : operators_.kernels()) known.push_back(each->name);
    return unknown_name_message("operator", name, known);
  }
  /// Why a call is of no operator, for messages.
  constexpr text refusal(const equation_node& n) const {
    if (const kernel_spec* const k = operators_.find(n.name)) {
      const auto s = parse_signature(k->signature);
      const std::size_t operands = s ? s->inputs : 0;
      return text() << n.name << " has " << operands << (operands == 1 ? " operand" : " operands")
                    << ", not " << n.children.count;
    }
    return unknown(n.name);
  }
  /// Notes that the inputs of a run, or the program, declare a tensor.
  constexpr void declare(text_view name) {
    (void)add(name);
    declared_.push_back(name);
  }

 private:
  constexpr bool declared(text_view name) const {
    for (text_view d : declared_)
      if (d == name) return true;
    return false;
  }
  constexpr bool is_index(const equation_node& n) const {
    switch (n.kind) {
      case equation_kind::number:
      case equation_kind::symbol:
        return true;
      case equation_kind::reference:
        return !n.labelled;
      case equation_kind::negation:
        return program_.nodes[child_of(program_, n, 0)].kind == equation_kind::number;
      case equation_kind::sum:
      case equation_kind::difference:
        return is_index(program_.nodes[child_of(program_, n, 0)]) &&
               program_.nodes[child_of(program_, n, 1)].kind == equation_kind::number;
      default:
        return false;
    }
  }

  const equation_program& program_;
  const registry& operators_;
  table<tensor_info> tensors_;
  table<text_view> declared_;
  hash_index by_name_;
};

}  // namespace wf::logic::detail
