// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/body_price.hpp>

namespace wf {

/// The total of a sum metric over all nodes. Errors: those of `validate`, as `pricer::price`;
/// `overflow`. O(nodes).
template <class Number>
constexpr result<Number> total_cost(const graph_view& workflow, const metric_spec& m,
                                    const registry& r) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  return detail::total_price<Number>(*valid, m, r);
}

}  // namespace wf
