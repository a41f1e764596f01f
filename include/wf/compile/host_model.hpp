// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/cost.hpp>

namespace wf {

/// How long a processor core takes, for predictions that compare back ends and plans: a node takes
/// the longer of its arithmetic and its traffic, and a fixed time besides. Integers, so that
/// predictions are the same everywhere. The defaults are a core of about 2 Gflop/s, 8 GB/s and
/// 0.2 µs for each node, the order of magnitude of the run-time executor; rates that are measured
/// on the machine are better.
struct host_model {
  /// Picoseconds of one floating-point operation.
  std::int64_t picoseconds_per_flop = 500;
  /// Picoseconds of one byte that is read or written.
  std::int64_t picoseconds_per_byte = 125;
  /// Nanoseconds of a node, however small.
  std::int64_t nanoseconds_per_node = 200;
  friend constexpr bool operator==(const host_model&, const host_model&) = default;
};

/// The nanoseconds that a static workflow takes on one core, node after node, rounded up. Errors:
/// those of `validate` and of pricing `flops` and `bytes`; `workflow_not_static`, `overflow`.
/// O(nodes).
constexpr result<std::int64_t> predict_nanoseconds(const graph_view& workflow,
                                                   const host_model& model,
                                                   const registry& kernels) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  if (!g.is_static())
    return make_error(errc::workflow_not_static, g.text_of(g.name),
                      "the time of symbolic shapes is not known: bind the symbols");
  pricer<rational> arithmetic(g, kernels, flops), traffic(g, kernels, bytes);
  std::int64_t total = 0;
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const auto id = static_cast<node_id>(i);
    const auto operations = arithmetic.price(id);
    if (!operations) return operations.error();
    const auto moved = traffic.price(id);
    if (!moved) return moved.error();
    const auto whole_operations = to_int64(*operations), whole_moved = to_int64(*moved);
    if (!whole_operations) return whole_operations.error();
    if (!whole_moved) return whole_moved.error();
    std::int64_t computing = 0, moving = 0;
    bool fits = checked_multiply(*whole_operations, model.picoseconds_per_flop, computing) &&
                checked_multiply(*whole_moved, model.picoseconds_per_byte, moving);
    const std::int64_t longer = computing < moving ? moving : computing;
    fits = fits && checked_add(total, longer / 1000 + (longer % 1000 != 0 ? 1 : 0), total) &&
           checked_add(total, model.nanoseconds_per_node, total);
    if (!fits)
      return make_error(errc::overflow, g.label(id).view(), "the time does not fit 63 bits");
  }
  return total;
}

}  // namespace wf
