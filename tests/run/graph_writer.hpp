// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <vector>

#include <wf/ir/graph/graph.hpp>

namespace wf_test {

// Builds a graph node by node.
struct graph_writer {
  wf::graph g{"g"};

  wf::value_id input(const wf::shape& s, wf::dtype d = wf::dtype::f64) {
    return g.add_input((wf::text() << 'x' << g.view().values.size()).view(), {d, {}, s});
  }
  wf::value_id add(const char* op, const std::vector<wf::value_id>& operands, const wf::shape& s,
                   wf::dtype d = wf::dtype::f64,
                   const std::vector<wf::attribute_value>& with = {}) {
    const wf::value_type type{d, {}, s};
    wf::node_description what{.op = op};
    what.attributes = {with.data(), with.size()};
    const wf::node_id n = g.add_node(what, {operands.data(), operands.size()}, {&type, 1});
    return wf::graph_view::output_of(g[n]);
  }
  // Adds outputs named y0, y1, ...
  void put_out(const std::vector<wf::value_id>& outputs) {
    for (wf::value_id id : outputs)
      g.add_output((wf::text() << 'y' << g.view().outputs.size()).view(), id);
  }
};

}  // namespace wf_test
