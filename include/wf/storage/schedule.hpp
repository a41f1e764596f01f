// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/storage/rule.hpp>

namespace wf {

/// Live ranges of storage along an order of nodes, and the overwrites.
struct storage_schedule {
  /// The `last` of storage that is in use to the end.
  static constexpr std::uint32_t forever = UINT32_MAX;

  /// By home: the position of the last node that writes or reads it or a view of it.
  table<std::uint32_t> last;
  /// By value: the operand that it overwrites; none for most.
  table<value_id> overwrites;
};

/// Rules for live ranges: the lifetime of inputs, overwrites and values to keep.
struct storage_schedule_options {
  /// True if inputs die at their last reader; otherwise they belong to the caller and never die.
  bool inputs_end = false;
  /// False if no result may overwrite an operand.
  bool overwrites = true;
  /// Values besides the outputs whose storage is in use to the end.
  view<value_id> kept = {};
};

/// The schedule of a graph's storage along a topological order of its nodes. A value is in use from
/// its node to the last one that reads it or a view of it, an output to the end. `fits(result,
/// operand)` is the caller's own condition for an overwrite. O(values + operands).
template <class Fits>
constexpr storage_schedule schedule_storage(const storage_rule& rule, view<node_id> order,
                                            const storage_schedule_options& options, Fits&& fits) {
  const graph_view& g = rule.graph();
  storage_schedule out;
  out.last.resize(g.values.size());
  out.overwrites = table<value_id>(g.values.size(), value_id::none);
  table<char> read(g.values.size());
  for (std::uint32_t at = 0; at < order.size(); ++at) {
    const node& n = g[order[at]];
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      out.last[index_of(rule.home_of(graph_view::output_of(n, k)))] = at;
    for (value_id operand : g.inputs_of(n)) {
      out.last[index_of(rule.home_of(operand))] = at;
      read[index_of(rule.home_of(operand))] = 1;
    }
  }
  for (std::uint32_t i = 0; i < g.values.size(); ++i)
    if (g.values[i].producer == node_id::none && (!options.inputs_end || read[i] == 0))
      out.last[i] = storage_schedule::forever;
  for (const output& o : g.outputs)
    out.last[index_of(rule.home_of(o.source))] = storage_schedule::forever;
  for (value_id id : options.kept) out.last[index_of(rule.home_of(id))] = storage_schedule::forever;
  if (!options.overwrites) return out;
  for (std::uint32_t at = 0; at < order.size(); ++at) {
    const node& n = g[order[at]];
    const takeover taken =
        rule.take_over(n, [&](value_id home) { return out.last[index_of(home)] == at; }, fits);
    for (std::uint32_t k = 0; k < n.outputs.count && k < max_results; ++k)
      out.overwrites[n.outputs.first + k] = taken.from[k];
  }
  return out;
}

/// The same without a further condition on overwrites.
constexpr storage_schedule schedule_storage(const storage_rule& rule, view<node_id> order,
                                            const storage_schedule_options& options = {}) {
  return schedule_storage(rule, order, options, [](value_id, value_id) { return true; });
}

/// The amount in use while each node of the order runs, by position. `amount`: by value, only that
/// of homes counts; `scratch`: by position, what the node needs besides, or empty. A result and the
/// operand that it overwrites count once. Saturates. O(values + operands).
constexpr table<std::int64_t> amounts_in_use(const storage_rule& rule, view<node_id> order,
                                             const storage_schedule& schedule,
                                             view<std::int64_t> amount,
                                             view<std::int64_t> scratch = {}) {
  const graph_view& g = rule.graph();
  table<std::int64_t> out(order.size());
  table<char> ended(g.values.size());
  std::int64_t now = 0;
  for (std::uint32_t i = 0; i < g.values.size(); ++i)
    if (g.values[i].producer == node_id::none) now = saturating_add(now, amount[i]);
  for (std::uint32_t at = 0; at < order.size(); ++at) {
    const node& n = g[order[at]];
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const value_id result = graph_view::output_of(n, k),
                     before = schedule.overwrites[index_of(result)];
      if (before != value_id::none)
        ended[index_of(rule.home_of(before))] = 1;  // the result inherits its amount
      else if (rule.is_home(result))
        now = saturating_add(now, amount[index_of(result)]);
    }
    out[at] = scratch.size() == 0 ? now : saturating_add(now, scratch[at]);
    const auto release = [&](value_id id) {
      const std::size_t home = index_of(rule.home_of(id));
      if (schedule.last[home] != at || ended[home] != 0) return;
      ended[home] = 1;
      now -= amount[home];
    };
    for (value_id operand : g.inputs_of(n)) release(operand);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) release(graph_view::output_of(n, k));
  }
  return out;
}

}  // namespace wf
