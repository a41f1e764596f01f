// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform.hpp>

#include <doctest/doctest.h>

#include <wf/registry/builtin.hpp>

namespace {

const wf::value_type square{wf::dtype::f64, {}, wf::shape::of(3, 3)};

wf::graph inverse_of(wf::properties known) {
  wf::graph g("inverse");
  const wf::value_id a = g.add_input("A", {wf::dtype::f64, known, wf::shape::of(3, 3)});
  const wf::node_id n =
      g.add_node({.op = "inverse", .domain = "linalg", .name = "B"}, {&a, 1}, {&square, 1});
  g.add_output("B", wf::graph_view::output_of(g[n]));
  return g;
}

}  // namespace

// Offers the Cholesky variant whatever is known: transforms are plain values.
wf::result<wf::nothing> always_cholesky(wf::choice_graph& c, wf::node_id id) {
  const wf::node n = c.view()[id];
  if (c.view().op_name(n) != "inverse") return wf::nothing{};
  const wf::value_id a = c.view().inputs_of(n)[0];
  const auto made = c.add(wf::kernels::inverse_cholesky, {&a, 1});
  if (!made) return made.error();
  c.unite(wf::graph_view::output_of(n), *made);
  return wf::nothing{};
}

wf::result<wf::nothing> failing(wf::choice_graph&, wf::node_id) {
  return wf::make_error(wf::errc::invalid_problem, "failing", "it always fails");
}

TEST_CASE("a transform from outside the library adds its candidate, with its origin") {
  const wf::transform mine{"user", "always_cholesky", "for the test", &always_cholesky};
  const wf::graph workflow = inverse_of({});
  const auto c = wf::grow(workflow.view(), {&mine, 1});
  REQUIRE(c);
  CHECK(c->view().nodes.size() == 2);
  CHECK(c->origin_of(wf::node_id{1}) == wf::origin_id{1});
}

TEST_CASE("a failing transform ends the growth; a limit stops it") {
  const wf::graph workflow = inverse_of({});
  const wf::transform broken{"user", "broken", "for the test", &failing};
  CHECK(wf::grow(workflow.view(), {&broken, 1}).error().code == wf::errc::invalid_problem);
  const wf::transform mine{"user", "always_cholesky", "for the test", &always_cholesky};
  const auto stopped = wf::grow(workflow.view(), {&mine, 1}, {.max_nodes = 1});
  REQUIRE(stopped);
  CHECK(stopped->view().nodes.size() == 1);
}
