// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/infer.hpp>
#include <wf/rewrite/rewrite.hpp>

namespace wf {

namespace detail {

/// Evaluates nodes whose operands are all constants.
class constant_folder {
 public:
  constexpr constant_folder(const graph_view& g, const registry& r) : rewriter_(g, r) {}

  constexpr result<graph> run() {
    if (error e = rewriter_.start(); e.code != errc::none) return e;
    for (node_id id : rewriter_.order()) {
      if (fold(id)) continue;
      if (error e = rewriter_.copy(id); e.code != errc::none) return e;
    }
    return rewriter_.finish();
  }

 private:
  constexpr bool fold(node_id id) {
    const graph_view& g = rewriter_.source();
    const node& n = g[id];
    const kernel_spec* k = rewriter_.kernel_of(n);
    if (k == nullptr || n.inputs.count == 0 || n.outputs.count == 0 || !rewriter_.is_free(id))
      return false;
    double numbers[max_operands] = {};
    table<value_type> types;
    for (std::uint32_t i = 0; i < n.inputs.count && i < max_operands; ++i) {
      const value_id operand = g.inputs_of(n)[i];
      const fill f = rewriter_.fill_of(rewriter_.place(operand));
      if (!f.known) return false;
      numbers[i] = f.value;
      types.push_back(g[operand].type);
    }
    if (rewriter_.is_fill(id)) return false;
    double number = 0;
    if (!evaluate(id, *k, {numbers, n.inputs.count}, types, number)) return false;
    for (std::uint32_t r = 0; r < n.outputs.count; ++r) {
      const value_id old = graph_view::output_of(n, r);
      const auto type = rewriter_.translated_type(old);
      if (!type) return false;
      rewriter_.put(old, rewriter_.add_fill(id, number, *type));
    }
    return true;
  }

  // The common value of all elements of all results.
  constexpr bool evaluate(node_id id, const kernel_spec& k, view<double> operands,
                          view<value_type> types, double& number) {
    const graph_view& g = rewriter_.source();
    const node& n = g[id];
    if (operands.size() > max_operands) return false;
    number = operands[0];
    if (k.moves_elements) {
      for (const double other : operands)
        if (!fill{true, number}.is(other)) return false;
      return true;
    }
    if (k.constant == nullptr) return false;
    const table<attribute_value> attributes = rewriter_.attributes_of(id);
    const rule_input node{types, attributes, &g};
    const dtype first = g.values[n.outputs.first].type.type;
    if (!k.constant({operands.data(), node, first}, number)) return false;
    double settled = number;
    for (std::uint32_t r = 0; r < n.outputs.count; ++r) {
      double one = number;
      if (!settle_element(g.values[n.outputs.first + r].type.type, one)) return false;
      if (r != 0 && !fill{true, one}.is(settled)) return false;
      settled = one;
    }
    number = settled;
    return true;
  }

  graph_rewriter rewriter_;
};

}  // namespace detail

/// Constant folding: evaluates every node whose operands are constants and replaces its results by
/// constants. A non-scalar constant is a scalar `constant` with a `broadcast_to` its shape, which
/// may be symbolic. Foldable are values whose elements are all equal, produced by
///
/// - elementwise operators that executors round correctly: arithmetic, square root, comparison,
///   selection, logic, conversion; not powers and elementary functions, whose last digit depends on
///   the executor's library;
/// - operators that move elements: reshape, permute, transpose, slice, split, broadcast_to, concat
///   of equal numbers, pad of zeros;
/// - reductions over dimensions of fixed extent, if no order of summation can round.
///
/// Numbers are computed as by executors: each result is rounded to its element type (f32, f16,
/// bf16), integers as in C++. Results that are not finite (an integer that exceeds its type or 53
/// bits, a division by zero, an infinity) are left to run time, as are complex numbers. Kernels,
/// including user-defined ones, define the folding by `kernel_spec::constant` and `moves_elements`.
/// Nodes that are not free (`detail::graph_rewriter::is_free`) stay. Nodes that become unread are
/// removed. Errors: those of `validate`, those of extents. Linear in the size of the graph if ids
/// are in topological order.
constexpr result<graph> fold_constants(const graph_view& workflow,
                                       const registry& kernels = builtin_registry()) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  return detail::constant_folder(g, kernels).run();
}

}  // namespace wf
