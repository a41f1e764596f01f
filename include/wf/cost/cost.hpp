// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/peak.hpp>
#include <wf/cost/price.hpp>

namespace wf {

/// The cost of a static graph in a metric, combined by the metric's rule. Exact, except that a
/// node's price that is no rational number (`5*N*log2(N)`) is rounded up to a whole unit. Errors:
/// those of `validate` and of `pricer::price`, `workflow_not_static` for symbolic shapes,
/// `overflow` beyond 63 bits, `no_exact_value` for a total that is no integer. O(nodes).
constexpr result<std::int64_t> price(const graph_view& workflow, const metric_spec& m,
                                     const registry& r) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  if (m.rule == combination::measured && m.measure != nullptr) return m.measure(g, r);
  if (m.rule == combination::peak) return peak_cost(g, m, r);
  const auto combined = detail::combined_price<rational>(g, m, r);
  if (!combined) return combined.error();
  return to_int64(*combined);
}

/// The same with the built-in registry.
constexpr result<std::int64_t> price(const graph_view& g, const metric_spec& m) {
  return price(g, m, builtin_registry());
}

/// The cost of any graph in a sum metric, as a polynomial of its symbols. Errors: those of
/// `validate` and of `pricer::price`; `not_comparable` for peaks, and for maxima and critical
/// paths, which are maxima of polynomials (see `price_maximum`). O(nodes).
constexpr result<polynomial> price_symbolic(const graph_view& g, const metric_spec& m,
                                            const registry& r) {
  if (m.rule != combination::sum)
    return make_error(errc::not_comparable, m.name,
                      m.rule == combination::maximum || m.rule == combination::critical_path
                          ? "it is a maximum of polynomials of the symbols: see price_maximum"
                          : "only sums are polynomials of the symbols; bind the symbols first");
  return total_cost<polynomial>(g, m, r);
}

/// The same with the built-in registry.
constexpr result<polynomial> price_symbolic(const graph_view& g, const metric_spec& m) {
  return price_symbolic(g, m, builtin_registry());
}

/// The costs of one node in several metrics.
struct cost_row {
  /// Index in the workflow's node table.
  node_id node = node_id::none;
  /// Its costs, in the order of the metrics given.
  table<std::int64_t> costs;
};

/// The cost of each node by itself in each of `metrics`, in node order; for peak metrics the amount
/// alive while it runs. Errors: as `price`; `not_comparable` for metrics of the rule `measured`.
constexpr result<table<cost_row>> price_nodes(const graph_view& workflow, view<metric_spec> metrics,
                                              const registry& r) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  table<cost_row> rows;
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) rows.push_back({static_cast<node_id>(i), {}});
  const auto order = topological_order(g);
  if (!order) return order.error();
  for (const metric_spec& m : metrics) {
    if (m.rule == combination::measured)
      return make_error(errc::not_comparable, m.name, "it is measured of whole graphs only");
    if (m.rule == combination::peak) {
      auto alive = liveness_along(g, m, r, *order);
      if (!alive) return alive.error();
      for (std::size_t k = 0; k < order->size(); ++k)
        rows[index_of((*order)[k])].costs.push_back(alive->alive[k]);
      continue;
    }
    pricer<rational> prices(g, m, r);
    for (cost_row& row : rows) {
      const auto one = prices.price(row.node);
      if (!one) return one.error();
      const auto whole = to_int64(*one);
      if (!whole) return whole.error();
      row.costs.push_back(*whole);
    }
  }
  return rows;
}

}  // namespace wf
