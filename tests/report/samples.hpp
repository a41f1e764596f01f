// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>

#include <wf/capture/workflow.hpp>
#include <wf/map/array/mapping.hpp>
#include <wf/simulate/trace.hpp>

#include "../choice/expressions.hpp"
#include "../map/small_problems.hpp"

// Samples for the tests of exporters: small, and fixed by hand where an engine might change them.
namespace samples {

using expressions::kalman;

// A network of three operators, with a name that needs escaping everywhere.
inline wf::workload network() {
  wf::workload w = wf_test::alike("network", {}, {"conv1", "relu <&> \"1\"", "pool"});
  w.connect(0, 1, 256);
  w.connect(0, 2, 128);
  return w;
}

// Two operators that the engine maps, and an array for them.
inline wf::workload two_operators() {
  wf::workload_operator o;
  o.macs = 4096;
  o.first_axis = o.second_axis = 64;
  o.output_bytes = 256;
  wf::workload w = wf_test::alike("two", o, {"first", "second<&>"});
  w.connect(0, 1, 256);
  return w;
}
inline wf::pe_array small_array() {
  wf::pe_array a;
  a.rows = a.columns = 2;
  a.macs_per_cycle = 16;
  a.memory_bytes = 1 << 20;
  a.link_bytes_per_cycle = 16;
  a.dram_bytes_per_cycle = 16;
  return a;
}

inline constexpr wf::text_view network_kinds[] = {"conv2d", "relu", "max_pool"};

// The network on 2x2 PEs: the convolution on all of them, then both readers side by side.
inline wf::mapping network_mapping() {
  constexpr wf::rectangle places[] = {{0, 0, 2, 2}, {0, 0, 1, 2}, {1, 1, 1, 1}};
  constexpr std::int64_t starts[] = {0, 2000, 2100}, finishes[] = {2000, 2500, 4000};
  wf::mapping m;
  for (std::uint32_t op = 0; op < 3; ++op) {
    wf::placement p;
    p.where = places[op];
    p.start = starts[op];
    p.finish = finishes[op];
    p.how = {1, 1, p.finish - p.start, 4096 << 2 * op};
    p.result_bytes = 1024;
    m.operators.push_back(p);
    m.sequence.push_back(op);
  }
  m.makespan = 4000;
  m.rows = m.columns = 2;
  m.busy = {2500, 2500, 2000, 3900};
  m.high_water = {18432, 18432, 5120, 67584};
  return m;
}

// The trace of that mapping, with both transfers.
inline wf::execution_trace network_trace() {
  const wf::mapping m = network_mapping();
  const auto where = [&](std::uint32_t op) { return m.operators[op].where; };
  wf::execution_trace t;
  using kind = wf::trace_kind;
  t.events = {{kind::execute, 0, 0, 0, 2000, where(0), where(0), 384},
              {kind::transfer, 0, 2, 2000, 2100, where(0), where(2), 128},
              {kind::execute, 1, 1, 2000, 2500, where(1), where(1), 256},
              {kind::execute, 2, 2, 2100, 4000, where(2), where(2), 64}};
  t.makespan = 4000;
  return t;
}

// The number of occurrences of a part in a text.
inline std::size_t count(wf::text_view text, const char* part) {
  const std::string all(text);
  std::size_t n = 0;
  for (auto at = all.find(part); at != std::string::npos; at = all.find(part, at + 1)) ++n;
  return n;
}
inline bool contains(wf::text_view text, const char* part) { return count(text, part) != 0; }

}  // namespace samples
