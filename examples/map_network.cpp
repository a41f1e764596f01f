// SPDX-License-Identifier: BSL-1.0
//
// A small network on a 4x4 array: mapped under constraints of the user, cleaned up, replayed with
// and without contention, explained where it does not fit, and exported in every report format.
#include <wf/map.hpp>
#include <wf/map/batch/clean_up.hpp>
#include <wf/map/batch/map_part.hpp>
#include <wf/report.hpp>
#include <wf/report/mapping/json.hpp>
#include <wf/report/mapping/page.hpp>
#include <wf/report/trace/mapping.hpp>
#include <wf/search/threads.hpp>
#include <wf/simulate.hpp>
#include <wf/simulate/replay/contention.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

using namespace wf::literals;

namespace {

// --8<-- [start:array]
wf::pe_array accelerator() {
  wf::pe_array a;
  a.rows = a.columns = 4;
  a.macs_per_cycle = 64;
  a.vector_ops_per_cycle = 16;
  a.memory_bytes = 48_KiB;
  a.link_bytes_per_cycle = 16;
  a.hop_latency = 1;
  a.dram_bytes_per_cycle = 64;
  a.dead = {15};  // the last PE is broken
  return a;
}
// --8<-- [end:array]

// --8<-- [start:workload]
// A block with two branches; figures per sample in multiply-accumulates, operations and bytes.
wf::workload two_branches() {
  wf::workload w;
  w.name = "block";
  const auto product = [&](const char* label, std::int64_t rows, std::int64_t inner,
                           std::int64_t columns) {
    wf::workload_operator o;
    o.label = label;
    o.macs = rows * inner * columns;
    o.weight_bytes = inner * columns;
    o.output_bytes = rows * columns;
    o.first_axis = columns;
    o.second_axis = rows;
    return w.add(o);
  };
  const auto stem = product("stem", 64, 256, 256);
  w.operators[stem].input_bytes = 64 * 256;
  const auto left = product("left", 64, 256, 384);
  const auto narrow = product("narrow", 64, 256, 64);
  const auto right = product("right", 64, 64, 384);
  wf::workload_operator sum;
  sum.label = "sum";
  sum.elementwise = sum.output_bytes = 64 * 384;
  sum.first_axis = 384;
  sum.second_axis = 64;
  sum.is_output = true;
  const auto end = w.add(sum);
  for (const auto reader : {left, narrow}) w.connect(stem, reader, 64 * 256);
  w.connect(narrow, right, 64 * 64);
  for (const auto branch : {left, right})
    w.connect(branch, end, 64 * 384, wf::operand_split::by_both);
  return w;
}
// --8<-- [end:workload]

void explain(const wf::workload& w, wf::pe_array array) {
  // --8<-- [start:conflict]
  array.memory_bytes = 28_KiB;
  wf::map_constraints wishes;
  wishes.keep_inside(0, {0, 0, 2, 2}).order(1, 2);
  const wf::mapping_conflict why = support::value_or_exit(wf::find_conflict(w, array, wishes));
  std::cout << wf::to_text(why, w, wishes) << '\n';
  // --8<-- [end:conflict]
  wf::map_options options;
  options.constraints = wishes;
  const auto nothing = wf::map(w, array, options);
  support::require(!nothing && nothing.error().message == wf::to_text(why, w, wishes),
                   "the mapper says the same");
}

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  const wf::workload w = two_branches();
  const wf::pe_array array = accelerator();

  // --8<-- [start:map]
  wf::map_options options;
  options.limits.max_nodes = 2000;
  const auto watch = [](const wf::search_progress& p) {
    return 1000 * (p.incumbent - p.bound) > p.incumbent;  // continue until the gap is 0.1 %
  };
  const wf::mapping free = support::value_or_exit(wf::map(w, array, options, watch));
  std::cout << wf::to_text(free, w);
  // --8<-- [end:map]

  // --8<-- [start:wishes]
  options.constraints
      .pin(2, {0, 0, 1, 2})                      // "narrow" where its neighbour expects it
      .forbid(wf::every_operator, {3, 0, 1, 4})  // the last row belongs to another job
      .order(1, 3);                              // "left" before "right"
  const wf::mapping bound = support::value_or_exit(wf::map(w, array, options, watch));
  // --8<-- [end:wishes]

  // --8<-- [start:clean]
  wf::edit_options edit;
  edit.constraints = options.constraints;
  const wf::mapping cleaned = support::value_or_exit(wf::clean_up(w, array, bound, edit));
  support::require(cleaned.makespan <= bound.makespan, "a clean-up worsens nothing");
  std::cout << wf::to_text(cleaned, w) << "in use: " << wf::to_text(wf::used_rectangle(cleaned))
            << '\n';
  // --8<-- [end:clean]

  // --8<-- [start:contention]
  const wf::contention_report replay =
      support::value_or_exit(wf::measure_contention(w, array, cleaned, options.constraints));
  support::require(replay.exact(), "the replay takes what was planned");
  std::cout << wf::to_text(replay);
  // --8<-- [end:contention]

  explain(w, array);

  // --8<-- [start:part]
  wf::map_options quick;
  quick.limits.max_nodes = 200;
  wf::threads workers(2);
  const wf::part_mapping part = support::value_or_exit(wf::map_onto_part(
      w, array, quick, wf::keep_going{}, wf::cycle_model{}, wf::all_strategies{}, workers));
  std::cout << "best part: " << wf::to_text(part.part) << ", makespan " << part.placed.makespan
            << "; " << part.searched << " of " << part.parts << " parts searched\n";
  // --8<-- [end:part]

  // --8<-- [start:reports]
  wf::html_page page("block");
  wf::add_mapping(page, cleaned, w, {}, array.memory_bytes);
  page.add_preformatted(wf::to_text(replay).view());
  support::write(folder / "block.html", page.page().view());
  support::write(folder / "block.svg", wf::mapping_svg(cleaned, w).view());
  support::write(folder / "block.trace.json", wf::to_perfetto(cleaned, w).view());
  const wf::text json = wf::to_json(cleaned, w);
  support::write(folder / "block.mapping.json", json.view());
  support::require(*wf::parse_mapping_json(json.view(), w) == cleaned, "JSON keeps everything");
  // --8<-- [end:reports]
}
