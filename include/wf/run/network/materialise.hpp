// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <wf/run/network/node_executable.hpp>
#include <wf/run/network/tensor_process.hpp>
#include <wf/simulate/process/any_process.hpp>
#include <wf/simulate/process/materialise.hpp>
#include <wf/simulate/process/recorder.hpp>

namespace wf {

namespace detail {
class tensor_materialisation;
}

/// The result of a run of a workflow as a network of processes.
struct simulated_run {
  named_matrices outputs;           ///< by the names of the workflow's outputs
  std::vector<std::int64_t> times;  ///< ticks at which they were emitted, in the workflow's order
  execution_trace trace;            ///< runs and transfers; operators are nodes of the graph
};

/// A workflow as a network of processes that compute: node `i` of the graph is process `i`. Its
/// places, links and priorities may be changed before a run, and processes replaced by a user's
/// own.
class executable_network {
 public:
  /// A process of any kind that exchanges tensors.
  using process_type = any_process<tensor_value>;

  wf::network<process_type> network;  ///< the processes and the platform

  /// Runs the workflow on arguments, which arrive at tick 0. Once only: processes keep their state.
  /// Errors: `missing_argument`, `unknown_argument`, `argument_shape`; those of `network::run`,
  /// with `numerical_failure` of an operator.
  result<simulated_run> run(const named_matrices& arguments) {
    const graph_view g = workflow_.view();
    if (error e = detail::check_arguments(g, arguments); e.code != errc::none) return e;
    table<network_input<tensor_value>> in;
    for (const port& p : inputs_) {
      const std::string name(g.text_of(g[p.value].name));
      in.push_back(
          {p.node,
           p.index,
           {g[p.value].type, std::make_shared<const dynamic_matrix>(arguments.find(name)->second)},
           0});
    }
    simulated_run out;
    const auto made = run_traced(network, view<network_input<tensor_value>>(in), out.trace);
    if (!made) return made.error();
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      const std::string name(g.text_of(g.outputs[k].name));
      out.times.push_back(0);
      if (outputs_[k].node == UINT32_MAX) {  // an input that is an output
        out.outputs[name] =
            arguments.find(std::string(g.text_of(g[outputs_[k].value].name)))->second;
        continue;
      }
      for (const auto& o : made->outputs)
        if (o.node == outputs_[k].node && o.output == outputs_[k].index) {
          out.outputs[name] = *o.value.elements;
          out.times[k] = o.time;
        }
    }
    return out;
  }
  /// The graph whose nodes the processes are.
  graph_view workflow() const { return workflow_.view(); }

 private:
  friend class detail::tensor_materialisation;
  struct port {
    std::uint32_t node = UINT32_MAX;
    std::uint32_t index = 0;
    value_id value = value_id::none;
  };
  graph workflow_;
  std::vector<port> inputs_;   // where inputs of the workflow arrive
  std::vector<port> outputs_;  // where its outputs leave, in their order
};

namespace detail {

/// Builds the network of a workflow whose processes compute.
class tensor_materialisation {
 public:
  tensor_materialisation(const graph_view& g, const process_table& times, const fifo_link& link,
                         const execution_options& options)
      : g_(g), times_(times), link_(link), options_(options) {}

  result<executable_network> run() {
    out_.workflow_ = graph(g_);
    nodes_.resize(g_.nodes.size());
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i)
      for (std::uint32_t k = 0; k < g_.nodes[i].outputs.count; ++k) nodes_[i].results.push_back(k);
    add_outputs();
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i) add_operands(i);
    for (const wf::edge& e : g_.edges) {
      state& from = nodes_[index_of(e.from)];
      from.results.push_back(UINT32_MAX);
      connect(index_of(e.from), static_cast<std::uint32_t>(from.results.size() - 1), index_of(e.to),
              {text("order"), usage::order, {}}, UINT32_MAX);
    }
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i)
      if (const auto added = add_process(i); !added) return added.error();
    return static_cast<executable_network&&>(out_);
  }

 private:
  struct state {
    table<expected_input> inputs;
    std::vector<std::uint32_t> operand;
    std::vector<std::uint32_t> results;
  };

  // A result leaves at the output of its number for its readers, and at one more for each output of
  // the workflow that it is.
  void add_outputs() {
    for (const output& o : g_.outputs) {
      const value& v = g_[o.source];
      if (v.producer == node_id::none) {
        out_.outputs_.push_back({UINT32_MAX, 0, o.source});
        continue;
      }
      state& from = nodes_[index_of(v.producer)];
      from.results.push_back(index_of(o.source) - g_[v.producer].outputs.first);
      out_.outputs_.push_back(
          {index_of(v.producer), static_cast<std::uint32_t>(from.results.size() - 1), o.source});
    }
  }
  void connect(std::uint32_t from, std::uint32_t from_output, std::uint32_t to, expected_input in,
               std::uint32_t operand) {
    const auto input = static_cast<std::uint32_t>(nodes_[to].inputs.size());
    out_.network.connect(from, from_output, to, input, out_.network.add_link(link_));
    nodes_[to].inputs.push_back(static_cast<expected_input&&>(in));
    nodes_[to].operand.push_back(operand);
  }
  void add_operands(std::uint32_t i) {
    std::vector<value_id> distinct;  // an operand that occurs twice arrives once
    for (const value_id operand : g_.inputs_of(g_.nodes[i])) {
      std::uint32_t place = 0;
      while (place < distinct.size() && distinct[place] != operand) ++place;
      if (place < distinct.size()) continue;
      distinct.push_back(operand);
      const value& v = g_[operand];
      const expected_input in{text() << "operand " << place, usage::data, v.type};
      if (v.producer != node_id::none) {
        connect(index_of(v.producer), index_of(operand) - g_[v.producer].outputs.first, i, in,
                place);
        continue;
      }
      out_.inputs_.push_back({i, static_cast<std::uint32_t>(nodes_[i].inputs.size()), operand});
      nodes_[i].inputs.push_back(in);
      nodes_[i].operand.push_back(place);
    }
  }
  result<nothing> add_process(std::uint32_t i) {
    const auto work = process_time(g_, i, times_);
    if (!work) return work.error();
    auto code = prepare_node(g_, static_cast<node_id>(i), options_);
    if (!code) return code.error();
    state& s = nodes_[i];
    const text label = g_.label(static_cast<node_id>(i));
    out_.network.add_node(
        label.view(),
        tensor_process(*static_cast<decltype(code)&&>(code),
                       static_cast<table<expected_input>&&>(s.inputs),
                       static_cast<std::vector<std::uint32_t>&&>(s.operand),
                       static_cast<std::vector<std::uint32_t>&&>(s.results), *work),
        out_.network.add_host());
    return nothing{};
  }

  const graph_view& g_;
  const process_table& times_;
  const fifo_link& link_;
  const execution_options& options_;
  std::vector<state> nodes_;
  executable_network out_;
};

}  // namespace detail

/// Makes a static workflow a network of processes that compute: each operator is a process on its
/// own host, with its implementation in the executor and the time of the table; each operand goes
/// over its own link, a copy of `link`. So the results of a run come out of the network, in
/// simulated time. Errors: those of `validate` and `executable_graph::prepare`;
/// `simulation_failed`, naming the operator, if the table has no time for it. O(size of the graph).
inline result<executable_network> materialise_tensors(const graph_view& workflow,
                                                      const process_table& times,
                                                      const fifo_link& link = {},
                                                      const execution_options& options = {}) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  return detail::tensor_materialisation(*valid, times, link, options).run();
}

}  // namespace wf
