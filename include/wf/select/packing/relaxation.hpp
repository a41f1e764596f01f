// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/packing/prices.hpp>
#include <wf/select/packing/propagation.hpp>
#include <wf/select/packing/simplex.hpp>
#include <wf/select/proof/recorder.hpp>
#include <wf/select/reduce/dual_ascent.hpp>

#ifdef WF_CERTIFY
#include <wf/select/proof/certify.hpp>
#endif

namespace wf::detail {

/// The relaxation of the residual model at the current node: the values that propagation left, the
/// prices of rows, limits and cuts, and the bound that they prove against the cutoff. Prices come
/// from coordinate ascent or from the simplex method.
///
/// Costs and cutoffs are without the model's base; `bound` and `target` are in the scale of the
/// prices. Not templated: it is compiled once for all judges of solutions.
struct packing_relaxation {
  constexpr explicit packing_relaxation(const packing_model& model)
      : m(model), ascent(model), simplex(model), domain(model, ascent.pricer().scale()) {
    p = ascent.pricer().free_prices();
    target = (ascent.pricer().dearest() + 1) * scale();
    choose_method();
  }

  const packing_model& m;
  packing_ascent ascent;
  packing_simplex simplex;
  packing_propagator domain;
  packing_prices p;
  packing_prices proof;  ///< the prices that prove `bound`, if that is recorded
  packing_trace* trace = nullptr;
  std::int64_t cutoff = unbounded;
  std::int64_t target = unbounded;  ///< scaled bound at which a node is closed
  std::int64_t bound = 0;           ///< scaled bound of the current node
  bool uses_simplex = false;
  bool relaxed = false;  ///< true if the relaxation is solved to optimality

  /// The factor between costs and scaled bounds.
  constexpr std::int64_t scale() const { return ascent.pricer().scale(); }

  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const {
    return ascent.steps() + simplex.steps() + domain.steps();
  }

  /// Lowers the cutoff: solutions that cost `to` or more are not sought. No effect if it is not
  /// lower.
  constexpr void lower_cutoff(std::int64_t to) {
    if (to >= cutoff) return;
    cutoff = to;
    const std::int64_t below = cutoff - 1;
    std::int64_t most = 0;  // the largest cost that is below the cutoff and can occur
    if (below < 0)
      most = -1;
    else if (m.divisor != 0)
      most = below - below % m.divisor;
    if (most < largest_total / scale()) target = most * scale() + 1;
  }

  /// The least cost that can occur and is not below a scaled bound.
  constexpr std::int64_t rounded(std::int64_t scaled) const {
    if (scaled < 0) return 0;
    const std::int64_t whole = scaled / scale() + (scaled % scale() != 0);
    const std::int64_t step = m.divisor == 0 ? 1 : m.divisor;
    return (whole + step - 1) / step * step;
  }

  /// The distance from the bound to the target, scaled; an estimate if there is no cutoff.
  constexpr std::int64_t gap() const {
    if (cutoff != unbounded) return target > bound ? target - bound : 1;
    return bound / 4 + scale();
  }

  /// False if the simplex method would lose precision or take too much memory.
  constexpr bool may_use_simplex() const {
    return m.rows < (1 << 16) && ascent.pricer().dearest() <= packing_pricer::most_total / scale();
  }

  /// Sets the trace of the search and its propagation; null records nothing.
  constexpr void listen(packing_trace* to) {
    trace = to;
    domain.record(to);
  }

  /// True if the bound by the current prices reaches the target.
  constexpr bool reaches_target() {
    if (bound < target) return false;
    trust_prices();
    if (trace != nullptr) trace->close_by_prices(p, scale());
    return true;
  }

  /// Solves the linear relaxation from the current basis and takes over its prices; returns the
  /// bound that they prove.
  constexpr std::int64_t solve_relaxation(int iterations, simplex_status& status) {
    status = simplex.solve(domain.state(), simplex_cutoff(), simplex_gain(), iterations);
    take_prices();
    return bound_by_prices();
  }

  /// Takes over the current prices of the simplex method.
  constexpr void take_prices() {
    ascent.pricer().set(p, domain.state(),
                        [&](packing_duals& duals) { simplex.price(duals, scale()); });
  }

  /// The bound that the current prices prove for the residual model.
  constexpr std::int64_t bound_by_prices() {
    trust_prices();
    return ascent.bound(domain.state(), p) + domain.peaks().extra();
  }

