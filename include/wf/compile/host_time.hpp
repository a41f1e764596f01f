// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/cost.hpp>

namespace wf {

/// Predicted duration of a static workflow on one core, in nanoseconds, node after node: its price
/// in `execution_time` by the times of these kernels, see `timed_registry`. Errors: those of
/// `price`, so `unknown_cost` for a kernel without a time; `workflow_not_static`. O(nodes).
constexpr result<std::int64_t> predict_nanoseconds(const graph_view& workflow,
                                                   const registry& kernels) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  if (!g.is_static())
    return make_error(errc::workflow_not_static, g.text_of(g.name),
                      "the time of symbolic shapes is not known: bind the symbols");
  return price(g, execution_time, kernels);
}

}  // namespace wf
