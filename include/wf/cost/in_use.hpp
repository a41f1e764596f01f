// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/combine.hpp>
#include <wf/storage/plan.hpp>

// What is in use along an order of nodes: the definitions of peak.hpp.
namespace wf {

/// Amounts in use along a schedule, in the unit of the metric.
struct liveness {
  /// The largest amount in use at one moment. For bytes, which have addresses, the size of the
  /// storage plan, which may have gaps.
  std::int64_t peak = 0;
  /// The node during which most is in use; `none` if there are no nodes.
  node_id at = node_id::none;
  /// By position of the schedule: the amount in use while that node runs.
  table<std::int64_t> alive;
};

namespace detail {

// True if a peak metric counts the storage of values (bytes or qubits) instead of stated prices.
constexpr bool counts_storage(const metric_spec& m) {
  return m.name == "peak_memory" || m.name == "qubits";
}

constexpr std::int64_t amount_of(const value& v, bool count_qubits) {
  const std::int64_t n = v.type.shape.elements();
  if (n < 0) return -1;
  if (count_qubits) return v.type.type == dtype::qubit ? n : 0;
  std::int64_t amount = 0;
  return checked_multiply(n, size_of(v.type.type), amount) ? amount : -1;
}

// Returns the amounts if their sum fits 61 bits, so that all may be alive at once.
constexpr result<table<std::int64_t>> checked_amounts(table<std::int64_t> amounts,
                                                      const metric_spec& m) {
  std::int64_t all = 0;
  for (std::size_t i = 0; i < amounts.size(); ++i) all = saturating_add(all, amounts[i]);
  if (all <= INT64_MAX / 4) return amounts;
  return make_error(errc::overflow, m.name, "the sum of all amounts does not fit 61 bits");
}

// By value: the amount that it occupies in a peak metric while it is alive.
constexpr result<table<std::int64_t>> amounts_of(const graph_view& g, const registry& r,
                                                 const metric_spec& m) {
  const bool qubit_metric = m.name == "qubits", stated = !counts_storage(m);
  const bool inputs = m.otherwise == missing_cost::operand_bytes ||
                      m.otherwise == missing_cost::result_bytes ||
                      m.otherwise == missing_cost::all_bytes;
  table<std::int64_t> amounts(g.values.size());
  for (std::uint32_t i = 0; i < g.values.size(); ++i) {
    if (stated && (!inputs || g.values[i].producer != node_id::none)) continue;
    amounts[i] = amount_of(g.values[i], qubit_metric);
    if (amounts[i] < 0)
      return make_error(errc::workflow_not_static, m.name,
                        "a peak needs static shapes that fit 63 bits");
  }
  if (!stated) return checked_amounts(static_cast<table<std::int64_t>&&>(amounts), m);
  pricer<rational> prices(g, m, r);
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    if (g.nodes[i].outputs.count == 0) continue;
    const auto price = prices.price(static_cast<node_id>(i));
    if (!price) return price.error();
    const auto whole = to_int64(*price);
    if (!whole) return whole.error();
    amounts[g.nodes[i].outputs.first] = *whole;
  }
  return checked_amounts(static_cast<table<std::int64_t>&&>(amounts), m);
}

// Additional amount that a node occupies while it runs: the scratch memory of its kernel, rounded
// up to 8 bytes, or the stated price of a node without results.
class scratch_prices {
 public:
  constexpr scratch_prices(const graph_view& g, const registry& r, const metric_spec& m)
      : graph_(g),
        stated_(!counts_storage(m)),
        none_(m.name == "qubits"),
        prices_(g, stated_ ? m : metric_spec{"scratch", "B"}, r) {}
  constexpr result<std::int64_t> of(node_id id) {
    if (none_ || (stated_ && graph_[id].outputs.count != 0)) return std::int64_t{0};
    const auto own = prices_.price(id);
    if (!own) return own.error();
    const auto whole = to_int64(*own);
    if (stated_ || !whole || *whole > INT64_MAX - 8) return whole;
    return (*whole + 7) / 8 * 8;
  }

