// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/elementwise.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>

namespace {

// The price of one node on operands of the given shapes.
std::int64_t priced(const wf::kernel_spec& k, const wf::metric_spec& m,
                    std::vector<wf::shape> shapes, std::vector<wf::attribute_value> attributes = {},
                    std::vector<wf::dtype> types = {}) {
  wf::graph g("one");
  std::vector<wf::value_type> operands;
  std::vector<wf::value_id> ids;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    operands.push_back({i < types.size() ? types[i] : wf::dtype::f64, {}, shapes[i]});
    ids.push_back(g.add_input((wf::text() << "x" << i).view(), operands.back()));
  }
  const auto made =
      wf::infer(k, {{operands.data(), operands.size()}, {attributes.data(), attributes.size()}});
  REQUIRE(made);
  wf::node_description d;
  d.op = k.name;
  d.domain = k.domain;
  d.attributes = {attributes.data(), attributes.size()};
  const wf::node_id n = g.add_node(d, {ids.data(), ids.size()}, made->types());
  g.add_output("y", wf::graph_view::output_of(g[n]));
  const auto total = wf::price(g.view(), m);
  REQUIRE(total);
  return *total;
}

using wf::shape;

}  // namespace

TEST_CASE("one operation a result element; operands are what accelerators count") {
  for (const auto& k :
       {wf::kernels::add, wf::kernels::subtract, wf::kernels::multiply, wf::kernels::divide}) {
    CHECK(priced(k, wf::flops, {shape::of(4, 1), shape::of(3)}) == 12);
    CHECK(priced(k, wf::operations, {shape::of(4, 1), shape::of(3)}) == 7);
  }
  CHECK(priced(wf::kernels::negate, wf::flops, {shape::of(5)}) == 5);
}

TEST_CASE("sums keep structure, and definiteness") {
  const auto known = [](wf::properties a, wf::properties b) {
    const wf::value_type types[] = {{wf::dtype::f64, a, shape::of(3, 3)},
                                    {wf::dtype::f64, b, shape::of(3, 3)}};
    return wf::kernels::add.result_properties({types, {}});
  };
  CHECK(known(wf::spd, wf::psd).has(wf::spd));
  CHECK_FALSE(known(wf::psd, wf::psd).has(wf::spd));
  CHECK(known(wf::psd, wf::psd).has(wf::psd));
  CHECK(known(wf::symmetric, wf::spd) == wf::properties(wf::symmetric));
  CHECK(known(wf::lower_triangular, wf::upper_triangular).empty());
  CHECK(known(wf::diagonal, wf::lower_triangular) == wf::properties(wf::lower_triangular));
}
