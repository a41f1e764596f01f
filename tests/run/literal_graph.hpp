// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/graph.hpp>
#include <wf/registry/domain/builtin.hpp>
#include <wf/registry/domain/literal.hpp>

namespace wf_test {

/// A workflow with output "y", a literal whose element number i is `element(i)`.
template <class Element>
wf::graph literal_graph(const wf::value_type& type, Element element) {
  const wf::text elements = wf::elements_text(type, element);
  const wf::literal_attributes with(type, elements.view());
  wf::graph g("literal");
  const wf::node_id n = g.add_node({.op = wf::kernels::literal.name,
                                    .domain = wf::kernels::literal.domain,
                                    .attributes = with.all()},
                                   {}, {&type, 1});
  g.add_output("y", wf::graph_view::output_of(g[n]));
  return g;
}

}  // namespace wf_test
