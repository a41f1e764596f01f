// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include <wf/core/text.hpp>
#include <wf/registry/infer.hpp>
#include <wf/run/element.hpp>
#include <wf/run/tensor.hpp>

namespace wf::compute {

/// One node of a graph and the tensors that it reads and writes: what the executor hands to the
/// implementation of an operator. The registry has inferred the results' shapes from the operands,
/// so ranks, extents and the number of operands are those of the operator's signature.
class application {
 public:
  /// The node, and the tensors of all values of its graph, by their ids; both must outlive this.
  /// The node has at most `max_operands` operands and `max_results` results.
  application(const graph_view& g, const wf::node& n, const tensor_ref* values)
      : graph_(g), node_(n), values_(values) {
    for (std::uint32_t k = 0; k < n.inputs.count; ++k) operands_[k] = value(g.inputs_of(n)[k]);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) results_[k] = values[n.outputs.first + k];
  }

  /// The node's graph.
  const graph_view& graph() const { return graph_; }
  /// The node.
  const wf::node& node() const { return node_; }
  /// The number of operands.
  std::uint32_t operands() const { return node_.inputs.count; }
  /// The number of results.
  std::uint32_t results() const { return node_.outputs.count; }
  /// An operand.
  const tensor_view& in(std::uint32_t k = 0) const { return operands_[k]; }
  /// A result, whose elements are not initialised.
  const tensor_ref& out(std::uint32_t k = 0) const { return results_[k]; }
  /// Any value that was computed before.
  tensor_view value(value_id id) const { return values_[index_of(id)].view(); }
  /// The element type of an operand.
  dtype operand_type(std::uint32_t k = 0) const {
    return graph_[graph_.inputs_of(node_)[k]].type.type;
  }
  /// The element type of a result.
  dtype result_type(std::uint32_t k = 0) const {
    return graph_[graph_view::output_of(node_, k)].type.type;
  }

  /// True if the node has an attribute of that name.
  bool has(text_view name) const { return graph_.find_attribute(node_, name) != nullptr; }
  /// An integer attribute, or `otherwise`.
  std::int64_t integer(text_view name, std::int64_t otherwise) const {
    return graph_.integer_attribute(node_, name, otherwise);
  }
  /// An attribute that is a number of any kind, or `otherwise`.
  double real(text_view name, double otherwise) const {
    const attribute* a = graph_.find_attribute(node_, name);
    if (a == nullptr) return otherwise;
    if (a->kind == attribute_kind::real) return a->real;
    return static_cast<double>(a->number) / static_cast<double>(a->denominator);
  }
  /// A text attribute, or nothing.
  text_view characters(text_view name) const {
    const attribute* a = graph_.find_attribute(node_, name);
    return a == nullptr ? text_view() : graph_.text_of(a->characters);
  }
  /// The dimension of operand `k` that the attribute `axis` names, the first without it.
  std::uint32_t axis() const { return static_cast<std::uint32_t>(integer("axis", 0)); }

  /// The same node on the magnitudes of its operands; operands and results lie in `storage`.
  application of_magnitudes(std::vector<std::vector<double>>& storage) const {
    application out = *this;
    storage.clear();
    for (std::uint32_t k = 0; k < operands(); ++k) {
      storage.emplace_back(in(k).elements, in(k).elements + in(k).size());
      for (double& x : storage.back()) x = std::abs(x);
      out.operands_[k].elements = storage.back().data();
    }
    for (std::uint32_t k = 0; k < results(); ++k) {
      storage.emplace_back(static_cast<std::size_t>(results_[k].view().size()));
      out.results_[k].elements = storage.back().data();
    }
    return out;
  }

 private:
  graph_view graph_;
  const wf::node& node_;
  const tensor_ref* values_;
  tensor_view operands_[max_operands];
  tensor_ref results_[max_results];
};

/// Computes the results of a node. Returns why it cannot, or nothing.
using implementation = text (*)(const application&);

/// An operator that the executor knows: adding one is adding one of these to the table of its
/// family.
struct executable_operator {
  /// The name, as in the registry.
  text_view name;
  /// What it computes.
  implementation run = nullptr;
  /// Why a node of static shapes cannot be executed although the registry accepts it, or nothing;
  /// null: there is no such reason.
  text_view (*fault)(const graph_view&, const node&) = nullptr;
};

/// Computes sums of products by `compute`. Integers are summed in doubles: it fails if the
/// magnitudes of the terms of an integer sum add up to more than doubles hold exactly, and then
/// costs twice as much.
template <class Compute>
text exact_sums(const application& a, Compute compute) {
  text why = compute(a);
  if (!why.empty() || a.results() == 0 || !is_integer(a.result_type())) return why;
  std::vector<std::vector<double>> storage;
  const application magnitudes = a.of_magnitudes(storage);
  compute(magnitudes);
  const tensor_view bound = magnitudes.out().view();
  for (Eigen::Index i = 0; i < bound.size(); ++i)
    if (!(bound.elements[i] <= max_exact_integer)) return "an integer sum exceeds 2^53";
  return why;
}

}  // namespace wf::compute
