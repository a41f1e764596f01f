// SPDX-License-Identifier: BSL-1.0
#include <linalg/wf_plan.hpp>

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <utility>
#include <vector>

#include <wf/cost/price.hpp>
#include <wf/ir/graph/builder.hpp>
#include <wf/ir/graph/topology.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/select/optimise.hpp>

#include <linalg/timing.hpp>

namespace linalg_benchmark {

namespace {

/// Uninitialised matrices for the outputs of a workflow.
std::vector<wf::dynamic_matrix> output_storage(const wf::graph_view& g) {
  std::vector<wf::dynamic_matrix> out;
  for (const wf::output& o : g.outputs) {
    const wf::shape& s = g[o.source].type.shape;
    if (s.rank > 2)  // as a single row
      out.emplace_back(1, s.elements());
    else
      out.emplace_back(s.rank > 0 ? s[0].size() : 1, s.rank > 1 ? s[1].size() : 1);
  }
  return out;
}

bound_program bind_program(const wf::executable_graph& ready, const wf::named_matrices& inputs) {
  const wf::graph_view g = ready.workflow();
  std::vector<wf::input_matrix> from;
  for (const wf::value& v : g.values)
    if (v.producer == wf::node_id::none)
      from.emplace_back(inputs.find(std::string(g.text_of(v.name)))->second);
  bound_program out;
  out.outputs = std::make_shared<std::vector<wf::dynamic_matrix>>(output_storage(g));
  const std::vector<wf::output_matrix> to(out.outputs->begin(), out.outputs->end());
  auto bound = ready.bind({from.data(), from.size()}, {to.data(), to.size()});
  if (!bound) {
    out.run = [why = bound.error()] { return wf::result<wf::nothing>(why); };
    return out;
  }
  out.run = [bound = std::make_shared<wf::bound_graph>(std::move(*bound)), owner = out.outputs] {
    return bound->run();
  };
  return out;
}

}  // namespace

wf::result<wf_plan> prepare_plan(wf::graph chosen) {
  wf_plan out;
  out.chosen = std::move(chosen);
  auto program = wf::executable_graph::prepare(out.chosen.view());
  if (!program) return program.error();
  out.bind = [ready = std::move(*program)](const wf::named_matrices& inputs) {
    return bind_program(ready, inputs);
  };
  return out;
}

wf::result<wf_plan> plan_formula(const wf::graph_view& captured, double seconds) {
  const double begin = thread_seconds();
  const auto in_time = [&](const auto&) { return thread_seconds() - begin < seconds; };
  wf::optimise_options how;
  auto made = wf::optimise(captured, wf::minimise(wf::execution_time), {}, wf::timed_registry(),
                           how, in_time);
  if (!made) return made.error();
  auto out = prepare_plan(std::move(made->chosen));
  if (!out) return out;
  out->proven = made->proven_optimal;
  out->planning_seconds = thread_seconds() - begin;
  return out;
}

namespace {

/// A node as a workflow of its own, with inputs "x0", "x1", ... and outputs "y0", ...
wf::graph alone(const wf::graph_view& g, const wf::node& n) {
  wf::graph_builder builder("node");
  std::vector<wf::value_id> operands;
  for (const wf::value_id id : g.inputs_of(n))
    operands.push_back(
        builder.graph().add_input(("x" + std::to_string(operands.size())).c_str(), g[id].type));
  std::vector<wf::value_type> results;
  for (std::uint32_t k = 0; k < n.outputs.count; ++k)
    results.push_back(g.values[n.outputs.first + k].type);
  const auto attributes = wf::attribute_values(g, n);
  wf::node_description what;
  what.op = g.op_name(n);
  what.attributes = attributes;
  const wf::node_id id =
      builder.add_node(what, {operands.data(), operands.size()}, {results.data(), results.size()});
  for (std::uint32_t k = 0; k < n.outputs.count; ++k)
    builder.graph().add_output(("y" + std::to_string(k)).c_str(),
                               wf::graph_view::output_of(builder.graph()[id], k));
  return builder.take();
}

/// Seconds of each node, run alone on its operands in the plan; the median of several rounds.
std::vector<double> node_seconds(const wf::graph_view& g, const wf::named_matrices& inputs) {
  constexpr int rounds = 9;
  std::vector<wf::dynamic_matrix> values(g.values.size());
  for (std::size_t i = 0; i < g.values.size(); ++i)
    if (g.values[i].producer == wf::node_id::none)
      values[i] = inputs.find(std::string(g.text_of(g.values[i].name)))->second;
  std::vector<double> out(g.nodes.size());
  const auto order = wf::topological_order(g);
  for (const wf::node_id id : *order) {
    const wf::node& n = g[id];
    wf::named_matrices read;
    std::uint32_t k = 0;
    for (const wf::value_id operand : g.inputs_of(n))
      read["x" + std::to_string(k++)] = values[index_of(operand)];
    const auto ready = wf::executable_graph::prepare(alone(g, n).view());
    if (!ready) continue;
    const bound_program program = bind_program(*ready, read);
    std::vector<double> taken;
    for (int round = 0; round < rounds; ++round) {
      const double start = thread_seconds();
      (void)program.run();
      taken.push_back(thread_seconds() - start);
    }
    for (std::uint32_t i = 0; i < n.outputs.count; ++i)
      values[n.outputs.first + i] = (*program.outputs)[i];
    out[index_of(id)] = g.op_name(n) == "transpose" ? 0 : median(std::move(taken));
  }
  return out;
}

}  // namespace

std::string plan_text(const wf::graph_view& g, const wf::named_matrices& inputs) {
  const auto name_of = [&](wf::value_id id) {
    const wf::value& v = g[id];
    const wf::text_ref own =
        v.producer == wf::node_id::none || v.name.count != 0 ? v.name : g[v.producer].name;
    const wf::text_view named = g.text_of(own);
    return named.empty() ? "%" + std::to_string(index_of(id))
                         : std::string(named.data(), named.size());
  };
  const wf::registry kernels = wf::builtin_registry();
  wf::pricer<wf::rational> price(g, wf::flops, kernels);
  const std::vector<double> seconds = node_seconds(g, inputs);
  std::string out;
  for (std::size_t i = 0; i < g.nodes.size(); ++i) {
    const wf::node& n = g.nodes[i];
    const wf::text_view op = g.op_name(n);
    const wf::text type = wf::to_text(g[wf::graph_view::output_of(n)].type);
    std::string line = "    " + name_of(wf::graph_view::output_of(n)) + " = " +
                       std::string(op.data(), op.size()) + "(";
    bool first = true;
    for (const wf::value_id operand : g.inputs_of(n))
      line += (std::exchange(first, false) ? "" : ", ") + name_of(operand);
    line += ") " + std::string(type.view().data(), type.view().size());
    const auto flops = price.price(static_cast<wf::node_id>(i));
    char figures[80];
    std::snprintf(figures, sizeof figures, "  %.0f flops  %.3f ms\n",
                  flops ? wf::to_double(*flops) : -1.0, 1e3 * seconds[i]);
    out += line + figures;
  }
  char total[100];
  std::snprintf(total, sizeof total, "    all nodes %.3f ms; those alone\n",
                1e3 * std::accumulate(seconds.begin(), seconds.end(), 0.0));
  return out + total;
}

}  // namespace linalg_benchmark
