// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <wf/core/container/box.hpp>
#include <wf/formula/number/function.hpp>
#include <wf/ir/graph/topology.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/map/node_figures.hpp>
#include <wf/map/schedule/schedule_tasks.hpp>
#include <wf/map/schedule/task_graph.hpp>
#include <wf/registry/times/host_link.hpp>

namespace wf {

/// A renewable resource that the tasks of a workflow share. A task needs as much as its node's
/// price in a metric, rounded up to a whole unit: a built-in metric, or one of the user's own that
/// kernels price. With `memory` and `scratch`, a task holds its results and its scratch memory.
struct shared_resource {
  metric_spec metric;         ///< its price is the demand; its name is the resource's label
  std::int64_t capacity = 0;  ///< available units
  bool scratch = false;       ///< true: plus the scratch memory that the kernel states, in bytes
};

/// The link over which a result moves to another processor: a message takes
/// ⌈bytes · period / bandwidth⌉ plus the latency. Messages do not wait for each other.
struct task_link {
  std::int64_t bandwidth = 0;  ///< bytes in a period; 0: unlimited
  std::int64_t latency = 0;    ///< units of time
  std::int64_t period = 1;     ///< units of time, at least 1

  /// The delay of a message, in units of time, at most 2^63 - 1. Precondition: nothing is negative.
  constexpr std::int64_t delay(std::int64_t bytes) const {
    if (bandwidth == 0) return latency;
    const int128 sent = (int128{bytes} * period + bandwidth - 1) / bandwidth;
    return sent > INT64_MAX ? INT64_MAX : saturating_add(static_cast<std::int64_t>(sent), latency);
  }
};

/// A measured link in nanoseconds, for schedules by `execution_time`.
constexpr task_link in_nanoseconds(const host_link& l) {
  return {l.bytes_per_second, l.latency_ns, 1'000'000'000};
}

/// The machine on which the nodes of a workflow are scheduled as tasks.
struct task_options {
  /// Number of identical processors; 0: one for each task, without delays.
  std::uint32_t processors = 1;
  /// Amount of the metric that a processor handles in a unit of time.
  std::int64_t rate = 1;
  /// The link between any two processors.
  task_link link;
  /// Resources that all processors share.
  table<shared_resource> resources;
};

/// The scheduling problem of a workflow, the node that each task stands for, and what its edges
/// carry.
struct workflow_tasks {
  task_graph graph;      ///< tasks in topological order
  table<node_id> nodes;  ///< by task
  /// Bytes of the message of each edge of `graph`; 0 if it only signals.
  table<std::int64_t> bytes;
};

/// A schedule of a workflow: start and finish of each task, with the proven lower bound.
struct workflow_schedule {
  workflow_tasks tasks;  ///< the problem
  task_schedule times;   ///< its schedule, by task
};

namespace detail {

/// Converts the nodes of one graph into tasks.
class task_builder {
 public:
  constexpr task_builder(const graph_view& g, const metric_spec& m, const registry& r,
                         const task_options& options)
      : g_(g), options_(options), figures_(g, r), durations_(g, m, r) {
    for (const shared_resource& s : options.resources)
      prices_.push_back(make_box<pricer<rational>>(g, s.metric, r));
  }

  constexpr result<workflow_tasks> run() {
    if (!g_.is_static())
      return make_error(errc::workflow_not_static, g_.text_of(g_.name),
                        "its shapes are symbolic: bind the symbols before scheduling");
    const auto order = topological_order(g_);
    if (!order) return order.error();
    out_.graph.name = text(g_.text_of(g_.name));
    out_.graph.processors = options_.processors;
    for (const shared_resource& s : options_.resources)
      out_.graph.resources.push_back({text(s.metric.name), s.capacity});
    task_.resize(g_.nodes.size());
    arrived_.resize(g_.nodes.size());
    signals_.resize(g_.nodes.size());
    for (const edge& e : g_.edges) signals_[index_of(e.to)].push_back(e.from);
    for (node_id id : *order)
      if (error e = add(id); e.code != errc::none) return e;
    if (const auto valid = validate(out_.graph); !valid) return valid.error();
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t no_task = UINT32_MAX;

  /// A dependency of a node: bytes of a value that a task computes, or a signal of the task.
  struct arrival {
    std::uint32_t task = 0;
    value_id value = value_id::none;  ///< none: a signal
    std::int64_t bytes = 0;
  };

  constexpr error add(node_id id) {
    table<arrival> arrivals;
    if (error e = gather(id, arrivals); e.code != errc::none) return e;
    const text label = g_.label(id);
    const auto price = rounded_up(durations_.price(id), label.view());
    if (!price) return price.error();
    if (*price == 0) {  // its readers wait for its arrivals instead
      task_[index_of(id)] = no_task;
      arrived_[index_of(id)] = static_cast<table<arrival>&&>(arrivals);
      return {};
    }
    const std::int64_t duration =
        *price / options_.rate + (*price % options_.rate != 0 && *price > 0 ? 1 : 0);
    const std::uint32_t task = task_[index_of(id)] = out_.graph.add(label.view(), duration);
    out_.nodes.push_back(id);
    connect(arrivals, task);
    return demand(id, task, label.view());
  }

  /// Adds one edge from each task of which something arrives, with the delay of all of it.
  constexpr void connect(const table<arrival>& arrivals, std::uint32_t task) {
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
      bool is_first = true;
      for (std::size_t k = 0; k < i; ++k)
        is_first = is_first && arrivals[k].task != arrivals[i].task;
      if (!is_first) continue;
      std::int64_t bytes = 0;
      for (std::size_t k = i; k < arrivals.size(); ++k)
        if (arrivals[k].task == arrivals[i].task) bytes = saturating_add(bytes, arrivals[k].bytes);
      out_.graph.connect(arrivals[i].task, task, options_.link.delay(bytes));
      out_.bytes.push_back(bytes);
    }
  }

  constexpr error demand(node_id id, std::uint32_t task, text_view label) {
    for (std::uint32_t r = 0; r < options_.resources.size(); ++r) {
      const shared_resource& s = options_.resources[r];
      const auto price = rounded_up(figures_.price_or_zero(*prices_[r], id, s.metric), label);
      if (!price) return price.error();
      std::int64_t amount = *price;
      if (s.scratch) {
        const auto scratch = figures_.scratch_bytes(id, max_task_time);
        if (!scratch) return scratch.error();
        amount = saturating_add(amount, *scratch);
      }
      if (amount != 0) out_.graph.demands.push_back({task, r, amount});
    }
    return {};
  }

  /// Lists what a node waits for. A value counts once, however many of its parts are read.
  constexpr error gather(node_id id, table<arrival>& out) const {
    const view<value_id> operands = g_.inputs_of(g_[id]);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const node_id from = g_[operands[i]].producer;
      bool is_new = from != node_id::none;
      for (std::size_t k = 0; k < i; ++k) is_new = is_new && operands[k] != operands[i];
      if (!is_new) continue;
      const auto bytes = figures_.bytes_of(operands[i], g_.label(id).view());
      if (!bytes) return bytes.error();
      if (const std::uint32_t task = task_[index_of(from)]; task != no_task)
        join(out, {task, operands[i], *bytes});
      else
        for (const arrival& a : arrived_[index_of(from)])
          join(out, {a.task, a.value, a.bytes < *bytes ? a.bytes : *bytes});
    }
    for (const node_id from : signals_[index_of(id)]) {
      if (const std::uint32_t task = task_[index_of(from)]; task != no_task)
        join(out, {task, value_id::none, 0});
      else
        for (const arrival& a : arrived_[index_of(from)]) join(out, {a.task, value_id::none, 0});
    }
    return {};
  }
  /// Adds an arrival; parts of one value together are at most the whole value.
  constexpr void join(table<arrival>& out, const arrival& more) const {
    for (arrival& a : out) {
      if (a.task != more.task || a.value != more.value) continue;
      if (a.value == value_id::none) return;
      a.bytes = saturating_add(a.bytes, more.bytes);
      if (const auto all = figures_.bytes_of(a.value, {}); all && a.bytes > *all) a.bytes = *all;
      return;
    }
    out.push_back(more);
  }

  static constexpr result<std::int64_t> rounded_up(const result<rational>& price, text_view label) {
    if (!price) return price.error();
    rational up;
    if (ceil(*price, up) == errc::none)
      if (const auto whole = to_int64(up); whole && *whole <= max_task_time) return *whole;
    return make_error(errc::overflow, label, "a time or a demand exceeds 2^52");
  }

  graph_view g_;
  const task_options& options_;
  node_figures figures_;
  pricer<rational> durations_;
  table<box<pricer<rational>>> prices_;  // by resource
  table<std::uint32_t> task_;            // by node
  table<table<arrival>> arrived_;        // by node without a task
  table<table<node_id>> signals_;        // by node: sources of its control and mutate edges
  workflow_tasks out_;
};

}  // namespace detail

/// The scheduling problem of a static graph, in topological order.
///
/// - A node is a task if its price in the metric is not 0; the task takes ⌈price / rate⌉ units of
///   time. All other nodes (views, constants, what the metric does not count) take no time and no
///   processor: what waits for them waits for the tasks before them.
/// - An edge has the delay of one message on the link with the bytes that the reader needs of all
///   results of the producer. Through nodes without a task, these are the fewest bytes on the way:
///   a reader of a slice gets the slice. Control and mutate edges carry no bytes, but take the
///   latency. Inputs of the graph are there at time 0, on all processors.
/// - A demand on a resource is the node's price in the resource's metric, rounded up. An opaque
///   call that states none needs 0; if it does not state its time, its cost is unknown.
///
/// Times and demands are exact integers: `flops` count operations, `execution_time` nanoseconds
/// with a registry of measured times (`host_times`). Errors: those of `validate` of graphs and of
/// task graphs (`mapping_infeasible` if a task alone needs more than a capacity), of
/// `pricer::price`; `workflow_not_static` for symbolic shapes, `overflow` above 2^52,
/// `invalid_problem` if the rate is not positive, the link negative, or the metric measures whole
/// graphs only. O(nodes · operands · tasks behind one operand).
constexpr result<workflow_tasks> tasks_of(const graph_view& workflow, const metric_spec& m,
                                          const registry& r, const task_options& options = {}) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  const auto wrong = [&](text_view sentence) {
    return make_error(errc::invalid_problem, g.text_of(g.name), sentence);
  };
  if (options.rate <= 0) return wrong("the rate of a processor must be positive");
  if (options.link.bandwidth < 0 || options.link.latency < 0 || options.link.period < 1)
    return wrong("the bandwidth, the latency or the period of a link is out of range");
  if (m.rule == combination::measured) return wrong("its metric has no prices of nodes");
  for (const shared_resource& s : options.resources)
    if (s.metric.rule == combination::measured)
      return wrong("the metric of a resource has no prices of nodes");
  return detail::task_builder(g, m, r, options).run();
}

/// Schedules the nodes of a workflow as `tasks_of` describes them, by `schedule_tasks`: the
/// shortest schedule with its proof, or the best one and a lower bound within the limits. Errors:
/// those of `tasks_of`.
template <class Callback = keep_going, class Executor = in_turn>
  requires progress_callback<std::remove_reference_t<Callback>>
constexpr result<workflow_schedule> schedule(const graph_view& workflow, const metric_spec& m,
                                             const registry& r, const task_options& options = {},
                                             const schedule_options& limits = {},
                                             Callback&& callback = {}, Executor&& executor = {}) {
  result<workflow_tasks> tasks = tasks_of(workflow, m, r, options);
  if (!tasks) return tasks.error();
  const result<task_schedule> times = schedule_tasks(tasks->graph, limits, callback, executor);
  if (!times) return times.error();
  return workflow_schedule{std::move(*tasks), *times};
}

}  // namespace wf
