// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/price.hpp>

#include <doctest/doctest.h>

#include <wf/registry/registry.hpp>

TEST_CASE("a total that does not fit is an error, never a wrapped number") {
  const auto registry = wf::builtin_registry();
  wf::graph g("g");
  const std::int64_t huge = std::int64_t{1} << 62;
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(huge, huge)};
  const wf::value_id x = g.add_input("x", t);
  const wf::value_id both[] = {x, x};
  g.add_node({.op = "matmul"}, {both, 2}, {&t, 1});
  const auto total = wf::total_cost<wf::rational>(g.view(), wf::flops, registry);
  REQUIRE_FALSE(total);
}
