// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/batch/plan.hpp>

namespace wf {

/// Lower bound on the PE cycles of every mapping: the sum over operators of their minimum PE
/// cycles, on the best shape with the best sub-batch, with all operands in the stage and all
/// weights in its PEs. Divided by the number of PEs it bounds the makespan. It holds for every
/// predictor that is not faster for more bytes. Once `go_on()` is false, the remaining operators
/// count as 0.
template <tile_predictor Predictor, class GoOn>
constexpr int128 least_area(const segment_planner<Predictor>& planner,
                            view<std::int64_t> sub_batches, GoOn&& go_on) {
  const batch_work& w = planner.work();
  const pe_array& a = planner.array();
  int128 area = 0;
  table<operator_load> loads;
  table<std::int64_t> least;
  for (std::uint32_t v = 0; v < w.size(); ++v) {
    operator_load one = planner.load_of(v, 1, [](std::uint32_t) { return true; });
    one.weight_bytes = 0;
    std::size_t k = 0;
    while (k < loads.size() && !(loads[k] == one)) ++k;
    if (k == loads.size()) {
      loads.push_back(one);
      least.push_back(INT64_MAX);
      for (std::int64_t b : sub_batches) {
        operator_load load = planner.load_of(v, b, [](std::uint32_t) { return true; });
        load.weight_bytes = 0;
        for (std::int32_t r = 1; r <= a.rows; ++r) {
          if (!go_on()) return area;
          for (std::int32_t c = 1; c <= a.columns; ++c)
            planner.tilings(load, r, c, [&](const tiling& t) {
              const int128 cycles = static_cast<int128>(t.cycles + planner.spread_cycles(r, c)) *
                                    (w.batch / b) * r * c;
              if (cycles < least[k]) least[k] = static_cast<std::int64_t>(cycles);
            });
        }
      }
    }
    if (least[k] < INT64_MAX) area += least[k];
  }
  return area;
}

}  // namespace wf
