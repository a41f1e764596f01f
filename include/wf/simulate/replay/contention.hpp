// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/simulate/replay/mapping.hpp>

namespace wf {

/// The effect of contention for links and DRAM on a mapping: the makespans of four replays, in
/// cycles. The mapper's cost model leaves contention out.
struct contention_report {
  /// The makespan of the mapping.
  std::int64_t planned = 0;
  /// Makespan of the replay without contention; equal to `planned` for every mapping of the
  /// mapper's model.
  std::int64_t replayed = 0;
  /// Makespan if transfers wait for the links of the mesh.
  std::int64_t with_links = 0;
  /// Makespan if operators wait for one shared DRAM.
  std::int64_t with_dram = 0;
  /// Makespan with contention for links and DRAM.
  std::int64_t with_both = 0;
  /// Total cycles that transfers wait for links, in the replay with both.
  std::int64_t link_waiting = 0;
  /// Total cycles that operators are delayed by the DRAM, in the replay with both.
  std::int64_t dram_waiting = 0;

  /// True if plan and replay agree to the cycle.
  constexpr bool exact() const { return planned == replayed; }
  /// The relative increase of the makespan by both kinds of contention: (with_both - planned) /
  /// planned.
  constexpr ratio lengthening() const { return {with_both - planned, planned}; }
  friend constexpr bool operator==(const contention_report&, const contention_report&) = default;
};

/// Human-readable text: one line per replay, in cycles and as a percentage of the plan.
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

/// Replays a mapping four times: without contention, with that for links, for the DRAM, and for
/// both. `constraints` are those of the mapping. Errors: those of `simulate`.
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
