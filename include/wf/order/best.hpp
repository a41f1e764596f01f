// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <wf/order/peak_bound.hpp>
#include <wf/order/search.hpp>

namespace wf {

/// Limits of the search for an order. Zero means the default, which differs in constant evaluation.
struct order_limits {
  /// The maximum number of stored sets of done nodes: 200,000 at run time, 400 in constant
  /// evaluation.
  std::uint32_t max_states = 0;
  /// The maximum number of nodes of a graph whose bound is tightened by minimum cuts: 2,000 at run
  /// time, none in constant evaluation.
  std::uint32_t max_cut_nodes = 0;

  /// These limits with the defaults in place of zeros.
  constexpr order_limits resolved() const {
    bool compiling = std::is_constant_evaluated();
    order_limits out = *this;
    if (out.max_states == 0) out.max_states = compiling ? 400 : 200'000;
    if (out.max_cut_nodes == 0) out.max_cut_nodes = compiling ? 0 : 2'000;
    return out;
  }
};

/// An execution order of all nodes of a graph, with its peak and a certified bound.
struct peak_order {
  /// A topological order.
  table<node_id> order;
  /// Its peak in the unit of the metric, as `liveness_along` computes it.
  std::int64_t peak = 0;
  /// A lower bound on the peak of every order, in the same unit.
  std::int64_t bound = 0;
  /// True if the order is optimal: peak and bound meet.
  bool proven = false;
  /// Number of stored sets of done nodes.
  std::uint32_t states = 0;
};

namespace detail {

class order_finder {
 public:
  constexpr order_finder(const peak_model& m, const table<node_id>& stable)
      : model_(m), state_(m), bounds_(m, stable) {
    for (node_id id : stable) best_.push_back(index_of(id));
  }

  constexpr peak_order run(const order_limits& limits) {
    const auto nodes = static_cast<std::uint32_t>(model_.steps.size());
    bound_ = model_.at_start;
    for (std::uint32_t i = 0; i < nodes; ++i) raise(bounds_.working_set(i));
    offer(best_, true);
    if (value_.peak > bound_) offer(greedy_order(model_, state_), false);
    bool compiling = std::is_constant_evaluated();
    if (value_.peak > bound_ && !compiling) {
      table<std::uint32_t> improved = best_;
      improve_order(model_, state_, improved, bound_);
      offer(improved, false);
    }
    if (value_.peak > bound_ && nodes <= limits.max_cut_nodes) cut();
    peak_order out;
    if (value_.peak > bound_) {
      order_search search(model_, value_.peak, bound_);
      search.run(limits.max_states);
      raise(search.bound());
      if (search.found()) offer(search.order(), false);
      out.states = search.states();
    }
    for (const std::uint32_t i : best_) out.order.push_back(static_cast<node_id>(i));
    out.peak = value_.peak;
    out.bound = bound_ < value_.peak ? bound_ : value_.peak;
    out.proven = out.bound == out.peak;
    return out;
  }

 private:
  constexpr void raise(std::int64_t bound) {
    if (bound > bound_) bound_ = bound;
  }
  constexpr void offer(const table<std::uint32_t>& order, bool first) {
    const order_value value = value_of(state_, order);
    if (!first && !(value < value_)) return;
    table<std::uint32_t> copy = order;
    best_.swap(copy);
    value_ = value;
  }
  // The cut of a node is at most its amount in the order found, so only nodes above the bound can
  // raise it; the largest first.
  constexpr void cut() {
    table<std::int64_t> during(best_.size());
    state_.reset();
    for (const std::uint32_t i : best_) {
      during[i] = state_.during(i);
      state_.execute(i);
    }
    for (;;) {
      std::uint32_t most = 0;
      for (std::uint32_t i = 1; i < during.size(); ++i)
        if (during[i] > during[most]) most = i;
      if (during.empty() || during[most] <= bound_) return;
      raise(bounds_.cut(most, during[most]));
      during[most] = 0;
    }
  }

  const peak_model& model_;
  peak_state state_;
  peak_bounds bounds_;
  table<std::uint32_t> best_;
  order_value value_;
  std::int64_t bound_ = 0;
};

// The search minimises the amount in use at each moment. The storage plan of an order may need more
// if it has gaps; then other orders are tried: the stable one and those in which one node moves.
class gap_closer {
 public:
  constexpr gap_closer(const graph_view& g, const metric_spec& m, const registry& r,
                       const peak_model& model)
      : graph_(g), metric_(m), registry_(r), model_(model), state_(model) {}

  constexpr error run(const table<node_id>& stable, peak_order& found) {
    const auto along = liveness_along(graph_, metric_, registry_, found.order);
    if (!along) return along.error();
    found.peak = along->peak;
    if (found.peak > found.bound && has_places(metric_)) {
      const auto scratch = scratch_of_nodes(graph_, registry_, metric_);
      if (!scratch) return scratch.error();
      scratch_ = *scratch;
      try_order(stable, found);
      bool compiling = std::is_constant_evaluated();
      if (!compiling) move_nodes(found);
    }
    found.proven = found.bound == found.peak;
    return {};
  }

