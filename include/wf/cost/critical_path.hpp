// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/cost.hpp>

namespace wf {

/// The longest path through a graph whose nodes are weighted by their costs.
struct longest_path {
  /// The sum of the costs along it, in the unit of the metric.
  rational length;
  /// Its nodes in the order of the edges, without leading and trailing nodes of cost 0.
  table<node_id> nodes;
};

/// The critical path of a static graph in a metric, through data, control and mutate edges. Ties
/// are broken by the earliest last node, then the earliest predecessors. Errors: those of
/// `validate` and of `pricer::price`, `overflow`. O(nodes + edges). Source: Kelley, Critical-path
/// planning and scheduling, 1961.
constexpr result<longest_path> critical_path(const graph_view& workflow, const metric_spec& m,
                                             const registry& r) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  pricer<rational> prices(g, m, r);
  table<rational> length(g.nodes.size());
  table<node_id> from(g.nodes.size(), node_id::none);
  node_id last = node_id::none;
  const auto extend = [&](node_id id, node_id before) {
    if (length[index_of(id)] < length[index_of(before)]) {
      length[index_of(id)] = length[index_of(before)];
      from[index_of(id)] = before;
    }
  };
  const auto finish = [&](node_id id) -> error {
    const auto own = prices.price(id);
    if (!own) return own.error();
    rational& path = length[index_of(id)];
    if (add(path, *own, path) != errc::none)
      return make_error(errc::overflow, m.name, "the exact path does not fit 128 bits");
    if (path.sign() > 0 && (last == node_id::none || length[index_of(last)] < path)) last = id;
    return {};
  };
  if (error e = detail::sweep_paths(g, extend, finish); e.code != errc::none) return e;
  longest_path out;
  if (last == node_id::none) return out;
  out.length = length[index_of(last)];
  for (; last != node_id::none; last = from[index_of(last)]) out.nodes.push_back(last);
  for (std::size_t i = 0, j = out.nodes.size() - 1; i < j; ++i, --j) {
    const node_id kept = out.nodes[i];
    out.nodes[i] = out.nodes[j];
    out.nodes[j] = kept;
  }
  return out;
}

}  // namespace wf