 private:
  graph_view graph_;
  bool stated_;
  bool none_;
  pricer<rational> prices_;
};

// Storage schedule of a peak metric. Inputs and outputs belong to the caller and live to the end;
// but qubits cannot be copied, so the last reader consumes an input register. Stated prices are no
// storage, so nothing overwrites it.
constexpr storage_schedule_options schedule_of(const metric_spec& m) {
  storage_schedule_options out;
  out.inputs_end = m.name == "qubits";
  out.overwrites = counts_storage(m);
  return out;
}

// By node: the additional amount that it occupies while it runs.
constexpr result<table<std::int64_t>> scratch_of_nodes(const graph_view& g, const registry& r,
                                                       const metric_spec& m) {
  scratch_prices prices(g, r, m);
  table<std::int64_t> out;
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const auto own = prices.of(static_cast<node_id>(i));
    if (!own) return own.error();
    out.push_back(*own);
  }
  return out;
}

// By position of the order: the amount in use, for metrics without addresses (all but bytes).
constexpr result<table<std::int64_t>> amounts_along(const graph_view& g, const registry& r,
                                                    const metric_spec& m, view<node_id> order,
                                                    std::int64_t& before) {
  const auto amounts = amounts_of(g, r, m);
  if (!amounts) return amounts.error();
  const auto scratch = scratch_of_nodes(g, r, m);
  if (!scratch) return scratch.error();
  table<std::int64_t> along;
  for (node_id id : order) along.push_back((*scratch)[index_of(id)]);
  for (std::uint32_t i = 0; i < g.values.size(); ++i)
    if (g.values[i].producer == node_id::none) before = saturating_add(before, (*amounts)[i]);
  const storage_rule rule(g, r);
  return amounts_in_use(rule, order, schedule_storage(rule, order, schedule_of(m)), *amounts,
                        along);
}

constexpr bool has_places(const metric_spec& m) { return m.name == "peak_memory"; }

constexpr result<storage_plan> storage_plan_along(const graph_view& workflow, const registry& r,
                                                  view<node_id> order, std::int64_t element_bytes) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  const auto scratch = scratch_of_nodes(g, r, {"peak_memory", "B", combination::peak});
  if (!scratch) return scratch.error();
  storage_options options;
  options.order = order;
  options.scratch = *scratch;
  options.element_bytes = element_bytes;
  return plan_storage(g, r, options);
}

constexpr result<liveness> amounts_in_use_along(const graph_view& workflow, const metric_spec& m,
                                                const registry& r, view<node_id> order) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  if (error e = check_order(g, order); e.code != errc::none) return e;
  liveness out;
  if (has_places(m)) {
    auto plan = storage_plan_along(g, r, order, 0);
    if (!plan) return plan.error();
    out.alive.swap((*plan).in_use);
    out.peak = (*plan).bytes;
  } else {
    auto along = amounts_along(g, r, m, order, out.peak);
    if (!along) return along.error();
    out.alive.swap(*along);
  }
  std::int64_t most = -1;
  for (std::size_t at = 0; at < order.size(); ++at) {
    if (out.alive[at] <= most) continue;
    most = out.alive[at];
    out.at = order[at];
  }
  if (out.peak < most) out.peak = most;
  return out;
}

constexpr result<std::int64_t> peak_of(const graph_view& workflow, const metric_spec& m,
                                       const registry& r) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  const auto order = topological_order(g);
  if (!order) return order.error();
  const auto alive = amounts_in_use_along(g, m, r, *order);
  if (!alive) return alive.error();
  return alive->peak;
}

/// The bytes that a body needs while it runs beside its operands: those of its values, where its
/// outputs are kept until the next run has replaced them. Errors: those of `peak_cost`.
constexpr result<std::int64_t> scratch_of_body(const graph_view& body, const registry& r) {
  auto peak = peak_of(body, {"peak_memory", "B", combination::peak}, r);
  if (!peak) return peak;
  for (const value& v : body.values)
    if (v.producer == node_id::none) *peak -= v.type.shape.elements() * size_of(v.type.type);
  return peak;
}

}  // namespace detail

}  // namespace wf
