// SPDX-License-Identifier: BSL-1.0
#include <wf/select/checkpoint/writer.hpp>

#include <cstdint>
#include <utility>

#include <doctest/doctest.h>

#include <wf/select/select.hpp>

#include "../../repeated.hpp"
#include "networks.hpp"

namespace {

// The workflow in which all that can run again does.
struct least_kept {
  explicit least_kept(const wf::graph_view& g) {
    const wf::registry kernels = wf::builtin_registry();
    const wf::checkpoint_request wanted;
    wf::detail::checkpoint_parts parts(g, wanted, kernels);
    REQUIRE(parts.find().code == wf::errc::none);
    wf::detail::checkpoint_problem p(parts, 1, true);
    p.limit(parts.fixed_bytes());
    const auto chosen = wf::select(p.problem);
    REQUIRE(chosen);
    wf::detail::checkpoint_writer writer(parts, p, chosen->best);
    auto written = writer.run();
    REQUIRE(written);
    workflow = *std::move(written);
    repeated = writer.repeated();
    kept = p.kept(chosen->best);
  }

  wf::graph workflow;
  std::uint32_t repeated = 0, kept = 0;
};

}  // namespace

TEST_CASE("a node that runs again follows the late node before what reads it") {
  const wf::graph made = wf_test::chain_of_layers(5);
  const least_kept found(made.view());
  const wf::graph_view g = found.workflow.view();
  CHECK(found.kept == 0);
  CHECK(found.repeated > 5);
  CHECK(g.nodes.size() == made.view().nodes.size() + found.repeated);
  CHECK(g.edges.size() == found.repeated);
  for (const wf::edge& e : g.edges) {
    CHECK(e.kind == wf::edge_kind::control);
    CHECK(e.from < e.to);
  }
  // Nodes stand in their order; the early part is as it was.
  CHECK(wf::detail::check_order(g, *wf::topological_order(g)).code == wf::errc::none);
  for (std::size_t i = 0; i < g.nodes.size(); ++i)
    CHECK((*wf::topological_order(g))[i] == static_cast<wf::node_id>(i));
}

TEST_CASE("of a node with several results those that are kept stay those of its first run") {
  // X is an output, y is read last.
  const wf::graph source = repeated::once(repeated::bodies[6], 3, {2});
  const wf::graph_view from = source.view();
  wf::graph_builder into("two_results");
  wf::symbol_map symbols;
  wf::graph_copier copier(from, into, symbols);
  REQUIRE(copier.copy_inputs().code == wf::errc::none);
  for (std::uint32_t i = 0; i < from.nodes.size(); ++i)
    REQUIRE(copier.copy(static_cast<wf::node_id>(i)).code == wf::errc::none);
  wf::value_id y = wf::value_id::none;
  for (const wf::output& o : from.outputs) {
    if (from.text_of(o.name) == "y")
      y = copier.place(o.source);
    else
      into.graph().add_output(from.text_of(o.name), copier.place(o.source));
  }
  REQUIRE(y != wf::value_id::none);
  const wf::value_type type = into.graph()[y].type;
  wf::node_description square;
  square.op = "square";
  const wf::node_id last = into.append_node(square, {&y, 1}, {&type, 1});
  into.graph().add_output("grad_y", wf::graph_view::output_of(into.graph()[last]));
  const wf::graph g = into.take();
  REQUIRE(wf::validate(g.view()));

  const least_kept found(g.view());
  CHECK(found.repeated == 1);
  const wf::graph_view made = found.workflow.view();
  for (const wf::output& o : made.outputs) {
    const bool late = made.text_of(o.name) == "grad_y";
    CHECK((made[o.source].producer == static_cast<wf::node_id>(made.nodes.size() - 1)) == late);
    CHECK((late || made[o.source].producer == static_cast<wf::node_id>(from.nodes.size() - 1)));
  }
}
