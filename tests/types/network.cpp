// SPDX-License-Identifier: BSL-1.0
#include <wf/types/network.hpp>

#include <string>

#include <doctest/doctest.h>

namespace {

using namespace wf::detail;

constexpr auto no_node = wf::node_id::none;
constexpr auto node_0 = static_cast<wf::node_id>(0);

constexpr wf::graph sample() {
  wf::graph g("g");
  g.add_input("x", {wf::dtype::f64, {}, wf::shape::of("M", 3)});
  g.add_input("y", {wf::dtype::unknown, {}, wf::shape::unknown()});
  g.add_input("z", {wf::dtype::f64, {}, wf::shape::of(g.add_derived("N + M"), wf::extent())});
  g.add_input("w", {wf::dtype::f64, {}, wf::shape::of(g.add_derived("M + N"), 3)});
  g.add_input("v", {wf::dtype::f64, {}, wf::shape::of(g.add_derived("2*3"), 3)});
  g.add_node({.op = "test", .name = "t"}, {}, {});
  return g;
}

constexpr bool states_what_the_graph_does() {
  const wf::graph g = sample();
  type_network n(g);
  bool ok = n.rank(0) == 2 && n.known_shape(0) == wf::shape::of("M", 3);
  ok = ok && n.rank(1) == wf::shape::unknown_rank && n.known_shape(1) == wf::shape::unknown();
  ok = ok && n.variables().dtype_of(n.element_type(static_cast<wf::value_id>(0))) == wf::dtype::f64;
  ok = ok && !n.variables().known(n.element_type(static_cast<wf::value_id>(1)));
  // Equal polynomials become the same extent, constants become sizes.
  ok = ok && n.known_shape(2)[0] == n.known_shape(3)[0] && n.known_shape(2)[0].is_derived();
  return ok && n.known_shape(4) == wf::shape::of(6, 3);
}
static_assert(states_what_the_graph_does());

constexpr bool ranks_give_dimensions() {
  const wf::graph g = sample();
  type_network n(g);
  bool ok = n.learn(n.rank_variable(1), {0b100}, node_0) && n.rank(1) == 2;
  ok = ok && n.settle(n.dimension(1, 1), wf::extent(4), node_0);
  ok = ok && n.known_shape(1) == wf::shape::of(wf::extent(), 4);
  return ok && n.variables().owner(n.dimension(1, 1)) == static_cast<wf::value_id>(1);
}
static_assert(ranks_give_dimensions());

constexpr bool polynomials_become_extents() {
  const wf::graph g = sample();
  type_network n(g);
  wf::extent e;
  bool ok = n.extent_of(wf::polynomial(7), e) && e == wf::extent(7);
  ok = ok && n.extent_of(wf::polynomial(wf::make_symbol("K")), e) && e == wf::extent("K");
  wf::polynomial sum(wf::make_symbol("M"));
  wf::accumulate(sum, wf::polynomial(wf::make_symbol("N")));
  ok = ok && n.extent_of(sum, e) && e == n.known_shape(2)[0];
  wf::polynomial back;
  ok = ok && n.polynomial_of(e, back) && back == sum;
  return ok && !n.extent_of(wf::polynomial(-1), e) &&
         !n.extent_of(wf::polynomial(*wf::make_rational(1, 2)), e);
}
static_assert(polynomials_become_extents());

}  // namespace

TEST_CASE("a network starts with what the graph states") {
  CHECK(states_what_the_graph_does());
  CHECK(ranks_give_dimensions());
  CHECK(polynomials_become_extents());
}

TEST_CASE("what is learnt of a shape of no value holds for no other one") {
  const wf::graph g = sample();
  type_network n(g);
  const shape_number shapes[] = {n.add_shape(), n.add_shape(), n.add_shape()};
  for (int k = 0; k < 3; ++k)
    CHECK(n.learn(n.rank_variable(shapes[k]), {std::int64_t{1} << (k + 3)}, node_0));
  for (int k = 0; k < 3; ++k) CHECK(n.rank(shapes[k]) == k + 3);
  CHECK(n.known_shape(4) == wf::shape::of(6, 3));
  CHECK(n.conflicts().size() == 0);
}

TEST_CASE("conflicts tell a value, two types, and who says so") {
  const wf::graph g = sample();
  type_network n(g);
  const auto last = [&] { return std::string(wf::to_text(n.conflicts().back().why).view()); };
  CHECK_FALSE(n.is_broken(node_0));
  CHECK_FALSE(n.settle(n.dimension(0, 1), wf::extent(4), node_0));
  CHECK(last() == "WF101 in 't': 'x' is Mx4 by test 't' but Mx3 by input");
  CHECK(n.conflicts().back().left == wf::extent(3));
  CHECK(n.conflicts().back().right == wf::extent(4));
  CHECK(n.is_broken(node_0));
  CHECK_FALSE(n.unite(n.dimension(0, 0), n.dimension(3, 0), node_0));
  CHECK(last() == "WF101 in 't': 'w' is Mx3 by test 't' but (M + N)x3 by input");
  CHECK_FALSE(n.learn(n.rank_variable(0), {0b11000}, node_0));
  CHECK(last() == "WF101 in 't': 'x' is of rank 3 or 4 by test 't' but of rank 2 by input");
  CHECK_FALSE(n.learn(n.rank_variable(0), {every_rank & ~std::int64_t{7}}, node_0));
  CHECK(last() == "WF101 in 't': 'x' is of rank 3 or more by test 't' but of rank 2 by input");
  CHECK_FALSE(n.learn(n.element_type(static_cast<wf::value_id>(0)),
                      {wf::dtypes_named("integer").bits}, node_0));
  CHECK(last() == "WF102 in 't': 'x' is integer by test 't' but f64 by input");
  CHECK(n.learn(n.dimension(2, 1), knowledge{5, true}, node_0));
  CHECK_FALSE(n.settle(n.dimension(2, 1), wf::extent(3), node_0));
  CHECK(last() == "WF101 in 't': 'z' is (M + N)x3 by test 't' but (M + N)x(1 or 5) by test 't'");
  CHECK(n.learn(n.element_type(static_cast<wf::value_id>(1)),
                {wf::only(wf::dtype::f16).bits | wf::only(wf::dtype::f32).bits}, no_node));
  CHECK_FALSE(n.learn(n.element_type(static_cast<wf::value_id>(1)), {wf::only(wf::dtype::i8).bits},
                      node_0));
  CHECK(last() == "WF102 in 't': 'y' is i8 by test 't' but f16 or f32 by input");
}
