// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing/choice.hpp>
#include <wf/select/packing/incumbent.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/path.hpp>
#include <wf/select/packing/relaxation.hpp>
#include <wf/select/packing/simplex.hpp>

namespace wf::detail {

/// The current node of a packing search: its relaxation, together with the best solution, whose
/// value is the cutoff, and the counters of the search. Root, branching and dives work on it.
template <class Judge = no_judge>
struct packing_node : packing_relaxation {
  constexpr packing_node(const packing_model& model, Judge* judge)
      : packing_relaxation(model), incumbent(model, judge) {}

  static constexpr int trial_pivots = 60;  ///< pivots of the simplex method in a trial or dive

  packing_incumbent<Judge> incumbent;
  search_counters counters;
  std::uint64_t other_steps = 0;  ///< steps of the parts that are not in this object
  std::uint64_t most_steps = UINT64_MAX;

  /// Number of innermost-loop passes so far, without those of the search that this one is a copy
  /// of.
  constexpr std::uint64_t steps() const { return all_steps() - before_; }
  /// Steps weighted by the time that they take: those of the simplex method count one eighth.
  constexpr std::uint64_t work() const {
    return steps() - (simplex.steps() - simplex_before_) / 8 * 7;
  }
  /// Number of steps before `most_steps` is reached.
  constexpr std::uint64_t steps_left() const {
    return steps() < most_steps ? most_steps - steps() : 0;
  }
  /// Lets the counters begin at zero, in a copy of a search.
  constexpr void restart_counters() {
    counters = {};
    before_ = all_steps();
    simplex_before_ = simplex.steps();
  }

  // --- solutions -------------------------------------------------------------------------------

  /// Completes a choice, improves it within `rounds` and the budget, and keeps it if it is the
  /// best.
  constexpr void offer(table<std::uint32_t>& chosen, int rounds = 4) {
    if (!incumbent.offer(chosen, rounds)) return;
    lower_cutoff(incumbent.value());
    ++counters.incumbents;
  }

  /// Offers the choice of the cheapest values by reduced cost.
  constexpr void guess() {
    table<std::uint32_t> chosen = cheapest_choice(
        m,
        [&](std::uint32_t v) {
          return domain.state().alive[v] ? cost_with(v) - ascent.least(m.owner[v]) : unbounded;
        },
        other_steps);
    offer(chosen);
  }

  /// True if propagation decided every class that is needed.
  constexpr bool is_leaf() const {
    for (std::uint32_t k = 0; k < m.classes; ++k)
      if (domain.state().class_count[k] != 1 && domain.is_needed(k)) return false;
    return true;
  }

  /// Offers the solution of a leaf.
  constexpr void offer_leaf() {
    table<std::uint32_t> chosen(m.classes);
    for (std::uint32_t k = 0; k < m.classes; ++k)
      chosen[k] = domain.is_needed(k) ? domain.only(k) : m.off[k];
    offer(chosen);
  }

  // --- bounds ----------------------------------------------------------------------------------

  using packing_relaxation::raise;
  /// Sweeps as long as that pays and steps are left; true if it ended for another reason.
  constexpr bool raise(int most, int patience) { return raise(most, patience, steps_left()); }

  /// Solves the linear relaxation from the current basis and takes over its prices; offers its
  /// solution if that is integral.
  constexpr simplex_status relax(int iterations) {
    simplex_status status{};
    bound = solve_relaxation(iterations, status);
    relaxed = status == simplex_status::optimal;
    if (relaxed && bound < target) offer_whole();
    return status;
  }

  /// Raises the bound of a node; false if the node is closed.
  constexpr bool tighten(int pivots = 400) {
    if (uses_simplex) {
      if (!fix()) return false;  // by the parent's prices
      relax(pivots);
    } else {
      raise(24, 50);
    }
    return !reaches_target() && fix();
  }

  /// As `fix`, but spares the values of the best solution, if there is one, and keeps the bound.
  constexpr bool fix_around_best() {
    return fix_within_bound(incumbent.best().empty() ? nullptr : &incumbent.best());
  }

  // --- return ----------------------------------------------------------------------------------

  /// Saves the prices, bound and basis from which a child or a later visit starts.
  constexpr void save(packing_frame& f) const {
    f.prices = p;
    f.bound = bound;
    if (trace != nullptr) f.proof = proof;
    if (uses_simplex) simplex.save(f.basis);
  }

  /// Restores the state, the prices and the bound of a frame.
  constexpr void go_back_to(const packing_frame& f) {
    domain.undo(f.mark);
    bound = f.bound;
    p = f.prices;
    if (trace != nullptr) proof = f.proof;
    if (uses_simplex) simplex.load(f.basis);
  }

 private:
  constexpr std::uint64_t all_steps() const {
    return packing_relaxation::steps() + incumbent.steps() + other_steps;
  }

  constexpr void offer_whole() {
    table<std::uint32_t> chosen(m.classes);
    for (std::uint32_t k = 0; k < m.classes; ++k) {
      chosen[k] = packing_model::none;
      for (std::uint32_t v = m.first[k]; v < m.first[k + 1]; ++v)
        if (simplex.share(v) > 0.999) chosen[k] = v;
      if (chosen[k] == packing_model::none) return;
    }
    offer(chosen, 0);
  }

  std::uint64_t before_ = 0;  ///< steps of the search that this one is a copy of
  std::uint64_t simplex_before_ = 0;
};

}  // namespace wf::detail
