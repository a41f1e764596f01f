// SPDX-License-Identifier: BSL-1.0
//
// ResNet-50, built by a loop from its published architecture while compiling, priced, mapped onto
// an 8x8 array of accelerator cores with a certified gap, and replayed by the simulator: one
// sample, and a pipelined batch of 64.
#include <wf/map.hpp>
#include <wf/map/batch/map.hpp>
#include <wf/report.hpp>
#include <wf/report/mapping/json.hpp>
#include <wf/report/mapping/page.hpp>
#include <wf/simulate/replay/batch.hpp>
#include <wf/simulate/replay/contention.hpp>
#include <wf/wf.hpp>

#include "networks/resnet50.hpp"
#include "support.hpp"

using namespace wf::literals;

constexpr auto network = wf::workflow<"resnet50">([](wf::scope& s) { networks::resnet50(s); });

// The published figures: 53 convolutions, 16 sums, 2 poolings, 1 product; 3.87 G operations.
static_assert(network.graph().nodes.size() == 72);
static_assert(wf::cost(network)[wf::operations] == 3'870'918'656);
static_assert(wf::cost(network)[wf::macs] == 3'857'973'248);

namespace {

// An 8x8 mesh of cores, each with 1,024 MAC/cycle and 1 MiB; 24 B/cycle per link, 64 B/cycle of
// DRAM.
wf::pe_array accelerator() {
  wf::pe_array array;
  array.rows = array.columns = 8;
  array.macs_per_cycle = 1024;
  array.vector_ops_per_cycle = 64;
  array.memory_bytes = 1_MiB;
  array.link_bytes_per_cycle = 24;
  array.hop_latency = 1;
  array.dram_bytes_per_cycle = 64;
  return array;
}

wf::table<wf::text_view> kinds_of(const wf::workload& w) {
  wf::table<wf::text_view> kinds;
  for (const wf::workload_operator& o : w.operators)
    kinds.push_back(network.graph().op_name(network.graph()[o.node]));
  return kinds;
}

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  const auto registry = wf::builtin_registry();
  const wf::workload work = support::value_or_exit(wf::workload_of(network.graph(), registry));
  std::cout << "resnet50: " << work.operators.size() << " operators, "
            << wf::text().grouped(wf::cost(network)[wf::operations])
            << " operations a sample, of them " << wf::text().grouped(wf::cost(network)[wf::macs])
            << " multiply-accumulates\n";

  // The search is anytime: the callback sees every better incumbent and bound, and may stop it.
  wf::text progress, shown;
  wf::search_progress last;
  const auto watch = [&](const wf::search_progress& p) {
    const wf::text gap = support::percent(p.gap());
    if (p.incumbent != last.incumbent || gap != shown) {
      progress << "states " << p.nodes << ": incumbent ";
      progress.grouped(p.incumbent) << ", bound ";
      progress.grouped(p.bound) << ", gap " << gap.view() << '\n';
    }
    last = p;
    shown = gap;
    return true;
  };
  wf::map_options options;
  options.limits.max_nodes = 3000;
  const wf::pe_array array = accelerator();
  const wf::mapping placed = support::value_or_exit(wf::map(work, array, options, watch));
  progress << "end: incumbent ";
  progress.grouped(placed.makespan) << ", bound ";
  progress.grouped(placed.bound) << ", gap " << support::percent(placed.gap()).view() << ", "
                                 << wf::to_text(placed.status) << '\n';
  std::cout << progress;

  const wf::execution_trace replay = support::value_or_exit(wf::simulate(work, array, placed));
  support::require(replay.makespan == placed.makespan, "simulated makespan = searched makespan");
  const wf::text contention =
      wf::to_text(support::value_or_exit(wf::measure_contention(work, array, placed)));
  std::cout << contention << "utilisation " << support::percent(placed.utilisation())
            << ", at most " << wf::text().grouped(placed.most_memory()) << " bytes in a PE\n";

  // --8<-- [start:batch]
  wf::workload batch = work;
  batch.batch = 64;
  const wf::batch_mapping flow = support::value_or_exit(wf::map(batch, array, wf::batch_options{}));
  const wf::batch_trace trace = support::value_or_exit(wf::simulate(array, flow));
  support::require(trace.makespan == flow.makespan, "simulated makespan = planned makespan");
  const wf::text segments = wf::to_text(flow, batch);
  std::cout << segments;
  // --8<-- [end:batch]

  const auto kinds = kinds_of(work);
  wf::html_page page("resnet50");
  page.add_heading("ResNet-50 on an 8x8 array");
  page.add_paragraph(
      "8-bit integers, batch 1; 64 cores of 1,024 MAC/cycle and 1 MiB, mesh links of 24 B/cycle, "
      "DRAM of 64 B/cycle. Cycle model: wf's cycle_model (include/wf/map/array/cost_model.hpp).");
  page.add_preformatted(progress.view());
  page.add_preformatted(contention.view());
  page.add_preformatted(segments.view());
  wf::add_mapping(page, placed, work, kinds, array.memory_bytes);
  page.add_picture(wf::to_svg(network.graph()).view(), "The captured graph.");
  support::write(folder / "resnet50.fragment.html", page.body());
  support::write(folder / "resnet50.trace.json",
                 wf::to_perfetto(replay, work, array.columns).view());
  support::write(folder / "resnet50.mapping.json", wf::to_json(placed, work).view());
  support::write(folder / "resnet50.dot", wf::to_dot(network.graph()).view());
}
