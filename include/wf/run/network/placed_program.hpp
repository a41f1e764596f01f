// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <wf/map/schedule/from_graph.hpp>
#include <wf/run/network/node_executable.hpp>
#include <wf/run/network/task_program.hpp>

namespace wf {

/// Which process has each node of a workflow, and in which order they are tasks: of those that a
/// process can run it takes the earliest one.
struct node_placement {
  std::uint32_t ranks = 1;      ///< number of processes
  table<std::uint32_t> owners;  ///< the process of each node, by node
  table<node_id> order;  ///< all nodes, each after those that it reads; empty: any such order
  /// True: each process that reads an input has it. False: the first one has it, and sends it.
  bool has_inputs_everywhere = false;
};

namespace detail {

class program_placement {
 public:
  program_placement(const graph_view& g, const registry& kernels, const node_placement& places)
      : g_(g), kernels_(kernels), places_(places), out_(places.ranks) {}

  result<task_program> run() {
    value_tasks_.resize(g_.values.size() * (places_.has_inputs_everywhere ? places_.ranks : 1),
                        UINT32_MAX);
    node_tasks_.resize(g_.nodes.size(), UINT32_MAX);
    find_needed();
    auto order = topological_order(g_);
    if (!order) return order.error();
    if (places_.owners.size() != g_.nodes.size()) return refuse("not every node has a process");
    if (!places_.order.empty()) {
      if (places_.order.size() != g_.nodes.size()) return refuse("its order lacks nodes");
      *order = places_.order;
    }
    for (const node_id id : *order) {
      if (index_of(id) >= g_.nodes.size()) return refuse("its order has a node that is none");
      if (is_needed_[index_of(id)] == 0) continue;
      if (error e = add(id); e.code != errc::none) return e;
    }
    for (const output& o : g_.outputs) {
      const task_value v = task_of(o.source, 0);
      if (v.task == UINT32_MAX) return refuse("a node comes after one that reads it");
      out_.add_output(g_.text_of(o.name), v);
    }
    if (out_.fault().code != errc::none) return out_.fault();
    return std::move(out_);
  }

 private:
  error refuse(text_view sentence) const {
    return make_error(errc::invalid_problem, g_.text_of(g_.name), sentence);
  }
  bool is_view(value_id v) const {
    const node_id from = g_[v].producer;
    if (from == node_id::none || g_[from].effects != effect::pure) return false;
    const kernel_spec* const k = kernels_.find(g_.op_name(g_[from]));
    return k != nullptr && k->is_view && g_[from].outputs.count == 1;
  }
  // A view that only others read is computed where it is read.
  void find_needed() {
    is_needed_.resize(g_.nodes.size(), 0);
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i)
      if (g_.nodes[i].outputs.count != 1 || !is_view(graph_view::output_of(g_.nodes[i])))
        is_needed_[i] = 1;
    for (const output& o : g_.outputs)
      if (g_[o.source].producer != node_id::none) is_needed_[index_of(g_[o.source].producer)] = 1;
    for (const edge& e : g_.edges) is_needed_[index_of(e.from)] = is_needed_[index_of(e.to)] = 1;
  }
  // What makes a value that a process reads.
  task_value task_of(value_id v, std::uint32_t reader) {
    const node_id from = g_[v].producer;
    if (from != node_id::none)
      return {node_tasks_[index_of(from)], index_of(v) - g_[from].outputs.first};
    const std::size_t place = places_.has_inputs_everywhere
                                  ? index_of(v) * std::size_t{places_.ranks} + reader
                                  : index_of(v);
    if (value_tasks_[place] == UINT32_MAX)
      value_tasks_[place] = out_.add_argument(g_.text_of(g_[v].name), reader, g_[v].type);
    return {value_tasks_[place], 0};
  }
  error add(node_id id) {
    const auto alone = node_alone(g_, id, &kernels_);
    if (!alone) return alone.error();
    const std::uint32_t owner = places_.owners[index_of(id)];
    if (owner >= places_.ranks) return refuse("a node has a process that is none");
    std::vector<task_value> operands;
    for (const lone_node::path& path : alone->inputs) {
      value_id v = g_.inputs_of(g_[id])[path[0]];
      for (std::size_t k = 1; k < path.size(); ++k) v = g_.inputs_of(g_[g_[v].producer])[path[k]];
      operands.push_back(task_of(v, owner));
      if (operands.back().task == UINT32_MAX) return refuse("a node comes after one that reads it");
    }
    table<std::uint32_t> after;
    for (const edge& e : g_.edges) {
      if (e.to != id) continue;
      after.push_back(node_tasks_[index_of(e.from)]);
      if (after.back() == UINT32_MAX) return refuse("a node comes after one that waits for it");
    }
    node_tasks_[index_of(id)] =
        out_.add(out_.add_code(graph(alone->workflow.view())), owner,
                 {operands.data(), operands.size()}, after, g_.label(id).view());
    return {};
  }

