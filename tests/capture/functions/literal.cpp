// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/functions/literal.hpp>

#include <array>

#include <doctest/doctest.h>

#include <wf/capture/functions/functions.hpp>
#include <wf/capture/functions/operators.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/cost/static_cost.hpp>

namespace {

constexpr std::array<std::array<double, 3>, 2> numbers{{{1, 2, 3}, {4, 5, 6}}};

constexpr auto product = wf::workflow<"product">([](wf::scope& s) {
  auto x = s.input<"x", double, 3>();
  auto h = s.let<"H">(wf::literal(numbers));
  s.output<"y">(h * x);
  s.output<"z">(h * x + wf::literal(std::array{0.5, 0.25}));
  s.output<"w">(wf::literal(numbers));
  s.output<"S">(wf::literal(std::array{std::array{2.0, 1.0}, std::array{1.0, 2.0}}, wf::spd));
});
constexpr int count(wf::text_view op) {
  int found = 0;
  for (const wf::node& n : product.graph().nodes) found += product.graph().op_name(n) == op ? 1 : 0;
  return found;
}
// Equal arrays become one node.
static_assert(count("literal") == 3);
static_assert(product.graph()[product.graph().outputs[0].source].type.shape == wf::shape::of(2));
static_assert(product.graph()[product.graph().outputs[3].source].type.known.has(wf::symmetric));
static_assert(wf::cost(product)[wf::flops] == 2 * 6 + 2);

}  // namespace

TEST_CASE("an array in an expression is a node that holds its elements") {
  const wf::graph_view g = product.graph();
  const wf::node& n = g.nodes[0];
  REQUIRE(g.op_name(n) == "literal");
  CHECK(g.text_of(n.name) == "H");
  const wf::text_view digits = g.text_of(g.find_attribute(n, "elements")->characters);
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(wf::element_from<double>(digits.data() + 16 * i) == numbers[i / 3][i % 3]);
}
