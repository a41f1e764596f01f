// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <memory>

#include <wf/choice/builtin.hpp>
#include <wf/choice/graph/extract.hpp>
#include <wf/choice/growth/growth.hpp>
#include <wf/core/compiled.hpp>
#include <wf/cost/cost_table.hpp>
#include <wf/map/array/from_graph.hpp>
#include <wf/map/place/map.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/report/graph/explain.hpp>
#include <wf/report/graph/explain_library.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/run/plan/executable_plan.hpp>
#include <wf/run/plan/host_library.hpp>
#include <wf/select/bodies.hpp>
#include <wf/select/optimise.hpp>
#include <wf/select/optimise_on_cores.hpp>
#include <wf/select/select.hpp>
#include <wf/simulate/replay/mapping.hpp>

// Definitions of what a program may have compiled once: of <wf/run/plan/executable_plan.hpp>, and
// of the functions behind `call_compiled`. Include this in one source file of a program; otherwise
// the program links `wf::compiled`, which is that file.
namespace wf {

namespace detail {

template struct compiled<&list_builtin_transforms>;
template struct compiled<&make_builtin_registry>;
template struct compiled<&make_timed_registry<kernels::host_times>>;
template struct compiled<&make_cost_table>;
template struct compiled<&grow_with<const any_growth_callback>>;
template struct compiled<&price_metrics>;
template struct compiled<&solve_selection<const in_turn>>;
template struct compiled<&select_priced<const any_progress_callback>>;
template struct compiled<&plan_from<const any_progress_callback>>;
template struct compiled<&plan_for_cores<const any_progress_callback>>;
template struct compiled<&extract_from>;
template struct compiled<&explain_plan>;
template struct compiled<&make_workload>;
template struct compiled<&map_with<cycle_model, all_strategies, const in_turn>>;
template struct compiled<&replay_mapping<cycle_model>>;
template struct compiled<&make_placed_executable<double>>;
template struct compiled<&run_placed<double>>;
template struct compiled<&bind_placed<double>>;

struct planned_workflow {
  registry kernels;
  table<transform> transforms;
  plan made;
  text cores;  // what several cores were used for
  std::uint32_t number_of_cores = 1;
  executable_graph executable;
};

// Asks the caller whether growth or search may go on.
inline auto progress_callback(const planning_options& options) {
  return
      [&options](const search_progress& now) { return !options.progress || options.progress(now); };
}

// Chooses for a workflow whose bodies are chosen.
inline result<nothing> choose_plan(const graph_view& workflow, const planning_options& options,
                                   const optimise_options& how, planned_workflow& out) {
  const auto watch = progress_callback(options);
  const std::size_t cores = options.storage.cores.size;
  if (options.storage.cores.is_parallel() && options.minimised == execution_time) {
    auto made = optimise_on_cores(workflow, static_cast<std::uint32_t>(cores), options.limits,
                                  out.kernels, how, watch);
    if (!made) return made.error();
    out.cores = explain_cores(*made);
    out.made = static_cast<plan&&>(made->made);
    return nothing{};
  }
  auto made =
      optimise(workflow, minimise(options.minimised), options.limits, out.kernels, how, watch);
  if (!made) return made.error();
  out.made = *static_cast<decltype(made)&&>(made);
  return nothing{};
}

// The same with the best bodies; with those of the workflow if the limits exclude these.
inline result<nothing> choose_bodies(const graph_view& workflow, const planning_options& options,
                                     const optimise_options& how, planned_workflow& out) {
  if (options.as_written || number_of_bodies(workflow, out.kernels) == 0)
    return choose_plan(workflow, options, how, out);
  const auto watch = progress_callback(options);
  const auto bodies =
      optimise_bodies(workflow, minimise(options.minimised), out.kernels, how, watch);
  if (!bodies) return bodies.error();
  auto done = choose_plan(bodies->workflow.view(), options, how, out);
  if (!done && done.error().code == errc::infeasible)
    return choose_plan(workflow, options, how, out);
  if (done) out.made.proven_optimal = out.made.proven_optimal && bodies->proven_optimal;
  return done;
}

// Plans a workflow of static shapes and prepares its executable.
inline result<nothing> plan_static(const graph_view& workflow, const planning_options& options,
                                   planned_workflow& out) {
  out.kernels = host_registry();
  if (auto added = out.kernels.add(options.kernels); !added) return added.error();
  out.kernels.set_caches(options.caches);
  if (!options.as_written) {
    out.transforms = table<transform>(builtin_transforms());
    for (const transform& t : options.transforms) out.transforms.push_back(t);
  }
  const optimise_options how{out.transforms, options.growth, options.search};
  out.number_of_cores = static_cast<std::uint32_t>(options.storage.cores.as_team().size());
  if (auto done = choose_bodies(workflow, options, how, out); !done) return done;
  execution_options how_executed = options.storage;
  how_executed.kernels = &out.kernels;
  for (const limit& l : options.limits)  // a promise that several threads must keep, too
    if (l.metric == peak_memory && l.maximum >= 0 &&
        static_cast<std::uint64_t>(l.maximum) < how_executed.most_bytes)
      how_executed.most_bytes = static_cast<std::size_t>(l.maximum);
  auto executable = executable_graph::prepare(out.made.chosen.view(), how_executed);
  if (!executable) return executable.error();
  out.executable = *static_cast<decltype(executable)&&>(executable);
  return nothing{};
}

}  // namespace detail

result<nothing> bound_plan::run(const std::stop_token& stop) const { return bound_->run(stop); }

result<executable_plan> executable_plan::make(const graph_view& workflow,
                                              const planning_options& options) {
  const auto out = std::make_shared<detail::planned_workflow>();
  result<nothing> done = nothing{};
  if (options.sizes.empty()) {
    done = detail::plan_static(workflow, options, *out);
  } else {
    const auto sized = bind_symbols(workflow, options.sizes);
    if (!sized) return sized.error();
    done = detail::plan_static(sized->view(), options, *out);
  }
  if (!done) return done.error();
  executable_plan made;
  made.made_ = out;
  return made;
}

result<named_matrices> executable_plan::operator()(const named_matrices& arguments) const {
  return made_->executable(arguments);
}
result<nothing> executable_plan::run(view<input_matrix> inputs, view<output_matrix> outputs,
                                     const std::stop_token& stop) const {
  return made_->executable.run(inputs, outputs, stop);
}
result<bound_plan> executable_plan::bind(view<input_matrix> inputs,
                                         view<output_matrix> outputs) const {
  auto bound = made_->executable.bind(inputs, outputs);
  if (!bound) return bound.error();
  bound_plan out;
  out.bound_ = std::make_shared<const bound_graph>(*static_cast<decltype(bound)&&>(bound));
  return out;
}

graph_view executable_plan::chosen() const { return made_->made.chosen.view(); }
std::int64_t executable_plan::value() const { return made_->made.value; }
std::int64_t executable_plan::bound() const { return made_->made.bound; }
bool executable_plan::proven_optimal() const { return made_->made.proven_optimal; }
std::size_t executable_plan::workspace_bytes() const { return made_->executable.workspace_bytes(); }
std::size_t executable_plan::threads() const { return made_->executable.threads(); }
result<text> executable_plan::explain(view<metric_spec> metrics) const {
  auto out = wf::explain(made_->made, metrics, made_->kernels, made_->transforms);
  if (!out) return out;
  auto library = explain_library(chosen(), made_->number_of_cores, made_->kernels);
  if (!library) return library;
  text all = made_->cores;
  all << *out << *library;
  return all;
}
const plan& executable_plan::details() const { return made_->made; }

}  // namespace wf