  const graph_view& g_;
  const registry& kernels_;
  const node_placement& places_;
  task_program out_;
  std::vector<char> is_needed_;
  std::vector<std::uint32_t> value_tasks_, node_tasks_;
};

}  // namespace detail

/// A workflow as a program of several processes: each node is a task of the process that has it,
/// and an input an argument of the process that reads it first, or of all that do. Views, such as
/// transposes, are computed where they are read. Errors: those of `validate`; `workflow_not_static`
/// for symbolic shapes; `invalid_problem` for a placement that does not fit. O(nodes · (codes +
/// edges)).
inline result<task_program> placed_program(const graph_view& workflow, const registry& kernels,
                                           const node_placement& places) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  if (!g.is_static())
    return make_error(errc::workflow_not_static, g.text_of(g.name),
                      "its shapes are symbolic: bind the symbols first");
  return detail::program_placement(g, kernels, places).run();
}

/// The placement that a schedule of a workflow states: a processor is a process, tasks are in the
/// order of their starts, and each process has the inputs that it reads. A node that is no task of
/// the schedule, because it takes no time, goes where its first operand is. Errors: `cyclic_graph`;
/// `invalid_problem` for a schedule of another workflow. O(n log n) for n nodes and operands.
inline result<node_placement> placement_of(const graph_view& g, const workflow_schedule& s) {
  const auto order = topological_order(g);
  if (!order) return order.error();
  node_placement out;
  out.ranks = s.tasks.graph.processors;
  out.has_inputs_everywhere = true;
  out.owners.resize(g.nodes.size());
  std::vector<std::int64_t> starts(g.nodes.size(), -1);
  for (std::uint32_t t = 0; t < s.tasks.nodes.size(); ++t) {
    const std::uint32_t i = index_of(s.tasks.nodes[t]);
    if (i >= g.nodes.size())
      return make_error(errc::invalid_problem, g.text_of(g.name),
                        "the schedule is of another workflow");
    out.owners[i] = s.times.tasks[t].processor;
    starts[i] = s.times.tasks[t].start;
  }
  for (const node_id id : *order) {
    if (starts[index_of(id)] >= 0) continue;
    starts[index_of(id)] = 0;
    bool is_first = true;
    for (const value_id v : g.inputs_of(g[id])) {
      const node_id from = g[v].producer;
      if (from == node_id::none) continue;
      if (is_first) out.owners[index_of(id)] = out.owners[index_of(from)];
      is_first = false;
      starts[index_of(id)] = std::max(starts[index_of(id)], starts[index_of(from)]);
    }
    for (const edge& e : g.edges)
      if (e.to == id)
        starts[index_of(id)] = std::max(starts[index_of(id)], starts[index_of(e.from)]);
  }
  for (const node_id id : *order) out.order.push_back(id);
  detail::stable_sort(
      out.order, [&](node_id a, node_id b) { return starts[index_of(a)] < starts[index_of(b)]; });
  return out;
}

}  // namespace wf
