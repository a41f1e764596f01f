// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/nn.hpp>

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

TEST_CASE("a convolution by counting its loops") {
  for (std::int64_t stride = 1; stride < 4; ++stride)
    for (std::int64_t padding = 0; padding < 3; ++padding) {
      const std::int64_t height = 9, width = 7, r = 3, s = 2;
      std::int64_t outputs = 0;  // positions at which the window lies inside the padded image
      for (std::int64_t h = 0; h + r <= height + 2 * padding; h += stride)
        for (std::int64_t w = 0; w + s <= width + 2 * padding; w += stride) ++outputs;
      const std::vector<wf::attribute_value> attributes{
          wf::attribute_value::integer("stride", stride),
          wf::attribute_value::integer("padding", padding)};
      CHECK(priced(wf::kernels::conv2d, wf::macs,
                   {shape::of(2, 4, height, width), shape::of(5, 4, r, s)},
                   attributes) == 2 * 5 * outputs * 4 * r * s);
    }
}

TEST_CASE("poolings and activations") {
  const std::vector<wf::attribute_value> pool{wf::attribute_value::integer("window", 3),
                                              wf::attribute_value::integer("stride", 2),
                                              wf::attribute_value::integer("padding", 1)};
  CHECK(priced(wf::kernels::max_pool2d, wf::operations, {shape::of(1, 64, 112, 112)}, pool) ==
        64 * 56 * 56 * 9);
  CHECK(priced(wf::kernels::global_average_pool, wf::operations, {shape::of(1, 8, 7, 7)}) == 392);
  CHECK(priced(wf::kernels::relu, wf::flops, {shape::of(4, 5)}) == 20);
  CHECK(priced(wf::kernels::softmax, wf::flops, {shape::of(4, 5)}) == 100);
}
