// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/select/packing/cut_choice.hpp>
#include <wf/select/packing/cuts.hpp>
#include <wf/select/packing/cycle_cuts.hpp>
#include <wf/select/packing/mod_k_cuts.hpp>
#include <wf/select/packing/model.hpp>

namespace wf::detail {

/// Separates cuts that a solution of the linear relaxation violates: cycle cuts, and mod-k cuts in
/// several ways. A way is a prime modulus with a tolerance; more ways find more cuts per round,
/// which saves pivots.
class packing_cutter {
 public:
  constexpr explicit packing_cutter(const packing_model& model)
      : values_(model.values), cycles_(model), sums_(model) {}

  /// The violated cuts, deepest first. `share` holds the shares of the values in the solution; the
  /// sums may use the cuts of `known`.
  constexpr table<packing_cut> run(const table<double>& share, const packing_cuts& known) {
    cycles_.find(share, chooser_);
    for (std::size_t i = 0; i < ways; ++i)
      sums_.find(share, known, moduli[i], tolerances[i], chooser_);
    return chooser_.choose(values_);
  }

  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return cycles_.steps() + sums_.steps(); }

 private:
  static constexpr std::size_t ways = 7;
  static constexpr std::int64_t moduli[ways] = {2, 3, 2, 2, 3, 5, 2};
  static constexpr double tolerances[ways] = {1e-6, 1e-6, 0.11, 0.26, 0.11, 1e-6, 0.34};

  std::uint32_t values_;
  cycle_separator cycles_;
  mod_k_separator sums_;
  cut_chooser chooser_;
};

}  // namespace wf::detail
