// SPDX-License-Identifier: BSL-1.0
#include <linalg/wf_plan.hpp>

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <utility>
#include <vector>

#include <wf/cost/price.hpp>
#include <wf/ir/topology.hpp>
#include <wf/run/executable.hpp>
#include <wf/run/operators.hpp>
#include <wf/select/optimise.hpp>

#include <linalg/timing.hpp>

namespace linalg_benchmark {

namespace {

/// The built-in transforms but elimination step by step, whose loops are not for the executor.
std::vector<wf::transform> executable_transforms() {
  std::vector<wf::transform> out;
  for (const wf::transform& t : wf::builtin_transforms())
    if (!(t.name == "gaussian_elimination")) out.push_back(t);
  return out;
}

}  // namespace

wf::result<wf_plan> plan_formula(const wf::graph_view& captured, double seconds) {
  const double begin = thread_seconds();
  const auto in_time = [&](const auto&) { return thread_seconds() - begin < seconds; };
  wf::optimise_options how;
  const std::vector<wf::transform> transforms = executable_transforms();
  how.transforms = {transforms.data(), transforms.size()};
  auto made =
      wf::optimise(captured, wf::minimise(wf::flops), {}, wf::builtin_registry(), how, in_time);
  if (!made) return made.error();
  wf_plan out;
  out.chosen = std::move(made->chosen);
  out.proven = made->proven_optimal;
  auto program = wf::executable_graph::prepare(out.chosen.view());
  if (!program) return program.error();
  out.program = std::move(*program);
  out.planning_seconds = thread_seconds() - begin;
  return out;
}

namespace {

/// Seconds of each node, run one after the other on these inputs; the median of several rounds.
std::vector<double> node_seconds(const wf::graph_view& g, const wf::named_matrices& inputs) {
  constexpr int rounds = 5;
  std::vector<std::vector<double>> storage;
  std::vector<wf::compute::tensor_ref> values;
  for (const wf::value& v : g.values)
    storage.emplace_back(static_cast<std::size_t>(v.type.shape.elements()));
  for (std::size_t i = 0; i < g.values.size(); ++i) {
    const wf::value& v = g.values[i];
    values.push_back({v.type.shape, storage[i].data()});
    if (v.producer != wf::node_id::none) continue;
    const wf::text_view name = g.text_of(v.name);
    const wf::dynamic_matrix& m = inputs.find(std::string(name.data(), name.size()))->second;
    for (Eigen::Index r = 0; r < m.rows(); ++r)
      for (Eigen::Index c = 0; c < m.cols(); ++c)
        storage[i][static_cast<std::size_t>(r * m.cols() + c)] = m(r, c);
  }
  std::vector<std::vector<double>> taken(g.nodes.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < g.nodes.size(); ++i) {
      const wf::node& n = g.nodes[i];
      const auto* const implementation = wf::compute::find_operator(g.op_name(n));
      const double start = thread_seconds();
      if (implementation != nullptr) (void)implementation->run({g, n, values.data()});
      taken[i].push_back(thread_seconds() - start);
    }
  std::vector<double> out;
  for (std::vector<double>& t : taken) out.push_back(median(std::move(t)));
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
  wf::pricer<wf::rational> price(g, kernels, wf::flops);
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
  std::snprintf(total, sizeof total,
                "    all nodes %.3f ms; the rest is mostly copying arguments and results\n",
                1e3 * std::accumulate(seconds.begin(), seconds.end(), 0.0));
  return out + total;
}

}  // namespace linalg_benchmark
