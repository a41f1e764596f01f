// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>

namespace wf::detail {

/// The price of a complete choice: its feasibility and its objective.
struct priced_choice {
  bool possible = false;               ///< false: cyclic, or rejected by the measure
  std::int64_t excess = unbounded;     ///< total violation of limits and exclusions
  std::int64_t objective = unbounded;  ///< value of the stage's objective

  /// True if the choice violates nothing.
  constexpr bool solves() const { return possible && excess == 0; }
  /// Compares by possibility, then by lower excess, then by lower objective.
  constexpr bool better_than(const priced_choice& other) const {
    if (possible != other.possible) return possible;
    return excess != other.excess ? excess < other.excess : objective < other.objective;
  }
};

/// Local search: exchanges the values of single needed classes while the price improves, in at most
/// `rounds` sweeps and about `budget` steps; returns the price of the resulting choice, which is
/// priced last. Class k may take a value from `first[k]` to `first[k + 1] - 1` for which `may_take`
/// is true. `pricer` has `price(choice)`, `exchange(choice, k, value)`, which sets and prices,
/// `take_back(choice, k, before)` for the last exchange, `needed()` (the classes that the last
/// price found needed) and `steps()`.
template <class Pricer, class MayTake>
constexpr priced_choice exchange(Pricer& pricer, table<std::uint32_t>& choice,
                                 const table<std::uint32_t>& first, MayTake&& may_take, int rounds,
                                 std::uint64_t budget) {
  priced_choice best = pricer.price(choice);
  const std::uint64_t until =
      budget > UINT64_MAX - pricer.steps() ? UINT64_MAX : pricer.steps() + budget;
  for (bool changed = true; changed && rounds > 0; --rounds) {
    changed = false;
    const table<std::uint32_t> used(pricer.needed());
    for (const std::uint32_t k : used)
      for (std::uint32_t n = first[k]; n < first[k + 1]; ++n) {
        if (n == choice[k] || !may_take(n)) continue;
        if (pricer.steps() >= until) return pricer.price(choice);
        const std::uint32_t before = choice[k];
        const priced_choice tried = pricer.exchange(choice, k, n);
        if (tried.better_than(best)) {
          best = tried;
          changed = true;
        } else {
          pricer.take_back(choice, k, before);
        }
      }
  }
  return pricer.price(choice);
}

}  // namespace wf::detail
