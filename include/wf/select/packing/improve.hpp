// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/select/packing/choice.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/reduce/exchange.hpp>

namespace wf::detail {

/// Prices and improves complete choices in a packing model: a value for each class, of which those
/// that are not needed are left out.
class packing_improver {
 public:
  constexpr explicit packing_improver(const packing_model& model) : m_(model), choice_(model) {}

  /// Prices a choice, without the model's base (see `packing_choice::load`).
  constexpr priced_choice price(const table<std::uint32_t>& chosen) { return choice_.load(chosen); }
  /// Sets `chosen[k]` to `v` and prices the choice priced last with this exchange.
  constexpr priced_choice exchange(table<std::uint32_t>& chosen, std::uint32_t k, std::uint32_t v) {
    chosen[k] = v;
    return choice_.exchange(k, v);
  }
  /// Undoes the last exchange; `before` is the previous value of class `k`.
  constexpr void take_back(table<std::uint32_t>& chosen, std::uint32_t k, std::uint32_t before) {
    chosen[k] = before;
    choice_.undo();
  }

  /// Exchanges single values of needed classes while the price improves, in at most `rounds` sweeps
  /// and about `budget` steps.
  constexpr priced_choice improve(table<std::uint32_t>& chosen, int rounds, std::uint64_t budget) {
    return detail::exchange(
        *this, chosen, m_.first,
        [&](std::uint32_t v) {  // joint values only follow
          return v != m_.off[m_.owner[v]] && !m_.is_joint(v);
        },
        rounds, budget);
  }

  /// Writes the values that the choice priced last takes; classes that are not needed get `off`.
  constexpr void leave_out(table<std::uint32_t>& chosen) const {
    for (std::uint32_t k = 0; k < m_.classes; ++k) chosen[k] = choice_.taken(k);
  }

  /// The needed classes of the choice priced last.
  constexpr const table<std::uint32_t>& needed() {
    needed_.clear();
    for (std::uint32_t k = 0; k < m_.classes; ++k)
      if (choice_.is_needed(k)) needed_.push_back(k);
    return needed_;
  }
  /// The choice priced last, with its counts.
  constexpr const packing_choice& choice() const { return choice_; }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return choice_.steps(); }

 private:
  const packing_model& m_;
  packing_choice choice_;
  table<std::uint32_t> needed_;
};

}  // namespace wf::detail
