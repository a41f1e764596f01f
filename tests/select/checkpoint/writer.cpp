// SPDX-License-Identifier: BSL-1.0
#include <wf/select/checkpoint/writer.hpp>

#include <cstdint>

#include <doctest/doctest.h>

#include <wf/select/select.hpp>

#include "networks.hpp"

TEST_CASE("a node that runs again follows the late node before what reads it") {
  const wf::graph made = wf_test::chain_of_layers(5);
  const wf::registry kernels = wf::builtin_registry();
  const wf::checkpoint_request wanted;
  wf::detail::checkpoint_parts parts(made.view(), wanted, kernels);
  REQUIRE(parts.find().code == wf::errc::none);
  wf::detail::checkpoint_problem p(parts, 1, true);
  p.limit(parts.fixed_bytes());
  const auto chosen = wf::select(p.problem);
  REQUIRE(chosen);
  wf::detail::checkpoint_writer writer(parts, p, chosen->best);
  const auto written = writer.run();
  REQUIRE(written);
  const wf::graph_view g = written->view();
  CHECK(p.kept(chosen->best) == 0);
  CHECK(writer.repeated() > 5);
  CHECK(g.nodes.size() == made.view().nodes.size() + writer.repeated());
  CHECK(g.edges.size() == writer.repeated());
  std::uint32_t edges = 0;
  for (const wf::edge& e : g.edges) {
    CHECK(e.kind == wf::edge_kind::control);
    CHECK(e.from < e.to);
    ++edges;
  }
  // Nodes stand in their order; the early part is as it was.
  CHECK(wf::detail::check_order(g, *wf::topological_order(g)).code == wf::errc::none);
  for (std::size_t i = 0; i < g.nodes.size(); ++i)
    CHECK((*wf::topological_order(g))[i] == static_cast<wf::node_id>(i));
}
