// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include <wf/select/compact.hpp>
#include <wf/select/stage.hpp>

#include "enumerate.hpp"

// Packing models of random problems, and their optima by enumeration from the definition of a
// model: shares no code with the engine.
namespace enumerated {

// The model, with peaks or without, of a random problem that the reductions leave feasible.
inline wf::detail::packing_model random_model(std::mt19937& random, bool with_peaks = false) {
  for (;;) {
    const wf::selection_problem p = random_packing(random);
    const wf::detail::selection_stage stage = wf::detail::weighted_stage(p);
    const auto reduced = wf::detail::reduce(p, stage);
    if (!reduced.feasible) continue;
    wf::detail::selection_compactor compactor(p, stage, reduced);
    wf::detail::packing_model model = compactor.run();
    if (compactor.feasible() && model.classes > 0 && model.peaks.empty() != with_peaks)
      return model;
  }
}

// What a choice makes of a peak.
inline std::int64_t peak_of(const wf::detail::packing_model& m,
                            const std::vector<std::uint32_t>& chosen, std::size_t i) {
  const auto own = [&](std::uint32_t k) { return m.peak_cost[i * m.values + chosen[k]]; };
  std::int64_t most = m.peaks[i].floor;
  if (!m.peaks[i].path) {
    for (std::uint32_t k = 0; k < m.classes; ++k) most = std::max(most, own(k));
    return most;
  }
  const std::function<std::int64_t(std::uint32_t)> length = [&](std::uint32_t k) {
    std::int64_t below = 0;
    for (std::uint32_t n = m.need_first[chosen[k]]; n < m.need_first[chosen[k] + 1]; ++n)
      below = std::max(below, length(m.need[n]));
    return own(k) + below;
  };
  for (std::uint32_t k = 0; k < m.classes; ++k)
    if (m.root[k]) most = std::max(most, length(k));
  return most;
}

// True if one value for each class keeps rows, limits, peaks and, among classes that are not left
// out, the order that needs ask for.
inline bool is_solution(const wf::detail::packing_model& m,
                        const std::vector<std::uint32_t>& chosen) {
  for (std::uint32_t r = 0; r < m.rows; ++r) {
    int in = 0;
    for (std::uint32_t e = m.row_first[r]; e < m.row_first[r + 1]; ++e)
      in += chosen[m.owner[m.entry[e]]] == m.entry[e];
    if (in > 1) return false;
  }
  for (std::size_t l = 0; l < m.capacity.size(); ++l) {
    std::int64_t used = 0;
    for (const std::uint32_t v : chosen) used += m.weight[l * m.values + v];
    if (used > m.capacity[l]) return false;
  }
  // A class that needs only classes that are done is done; what is never done is in a cycle.
  std::vector<bool> done(m.classes, false);
  for (std::uint32_t round = 0; round < m.classes; ++round)
    for (std::uint32_t k = 0; k < m.classes; ++k) {
      bool ready = true;
      for (std::uint32_t i = m.need_first[chosen[k]]; i < m.need_first[chosen[k] + 1]; ++i)
        ready = ready && done[m.need[i]];
      if (ready) done[k] = true;
    }
  for (const bool d : done)
    if (!d) return false;
  for (std::size_t i = 0; i < m.peaks.size(); ++i)
    if (peak_of(m, chosen, i) > m.peaks[i].capacity) return false;
  return true;
}

// The least cost of a solution, the base included.
inline std::optional<std::int64_t> optimum(const wf::detail::packing_model& m) {
  std::optional<std::int64_t> best;
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t k = 0; k < m.classes; ++k) chosen.push_back(m.first[k]);
  for (;;) {
    if (is_solution(m, chosen)) {
      std::int64_t cost = m.base;
      for (const std::uint32_t v : chosen) cost += m.cost[v];
      for (std::size_t i = 0; i < m.peaks.size(); ++i)
        cost += m.peaks[i].weight * peak_of(m, chosen, i);
      if (!best || cost < *best) best = cost;
    }
    std::uint32_t k = 0;
    while (k < m.classes && ++chosen[k] == m.first[k + 1]) {
      chosen[k] = m.first[k];
      ++k;
    }
    if (k == m.classes) return best;
  }
}

// The number of choices that `optimum` goes through.
inline double choices(const wf::detail::packing_model& m) {
  double count = 1;
  for (std::uint32_t k = 0; k < m.classes; ++k) count *= m.first[k + 1] - m.first[k];
  return count;
}

}  // namespace enumerated
