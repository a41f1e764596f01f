// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/simulate/simulate.hpp>

namespace wf {

/// What a mapping takes when its transfers and its DRAM traffic get into each other's way: the
/// makespans of four replays, in cycles. The mapper's model leaves contention out.
struct contention_report {
  /// The makespan of the mapping.
  std::int64_t planned = 0;
  /// The replay without contention; equal to `planned` for every mapping of the mapper's model.
  std::int64_t replayed = 0;
  /// With transfers that wait for the links of the mesh.
  std::int64_t with_links = 0;
  /// With operators that wait for one shared DRAM.
  std::int64_t with_dram = 0;
  /// With links and the DRAM shared at once.
  std::int64_t with_both = 0;
  /// With both: time that transfers waited for links, summed up.
  std::int64_t link_waiting = 0;
  /// With both: time that operators waited for the DRAM, summed up.
  std::int64_t dram_waiting = 0;

  /// True if plan and replay agree to the cycle.
  constexpr bool exact() const { return planned == replayed; }
  /// By how much contention of both kinds lengthens the plan, as a part of the plan.
  constexpr ratio lengthening() const { return {with_both - planned, planned}; }
  friend constexpr bool operator==(const contention_report&, const contention_report&) = default;
};

/// The report as lines for reading.
constexpr text to_text(const contention_report& r) {
  text out;
  const auto line = [&](text_view what, std::int64_t cycles) -> text& {
    out << what << cycles << " cycles";
    if (cycles != r.planned)
      out << " (" << (cycles > r.planned ? "+" : "-")
          << detail::percent(
                 {cycles > r.planned ? cycles - r.planned : r.planned - cycles, r.planned})
                 .view()
          << ')';
    return out;
  };
  line("planned ", r.planned) << '\n';
  line("replayed ", r.replayed) << (r.exact() ? ", to the cycle\n" : ": not the plan\n");
  line("links contended ", r.with_links) << '\n';
  line("DRAM contended ", r.with_dram) << '\n';
  line("both contended ", r.with_both)
      << ", transfers waited " << r.link_waiting << ", operators waited for the DRAM "
      << r.dram_waiting << '\n';
  return out;
}

/// Replays a mapping with and without contention. The constraints are those it was mapped under.
/// Errors: those of `simulate`.
template <cost_predictor Predictor = cycle_model>
constexpr result<contention_report> measure_contention(const workload& w, const pe_array& array,
                                                       const mapping& m,
                                                       const map_constraints& constraints = {},
                                                       const Predictor& predictor = {}) {
  contention_report out;
  out.planned = m.makespan;
  const auto plain = simulate(w, array, m, {false, false, constraints}, predictor);
  if (!plain) return plain.error();
  const auto links = simulate(w, array, m, {true, false, constraints}, predictor);
  if (!links) return links.error();
  const auto dram = simulate(w, array, m, {false, true, constraints}, predictor);
  if (!dram) return dram.error();
  const auto both = simulate(w, array, m, {true, true, constraints}, predictor);
  if (!both) return both.error();
  out.replayed = plain->makespan;
  out.with_links = links->makespan;
  out.with_dram = dram->makespan;
  out.with_both = both->makespan;
  out.link_waiting = both->link_waiting;
  out.dram_waiting = both->dram_waiting;
  return out;
}

}  // namespace wf
