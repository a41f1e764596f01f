// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/select/reduce/partial_selection.hpp>
#include <wf/select/reduce/reduce.hpp>
#include <wf/select/reduce/survey.hpp>

namespace wf::detail {

/// The parts of which a bound of a sum consists: what each class and each candidate contributes.
struct bound_parts {
  table<std::int64_t> value;            ///< by listed class: a lower bound on it with all it needs
  table<std::int64_t> contribution;     ///< by open class: its share of the bound
  table<std::int64_t> candidate_value;  ///< by candidate of an open class: the share with it

  constexpr explicit bound_parts(const reduced_selection& reduced)
      : value(reduced.classes),
        contribution(reduced.classes),
        candidate_value(reduced.candidates) {}

  /// Drops candidates of open classes with which the total would reach the cutoff; true if there
  /// were any.
  constexpr bool filter(const reduced_selection& r, const selection_survey& survey,
                        partial_selection& s, std::int64_t total, std::int64_t cutoff) const {
    bool changed = false;
    for (const std::uint32_t k : survey.open)
      for (std::uint32_t n = r.first[k]; n < r.first[k + 1]; ++n)
        if (s.is_alive(n) &&
            saturating_add(total - contribution[k], candidate_value[n]) >= cutoff) {
          clear_bit(s.alive.data(), n);
          changed = true;
        }
    return changed;
  }
};

}  // namespace wf::detail
