// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/map/array/pe_array.hpp>
#include <wf/map/array/workload.hpp>

// Problems small enough to be counted by hand, also while compiling.
namespace wf_test {

/// Operators that differ only in their labels.
template <std::size_t N>
constexpr wf::workload alike(const char* name, wf::workload_operator o,
                             const char* const (&labels)[N]) {
  wf::workload w;
  w.name = wf::text(name);
  for (const char* label : labels) {
    o.label = wf::text(label);
    w.add(o);
  }
  return w;
}

/// A chain of operators, each of which reads the 8 bytes of its predecessor, for a batch of
/// samples.
constexpr wf::workload batch_chain(std::uint32_t operators, std::int64_t batch) {
  wf::workload w;
  w.name = wf::text("chain");
  w.batch = batch;
  for (std::uint32_t k = 0; k < operators; ++k) {
    wf::workload_operator o;
    o.label = wf::text("op") << k;
    o.macs = 64;
    o.weight_bytes = o.output_bytes = 8;
    o.input_bytes = k == 0 ? 8 : 0;
    o.is_output = k + 1 == operators;
    o.first_axis = o.second_axis = 4;
    w.add(o);
    if (k > 0) w.connect(k - 1, k, 8);
  }
  return w;
}

/// PEs in a row with 4 multiply-accumulates per cycle each, and a DRAM of 8 bytes per cycle.
constexpr wf::pe_array row_of(std::int32_t columns, std::int64_t memory, std::int64_t link = 4) {
  wf::pe_array a;
  a.columns = columns;
  a.macs_per_cycle = 4;
  a.memory_bytes = memory;
  a.link_bytes_per_cycle = link;
  a.dram_bytes_per_cycle = 8;
  return a;
}

// An operator without weights, of 4 x 4 units of work.
constexpr wf::workload_operator task(std::int64_t macs, std::int64_t bytes) {
  wf::workload_operator o;
  o.label = wf::text("task");
  o.macs = macs;
  o.output_bytes = bytes;
  o.first_axis = o.second_axis = 4;
  return o;
}

// A row of PEs with hops of 2 cycles and an unlimited DRAM.
constexpr wf::pe_array row_with_hops(std::int32_t columns, std::int64_t memory) {
  wf::pe_array a;
  a.columns = columns;
  a.memory_bytes = memory;
  a.link_bytes_per_cycle = 4;
  a.dram_bytes_per_cycle = 1 << 20;
  a.hop_latency = 2;
  return a;
}

}  // namespace wf_test
