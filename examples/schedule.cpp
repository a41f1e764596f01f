// SPDX-License-Identifier: BSL-1.0
//
// A workflow on two processors with limited memory: the start times of its nodes, and the proof
// that no schedule is shorter.
#include <iostream>

#include <wf/map.hpp>
#include <wf/report/mapping/schedule_page.hpp>
#include <wf/report/trace/schedule.hpp>
#include <wf/run/dynamic.hpp>
#include <wf/simulate.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

namespace {

// --8<-- [start:workflow]
// Least squares for two sets of observations, then the difference of the two estimates.
constexpr auto compare = wf::workflow<"compare">([](wf::scope& s) {
  auto a = s.input<"A", double, 200, 20>();
  auto b = s.input<"B", double, 300, 20>();
  auto y = s.input<"y", double, 200>();
  auto z = s.input<"z", double, 300>();
  auto gram_a = s.let<"gram_a">(trans(a) * a);
  auto gram_b = s.let<"gram_b">(trans(b) * b);
  auto from_a = s.let<"from_a">(solve(gram_a, s.let<"moment_a">(trans(a) * y)));
  auto from_b = s.let<"from_b">(solve(gram_b, s.let<"moment_b">(trans(b) * z)));
  s.output<"change">(s.let<"difference">(from_a - from_b));
});
// --8<-- [end:workflow]

// --8<-- [start:machine]
constexpr wf::task_options machine() {
  wf::task_options two;
  two.processors = 2;
  two.rate = 16;        // flops per processor and cycle
  two.link = {4, 100};  // bytes per cycle, and latency in cycles
  return two;
}
// --8<-- [end:machine]

// --8<-- [start:static]
// Scheduled and proven while compiling.
constexpr std::int64_t cycles(const wf::task_options& options) {
  const wf::registry kernels = wf::builtin_registry();
  const auto s = wf::schedule(compare.graph(), wf::flops, kernels, options);
  return s && s->times.proven() ? s->times.makespan : -1;
}
static_assert(cycles(machine()) == 15'373);
// --8<-- [end:static]

void print(const wf::workflow_schedule& s) {
  std::cout << "makespan " << s.times.makespan << ", bound " << s.times.bound << '\n';
  for (std::size_t t = 0; t < s.times.tasks.size(); ++t)
    std::cout << "  " << s.tasks.graph.tasks[t].label << ": processor "
              << s.times.tasks[t].processor << ", " << s.times.tasks[t].start << ".."
              << s.times.tasks[t].finish << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  const wf::graph_view g = compare.graph();
  // --8<-- [start:schedule]
  const wf::registry kernels = wf::builtin_registry();
  const wf::workflow_schedule two =
      support::value_or_exit(wf::schedule(g, wf::flops, kernels, machine()));
  print(two);
  // --8<-- [end:schedule]
  support::require(two.times.proven(), "no schedule is shorter");

  // --8<-- [start:resource]
  // Running tasks may use at most 16 KiB for results and scratch memory.
  wf::task_options small = machine();
  small.resources.push_back({wf::memory, 16'384, true});
  const wf::workflow_schedule tight =
      support::value_or_exit(wf::schedule(g, wf::flops, kernels, small));
  print(tight);
  // --8<-- [end:resource]
  support::require(two.times.makespan <= tight.times.makespan, "a limit makes nothing shorter");

  // --8<-- [start:replay]
  // The simulator starts each task as soon as its data, processor and memory are available.
  const wf::execution_trace replay =
      support::value_or_exit(wf::simulate(tight.tasks.graph, tight.times));
  support::require(replay.makespan == tight.times.makespan, "the replay takes as long");
  // --8<-- [end:replay]

  // --8<-- [start:draw]
  wf::html_page page("Two processors");
  wf::add_schedule(page, tight.tasks.graph, tight.times, {}, "cycles");
  support::write(folder / "schedule.html", page.page().view());
  support::write(folder / "schedule.svg",
                 wf::schedule_svg(replay, tight.tasks.graph, {}, "cycles").view());
  support::write(folder / "schedule.json", wf::to_perfetto(replay, tight.tasks.graph).view());
  // --8<-- [end:draw]

  // --8<-- [start:run]
  // The executor runs the nodes in the order of the schedule.
  const auto order = support::value_or_exit(wf::order_of(g, tight));
  const wf::graph ordered = support::value_or_exit(wf::reordered(g, order));
  const auto captured = support::value_or_exit(wf::executable_graph::prepare(g));
  const auto scheduled = support::value_or_exit(wf::executable_graph::prepare(ordered));
  wf::named_matrices data;
  data["A"] = Eigen::MatrixXd::Random(200, 20);
  data["B"] = Eigen::MatrixXd::Random(300, 20);
  data["y"] = Eigen::VectorXd::Random(200);
  data["z"] = Eigen::VectorXd::Random(300);
  const auto expected = support::value_or_exit(captured(data));
  const auto found = support::value_or_exit(scheduled(data));
  support::require(found.at("change") == expected.at("change"), "the order changes no value");
  // --8<-- [end:run]
}
