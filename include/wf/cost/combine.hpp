// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/pricer.hpp>
#include <wf/ir/graph/topology.hpp>

// How the prices of nodes combine to that of a valid graph.
namespace wf::detail {

// What is in use at most, and what a body needs beside its operands: in_use.hpp, which every public
// header that prices includes.
constexpr result<std::int64_t> peak_of(const graph_view& workflow, const metric_spec& m,
                                       const registry& r);
constexpr result<std::int64_t> scratch_of_body(const graph_view& body, const registry& r);

// Sums stay in 64 bits as long as they fit: one step per addition at compile time.
constexpr errc accumulate_cost(rational& total, const rational& more) {
  return add(total, more, total);
}
constexpr errc accumulate_cost(enclosure& total, const enclosure& more) {
  return add(total, more, total);
}
constexpr errc accumulate_cost(polynomial& total, const polynomial& more) {
  return accumulate(total, more);
}

// The larger of two costs.
constexpr errc keep_larger(rational& largest, const rational& other) {
  if (largest < other) largest = other;
  return errc::none;
}
constexpr errc keep_larger(enclosure& largest, const enclosure& other) {
  return extreme(true, largest, other, largest);
}

// The total over all nodes of a valid graph.
template <class Number>
constexpr result<Number> total_price(const graph_view& g, const metric_spec& m, const registry& r) {
  pricer<Number> prices(g, m, r);
  Number total(0);
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    auto price = prices.price(static_cast<node_id>(i));
    if (!price) return price.error();
    if (const errc code = accumulate_cost(total, *price); code != errc::none)
      return make_error(code, m.name, "the exact total does not fit 128 bits");
  }
  return total;
}

// Relaxes every edge once, in topological order: calls `extend(node, before)` for each predecessor
// of a node, then `finish(node)`.
template <class Extend, class Finish>
constexpr error sweep_paths(const graph_view& g, Extend&& extend, Finish&& finish) {
  const auto order = topological_order(g);
  if (!order) return order.error();
  if (g.edges.empty()) {
    for (node_id id : *order) {
      for (value_id operand : g.inputs_of(g[id]))
        if (g[operand].producer != node_id::none) extend(id, g[operand].producer);
      if (error e = finish(id); e.code != errc::none) return e;
    }
    return {};
  }
  const adjacency a = adjacency_of(g);
  for (node_id id : *order) {
    for (node_id before : a.predecessors_of(id)) extend(id, before);
    if (error e = finish(id); e.code != errc::none) return e;
  }
  return {};
}

// The length of the longest path through data, control and mutate edges; `critical_path` also finds
// the path.
template <class Number>
constexpr result<Number> critical_length(const graph_view& g, const metric_spec& m,
                                         const registry& r) {
  pricer<Number> prices(g, m, r);
  table<Number> length(g.nodes.size());
  Number longest(0);
  errc code = errc::none;
  const auto extend = [&](node_id id, node_id before) {
    if (code == errc::none) code = keep_larger(length[index_of(id)], length[index_of(before)]);
  };
  const auto finish = [&](node_id id) -> error {
    const auto own = prices.price(id);
    if (!own) return own.error();
    Number& path = length[index_of(id)];
    if (code == errc::none) code = add(path, *own, path);
    if (code == errc::none) code = keep_larger(longest, path);
    if (code == errc::none) return {};
    return make_error(code, m.name, "the exact path does not fit 128 bits");
  };
  if (error e = sweep_paths(g, extend, finish); e.code != errc::none) return e;
  return longest;
}

template <class Number>
constexpr result<Number> largest_price(const graph_view& g, const metric_spec& m,
                                       const registry& r) {
  pricer<Number> prices(g, m, r);
  Number largest(0);
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    auto one = prices.price(static_cast<node_id>(i));
    if (!one) return one.error();
    if (const errc code = keep_larger(largest, *one); code != errc::none)
      return make_error(code, m.name, "the largest price does not fit");
  }
  return largest;
}

// The prices of the nodes of a static graph, combined by the metric's rule.
template <class Number>
constexpr result<Number> combined_price(const graph_view& g, const metric_spec& m,
                                        const registry& r) {
  if (!g.is_static())
    return make_error(errc::workflow_not_static, g.text_of(g.name),
                      "its shapes are symbolic: use price_symbolic, or bind the symbols");
  if (m.rule == combination::maximum) return largest_price<Number>(g, m, r);
  if (m.rule == combination::critical_path) return critical_length<Number>(g, m, r);
  return total_price<Number>(g, m, r);
}

/// The price of one run of a body by the metric's rule; of scratch memory, `scratch_of_body`.
/// Errors: as `price`; `not_comparable` for peaks of symbolic shapes, and for critical paths as a
/// polynomial.
template <class Number>
constexpr result<Number> price_of_body(const graph_view& body, const metric_spec& m,
                                       const registry& r) {
  if (m.rule == combination::peak || m.name == "scratch") {
    if (!body.is_static())
      return make_error(errc::not_comparable, m.name,
                        "the peak of a body has no formula: bind the symbols first");
    const auto amount = m.name == "scratch" ? scratch_of_body(body, r) : peak_of(body, m, r);
    if (!amount) return amount.error();
    return Number(*amount);
  }
  if constexpr (!std::is_same_v<Number, polynomial>) {
    return combined_price<Number>(body, m, r);
  } else {
    if (m.rule == combination::sum || body.nodes.size() < 2) return total_price<Number>(body, m, r);
    return make_error(errc::not_comparable, m.name,
                      "the longest path of a body is a maximum of polynomials of the symbols");
  }
}

}  // namespace wf::detail
