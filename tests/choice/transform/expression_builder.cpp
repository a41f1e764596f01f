// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform/expression_builder.hpp>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>

using wf::transforms::detail::expression_builder;

namespace {

// A choice graph of Y = A + C, with a further input B of the transposed shape.
wf::choice_graph choices() {
  const auto g = wf::equations("formula",
                               "input A : f64[2,3]; input B : f64[3,2]; input C : f64[2,3];"
                               "Y = A + C; export Y");
  REQUIRE(g);
  return wf::choice_graph(g->view());
}
wf::value_id input(const wf::choice_graph& c, wf::text_view name) {
  const wf::graph_view g = c.view();
  for (std::uint32_t i = 0; i < g.values.size(); ++i)
    if (g.text_of(g.values[i].name) == name) return static_cast<wf::value_id>(i);
  return wf::value_id::none;
}

}  // namespace

TEST_CASE("expressions of one, two and three operands are built and united") {
  wf::choice_graph c = choices();
  const wf::value_id made = c.view().outputs[0].source;
  expression_builder b(c);
  const wf::value_id turned = b.add(wf::kernels::transpose, input(c, "B"));
  const wf::value_id sum = b.add(wf::kernels::add, input(c, "A"), turned);
  const wf::value_id fused = b.add(wf::kernels::matmul_add, sum, input(c, "B"),
                                   b.add(wf::kernels::matmul, turned, input(c, "B")));
  b.unite(made, sum);
  CHECK(b.done());
  CHECK(c.class_of(made) == c.class_of(sum));
  CHECK(c.type_of(fused).shape == wf::shape::of(2, 2));
  CHECK(c.size() == 5);
}

TEST_CASE("after an error nothing more is built or united, and the error is told") {
  wf::choice_graph c = choices();
  const wf::value_id made = c.view().outputs[0].source, a = input(c, "A");
  expression_builder b(c);
  const wf::value_id wrong = b.add(wf::kernels::matmul, a, a);
  const std::uint32_t before = c.size();
  const wf::value_id after = b.add(wf::kernels::transpose, wrong);
  b.unite(made, after);
  REQUIRE_FALSE(b.done());
  CHECK(b.done().error().code == wf::errc::shape_mismatch);
  CHECK(c.size() == before);
  CHECK(c.class_of(made) != c.class_of(a));
}
