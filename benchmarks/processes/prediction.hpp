// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <wf/adapt/yaml.hpp>
#include <wf/capture/equations/equations.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/map/schedule/from_graph.hpp>
#include <wf/run/mpi/mpi_transport.hpp>
#include <wf/run/network/placed_program.hpp>
#include <wf/run/network/run_program.hpp>
#include <wf/select/optimise.hpp>
#include <wf/simulate/platform/topology.hpp>
#include <wf/simulate/program/cluster.hpp>

#include <cpu_time.hpp>
#include <files.hpp>
#include <linalg/inputs.hpp>
#include <linalg/read_linnea.hpp>

namespace processes_benchmark {

/// Two textbook workflows beside the published ones, in their format: a regression whose records
/// are in four blocks, and four filters that estimate one state together.
inline constexpr const char* more_workflows = R"json([
 {"id": "blocks", "dims": {"n": 1600, "m": 400},
  "operands": {
   "A": {"kind": "Matrix", "size": ["n", "m"], "properties": ["FullRank"]},
   "B": {"kind": "Matrix", "size": ["n", "m"], "properties": ["FullRank"]},
   "C": {"kind": "Matrix", "size": ["n", "m"], "properties": ["FullRank"]},
   "D": {"kind": "Matrix", "size": ["n", "m"], "properties": ["FullRank"]},
   "a": {"kind": "ColumnVector", "size": ["n"], "properties": []},
   "b": {"kind": "ColumnVector", "size": ["n"], "properties": []},
   "c": {"kind": "ColumnVector", "size": ["n"], "properties": []},
   "d": {"kind": "ColumnVector", "size": ["n"], "properties": []}},
  "equations": [
   "M = trans(A)*A + trans(B)*B + trans(C)*C + trans(D)*D",
   "m = trans(A)*a + trans(B)*b + trans(C)*c + trans(D)*d",
   "x = inv(M)*m"],
  "outputs": ["x"]},
 {"id": "filters", "dims": {"n": 500, "m": 250},
  "operands": {
   "P": {"kind": "Matrix", "size": ["n", "n"], "properties": ["SPD"]},
   "Q": {"kind": "Matrix", "size": ["n", "n"], "properties": ["SPD"]},
   "S": {"kind": "Matrix", "size": ["n", "n"], "properties": ["SPD"]},
   "T": {"kind": "Matrix", "size": ["n", "n"], "properties": ["SPD"]},
   "H": {"kind": "Matrix", "size": ["m", "n"], "properties": ["FullRank"]},
   "R": {"kind": "Matrix", "size": ["m", "m"], "properties": ["SPD"]},
   "z": {"kind": "ColumnVector", "size": ["m"], "properties": []}},
  "equations": [
   "p = P*trans(H)*inv(H*P*trans(H) + R)*z",
   "q = Q*trans(H)*inv(H*Q*trans(H) + R)*z",
   "s = S*trans(H)*inv(H*S*trans(H) + R)*z",
   "t = T*trans(H)*inv(H*T*trans(H) + R)*z",
   "x = p + q + s + t"],
  "outputs": ["x"]}
])json";

/// A workflow that was planned and scheduled on all processes, with its predicted durations.
struct predicted_workflow {
  wf::task_program program;
  std::size_t tasks = 0;
  bool is_proven = false;   ///< no schedule is shorter by the same figures
  double alone_ms = 0;      ///< predicted for one process
  double planned_ms = 0;    ///< the makespan of the schedule
  double simulated_ms = 0;  ///< the same on a cluster whose messages share a link
};