  /// Ends a program whose duals and reduced costs do not belong together, if it checks assertions
  /// or is built with WF_CERTIFY, which covers neighbourhoods, dives and teams.
  constexpr void trust_prices() const {
#ifdef WF_CERTIFY
    if (!is_priced())
      refuse_claim("a search makes a bound of prices and reduced costs that are not of each other");
#else
    assert(is_priced());
#endif
  }

  /// Sweeps until the bound reaches the target, gains less than 1/`patience` of the gap, or `most`
  /// sweeps or `most_steps` steps are used. True if it ended for the last reason.
  constexpr bool raise(int most, int patience, std::uint64_t most_steps) {
    const std::uint64_t before = steps();
    std::int64_t last = bound = bound_by_prices();
    if (m.only_peaks) return false;  // prices cannot raise the bound
    ascent.list_rows(domain.state(), p);
    for (int i = 1; i <= most && bound < target; ++i) {
      const bool is_last = i == most || steps() - before >= most_steps;
      ascent.sweep(domain.state(), p, (i & 1) != 0);
      if (i % 8 != 0 && !is_last) continue;
      bound = ascent.total() + domain.peaks().extra();
      if (bound - last < gap() / patience) return false;
      if (is_last) break;
      last = bound;
    }
    return bound < target;
  }

  /// Drops values whose reduced cost reaches the target (reduced-cost fixing), except those of
  /// `spared`, a value for each class; false if the node is closed.
  constexpr bool fix(const table<std::uint32_t>* spared = nullptr) {
    for (bool any = true; any;) {
      bound = bound_by_prices();
      if (reaches_target()) return false;
      if (trace != nullptr) trace->blame_prices(p, scale());
      any = false;
      for (std::uint32_t k = 0; k < m.classes; ++k) {
        if (domain.state().class_count[k] < 2) continue;
        const std::int64_t most = ascent.least(k) + (target - bound);
        for (std::uint32_t i = domain.state().class_count[k]; i-- > 0;) {
          const std::uint32_t v = domain.state().left(k)[i];
          if (cost_with(v) < most || (spared != nullptr && (*spared)[k] == v)) continue;
          any = true;
          if (!domain.remove(v)) return false;
        }
      }
      if (any && !domain.propagate()) return false;
    }
    return true;
  }

  /// As `fix`, but keeps the bound if the prices prove less and no proof is recorded.
  constexpr bool fix_within_bound(const table<std::uint32_t>* spared) {
    const std::int64_t known = bound;
    const bool open = fix(spared);
    keep_bound(known);
    return open;
  }

  /// Raises the bound to `known`, which stays valid; a recorded bound needs prices that prove it.
  constexpr void keep_bound(std::int64_t known) {
    if (bound < known && trace == nullptr) bound = known;
  }

  /// Raises a node's bound to that of the earlier node, which stays valid.
  constexpr void inherit(std::int64_t earlier) {
    if (bound < earlier)
      bound = earlier;
    else if (trace != nullptr)
      proof = p;
  }

  /// The reduced cost of a value plus its marginal cost in the peaks, scaled.
  constexpr std::int64_t cost_with(std::uint32_t v) {
    return p.reduced(v) + domain.peaks().marginal(v);
  }

 private:
  /// Coordinate ascent stalls on rows of many classes and does not price limits: there the simplex
  /// method has the better bound. Elsewhere the root decides.
  constexpr void choose_method() {
    bool wide = !m.capacity.empty();
    for (std::uint32_t r = 0; r < m.rows && !wide; ++r)
      wide = m.row_part[r + 1] - m.row_part[r] > 2;
    uses_simplex = wide && may_use_simplex();
  }

  /// True if the duals and the reduced costs belong together; not checked in constant evaluation.
  constexpr bool is_priced() const {
    return std::is_constant_evaluated() || ascent.pricer().agrees(domain.state(), p);
  }

  /// The target in costs, raised a little so that rounding does not end the simplex method too
  /// early.
  constexpr double simplex_cutoff() {
    const double costs =
        static_cast<double>(target - domain.peaks().extra()) / static_cast<double>(scale());
    return costs * (1 + 1e-9) + 1e-6;
  }
  /// A gain that exceeds the cost of any selection.
  constexpr double simplex_gain() const {
    return 2.0 * static_cast<double>(ascent.pricer().dearest()) + 2;
  }
};

}  // namespace wf::detail
