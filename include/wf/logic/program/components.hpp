// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/components.hpp>
#include <wf/core/container/table.hpp>

namespace wf::logic::detail {

/// The components of a graph: the classes of mutual reachability, those that others depend on
/// first.
struct graph_components {
  table<std::uint32_t> component;  ///< by node
  table<std::uint32_t> order;      ///< the nodes, by component
  std::uint32_t count = 0;         ///< number of components
};

/// The components of a graph; `targets(n)` is the view of what node n depends on.
/// O(nodes + targets).
template <class Targets>
constexpr graph_components components_of(std::size_t nodes, Targets targets) {
  graph_components found;
  found.component.resize(nodes);
  const auto count = static_cast<std::uint32_t>(nodes);
  auto finder = wf::detail::find_components<std::uint32_t>(
      count,
      [&](std::uint32_t n, std::uint32_t& next) {
        const view<std::uint32_t> all = targets(n);
        return next < all.size() ? all[next++] : UINT32_MAX;
      },
      [&](const table<std::uint32_t>& members) {
        for (const std::uint32_t n : members) found.component[n] = found.count;
        found.order.append(members);
        ++found.count;
      });
  for (std::uint32_t n = 0; n < count; ++n) finder.enter(n);
  return found;
}

}  // namespace wf::logic::detail
