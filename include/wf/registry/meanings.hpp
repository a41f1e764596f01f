// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/view.hpp>
#include <wf/registry/catalogue.hpp>

namespace wf::detail {

/// What the operators of a graph mean, by the graph's operations (`node::op`); `other` for those
/// that are not registered. The graph must be valid. For functions that look at every node.
/// O(distinct operators).
constexpr table<meaning> meanings_of(const graph_view& g, const registry& kernels) {
  table<meaning> out(g.operations.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = kernels.meaning_of(g.text_of(g.operations[i].name));
  return out;
}

}  // namespace wf::detail
