// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/map/batch/mapping.hpp>
#include <wf/simulate/replay/batch.hpp>

#include "../map/small_problems.hpp"

// A batch mapping fixed by hand: two concurrent stages, then one on all four PEs.
namespace samples {

inline wf::workload batch_network() {
  wf::workload w = wf_test::alike("batches", {}, {"conv1", "relu <&>", "pool", "größe"});
  w.batch = 4;
  return w;
}

inline wf::pe_array batch_array() {
  wf::pe_array a;
  a.rows = a.columns = 2;
  a.memory_bytes = 1024;
  return a;
}

inline wf::batch_mapping batch_of_four() {
  wf::batch_mapping m;
  for (std::uint32_t op = 0; op < 4; ++op) {
    wf::stage_operator o;
    o.op = op;
    o.cycles = o.first_cycles = 100 + 10 * std::int64_t{op};
    o.weight_bytes = op == 0 ? 64 : 0;
    o.fetched_bytes = op == 2 ? 32 : 0;
    o.holds_weights = op == 0;
    m.operators.push_back(o);
  }
  m.stages = {{{0, 0, 1, 2}, 0, {0, 2}, 512},
              {{1, 0, 1, 2}, 1, {2, 1}, 1024},
              {{0, 0, 2, 2}, 0, {3, 1}, 100}};
  m.segments = {{{0, 2}, 2, 2, 7, 0, 700}, {{2, 1}, 4, 1, 0, 700, 1300}};
  m.makespan = 1300;
  m.bound = 900;
  return m;
}

}  // namespace samples
