// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/integer.hpp>
#include <wf/ir/graph/topology.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/simulate/process/network.hpp>

namespace wf {

/// The run time of an operator's process, in units of time: `fixed` plus ⌈elements of its results /
/// elements_per_unit⌉, rounded up per result (0: no time per element).
struct process_spec {
  text op;                             ///< operator name
  std::int64_t fixed = 0;              ///< constant part of the time
  std::int64_t elements_per_unit = 0;  ///< elements per unit of time; 0: unlimited
};

/// Processes by operator name: they supply the run times that a graph lacks as a network.
struct process_table {
  table<process_spec> rows;  ///< each operator at most once

  /// Adds or replaces the process of an operator. O(rows).
  constexpr process_table& set(text_view op, std::int64_t fixed,
                               std::int64_t elements_per_unit = 0) {
    for (process_spec& row : rows)
      if (row.op.view() == op) {
        row.fixed = fixed;
        row.elements_per_unit = elements_per_unit;
        return *this;
      }
    rows.push_back({text(op), fixed, elements_per_unit});
    return *this;
  }
  /// The process of an operator; null if it has none. O(rows).
  constexpr const process_spec* find(text_view op) const {
    for (const process_spec& row : rows)
      if (row.op.view() == op) return &row;
    return nullptr;
  }
};

namespace detail {

/// The run time of a node by the table. Errors: `simulation_failed`, naming the node, if the table
/// has no process for its operator, a result's size is needed and not fixed, or the time overflows.
constexpr result<std::int64_t> process_time(const graph_view& g, std::uint32_t i,
                                            const process_table& processes) {
  const node& n = g.nodes[i];
  const auto fail = [&](text_view sentence) {
    return make_error(errc::simulation_failed, g.label(static_cast<node_id>(i)).view(), sentence);
  };
  const process_spec* spec = processes.find(g.op_name(n));
  if (spec == nullptr)
    return fail((text() << "operator '" << g.op_name(n) << "' has no process").view());
  std::int64_t time = spec->fixed;
  for (std::uint32_t k = 0; k < n.outputs.count && spec->elements_per_unit > 0; ++k) {
    const std::int64_t elements = g[graph_view::output_of(n, k)].type.shape.elements();
    if (elements < 0) return fail("its time depends on a result whose size is not fixed");
    if (!checked_add(time, ceil_div(elements, spec->elements_per_unit), time))
      return fail("its time does not fit 63 bits");
  }
  return time;
}

/// Builds the network of a graph.
class graph_materialisation {
 public:
  constexpr graph_materialisation(const graph_view& g, const process_table& processes,
                                  const fifo_link& link)
      : g_(g), processes_(processes), link_(link) {}

  constexpr result<network<task_process>> run() {
    inputs_.resize(g_.nodes.size());
    signals_.resize(g_.nodes.size());
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i)
      for (const value_id operand : g_.inputs_of(g_.nodes[i]))
        if (const auto added = add_operand(i, operand); !added) return added.error();
    for (const wf::edge& e : g_.edges) add_signal(index_of(e.from), index_of(e.to));
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i)
      if (const auto added = add_node(i); !added) return added.error();
    return static_cast<network<task_process>&&>(out_);
  }

 private:
  constexpr void connect(std::uint32_t from, std::uint32_t output, std::uint32_t to,
                         expected_input in) {
    const auto input = static_cast<std::uint32_t>(inputs_[to].size());
    inputs_[to].push_back(static_cast<expected_input&&>(in));
    out_.connect(from, output, to, input, out_.add_link(link_));
  }
  constexpr result<nothing> add_operand(std::uint32_t i, value_id operand) {
    const value& v = g_[operand];
    if (v.producer == node_id::none) return nothing{};
    if (size_of_value(operand) < 0 && link_.bandwidth > 0)
      return make_error(errc::simulation_failed, g_.label(static_cast<node_id>(i)).view(),
                        "the size of an operand is not fixed or too large");
    const auto k = static_cast<std::uint32_t>(inputs_[i].size());
    connect(index_of(v.producer), index_of(operand) - g_[v.producer].outputs.first, i,
            {text() << "operand " << k, usage::data, v.type});
    return nothing{};
  }
  // An output after the results signals the end.
  constexpr void add_signal(std::uint32_t from, std::uint32_t to) {
    signals_[from] = 1;
    connect(from, g_.nodes[from].outputs.count, to, {text("order"), usage::order, {}});
  }
  constexpr result<nothing> add_node(std::uint32_t i) {
    const node& n = g_.nodes[i];
    const auto work = process_time(g_, i, processes_);
    if (!work) return work.error();
    table<std::int64_t> bytes;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const std::int64_t size = size_of_value(graph_view::output_of(n, k));
      bytes.push_back(size < 0 ? 0 : size);
    }
    if (signals_[i] != 0) bytes.push_back(0);
    const text label = g_.label(static_cast<node_id>(i));
    out_.add_node(label.view(),
                  task_process(static_cast<table<expected_input>&&>(inputs_[i]), *work,
                               static_cast<table<std::int64_t>&&>(bytes)),
                  out_.add_host());
    return nothing{};
  }
  // Bytes of a value; -1 if they are not fixed or do not fit.
  constexpr std::int64_t size_of_value(value_id v) const {
    const value_type& t = g_[v].type;
    const std::int64_t elements = t.shape.elements();
    std::int64_t bytes = 0;
    return elements >= 0 && checked_multiply(elements, size_of(t.type), bytes) ? bytes : -1;
  }

  const graph_view& g_;
  const process_table& processes_;
  const fifo_link& link_;
  table<table<expected_input>> inputs_;
  table<char> signals_;  // 1: has an output that signals the end
  network<task_process> out_;
};

}  // namespace detail

/// Builds the network of a graph: each node becomes a process on its own host; each operand that a
/// node produces and each control or mutate edge gets its own link, a copy of `link`. Outputs of
/// the network are the values that no node reads. Errors: those of `validate`; `simulation_failed`,
/// naming the operator, if the table has no process for it, a needed size is not fixed, or a time
/// or size overflows. O(nodes · rows + edges).
constexpr result<network<task_process>> materialise(const graph_view& workflow,
                                                    const process_table& processes,
                                                    const fifo_link& link = {}) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  return detail::graph_materialisation(*valid, processes, link).run();
}

}  // namespace wf
