// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform/linalg/chain_order.hpp>

#include <algorithm>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <wf/choice/growth/growth.hpp>
#include <wf/cost/cost.hpp>
#include <wf/select/optimise.hpp>

#include "../../equal_classes.hpp"
#include "../../expressions.hpp"
#include "../../rules.hpp"

namespace {

wf::choice_graph grown(const wf::result<wf::graph>& captured) {
  REQUIRE(captured);
  auto made = wf::grow(captured->view(), {&wf::transforms::chain_order, 1});
  REQUIRE(made);
  CHECK(made->growth().status == wf::growth_status::saturated);
  check_classes(*made, 11);
  check_invariants(*made);
  return *static_cast<wf::result<wf::choice_graph>&&>(made);
}

bool has(const wf::choice_graph& c, wf::text_view op, wf::text_view left, wf::text_view right) {
  const wf::graph_view g = c.view();
  const auto name = [&](wf::value_id id) {
    const wf::node_id n = g[id].producer;
    return n == wf::node_id::none ? g.text_of(g[id].name) : g.text_of(g[n].name);
  };
  for (const wf::node& n : g.nodes)
    if (g.op_name(n) == op && name(g.inputs_of(n)[0]) == left && name(g.inputs_of(n)[1]) == right)
      return true;
  return false;
}

}  // namespace

TEST_CASE("a chain of n matrices has all its parenthesisations") {
  for (std::int64_t n = 2; n <= 8; ++n) {
    std::vector<std::int64_t> sizes;
    for (std::int64_t i = 0; i <= n; ++i) sizes.push_back(i + 2);
    // One product for each run of matrices and each split of the run: (n³ - n) / 6.
    CHECK(grown(expressions::chain(sizes)).size() == static_cast<std::size_t>((n * n * n - n) / 6));
  }
}

TEST_CASE("of a long chain the cheapest orders are there, and few others") {
  std::uint32_t state = 3;
  std::vector<std::int64_t> sizes;
  for (int i = 0; i <= 80; ++i) sizes.push_back(5 + (state = state * 1664525 + 1013904223) % 90);
  const auto captured = expressions::chain(sizes);
  REQUIRE(captured);
  wf::optimise_options how;
  how.transforms = {&wf::transforms::chain_order, 1};
  const auto made =
      wf::optimise(captured->view(), wf::minimise(wf::flops), {}, wf::builtin_registry(), how);
  REQUIRE(made);
  CHECK(made->proven_optimal);
  CHECK(made->from.choices.size() < 6000);
  const std::size_t n = sizes.size();
  std::vector<std::vector<std::int64_t>> least(n, std::vector<std::int64_t>(n));
  for (std::size_t length = 2; length < n; ++length)
    for (std::size_t i = 0; i + length < n; ++i) {
      const std::size_t j = i + length;
      least[i][j] = std::numeric_limits<std::int64_t>::max();
      for (std::size_t k = i + 1; k < j; ++k)
        least[i][j] =
            std::min(least[i][j], least[i][k] + least[k][j] + 2 * sizes[i] * sizes[k] * sizes[j]);
    }
  CHECK(*wf::price(made->chosen.view(), wf::flops) == least[0][n - 1]);
}

TEST_CASE("a chain goes on through matrices times a vector") {
  const wf::choice_graph c = grown(wf::capture("vector", [](wf::scope& s) {
    auto a = s.input<"A", double, 3, 4>();
    auto b = s.input<"B", double, 4, 5>();
    auto d = s.input<"D", double, 5, 6>();
    auto x = s.input<"x", double, 6>();
    s.output<"y">(a * ((b * d) * x));
  }));
  CHECK(c.size() == 10);  // four factors: (4³ - 4) / 6
}

TEST_CASE("a transposed product shares the products of its factors") {
  const wf::choice_graph c = grown(wf::capture("transposed", [](wf::scope& s) {
    auto a = s.input<"A", double, 3, 4>();
    auto b = s.input<"B", double, 4, 5>();
    auto d = s.input<"D", double, 3, 6>();
    auto turned = s.let<"T">(trans(a * b));
    s.output<"T">(turned);
    s.output<"Y">(turned * d);
  }));
  // The transpose of A B is B' A'.
  bool found = false;
  for (wf::node_id id : c.candidates_of(c.view().outputs[0].source))
    found = found || c.applies(id, wf::kernels::matmul);
  CHECK(found);
}

TEST_CASE("a power by repeated squaring does not grow exponentially") {
  for (const int squarings : {6, 12, 24}) {
    const auto captured = wf::capture("power", [&](wf::scope& s) {
      wf::dynamic_handle<double> x = s.input<double>("A", wf::shape::of(3, 3));
      for (int i = 0; i < squarings; ++i) x = s.let(matmul(x, x));
      s.output("Y", x);
    });
    REQUIRE(captured);
    const auto made = wf::grow(captured->view(), {&wf::transforms::chain_order, 1});
    REQUIRE(made);
    MESSAGE(squarings, " ", made->size(), " ", made->growth().steps);
    CHECK(made->size() < 20000);
  }
}

TEST_CASE("a factor that is an inverse is solved with, also one that another transform found") {
  const wf::choice_graph c = grown(wf::capture("solve", [](wf::scope& s) {
    auto a = s.input<"A", double, 4, 4>();
    auto b = s.input<"B", double, 4, 5>();
    s.output<"Y">(inv(a) * b);
  }));
  CHECK(has(c, "solve", "A", "B"));
}

namespace {

// States Z = A B for the class of Z.
wf::result<wf::nothing> is_product(wf::choice_graph& c, wf::node_id id) {
  const wf::value_id factors[] = {wf::value_id{0}, wf::value_id{1}};
  const auto made = c.add(wf::kernels::matmul, factors);
  if (!made) return made.error();
  c.unite(c.result_of(id), *made);
  return wf::nothing{};
}

}  // namespace

TEST_CASE("a product that another transform finds later is taken apart as well") {
  wf::graph g("late");
  const auto type = [](std::int64_t m, std::int64_t n) {
    return wf::value_type{wf::dtype::f64, {}, wf::shape::of(m, n)};
  };
  const wf::value_id a = g.add_input("A", type(9, 1)), b = g.add_input("B", type(1, 9));
  const wf::value_id z = g.add_input("Z", type(9, 9)), w = g.add_input("W", type(9, 2));
  const wf::value_type square = type(9, 9), tall = type(9, 2);
  const wf::node_id soft = g.add_node({.op = "relu", .domain = "nn"}, {&z, 1}, {&square, 1});
  const wf::value_id factors[] = {wf::graph_view::output_of(g[soft]), w};
  const wf::node_id n = g.add_node({.op = "matmul", .domain = "linalg"}, factors, {&tall, 1});
  g.add_output("Y", wf::graph_view::output_of(g[n]));
  (void)a, (void)b;
  // The chain transform is called first; relu(Z) = A B is stated afterwards.
  const wf::transform both[] = {wf::transforms::chain_order,
                                {"user", "product", "", &is_product, false, "relu"}};
  for (const bool late : {false, true}) {
    CAPTURE(late);
    const wf::transform turned[] = {both[late ? 0 : 1], both[late ? 1 : 0]};
    const auto c = wf::grow(g.view(), turned);
    REQUIRE(c);
    // (A B) W and A (B W)
    CHECK(c->candidates_of(c->view().outputs[0].source).size() == 2);
    CHECK(c->size() == 5);
    check_invariants(*c);
  }
}
