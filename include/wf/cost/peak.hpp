// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/price.hpp>
#include <wf/ir/topology.hpp>

namespace wf {

/// What is alive at each moment of a schedule.
struct liveness {
  /// The largest amount alive at one moment.
  std::int64_t peak = 0;
  /// The node during which it is alive; `none` if there are no nodes.
  node_id at = node_id::none;
  /// For each position of the schedule, the amount alive while that node runs.
  table<std::int64_t> alive;
};

namespace detail {

// The value whose storage a value shares: through view operators to the operand.
constexpr table<value_id> storage_of(const graph_view& g, const registry& r) {
  table<value_id> storage(g.values.size());
  table<char> is_view(g.operations.size());
  for (std::size_t i = 0; i < g.operations.size(); ++i) {
    const kernel_spec* k = r.find(g.text_of(g.operations[i].name));
    is_view[i] = k != nullptr && k->is_view ? 1 : 0;
  }
  for (std::uint32_t i = 0; i < g.values.size(); ++i) {
    storage[i] = static_cast<value_id>(i);
    const node_id producer = g.values[i].producer;
    if (producer == node_id::none) continue;
    const node& n = g[producer];
    if (is_view[n.op] != 0 && n.inputs.count != 0 && index_of(g.inputs_of(n)[0]) < i)
      storage[i] = storage[index_of(g.inputs_of(n)[0])];
  }
  return storage;
}

// What a peak metric counts: the storage of values (bytes or qubits), or what nodes state.
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

// Amounts of which all are alive at once in 61 bits.
constexpr result<table<std::int64_t>> checked_amounts(table<std::int64_t> amounts,
                                                      const metric_spec& m) {
  std::int64_t all = 0;
  for (std::size_t i = 0; i < amounts.size(); ++i) all = saturating_add(all, amounts[i]);
  if (all <= INT64_MAX / 4) return amounts;
  return make_error(errc::overflow, m.name, "the sum of all amounts does not fit 61 bits");
}

// What every value holds in a peak metric while it is alive.
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
  pricer<rational> prices(g, r, m);
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

// What a node holds besides while it runs: the scratch memory of its kernel, or what a node
// without results states.
class scratch_prices {
 public:
  constexpr scratch_prices(const graph_view& g, const registry& r, const metric_spec& m)
      : graph_(g),
        stated_(!counts_storage(m)),
        none_(m.name == "qubits"),
        prices_(g, r, stated_ ? m : metric_spec{"scratch", "B"}) {}
  constexpr result<std::int64_t> of(node_id id) {
    if (none_ || (stated_ && graph_[id].outputs.count != 0)) return std::int64_t{0};
    const auto own = prices_.price(id);
    if (!own) return own.error();
    return to_int64(*own);
  }

 private:
  graph_view graph_;
  bool stated_;
  bool none_;
  pricer<rational> prices_;
};

class liveness_sweep {
 public:
  constexpr liveness_sweep(const graph_view& g, const registry& r, const metric_spec& m,
                           view<node_id> order)
      : graph_(g), registry_(r), metric_(m), order_(order), storage_(storage_of(g, r)) {}

  constexpr result<liveness> run() {
    const bool qubit_metric = metric_.name == "qubits";
    auto amounts = amounts_of(graph_, registry_, metric_);
    if (!amounts) return amounts.error();
    amount_.swap(*amounts);
    find_last_uses(qubit_metric);
    return sweep();
  }

 private:
  static constexpr std::uint32_t never = 0xffffffff;

  // Inputs and outputs belong to the caller and stay alive to the end; but qubits cannot be copied,
  // so an input register is used up by its last reader.
  constexpr void find_last_uses(bool qubit_metric) {
    last_.resize(graph_.values.size());
    for (std::uint32_t position = 0; position < order_.size(); ++position) {
      const node& n = graph_[order_[position]];
      for (std::uint32_t k = 0; k < n.outputs.count; ++k)
        last_[index_of(storage_[n.outputs.first + k])] = position;
      for (value_id operand : graph_.inputs_of(n))
        last_[index_of(storage_[index_of(operand)])] = position;
    }
    table<char> read(graph_.values.size());
    for (value_id operand : graph_.operands) read[index_of(storage_[index_of(operand)])] = 1;
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i)
      if (graph_.values[i].producer == node_id::none && (!qubit_metric || read[i] == 0))
        last_[i] = never;
    for (const output& o : graph_.outputs) last_[index_of(storage_[index_of(o.source)])] = never;
  }

