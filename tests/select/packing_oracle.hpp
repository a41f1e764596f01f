// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include <wf/select/packing/compact.hpp>
#include <wf/select/stage.hpp>

#include "enumerate.hpp"

// Packing models of random problems, and their optima by enumeration from the definition of a
// model, without code of the engine.
namespace enumerated {

// The model of a problem; nothing if reduction proves the problem infeasible.
inline std::optional<wf::detail::packing_model> model_of(const wf::selection_problem& p) {
  const wf::detail::selection_stage stage = wf::detail::weighted_stage(p);
  const auto reduced = wf::detail::reduce(p, stage);
  if (!reduced.feasible) return std::nullopt;
  wf::detail::selection_compactor compactor(p, stage, reduced);
  const wf::detail::packing_model model = compactor.run();
  return compactor.feasible() ? std::optional(model) : std::nullopt;
}

// The model of a random problem that is feasible after reduction, with or without peaks.
inline wf::detail::packing_model random_model(std::mt19937& random, bool with_peaks = false) {
  for (;;) {
    const auto model = model_of(random_packing(random));
    if (model && model->classes > 0 && model->peaks.empty() != with_peaks) return *model;
  }
}

// Completes a model that has only classes, values, rows and limits.
constexpr void finish_flat(wf::detail::packing_model& m) {
  m.block = wf::table<std::uint32_t>(m.classes, wf::detail::packing_model::none);
  m.need_first = wf::table<std::uint32_t>(m.values + 1);
  m.finish();
}

// A vertex-cover model: a class for each vertex, which is in the cover at its cost or out of it,
// and a row for each edge, by which at most one of its ends is out.
class cover_model {
 public:
  constexpr explicit cover_model(wf::view<std::int64_t> cost) {
    for (const std::int64_t c : cost) {
      m_.add_class();
      m_.add_value(c, wf::detail::packing_model::none);
      m_.add_value(0, wf::detail::packing_model::none);
    }
  }
  constexpr void add_edge(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t out[] = {2 * (a < b ? a : b) + 1, 2 * (a < b ? b : a) + 1};
    m_.add_row(out);
  }
  constexpr wf::detail::packing_model finish() {
    finish_flat(m_);
    return m_;
  }

 private:
  wf::detail::packing_model m_;
};

// The prices of a solved relaxation, and the bound that they prove, in units of cost.
constexpr wf::detail::packing_prices prices_of(wf::detail::packing_ascent& ascent,
                                               const wf::detail::packing_state& state,
                                               const wf::detail::packing_simplex& simplex) {
  wf::detail::packing_pricer& pricer = ascent.pricer();
  wf::detail::packing_prices out = pricer.free_prices();
  pricer.set(out, state,
             [&](wf::detail::packing_duals& duals) { simplex.price(duals, pricer.scale()); });
  return out;
}
constexpr double bound_of(wf::detail::packing_ascent& ascent,
                          const wf::detail::packing_state& state,
                          const wf::detail::packing_simplex& simplex) {
  return static_cast<double>(ascent.bound(state, prices_of(ascent, state, simplex))) /
         static_cast<double>(ascent.pricer().scale());
}

inline std::uint32_t random_value(const wf::detail::packing_model& m, std::uint32_t k,
                                  std::mt19937& random) {
  return m.first[k] + below(random, m.first[k + 1] - m.first[k]);
}

// A random value for each class, usually not a solution.
inline wf::table<std::uint32_t> random_choice(const wf::detail::packing_model& m,
                                              std::mt19937& random) {
  wf::table<std::uint32_t> out;
  for (std::uint32_t k = 0; k < m.classes; ++k) out.push_back(random_value(m, k, random));
  return out;
}

// The value of a peak for a choice.
inline std::int64_t peak_of(const wf::detail::packing_model& m, wf::view<std::uint32_t> chosen,
                            std::size_t i) {
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

// True if one value per class satisfies rows, limits and peaks, and the needs among classes that
// are not left out have no cycle.
inline bool is_solution(const wf::detail::packing_model& m, wf::view<std::uint32_t> chosen) {
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
  // A class is done if it needs only classes that are done; one that is never done is on a cycle.
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

// The cost of the chosen values, without the base and without peaks.
inline std::int64_t cost_of(const wf::detail::packing_model& m, wf::view<std::uint32_t> chosen) {
  std::int64_t cost = 0;
  for (const std::uint32_t v : chosen) cost += m.cost[v];
  return cost;
}

// The cost of the peaks of a solution.
inline std::int64_t peaks_cost(const wf::detail::packing_model& m, wf::view<std::uint32_t> chosen) {
  std::int64_t cost = 0;
  for (std::size_t i = 0; i < m.peaks.size(); ++i)
    cost += m.peaks[i].weight * peak_of(m, chosen, i);
  return cost;
}

// Calls f with every choice of one value per class.
template <class F>
void for_each_choice(const wf::detail::packing_model& m, F f) {
  class_options options(m.classes);
  for (std::uint32_t v = 0; v < m.values; ++v) options[m.owner[v]].push_back(v);
  for_each_choice(options, f);
}

// Calls f with every solution.
template <class F>
void for_each_solution(const wf::detail::packing_model& m, F f) {
  for_each_choice(m, [&](const std::vector<std::uint32_t>& chosen) {
    if (is_solution(m, chosen)) f(chosen);
  });
}

struct priced_solution {
  std::vector<std::uint32_t> chosen;
  std::int64_t cost = 0;  ///< including the base
};

// A cheapest solution among the allowed values.
template <class Allowed>
std::optional<priced_solution> cheapest(const wf::detail::packing_model& m, Allowed allowed) {
  std::optional<priced_solution> best;
  for_each_solution(m, [&](const std::vector<std::uint32_t>& chosen) {
    if (!std::all_of(chosen.begin(), chosen.end(), allowed)) return;
    const std::int64_t cost = m.base + cost_of(m, chosen) + peaks_cost(m, chosen);
    if (!best || cost < best->cost) best = {chosen, cost};
  });
  return best;
}

inline std::optional<priced_solution> cheapest(const wf::detail::packing_model& m) {
  return cheapest(m, [](std::uint32_t) { return true; });
}

// The least cost of a solution, including the base.
inline std::optional<std::int64_t> optimum(const wf::detail::packing_model& m) {
  const auto best = cheapest(m);
  return best ? std::optional(best->cost) : std::nullopt;
}

// The number of choices that `for_each_choice` enumerates.
inline double choices(const wf::detail::packing_model& m) {
  double count = 1;
  for (std::uint32_t k = 0; k < m.classes; ++k) count *= m.first[k + 1] - m.first[k];
  return count;
}

}  // namespace enumerated
