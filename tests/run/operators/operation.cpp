// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/operation.hpp>

#include <doctest/doctest.h>

#include <wf/ir/graph/graph.hpp>
#include <wf/registry/domain/builtin.hpp>

static_assert(wf::detail::opcode_of("matmul") == wf::detail::opcode::matmul);
static_assert(wf::detail::opcode_of("mean") == wf::detail::opcode::mean);
static_assert(wf::detail::opcode_of("conv2d") == wf::detail::opcode::unknown);

TEST_CASE("names and codes are one list") {
  constexpr auto count = static_cast<std::size_t>(wf::detail::opcode::unknown);
  static_assert(sizeof(wf::detail::opcode_names) / sizeof(wf::text_view) == count);
  for (std::size_t i = 0; i < count; ++i)
    CHECK(wf::detail::opcode_of(wf::detail::opcode_names[i]) == static_cast<wf::detail::opcode>(i));
}

TEST_CASE("a loop is rolled until its nodes have a step") {
  const auto registry = wf::builtin_registry();
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2, 2)};
  const wf::value_id a = g.add_input("A", t);
  const wf::attribute_value attributes[] = {wf::attribute_value::integer("steps", 2),
                                            wf::attribute_value::integer("step", 1)};
  g.add_node({.op = "relu", .attributes = {attributes, 1}}, {&a, 1}, {&t, 1});
  g.add_node({.op = "relu", .attributes = {attributes, 2}}, {&a, 1}, {&t, 1});
  CHECK(wf::detail::is_rolled_loop(g.view(), g.view().nodes[0]));
  CHECK_FALSE(wf::detail::is_rolled_loop(g.view(), g.view().nodes[1]));
}
