// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/node_bodies.hpp>

#include <doctest/doctest.h>

#include <wf/run/plan/body_run.hpp>

#include "../../repeated.hpp"

TEST_CASE("only nodes with bodies have prepared ones, and somebody must prepare them") {
  wf::graph g = repeated::once(repeated::bodies[0], 3, {2});
  const wf::value_id x = wf::graph_view::output_of(g.view().nodes[0]);
  const wf::value_type type = g.view()[x].type;
  g.add_node({.op = "negate", .domain = "elementwise"}, {&x, 1}, {&type, 1});
  const wf::registry kernels = wf::builtin_registry();
  using wf::detail::node_bodies;
  const auto made =
      node_bodies<double>::make(g.view(), kernels, {}, &wf::detail::make_body_run<double>);
  REQUIRE(made);
  REQUIRE(made->of(wf::node_id{0}));
  // A second place for three numbers, and one for the product.
  CHECK(made->of(wf::node_id{0})->scratch >= 3);
  CHECK_FALSE(made->of(wf::node_id{1}));
  CHECK_FALSE(made->of(wf::node_id{7}));
  const auto refused = node_bodies<double>::make(g.view(), kernels, {}, nullptr);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == wf::errc::not_executable);
  CHECK(refused.error().subject.view() == "loop");
}
