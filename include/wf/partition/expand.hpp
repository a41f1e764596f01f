// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/registry.hpp>
#include <wf/rewrite/unroll.hpp>

namespace wf {

/// Makes a workflow explicit before it is placed: unrolls its loops, and makes sure that every
/// constant has its number. Errors: `bad_attribute` for a constant without one; those of `unroll`.
/// O(size of the result).
constexpr result<graph> expand(graph g, const registry& kernels) {
  const graph_view workflow = g.view();
  if (const auto valid = validated(workflow); !valid) return valid.error();
  bool has_loops = false;
  for (std::uint32_t i = 0; i < workflow.nodes.size(); ++i) {
    const node& n = workflow.nodes[i];
    has_loops = has_loops || workflow.find_attribute(n, "steps") != nullptr;
    if (kernels.meaning_of(workflow.op_name(n)) == meaning::constant &&
        workflow.find_attribute(n, "value") == nullptr)
      return make_error(errc::bad_attribute, workflow.label(static_cast<node_id>(i)).view(),
                        "a constant has its number in the attribute 'value'");
  }
  if (!has_loops) return g;
  return unroll(workflow, kernels);
}
/// The same of a view.
constexpr result<graph> expand(const graph_view& workflow, const registry& kernels) {
  if (const auto valid = validate_references(workflow); !valid) return valid.error();
  return expand(graph(workflow), kernels);
}

}  // namespace wf
