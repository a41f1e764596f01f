// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/wfformat/instance.hpp>
#include <wf/adapt/wfformat/to_graph.hpp>
#include <wf/cost/cost_table.hpp>
#include <wf/cost/price.hpp>
#include <wf/ir/graph/topology.hpp>

namespace wf::wfformat {

/// Options of the export of a graph.
struct export_options {
  /// Units of the metric in a second: 10^9 for nanoseconds, or flops per second.
  std::int64_t units_per_second = 1'000'000'000;
  /// The field "executedAt", which WfFormat demands. Readers may parse it as a date.
  text executed_at = "1970-01-01T00:00:00+00:00";
};

namespace detail {

/// An id of the characters that WfFormat allows; others become '_'.
constexpr text id_from(text_view name) {
  text out;
  for (const char c : name) out << (consists_of({&c, 1}, "-_.#") ? c : '_');
  if (out.empty()) out << '_';
  return out;
}

/// Converts one valid graph to an instance.
class instance_maker {
 public:
  constexpr explicit instance_maker(const graph_view& g) : g_(g), edges_(adjacency_of(g)) {}

  /// The specification alone.
  constexpr result<instance> run() {
    if (!g_.is_static())
      return make_error(errc::workflow_not_static, g_.text_of(g_.name),
                        "its shapes are symbolic: bind the symbols before the export");
    if (g_.nodes.empty())
      return make_error(errc::invalid_problem, g_.text_of(g_.name),
                        "WfFormat demands at least one task");
    out_.name = g_.name.count == 0 ? string("workflow") : string(g_.text_of(g_.name));
    distinct_names ids;
    table<task>& tasks = out_.workflow.specification.tasks;
    tasks.resize(g_.nodes.size());
    for (std::uint32_t i = 0; i < tasks.size(); ++i) {
      tasks[i].name = string(g_.label(static_cast<node_id>(i)));
      tasks[i].id = string(ids.add(id_from(tasks[i].name.view()).view()));
    }
    if (error e = add_files(); e.code != errc::none) return e;
    add_readers();
    for (std::uint32_t i = 0; i < tasks.size(); ++i)
      for (const node_id after : edges_.successors_of(static_cast<node_id>(i))) {
        tasks[i].children.push_back(tasks[index_of(after)].id);
        tasks[index_of(after)].parents.push_back(tasks[i].id);
      }
    return static_cast<instance&&>(out_);
  }
  /// Also the execution, with these costs of the nodes as run times.
  constexpr result<instance> run(const table<rational>& costs, const export_options& options) {
    if (options.units_per_second <= 0)
      return make_error(errc::invalid_problem, g_.text_of(g_.name),
                        "the units in a second must be positive");
    auto made = run();
    if (!made) return made;
    const auto order = topological_order(g_);
    if (!order) return order.error();
    table<std::int64_t> time(costs.size()), end(costs.size());
    std::int64_t makespan = 0;
    for (const node_id id : *order) {
      const std::uint32_t i = index_of(id);
      std::int64_t start = 0;
      for (const node_id before : edges_.predecessors_of(id))
        if (end[index_of(before)] > start) start = end[index_of(before)];
      if (!to_nanoseconds(costs[i], options.units_per_second, time[i]) ||
          !checked_add(start, time[i], end[i]))
        return make_error(errc::overflow, g_.label(id).view(),
                          "its time is negative, or does not fit 63 bits in nanoseconds");
      if (end[i] > makespan) makespan = end[i];
    }
    execution& run = (*made).workflow.execution.emplace();
    run.makespan_in_seconds = number::decimal(makespan, 9);
    run.executed_at = string(options.executed_at);
    run.tasks.resize(time.size());
    for (std::uint32_t i = 0; i < time.size(); ++i) {
      run.tasks[i].id = (*made).workflow.specification.tasks[i].id;
      run.tasks[i].runtime_in_seconds = number::decimal(time[i], 9);
    }
    return made;
  }

