// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/pass/rewrite.hpp>
#include <wf/registry/infer.hpp>

namespace wf {

namespace detail {

/// Evaluates the nodes whose operands are all filled with known numbers.
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
    double operands[max_operands] = {};
    if (n.inputs.count > max_operands) return false;
    for (std::uint32_t i = 0; i < n.inputs.count; ++i) {
      const fill f = rewriter_.fill_of(rewriter_.place(g.inputs_of(n)[i]));
      if (!f.known) return false;
      operands[i] = f.value;
    }
    const std::uint64_t op = g.operations[n.op].hash;
    if (op == hash_text("broadcast_to") && is_constant(rewriter_.place(g.inputs_of(n)[0])))
      return false;  // what a fill is made of
    double number = 0;
    if (!evaluate(n, *k, op, operands, number)) return false;
    for (std::uint32_t r = 0; r < n.outputs.count; ++r) {
      const value_id old = graph_view::output_of(n, r);
      const auto type = rewriter_.translated_type(old);
      if (!type) return false;
      rewriter_.put(old, rewriter_.add_fill(id, number, *type));
    }
    return true;
  }

  constexpr bool is_constant(value_id id) const {
    const node_id producer = rewriter_.made()[id].producer;
    return producer != node_id::none && rewriter_.operator_of(producer) == hash_text("constant");
  }

  // The number that all elements of all results are.
  constexpr bool evaluate(const node& n, const kernel_spec& k, std::uint64_t op,
                          const double* operands, double& number) const {
    const graph_view& g = rewriter_.source();
    const dtype from = g[g.inputs_of(n)[0]].type.type;
    const dtype to = g.values[n.outputs.first].type.type;
    number = operands[0];
    if (moves_only(op)) return n.inputs.count == 1;
    switch (op) {
      case hash_text("concat"):
      case hash_text("concat3"):
      case hash_text("concat4"):
        for (std::uint32_t i = 1; i < n.inputs.count; ++i)
          if (!fill{true, number}.is(operands[i])) return false;
        return true;
      case hash_text("pad"):
        return is_positive_zero(number) || (g.integer_attribute(n, "before", 0) == 0 &&
                                            g.integer_attribute(n, "after", 0) == 0);
      case hash_text("sum"):
      case hash_text("mean"):
      case hash_text("max"):
      case hash_text("arg_max"):
        return reduce(n, op, number);
      default:
        return k.laws.elementwise && n.outputs.count == 1 &&
               element_operation(element_of(n, from), to, operands, n.inputs.count).run(op, number);
    }
  }
  // Of `select` the element type is that of its branches.
  constexpr dtype element_of(const node& n, dtype first) const {
    const graph_view& g = rewriter_.source();
    return n.inputs.count == 3 ? g[g.inputs_of(n)[1]].type.type : first;
  }

  constexpr bool reduce(const node& n, std::uint64_t op, double& number) const {
    const graph_view& g = rewriter_.source();
    const shape& s = g[g.inputs_of(n)[0]].type.shape;
    const attribute* axis = g.find_attribute(n, "axis");
    std::int64_t count = s.elements();
    if (axis != nullptr) {
      if (axis->kind != attribute_kind::integer || axis->number < 0 || axis->number >= s.rank)
        return false;
      const extent e = s[static_cast<std::size_t>(axis->number)];
      count = e.is_fixed() ? e.size() : -1;
    }
    const dtype to = g.values[n.outputs.first].type.type;
    if (count < 0 || (count == 0 && op != hash_text("sum"))) return false;
    if (op == hash_text("max")) return settle_element(to, number);
    if (op == hash_text("arg_max")) {
      number = 0;
      return true;
    }
    // In whatever order executors add, no partial sum is rounded: all are multiples of the last
    // digit and not larger than the sum. Of -0 the order decides.
    if (is_negative_zero(number)) return false;
    double total = 0;
    if (!exact_multiple(number, count, total)) return false;
    if (op == hash_text("sum")) number = total;
    return settle_element(to, number);
  }
  // number · count, if it and all smaller multiples are numbers of 53 bits.
  static constexpr bool exact_multiple(double number, std::int64_t count, double& out) {
    if (number == 0 || count == 0) return out = 0, true;
    const auto bits = std::bit_cast<std::uint64_t>(number) & ((std::uint64_t{1} << 52) - 1);
    const int exponent = exponent_of(number);
    if (exponent == -1023) return false;  // subnormal: not worth the care
    std::uint64_t digits = bits | std::uint64_t{1} << 52;
    digits >>= std::countr_zero(digits);
    std::uint64_t product = 0;
    if (!checked_multiply(digits, static_cast<std::uint64_t>(count), product)) return false;
    if (product >> 53 != 0 || exponent > 900) return false;
    out = number * static_cast<double>(count);
    return true;
  }

  graph_rewriter rewriter_;
};

}  // namespace detail

/// The same workflow with every node evaluated whose operands are constants: its results are
/// constants then, too. A constant of more than one element is a scalar `constant` and a
/// `broadcast_to` its shape, which may be symbolic; what can be folded are values of which all
/// elements are one number, made by
///
/// - elementwise operators that executors round correctly: arithmetic, square root, comparison,
///   selection, logic, conversion; not powers and elementary functions, whose last digit depends on
///   the executor's library;
/// - operators that move elements: reshape, permute, transpose, slice, split, broadcast_to, concat
///   of equal numbers, pad of zeros;
/// - reductions over dimensions of fixed extent, if no order of adding can round.
///
/// Numbers are computed as executors do, each result rounded to its element type (f32, f16, bf16),
/// integers as in C++. What has no finite result (an integer that does not fit its type or 53 bits,
/// a division by zero, an infinity) is left to the run, as are complex numbers. Operators of the
/// built-in names must mean what the built-in registry says. Nodes that are not free
/// (`detail::graph_rewriter::is_free`) stay. What nothing reads any more is left out. Errors:
/// those of `validate`, those of extents. Linear in the size of the graph where ids ascend.
constexpr result<graph> fold_constants(const graph_view& workflow,
                                       const registry& kernels = builtin_registry()) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  return detail::constant_folder(g, kernels).run();
}

}  // namespace wf
