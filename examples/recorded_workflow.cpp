// SPDX-License-Identifier: BSL-1.0
//
// A recorded workflow in WfFormat: read, priced, scheduled, simulated; and a workflow of wf written
// in WfFormat.
#include <iostream>

#include <wf/adapt/wfformat.hpp>
#include <wf/adapt/wfformat/build_rules.hpp>
#include <wf/adapt/wfformat/from_graph.hpp>
#include <wf/adapt/wfformat/program.hpp>
#include <wf/adapt/wfformat/replay.hpp>
#include <wf/adapt/wfformat/to_graph.hpp>
#include <wf/map.hpp>
#include <wf/report/graph/svg.hpp>
#include <wf/report/trace/schedule.hpp>
#include <wf/simulate.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

namespace {

// Two pictures are cleaned, then joined.
constexpr const char* record = R"({
  "name": "mosaic", "schemaVersion": "1.5",
  "workflow": {
    "specification": {
      "tasks": [
        {"name": "clean", "id": "clean_1", "parents": [], "children": ["join"],
         "inputFiles": ["east.raw"], "outputFiles": ["east.fits"]},
        {"name": "clean", "id": "clean_2", "parents": [], "children": ["join"],
         "inputFiles": ["west.raw"], "outputFiles": ["west.fits"]},
        {"name": "join", "id": "join", "parents": ["clean_1", "clean_2"], "children": [],
         "inputFiles": ["east.fits", "west.fits"], "outputFiles": ["sky.fits"]}
      ],
      "files": [
        {"id": "east.raw", "sizeInBytes": 50000000}, {"id": "west.raw", "sizeInBytes": 70000000},
        {"id": "east.fits", "sizeInBytes": 10000000}, {"id": "west.fits", "sizeInBytes": 20000000},
        {"id": "sky.fits", "sizeInBytes": 25000000}
      ]
    },
    "execution": {
      "makespanInSeconds": 21.5, "executedAt": "2024-05-06T07:08:09Z",
      "tasks": [
        {"id": "clean_1", "runtimeInSeconds": 8.25, "machines": ["m1"]},
        {"id": "clean_2", "runtimeInSeconds": 9.5, "machines": ["m1"]},
        {"id": "join", "runtimeInSeconds": 4.125, "machines": ["m1"]}
      ],
      "machines": [{"nodeName": "m1", "cpu": {"coreCount": 2}}]
    }
  }
})";

// --8<-- [start:workflow]
constexpr auto normal_equations = wf::workflow<"normal_equations">([](wf::scope& s) {
  auto a = s.input<"A", double, 2000, 200>();
  auto y = s.input<"y", double, 2000>();
  s.output<"x">(solve(trans(a) * a, trans(a) * y));
});
// --8<-- [end:workflow]

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  const std::string path = (folder / "mosaic.json").string();
  support::write(path, record);

  // --8<-- [start:read]
  // An error names the file, the field, line and column.
  const wf::wfformat::instance recorded = support::value_or_exit(wf::wfformat::load(path));
  for (const wf::wfformat::task& task : recorded.workflow.specification.tasks)
    std::cout << task.id.view() << " reads " << task.input_files.size() << " files\n";
  // --8<-- [end:read]

  // --8<-- [start:graph]
  const auto made = support::value_or_exit(wf::wfformat::to_graph(recorded));
  const wf::graph_view g = made.workflow.view();
  const wf::registry kernels = wf::builtin_registry();
  std::cout << "work " << *wf::price(g, wf::execution_time, kernels) << " ns, longest path "
            << *wf::price(g, wf::latency, kernels) << " ns\n";
  // --8<-- [end:graph]

  // --8<-- [start:schedule]
  wf::task_options two;
  two.processors = 2;
  two.rate = 1'000'000;     // nanoseconds in a unit of time: milliseconds
  two.link = {125'000, 1};  // bytes per millisecond, and latency
  const auto s = support::value_or_exit(wf::schedule(g, wf::execution_time, kernels, two));
  std::cout << "scheduled " << s.times.makespan << " ms, bound " << s.times.bound << " ms\n";
  support::write(folder / "mosaic.svg", wf::to_svg(g).view());
  support::write(folder / "mosaic_schedule.json",
                 wf::to_perfetto(wf::trace_of(s.tasks.graph, s.times), s.tasks.graph).view());
  // --8<-- [end:schedule]

  // --8<-- [start:simulate]
  wf::wfformat::machine_options cluster;
  cluster.decimals = 3;           // ticks of 10^-3 s
  cluster.latency = 500;          // ticks that the workflow system takes before each task
  cluster.hub_bandwidth = 125e6;  // bytes per second, shared by all transfers
  const auto replayed = support::value_or_exit(wf::wfformat::replay(recorded, cluster));
  std::cout << "replayed " << replayed.makespan << " ms\n";
  const auto lowered = support::value_or_exit(wf::wfformat::program_of(recorded, cluster));
  const auto times = support::value_or_exit(wf::simulate(lowered.program));
  std::cout << "as a program " << times.makespan << " ms\n";
  // --8<-- [end:simulate]

  // --8<-- [start:export]
  wf::wfformat::export_options options;
  options.units_per_second = 10'000'000'000;  // flops per second
  const auto exported = support::value_or_exit(
      wf::wfformat::from_graph(normal_equations.graph(), wf::flops, kernels, options));
  support::value_or_exit(wf::wfformat::save(exported, (folder / "normal_equations.json").string()));
  // --8<-- [end:export]

  // --8<-- [start:rules]
  // The shell command of each task of the mosaic, by its index.
  const auto command = [&](std::uint32_t task) {
    return wf::text("./mosaic_step ") << recorded.workflow.specification.tasks[task].id.view();
  };
  const auto makefile = support::value_or_exit(wf::wfformat::to_makefile(recorded, command));
  const auto snakefile = support::value_or_exit(wf::wfformat::to_snakefile(recorded, command));
  support::write(folder / "Makefile", makefile.view());
  support::write(folder / "Snakefile", snakefile.view());
  // --8<-- [end:rules]
  support::require(wf::wfformat::load((folder / "normal_equations.json").string()).has_value(),
                   "what was exported is read again");
}
