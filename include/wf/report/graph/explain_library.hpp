// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/text/text.hpp>
#include <wf/cost/implementation_times.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/ir/graph/view.hpp>
#include <wf/registry/registry.hpp>
#include <wf/report/graph/labels.hpp>

namespace wf {

/// Which nodes of a static workflow go to a library on a number of cores, at least 1, and what both
/// implementations cost, in nanoseconds on all of them:
///
///     library: 1 of 2 nodes that it implements
///       l = cholesky(a): 105,000 ns by the library, 200,200 ns by wf
///       x = solve_triangular(l, b): 900 ns by wf, 1,200 ns by the library
///
/// First in each line stands what is chosen. Nodes of which one of the times is unknown, which are
/// wf's, are left out; the text is empty if there are no others. Errors: those of `validate`, and
/// of `implementation_pricer::price` except `unknown_cost`. O(nodes).
constexpr result<text> explain_library(const graph_view& workflow, std::uint32_t cores,
                                       const registry& kernels) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  text lines;
  std::size_t all = 0, in_library = 0;
  implementation_pricer prices(g, cores, kernels);
  const value_labels labels(g);
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const auto id = static_cast<node_id>(i);
    const kernel_spec* const k = kernels.find(g.op_name(g[id]));
    if (k == nullptr || !k->library) continue;
    const auto times = prices.price(id);
    if (!times && times.error().code != errc::unknown_cost) return times.error();
    if (!times || !times->has_library) continue;
    const bool by_library = times->is_by_library();
    ++all;
    in_library += by_library ? 1 : 0;
    const std::int64_t own = times->own.divided, library = times->library.divided;
    lines << "  " << labels.definition(id).view() << ": ";
    lines.grouped(by_library ? library : own) << " ns by " << (by_library ? "the library" : "wf");
    lines << ", ";
    lines.grouped(by_library ? own : library) << " ns by " << (by_library ? "wf" : "the library");
    lines << '\n';
  }
  text out;
  if (all == 0) return out;
  out << "library: " << in_library << " of " << all << " nodes that it implements\n"
      << lines.view();
  return out;
}

}  // namespace wf