 private:
  constexpr error add_files() {
    distinct_names names;
    table<bool> is_read(g_.values.size());
    for (const value_id v : g_.operands) is_read[index_of(v)] = true;
    ids_.resize(g_.values.size());
    for (std::uint32_t i = 0; i < g_.values.size(); ++i) {
      const value& v = g_.values[i];
      if (v.producer == node_id::none && !is_read[i]) continue;
      std::int64_t bytes = 0;
      if (v.type.shape.elements() < 0 ||
          !checked_multiply(v.type.shape.elements(), size_of(v.type.type), bytes))
        return make_error(errc::overflow, (text() << '%' << i).view(),
                          "its bytes do not fit 63 bits");
      ids_[i] = string(names.add(id_from(file_name(v, i).view()).view()));
      out_.workflow.specification.files.push_back({ids_[i], number(bytes), {}});
      if (v.producer != node_id::none)
        out_.workflow.specification.tasks[index_of(v.producer)].output_files.push_back(ids_[i]);
    }
    return {};
  }
  constexpr text file_name(const value& v, std::uint32_t i) const {
    if (v.name.count != 0) return text(g_.text_of(v.name));
    text out = g_.label(v.producer);
    if (g_[v.producer].outputs.count > 1) out << '.' << i - g_[v.producer].outputs.first;
    return out;
  }
  constexpr void add_readers() {
    table<std::uint32_t> reader(g_.values.size(), UINT32_MAX);  // by value: the last one
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i)
      for (const value_id v : g_.inputs_of(g_.nodes[i])) {
        if (reader[index_of(v)] == i) continue;
        reader[index_of(v)] = i;
        out_.workflow.specification.tasks[i].input_files.push_back(ids_[index_of(v)]);
      }
  }
  /// False if the time is negative or too long.
  static constexpr bool to_nanoseconds(const rational& cost, std::int64_t units_per_second,
                                       std::int64_t& out) {
    int128 scaled = 0, divisor = 0;
    if (cost.sign() < 0 || !checked_multiply(cost.numerator, int128{1'000'000'000}, scaled) ||
        !checked_multiply(cost.denominator, int128{units_per_second}, divisor))
      return false;
    const int128 whole = scaled / divisor, rest = scaled % divisor;
    const int128 nearest = whole + (rest >= divisor - rest ? 1 : 0);
    if (nearest > INT64_MAX) return false;
    out = static_cast<std::int64_t>(nearest);
    return true;
  }

  graph_view g_;
  adjacency edges_;
  instance out_;
  table<string> ids_;  // by value
};

}  // namespace detail

/// The specification of a graph in WfFormat, without times.
///
/// A node is a task with its label as name; its id is that with characters outside of WfFormat
/// replaced by '_', and a number if it is not the only one. A value that moves (an input that is
/// read, and every result) is a file of its bytes. Parents are the predecessors over data, control
/// and mutate edges, so an edge without data is a parent without a file. Errors: those of
/// `validate` of graphs; `workflow_not_static` for symbolic shapes, `invalid_problem` for a graph
/// without nodes, `overflow` for more than 2^63 bytes. O(nodes + operands + edges).
constexpr result<instance> from_graph(const graph_view& workflow) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  return detail::instance_maker(*valid).run();
}

/// Also the execution: the run time of a task is its node's price in the metric divided by
/// `units_per_second`, to the nearest nanosecond; the makespan is the longest path of these times,
/// that on unlimited processors. Errors: also those of `pricer::price`; `invalid_problem` if there
/// are no units in a second, `overflow` for a time that is negative or beyond 2^63 ns.
constexpr result<instance> from_graph(const graph_view& workflow, const metric_spec& m,
                                      const registry& r, const export_options& options = {}) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  pricer<rational> prices(*valid, m, r);
  table<rational> costs;
  for (std::uint32_t i = 0; valid->is_static() && i < valid->nodes.size(); ++i) {
    const auto price = prices.price(static_cast<node_id>(i));
    if (!price) return price.error();
    costs.push_back(*price);
  }
  return detail::instance_maker(*valid).run(costs, options);
}

/// The same with the times from the column of a metric in a cost table of the graph. Errors: those
/// of `from_graph` without prices; `unknown_cost` if the table has no such column, or not one
/// number for each node.
constexpr result<instance> from_graph(const graph_view& workflow, const cost_table& prices,
                                      const metric_spec& m, const export_options& options = {}) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  std::size_t column = 0;
  while (column < prices.metrics.size() && !(prices.metrics[column] == m)) ++column;
  if (column == prices.metrics.size() || prices.nodes.size() != valid->nodes.size())
    return make_error(errc::unknown_cost, valid->text_of(valid->name),
                      text("the table has no costs of its nodes in ") << m.name);
  table<rational> costs;
  for (const cost_table_row& row : prices.nodes) {
    if (column >= row.figures.size() || !row.figures[column].is_number())
      return make_error(errc::unknown_cost, row.name.view(),
                        text("its cost in ") << m.name << " is not one number");
    costs.push_back(row.figures[column].known.single().constant());
  }
  return detail::instance_maker(*valid).run(costs, options);
}

}  // namespace wf::wfformat
