// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>

#include <wf/map/array/pe_array.hpp>
#include <wf/map/array/workload.hpp>

#include "random_workload.hpp"

namespace wf_test {

/// A random workload in layers of `width` operators, each of which reads one to three results of
/// the previous layer, like a large network. Few operators are equal.
inline wf::workload layered_workload(std::mt19937_64& random, std::uint32_t operators,
                                     std::uint32_t width) {
  wf::workload w;
  w.name = wf::text("layered");
  for (std::uint32_t i = 0; i < operators; ++i) {
    wf::workload_operator o;
    o.label = wf::text("op") << i;
    o.macs = pick(random, 1, 40) * 20'000;
    o.elementwise = pick(random, 0, 2) * 100;
    o.weight_bytes = pick(random, 0, 1) * pick(random, 1, 8) * 500;
    o.output_bytes = pick(random, 1, 8) * 1'000;
    o.first_axis = pick(random, 1, 40);
    o.second_axis = pick(random, 1, 40);
    o.is_output = i + width >= operators;
    w.add(o);
    const std::uint32_t layer = i / width;
    if (layer == 0) continue;
    for (std::int64_t k = pick(random, 1, 3); k > 0; --k) {
      const auto from =
          static_cast<std::uint32_t>(pick(random, 0, width - 1)) + (layer - 1) * width;
      w.connect(from, i, w.operators[from].output_bytes);
    }
  }
  return w;
}

/// An array of 8 × 8 PEs with `memory_bytes` each.
inline wf::pe_array square_array(std::int64_t memory_bytes) {
  wf::pe_array a;
  a.rows = a.columns = 8;
  a.macs_per_cycle = 16;
  a.vector_ops_per_cycle = 4;
  a.memory_bytes = memory_bytes;
  a.link_bytes_per_cycle = 24;
  a.hop_latency = 2;
  a.dram_bytes_per_cycle = 64;
  return a;
}

}  // namespace wf_test
