// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/in_use.hpp>

namespace wf::detail {

/// The number of runs of the body of a node of a static graph, at most. Errors: `bad_attribute` for
/// one that is not known or is negative, those of formulas.
constexpr result<std::int64_t> runs_of_body(const graph_view& g, node_id id, const kernel_spec& k) {
  const text label = g.label(id);
  const auto parsed = parse_signature(k.signature);
  if (!parsed) return parsed.error();
  const auto count = parse_formula(k.repeats);
  if (!count) return count.error();
  const auto most = evaluate(*count, node_symbols(g, g[id], *parsed));
  if (!most) return most.error();
  const auto whole = to_int64(*most);
  if (whole && *whole >= 0) return *whole;
  return make_error(
      errc::bad_attribute, label.view(),
      (text() << "how often it runs its body, '" << k.repeats << "', is no natural number").view());
}

}  // namespace wf::detail