/// Plans a problem for the least time of the calibrated machine, and schedules it on the processes.
inline wf::result<predicted_workflow> predict(const linalg_benchmark::problem& p,
                                              const wf::registry& kernels,
                                              const wf::kernel_file& machine, std::uint32_t ranks) {
  const auto captured =
      wf::equations({p.name.data(), p.name.size()}, {p.text.data(), p.text.size()});
  if (!captured) return captured.error();
  // Equal plans in all processes: the searches end by numbers of states, not by time.
  wf::optimise_options planning;
  planning.search.max_nodes = 200'000;
  wf::schedule_options scheduling;
  scheduling.limits.max_nodes = 1'000'000;
  const auto made =
      wf::optimise(captured->view(), wf::minimise(wf::execution_time), {}, kernels, planning);
  if (!made) return made.error();
  const wf::graph_view g = made->chosen.view();
  wf::task_options where;
  where.processors = ranks;
  where.link = wf::in_nanoseconds(machine.link());
  const auto planned = wf::schedule(g, wf::execution_time, kernels, where, scheduling);
  if (!planned) return planned.error();
  const auto places = wf::placement_of(g, *planned);
  if (!places) return places.error();
  auto program = wf::placed_program(g, kernels, *places);
  if (!program) return program.error();
  const wf::sim_host core{1e9, 1};
  const wf::sim_link link = wf::in_seconds(machine.link());
  // A link from each host to the centre: half of the latency each, and the bandwidth of one.
  const wf::sim_link half{link.bandwidth, link.latency / 2};
  const auto cluster = wf::program_of(*planned, wf::make_star(ranks, {&core, 1}, {&half, 1}, 1e9));
  if (!cluster) return cluster.error();
  const auto simulated = wf::simulate(cluster->program);
  if (!simulated) return simulated.error();
  predicted_workflow out;
  out.program = *std::move(program);
  out.tasks = planned->tasks.nodes.size();
  out.is_proven = planned->times.makespan == planned->times.bound;
  for (const wf::graph_task& t : planned->tasks.graph.tasks)
    out.alone_ms += 1e-6 * static_cast<double>(t.duration);
  out.planned_ms = 1e-6 * static_cast<double>(planned->times.makespan);
  out.simulated_ms = 1e-6 * static_cast<double>(simulated->makespan);
  return out;
}

