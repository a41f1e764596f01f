// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/implement.hpp>

#include <doctest/doctest.h>

#include <wf/ir/graph/graph.hpp>

namespace {

constexpr wf::kernel_spec tuned{
    .name = "tuned",
    .domain = "own",
    .signature =
        "X: floating [N], a: integer = 2, b: real = 3/4, c: string = same, d: real -> Y[N]",
    .costs = {{"flops", "N"}}};
constexpr auto code = wf::implementations(wf::implement<tuned>([](auto&, const auto&) {}));
static_assert(code.size == 1 && code.find("tuned") == 0 && code.find("other") == 1);
static_assert(wf::built_in_only.find("tuned") == wf::built_in_only.size);

// The attributes that a function sees of a node that states some.
constexpr bool attributes_are_whole() {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2)};
  const wf::value_id x = g.add_input("x", t);
  const wf::attribute_value with[] = {wf::attribute_value::floating("d", 0.5),
                                      wf::attribute_value::integer("more", 9),
                                      wf::attribute_value::integer("a", 7)};
  const wf::node_id n = g.add_node({.op = "tuned", .attributes = {with, 3}}, {&x, 1}, {&t, 1});
  const wf::detail::node_attributes all(g.view(), g[n], decltype(code)::at<0>::attributes{});
  const wf::node_context c(all, nullptr, 0);
  return all.count == 5 && all.of[0].name == "a" && all.of[1].name == "b" &&
         all.of[2].name == "c" && all.of[3].name == "d" && all.of[4].name == "more" &&
         c.integer("a") == 7 && c.real("b") == 0.75 && c.characters("c") == "same" &&
         c.real("d") == 0.5 && c.integer("more") == 9 && c.has("b") && !c.has("none") &&
         c.integer("none") == 0 && c.real("none") == 0 && c.characters("none").empty();
}
static_assert(attributes_are_whole());

}  // namespace

TEST_CASE("attributes stand in the order of the signature, with its defaults") {
  CHECK(attributes_are_whole());
}

TEST_CASE("a tensor of more dimensions is addressed in row-major order") {
  double elements[24];
  for (int i = 0; i < 24; ++i) elements[i] = i;
  const wf::tensor_span<double> t{wf::shape::of(2, 3, 4), elements};
  CHECK(t(1, 2, 3) == 23);
  CHECK(t(0, 1, 2) == 6);
  t(1, 0, 0) = 99;
  CHECK(elements[12] == 99);
}
