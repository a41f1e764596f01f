// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/meanings.hpp>

#include <doctest/doctest.h>

#include <wf/ir/form/parse.hpp>
#include <wf/registry/domain/builtin.hpp>

TEST_CASE("operators mean what their kernels state, and unknown ones nothing") {
  const auto g = wf::parse_graph(
      "wf.graph 1 \"g\"\n"
      "input \"x\" : f64[4]\n"
      "node elementwise.add(%0, %0) -> f64[4]\n"
      "node user.add_twice(%1) -> f64[4]\n"
      "node elementwise.add(%2, %1) -> f64[4]\n"
      "output \"y\" = %3\n");
  REQUIRE(g);
  const wf::graph_view v = g->view();
  const wf::registry kernels = wf::builtin_registry();
  const wf::table<wf::meaning> meanings = wf::detail::meanings_of(v, kernels);
  CHECK(meanings.size() == 2);
  for (const wf::node& n : v.nodes) CHECK(meanings[n.op] == kernels.meaning_of(v.op_name(n)));
  CHECK(meanings[v.nodes[0].op] == wf::meaning::addition);
  CHECK(meanings[v.nodes[1].op] == wf::meaning::other);
}