/// Median milliseconds of a program on all processes, from a common start to the last end; a
/// negative number if it fails.
inline double measure(wf::mpi_transport& carrier, const predicted_workflow& w,
                      const wf::named_matrices& inputs, int rounds) {
  wf::program_runner runner(w.program);
  runner.prepare(carrier.rank());
  std::vector<double> taken;
  for (int round = 0; round <= rounds; ++round) {
    wf::named_matrices given = inputs;  // the time of the copy does not count
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    const auto ran = runner.run(carrier, [&](wf::text_view name) {
      return wf::result<wf::dynamic_matrix>(std::move(given[std::string(name)]));
    });
    double passed = MPI_Wtime() - begin, longest = 0;
    if (!ran || ran->failure.code != wf::errc::none) passed = 1e9;
    MPI_Allreduce(&passed, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (longest >= 1e9) return -1;
    if (round > 0) taken.push_back(1e3 * longest);
  }
  return wf_benchmark::median(taken);
}

/// How much slower a product of 500 rows is on all processes at this moment than its calibrated
/// time: the speed of a machine that is shared with others changes.
class reference {
 public:
  explicit reference(const wf::registry& kernels) {
    if (const auto ns = wf::price(product.graph(), wf::execution_time, kernels))
      calibrated_ns_ = static_cast<double>(*ns);
    if (auto made = wf::executable_graph::prepare(product.graph()))
      program_ = std::make_unique<wf::executable_graph>(*std::move(made));
  }
  /// The mean over processes of medians of seven runs, as a multiple of the calibrated time.
  double slowdown() {
    std::vector<double> taken;
    const std::vector<wf::input_matrix> from = {a_, a_};
    const std::vector<wf::output_matrix> to = {c_};
    MPI_Barrier(MPI_COMM_WORLD);
    for (int k = 0; k < 7; ++k) {
      const double begin = MPI_Wtime();
      (void)program_->run({from.data(), from.size()}, {to.data(), to.size()});
      taken.push_back(MPI_Wtime() - begin);
    }
    double own = 1e9 * wf_benchmark::median(taken) / calibrated_ns_, sum = 0;
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum / ranks;
  }

 private:
  static constexpr auto product = wf::workflow<"product">([](wf::scope& s) {
    s.output<"C">(s.input<"A", double, 500, 500>() * s.input<"B", double, 500, 500>());
  });

  double calibrated_ns_ = 1;
  std::unique_ptr<wf::executable_graph> program_;
  wf::dynamic_matrix a_ = wf::dynamic_matrix::Random(500, 500), c_{500, 500};
};

/// Predicts how long workflows take on the processes from measured times of kernels and of the
/// link, runs them, and prints both, one after the other.
inline int run_prediction(wf::mpi_transport& carrier, const std::string& times,
                          const std::string& path, double scale, int rounds) {
  const std::string source = wf_benchmark::read_whole(path);
  if (source.empty()) {
    if (carrier.rank() == 0)
      std::printf("execution: skipped: there is no %s; set WF_DATA_DIR\n", path.c_str());
    return 0;
  }
  auto problems = linalg_benchmark::read_linnea({source.data(), source.size()}, scale);
  const auto more = linalg_benchmark::read_linnea(more_workflows, 1);
  wf::registry kernels = wf::builtin_registry();
  const auto machine = wf::load_times(times, kernels);
  if (!problems || !more || !machine) {
    const wf::error& e = !problems ? problems.error() : !more ? more.error() : machine.error();
    std::fprintf(stderr, "execution: %s\n", std::string(wf::to_text(e).view()).c_str());
    return 1;
  }
  problems->insert(problems->end(), more->begin(), more->end());
  const bool prints = carrier.rank() == 0;
  if (prints)
    std::printf("%-12s %5s %10s %10s %10s %10s %7s %7s %6s %7s\n", "workflow", "tasks", "1 process",
                "planned", "simulated", "measured", "error", "sim.", "slower", "error");
  std::vector<double> errors, simulated_errors, errors_at_speed;
  reference now(kernels);
  for (const linalg_benchmark::problem& p : *problems) {
    const auto w = predict(p, kernels, *machine, carrier.ranks());
    if (!w) {
      std::fprintf(stderr, "execution: %s: %s\n", p.name.c_str(),
                   std::string(wf::to_text(w.error()).view()).c_str());
      return 1;
    }
    const double before = now.slowdown();
    const double took = measure(carrier, *w, linalg_benchmark::make_inputs(p, 1), rounds);
    const double slowdown = (before + now.slowdown()) / 2;
    if (took < 0) return std::fprintf(stderr, "execution: %s fails\n", p.name.c_str()), 1;
    errors.push_back(100 * std::abs(w->planned_ms / took - 1));
    simulated_errors.push_back(100 * std::abs(w->simulated_ms / took - 1));
    errors_at_speed.push_back(100 * std::abs(slowdown * w->planned_ms / took - 1));
    if (prints)
      std::printf(
          "%-12s %5zu %7.3f ms %7.3f ms %7.3f ms %7.3f ms %5.1f %% %5.1f %% %6.2f %5.1f %%%s\n",
          p.name.c_str(), w->tasks, w->alone_ms, w->planned_ms, w->simulated_ms, took,
          errors.back(), simulated_errors.back(), slowdown, errors_at_speed.back(),
          w->is_proven ? "" : "  (not proven)");
    std::fflush(stdout);
  }
  if (prints)
    std::printf(
        "RESULT suite=execution what=prediction ranks=%u workflows=%zu median_error=%.1f "
        "worst_error=%.1f simulated_median_error=%.1f at_present_speed=%.1f target=10\n",
        carrier.ranks(), errors.size(), wf_benchmark::median(errors),
        *std::max_element(errors.begin(), errors.end()), wf_benchmark::median(simulated_errors),
        wf_benchmark::median(errors_at_speed));
  return 0;
}

}  // namespace processes_benchmark
