// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/select/packing/choice.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/reduce/exchange.hpp>

namespace wf::detail {

/// Completes and improves choices in a packing model: a value for each class, from which the
/// classes that are not needed are left out.
class packing_improver {
 public:
  constexpr explicit packing_improver(const packing_model& model) : m_(model), choice_(model) {}

  /// Prices a choice, without the model's base (see `packing_choice::load`).
  constexpr priced_choice price(const table<std::uint32_t>& chosen) { return choice_.load(chosen); }
  /// Prices the choice priced last with value `v` of class `k`.
  constexpr priced_choice exchange(table<std::uint32_t>& chosen, std::uint32_t k, std::uint32_t v) {
    chosen[k] = v;
    return choice_.exchange(k, v);
  }
  /// Takes the last exchange back.
  constexpr void take_back(table<std::uint32_t>& chosen, std::uint32_t k, std::uint32_t before) {
    chosen[k] = before;
    choice_.undo();
  }

  /// Exchanges single values of needed classes while that is better, in at most `rounds` sweeps and
  /// about `budget` steps.
  constexpr priced_choice improve(table<std::uint32_t>& chosen, int rounds, std::uint64_t budget) {
    return detail::exchange(
        *this, chosen, m_.first,
        [&](std::uint32_t v) {  // what follows others is not chosen
          return v != m_.off[m_.owner[v]] && !m_.is_joint(v);
        },
        rounds, budget);
  }

  /// What the classes of the choice priced last take: those that are not needed their `off`.
  constexpr void leave_out(table<std::uint32_t>& chosen) const {
    for (std::uint32_t k = 0; k < m_.classes; ++k) chosen[k] = choice_.taken(k);
  }

  /// The classes that the choice priced last needs.
  constexpr const table<std::uint32_t>& needed() {
    needed_.clear();
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      if (choice_.is_needed(k)) needed_.push_back(k);
    return needed_;
  }
  /// The choice priced last.
  constexpr const packing_choice& choice() const { return choice_; }
  /// Innermost visits made.
  constexpr std::uint64_t steps() const { return choice_.steps(); }

 private:
  const packing_model& m_;
  packing_choice choice_;
  table<std::uint32_t> needed_;
};

}  // namespace wf::detail
