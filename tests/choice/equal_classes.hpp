// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doctest/doctest.h>

#include <wf/choice/graph/choice_graph.hpp>
#include <wf/registry/static_registry.hpp>
#include <wf/rewrite/unroll.hpp>

#include "../../examples/elimination.hpp"
#include "field.hpp"

// Checks that all candidates of every class compute the same value.
inline void check_classes(const wf::choice_graph& grown, std::uint64_t seed) {
  const wf::graph_view all = grown.view();
  // Outputs every candidate's value under its number, so that loops can be unrolled.
  const auto registry = wf::registry_of<elimination::domain>();
  wf::graph_builder copy("copy");
  const wf::symbol_map symbols;
  wf::graph_copier copier(all, copy, symbols);
  REQUIRE(copier.copy_inputs().code == wf::errc::none);
  const auto order = wf::topological_order(all);
  REQUIRE(order);
  for (wf::node_id id : *order) REQUIRE(copier.copy(id).code == wf::errc::none);
  for (std::uint32_t i = 0; i < all.values.size(); ++i)
    copy.graph().add_output((wf::text() << "v" << i).view(),
                            copier.place(static_cast<wf::value_id>(i)));
  const auto flat = wf::unroll(copy.graph().view(), registry);
  REQUIRE(flat);
  REQUIRE(wf::validate(flat->view()));
  const auto computed = field::evaluate(flat->view(), seed);
  for (std::uint32_t i = 0; i < all.values.size(); ++i) {
    const std::uint32_t home = grown.class_of(static_cast<wf::value_id>(i));
    const auto& mine = computed[wf::index_of(flat->view().outputs[i].source)];
    const auto& theirs = computed[wf::index_of(flat->view().outputs[home].source)];
    CAPTURE(i);
    CHECK(mine == theirs);
  }
}

// Checks the invariants: operands are the first values of their classes, kept nodes are in
// topological order, and no two of them are equal.
inline void check_invariants(const wf::choice_graph& c) {
  const wf::graph_view g = c.view();
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const auto id = static_cast<wf::node_id>(i);
    if (!c.is_kept(id)) continue;
    for (wf::value_id operand : g.inputs_of(g.nodes[i])) {
      CHECK(c.representative(operand) == operand);
      CHECK(wf::index_of(operand) < g.nodes[i].outputs.first);
    }
    for (std::uint32_t j = 0; j < i; ++j) {
      const auto other = static_cast<wf::node_id>(j);
      if (!c.is_kept(other) || c.is_fixed(id) || c.is_fixed(other)) continue;
      if (g.nodes[i].op != g.nodes[j].op || g.nodes[i].attributes.count != 0 ||
          g.nodes[j].attributes.count != 0 || g.nodes[i].inputs.count != g.nodes[j].inputs.count)
        continue;
      bool equal = g.nodes[i].inputs.count != 0;
      for (std::uint32_t k = 0; k < g.nodes[i].inputs.count; ++k)
        equal = equal && c.inputs_of(id)[k] == c.inputs_of(other)[k];
      CAPTURE(i);
      CAPTURE(j);
      CHECK_FALSE(equal);
    }
  }
}
