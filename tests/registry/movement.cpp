// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/movement.hpp>

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

TEST_CASE("reductions add up all but one element of each result") {
  const std::vector<wf::attribute_value> axis{wf::attribute_value::integer("axis", 1)};
  CHECK(priced(wf::kernels::reduce_sum, wf::flops, {shape::of(3, 5)}, axis) == 3 * 4);
  CHECK(priced(wf::kernels::reduce_sum, wf::flops, {shape::of(3, 5)}) == 14);
  CHECK(priced(wf::kernels::reduce_mean, wf::flops, {shape::of(3, 5)}, axis) == 3 * 4 + 3);
}

TEST_CASE("a reshape keeps the number of elements") {
  const auto to = [](const shape& from, std::vector<wf::extent> extents) {
    constexpr wf::text_view names[] = {"d0", "d1", "d2"};
    std::vector<wf::attribute_value> attributes;
    for (std::size_t i = 0; i < extents.size(); ++i)
      attributes.push_back(wf::attribute_value::dimension(names[i], extents[i]));
    const wf::value_type t{wf::dtype::f64, {}, from};
    return wf::infer(wf::kernels::reshape, {{&t, 1}, {attributes.data(), attributes.size()}});
  };
  CHECK(to(shape::of(2, 6), {3, 4})->results[0].shape == shape::of(3, 4));
  CHECK_FALSE(to(shape::of(2, 6), {3, 5}));
  CHECK(to(shape::of("M", 6), {2, "M", 3})->results[0].shape == shape::of(2, "M", 3));
  CHECK_FALSE(to(shape::of("M", 6), {"N", 6}));
}

TEST_CASE("an axis that does not exist is refused") {
  const wf::attribute_value axis = wf::attribute_value::integer("axis", 2);
  const wf::value_type t{wf::dtype::f64, {}, shape::of(2, 6)};
  const auto made = wf::infer(wf::kernels::reduce_max, {{&t, 1}, {&axis, 1}});
  REQUIRE_FALSE(made);
  CHECK(made.error().code == wf::errc::bad_attribute);
}