  constexpr result<liveness> sweep() {
    scratch_prices scratch(graph_, registry_, metric_);
    liveness out;
    out.alive.resize(order_.size());
    std::int64_t alive = 0;
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i)
      if (graph_.values[i].producer == node_id::none) alive = saturating_add(alive, amount_[i]);
    out.peak = alive;
    for (std::uint32_t position = 0; position < order_.size(); ++position) {
      const node& n = graph_[order_[position]];
      const auto extra = scratch.of(order_[position]);
      if (!extra) return extra.error();
      const reuse reused = overwritten(n, position);
      for (std::uint32_t k = 0; k < n.outputs.count; ++k)
        if (storage_[n.outputs.first + k] == graph_view::output_of(n, k) &&
            (k >= max_results || reused.by[k] == value_id::none))
          alive = saturating_add(alive, amount_[n.outputs.first + k]);
      out.alive[position] = saturating_add(alive, *extra);
      if (out.at == node_id::none || out.alive[position] > out.peak) {
        out.peak = out.alive[position];
        out.at = order_[position];
      }
      alive -= released(n, position, reused);
    }
    return out;
  }

  // For each result of an in-place operator the operand whose storage it takes over, none twice.
  struct reuse {
    value_id by[max_results] = {value_id::none, value_id::none, value_id::none, value_id::none};

    constexpr bool has(value_id home) const {
      for (value_id id : by)
        if (id == home) return true;
      return false;
    }
  };
  // Such an operand dies here and is as large.
  constexpr reuse overwritten(const node& n, std::uint32_t position) const {
    reuse out;
    const kernel_spec* k = registry_.find(graph_.op_name(n));
    if (k == nullptr || !k->in_place || !counts_storage(metric_)) return out;
    for (std::uint32_t r = 0; r < n.outputs.count && r < max_results; ++r)
      for (value_id operand : graph_.inputs_of(n)) {
        const value_id home = storage_[index_of(operand)];
        if (last_[index_of(home)] != position || out.has(home) ||
            amount_[index_of(home)] != amount_[n.outputs.first + r])
          continue;
        out.by[r] = home;
        break;
      }
    return out;
  }

  constexpr std::int64_t released(const node& n, std::uint32_t position, const reuse& reused) {
    std::int64_t freed = 0;
    const auto release = [&](value_id id) {
      const value_id home = storage_[index_of(id)];
      if (last_[index_of(home)] != position) return;
      last_[index_of(home)] = never;  // an operand named twice is released once
      if (!reused.has(home)) freed += amount_[index_of(home)];
    };
    for (value_id operand : graph_.inputs_of(n)) release(operand);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) release(graph_view::output_of(n, k));
    return freed;
  }

  graph_view graph_;
  const registry& registry_;
  metric_spec metric_;
  view<node_id> order_;
  table<value_id> storage_;
  table<std::int64_t> amount_;
  table<std::uint32_t> last_;
};

}  // namespace detail

namespace detail {

// What is wrong with an order of the nodes of a valid graph. O(nodes + operands + edges).
constexpr error check_order(const graph_view& g, view<node_id> order) {
  const auto wrong = [&] {
    return malformed(g.text_of(g.name), "the order of its nodes is no topological one");
  };
  if (order.size() != g.nodes.size()) return wrong();
  table<std::uint32_t> place(g.nodes.size());  // from 1 on
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    if (index_of(order[i]) >= place.size() || place[index_of(order[i])] != 0) return wrong();
    place[index_of(order[i])] = i + 1;
  }
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i)
    for (value_id operand : g.inputs_of(g.nodes[i]))
      if (g[operand].producer != node_id::none && place[index_of(g[operand].producer)] >= place[i])
        return wrong();
  for (const edge& e : g.edges)
    if (place[index_of(e.from)] >= place[index_of(e.to)]) return wrong();
  return {};
}

}  // namespace detail

/// What is alive along a schedule: bytes for `peak_memory`, qubits for `qubits`, for other metrics
/// what nodes state (a node's price is held by its first result). Inputs and outputs
/// count throughout (a register of qubits until its last reader), a result from its node on, an
/// operand until its last reader, a node's scratch while it runs; views share their operand's
/// storage, and in-place operators take over an operand that dies. Errors: those of `validate`;
/// `malformed_graph` for an order that is no topological one; `workflow_not_static`, those of
/// `price`. O(nodes + values).
constexpr result<liveness> liveness_along(const graph_view& workflow, const registry& r,
                                          const metric_spec& m, view<node_id> order) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  if (error e = detail::check_order(g, order); e.code != errc::none) return e;
  return detail::liveness_sweep(g, r, m, order).run();
}

/// The peak along the stable topological order: for a captured graph, the order of capture. It is
/// what budgets and limits on peak metrics mean; `best_order` finds the order that needs least.
constexpr result<std::int64_t> peak_cost(const graph_view& workflow, const registry& r,
                                         const metric_spec& m) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  const auto order = topological_order(g);
  if (!order) return order.error();
  const auto alive = detail::liveness_sweep(g, r, m, *order).run();
  if (!alive) return alive.error();
  return alive->peak;
}

}  // namespace wf