 private:
  static constexpr std::uint32_t most_tries = 200;

  constexpr void move_nodes(peak_order& found) {
    const table<node_id> order = found.order;
    for (std::size_t by = 1; by < order.size(); ++by)
      for (std::size_t from = by; from < order.size(); ++from)
        for (const bool earlier : {true, false}) {
          if (found.peak <= found.bound || tries_ >= most_tries) return;
          table<std::uint32_t> moved;
          for (node_id id : order) moved.push_back(index_of(id));
          if (!(earlier ? move_node(model_, moved, from, from - by)
                        : move_node(model_, moved, from - by, from)))
            continue;
          table<node_id> next;
          for (const std::uint32_t i : moved) next.push_back(static_cast<node_id>(i));
          try_order(next, found);
        }
  }
  constexpr void try_order(const table<node_id>& order, peak_order& found) {
    table<std::uint32_t> numbers;
    for (node_id id : order) numbers.push_back(index_of(id));
    if (value_of(state_, numbers).peak >= found.peak) return;
    ++tries_;
    storage_options options;
    options.order = order;
    options.scratch = scratch_;
    const auto plan = plan_storage(graph_, registry_, options);
    if (!plan || plan->bytes >= found.peak) return;
    found.peak = plan->bytes;
    found.order = order;
  }

  graph_view graph_;
  metric_spec metric_;
  const registry& registry_;
  const peak_model& model_;
  peak_state state_;
  table<std::int64_t> scratch_;
  std::uint32_t tries_ = 0;
};

}  // namespace detail

/// The order of a graph's nodes with the least peak in a metric, with a proof or a certified bound.
/// The amounts in use are those of `liveness_along`, which finds the same peak along the order.
///
/// Exact as long as `limits.max_states` suffices (a few hundred typically do for graphs of 30
/// nodes) and the storage plan of the order has no gaps: a dynamic programme over the sets of done
/// nodes, best first, that applies safe moves without branching. Beyond, the best order of a greedy
/// construction, local search and the unfinished search, with the largest of three lower bounds:
/// working sets, minimum cuts, and the least peak of an open set. Deterministic; constexpr for
/// small graphs. Errors: `not_comparable` for a metric that is no peak, `workflow_not_static`,
/// `overflow`, those of `validate` and of `price`. Memory: O(states · nodes / 64).
constexpr result<peak_order> best_order(const graph_view& workflow, const metric_spec& m,
                                        const registry& r, const order_limits& limits = {}) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  if (m.rule != combination::peak)
    return make_error(errc::not_comparable, m.name, "only a peak depends on the order of nodes");
  const auto stable = topological_order(g);
  if (!stable) return stable.error();
  const auto model = detail::peak_model_builder(g, m, r).run();
  if (!model) return model.error();
  order_limits resolved = limits;
  resolved = limits.resolved();  // no initialiser: a compiler might evaluate that as a constant
  peak_order found = detail::order_finder(*model, *stable).run(resolved);
  if (error e = detail::gap_closer(g, m, r, *model).run(*stable, found); e.code != errc::none)
    return e;
  return found;
}

/// The same with the built-in registry; the same errors.
constexpr result<peak_order> best_order(const graph_view& g, const metric_spec& m,
                                        const order_limits& limits = {}) {
  return best_order(g, m, builtin_registry(), limits);
}

namespace detail {

template <class Metric>
constexpr result<std::int64_t> least_peak(const graph_view& g, const registry& r) {
  const auto found = best_order(g, Metric::spec, r);
  if (!found) return found.error();
  return found->peak;
}

template <class Metric>
struct least_name {
  static constexpr std::size_t size = Metric::spec.name.size() + 7;
  static constexpr fixed_string<size> make() {
    fixed_string<size> out;
    for (std::size_t i = 0; i < 6; ++i) out.characters[i] = "least_"[i];
    for (std::size_t i = 6; i + 1 < size; ++i) out.characters[i] = Metric::spec.name[i - 6];
    return out;
  }
  static constexpr fixed_string<size> value = make();
};

}  // namespace detail

/// A peak metric along the best order instead of the order of capture; see `along_best_order`.
template <metric_type Metric>
  requires(Metric::spec.rule == combination::peak)
struct along_best_order_ {
  /// The specification; its name is for instance "least_peak_memory".
  static constexpr metric_spec spec{detail::least_name<Metric>::value.view(), Metric::spec.unit,
                                    combination::measured, missing_cost::zero,
                                    &detail::least_peak<Metric>};
  /// The metric as a value.
  constexpr operator metric_spec() const { return spec; }
  /// The limit that this metric is at most `maximum`, in its unit.
  friend constexpr limit operator<=(along_best_order_, std::int64_t maximum) {
    return {spec, maximum};
  }
};

/// A peak metric along the best order: `wf::cost(w)[wf::along_best_order(wf::peak_memory)]`,
/// `wf::along_best_order(wf::peak_memory) <= 8_KiB`. Its value is the peak of an order that exists,
/// the least one if `best_order` proves it.
template <metric_type Metric>
constexpr along_best_order_<Metric> along_best_order(Metric) {
  return {};
}

}  // namespace wf
