// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/cost.hpp>

namespace wf {

/// The cost of a static graph in a metric, within bounds and without rounding: prices that are no
/// rational numbers are enclosed (relative width about 2**-60 per operation), all others are exact.
/// Peaks and measured metrics are integers, as given by `price`. Errors: those of `price`, and
/// `undecided` if a condition of a formula needs narrower bounds. O(nodes).
constexpr result<enclosure> price_within(const graph_view& workflow, const metric_spec& m,
                                         const registry& r) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  if (m.rule != combination::peak && m.rule != combination::measured)
    return detail::combined_price<enclosure>(*valid, m, r);
  const auto whole = price(*valid, m, r);
  if (!whole) return whole.error();
  return enclosure(*whole);
}

/// The same with the built-in registry.
constexpr result<enclosure> price_within(const graph_view& g, const metric_spec& m) {
  return price_within(g, m, builtin_registry());
}

}  // namespace wf
