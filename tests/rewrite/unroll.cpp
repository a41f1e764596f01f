// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/unroll.hpp>

#include <doctest/doctest.h>

#include <wf/choice/builtin.hpp>
#include <wf/choice/graph/extract.hpp>
#include <wf/registry/static_registry.hpp>
#include <wf/static.hpp>

#include "../../examples/elimination.hpp"
#include "../choice/field.hpp"

namespace {

// inv(A) by Gaussian elimination, regardless of its cost, and a reader of A after the loop.
wf::graph eliminated(std::int64_t size) {
  const auto captured = wf::capture("inversion", [&](wf::scope& s) {
    const auto a = s.input<double>("A", wf::shape::of(size, size));
    const auto b = s.let(inv(a));
    s.output("B", b);
    s.output("I", matmul(a, b));
  });
  REQUIRE(captured);
  const auto grown = wf::grow(captured->view(), {&elimination::instead_of_inverse, 1});
  REQUIRE(grown);
  const auto classes = wf::number_classes(*grown);
  wf::table<std::uint32_t> chosen(classes.count, wf::class_numbers::none);
  for (std::uint32_t i = 0; i < grown->view().nodes.size(); ++i) {
    const auto result = wf::graph_view::output_of(grown->view().nodes[i]);
    chosen[classes.of_value[wf::index_of(result)]] = i;  // later candidates, here elimination, take
                                                         // precedence
  }
  auto made = wf::extract(*grown, classes, chosen);
  REQUIRE(made);
  return *made;
}

}  // namespace

TEST_CASE("an unrolled elimination inverts, and leaves its operand to other readers") {
  const auto registry = wf::registry_of<elimination::domain>();
  for (std::int64_t size = 1; size <= 9; ++size) {
    const wf::graph loop = eliminated(size);
    const auto flat = wf::unroll(loop.view(), registry);
    REQUIRE(flat);
    REQUIRE(wf::validate(flat->view()));
    CHECK(flat->view().nodes.size() == static_cast<std::size_t>(3 * size + 4));
    const auto values = field::evaluate(flat->view(), 7);
    const auto& product = values[wf::index_of(flat->view().outputs[1].source)];
    for (std::size_t i = 0; i < product.rows; ++i)
      for (std::size_t j = 0; j < product.columns; ++j) CHECK(product(i, j) == (i == j ? 1 : 0));
    CHECK(*wf::price(loop.view(), wf::flops, registry) ==
          *wf::price(flat->view(), wf::flops, registry));
  }
}

TEST_CASE("loops that cannot be unrolled are refused") {
  const auto registry = wf::registry_of<elimination::domain>();
  const wf::graph loop = eliminated(9);
  const auto too_long = wf::unroll(loop.view(), registry, 8);
  REQUIRE_FALSE(too_long);
  CHECK(too_long.error().code == wf::errc::bad_attribute);

  wf::graph symbolic("symbolic");
  const wf::value_type matrix{wf::dtype::f64, {}, wf::shape::of("M", "M")};
  const wf::value_id a = symbolic.add_input("A", matrix);
  const auto steps = wf::attribute_value::dimension("steps", "M");
  const wf::node_id n = symbolic.add_node(
      {.op = "relu", .domain = "elementwise", .attributes = {&steps, 1}}, {&a, 1}, {&matrix, 1});
  symbolic.add_output("B", wf::graph_view::output_of(symbolic[n]));
  const auto unbound = wf::unroll(symbolic.view(), registry);
  REQUIRE_FALSE(unbound);
  CHECK(unbound.error().code == wf::errc::workflow_not_static);
}
