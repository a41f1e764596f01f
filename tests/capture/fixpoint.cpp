// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/fixpoint.hpp>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/cost/static_cost.hpp>
#include <wf/ir/form/json.hpp>
#include <wf/ir/form/parse_json.hpp>
#include <wf/registry/registry.hpp>

#include "../repeated.hpp"

namespace {

constexpr auto sweep = wf::workflow<"sweep">([](wf::scope& s) {
  auto A = s.input<"A", double, 3, 3>();
  auto b = s.input<"b", double, 3>();
  auto x = s.input<"x", double, 3>();
  s.output<"x">(b - A * x);
});
constexpr auto solve = wf::workflow<"solve">([](wf::scope& s) {
  auto A = s.input<"A", double, 3, 3>();
  auto b = s.input<"b", double, 3>();
  auto [x, rounds, converged] = wf::fixpoint<"jacobi">(sweep, {100, 1e-12}, A, b, 2.0 * b);
  s.output<"x">(x + x);
  s.output<"rounds">(rounds);
  s.output<"converged">(converged);
});
static_assert(wf::cost(solve)[wf::flops] == 100 * (18 + 3) + 3 + 3);
static_assert(wf::cost(solve)[wf::flops] <= 2'106);

// Two values, of symbolic size, that are exchanged.
constexpr auto exchange = wf::equations<"exchange", R"(
  input p : f64[n]
  input q : f64[n]
  r = q
  s = p
  export r
  export s
)">();
constexpr auto both = wf::workflow<"both">([](wf::scope& s) {
  auto p = s.input<"p", double, "n">();
  auto q = s.input<"q", double, "n">();
  auto [a, b, rounds, converged] =
      wf::fixpoint<"swap">(exchange, {wf::extent(wf::make_symbol("n"))}, p, q);
  s.output<"a">(a);
  s.output<"b">(b);
  s.output<"rounds">(rounds);
});

}  // namespace

TEST_CASE("a fixpoint is one node with the body's results, the rounds and the verdict") {
  const wf::graph_view g = solve.graph();
  const wf::node* found = nullptr;
  for (const wf::node& n : g.nodes)
    if (g.text_of(n.name) == "jacobi") found = &n;
  REQUIRE(found != nullptr);
  CHECK(g.op_name(*found) == "fixpoint");
  CHECK(found->outputs.count == 3);
  CHECK(g[wf::graph_view::output_of(*found)].type ==
        wf::value_type{wf::dtype::f64, {}, wf::shape::of(3)});
  CHECK(g[wf::graph_view::output_of(*found, 1)].type ==
        wf::value_type{wf::dtype::i64, {}, wf::shape::of()});
  CHECK(g[wf::graph_view::output_of(*found, 2)].type ==
        wf::value_type{wf::dtype::boolean, {}, wf::shape::of()});
  CHECK(both.graph().nodes[0].outputs.count == 4);
  CHECK(wf::validate(both.graph()));
}

TEST_CASE("a graph with a body is the same after a round trip through text and JSON") {
  for (const wf::graph_view& g : {solve.graph(), both.graph()}) {
    const auto text = wf::to_text(g);
    const auto parsed = wf::parse_graph(text.view());
    REQUIRE(parsed);
    CHECK(wf::same(parsed->view(), g));
    const auto json = wf::to_json(g);
    const auto read = wf::parse_graph_json(json.view());
    REQUIRE(read);
    CHECK(wf::same(read->view(), g));
  }
}

TEST_CASE("what a body cannot carry is an error") {
  const auto failure = [](const char* body, std::initializer_list<wf::value_type> operands) {
    const auto made = wf::equations("body", body);
    wf::detail::graph_capture to("g");
    std::vector<wf::value_id> ids;
    for (const wf::value_type& t : operands) {
      const wf::text name = wf::text() << 'v' << ids.size();
      ids.push_back(to.add_input(name.view(), t));
    }
    wf::detail::add_fixpoint(to, "", made->view(), {3}, {ids.data(), ids.size()}, {});
    return wf::error(to.failure());
  };
  const wf::value_type vector{wf::dtype::f64, {}, wf::shape::of(4)};
  const wf::value_type shorter{wf::dtype::f64, {}, wf::shape::of(3)};
  const char* const cut = "input x : f64[n]; y = slice(x, axis = 0, length = 3); export y";
  CHECK(failure(cut, {shorter}).code == wf::errc::none);
  CHECK(failure(cut, {vector}).code == wf::errc::shape_mismatch);
  CHECK(failure(cut, {vector}).message.view() ==
        "output y is f64[3], the operand that it replaces f64[4]");
  CHECK(failure("input x : f64[n]; y = less(x, 0); export y", {vector}).code ==
        wf::errc::dtype_mismatch);
  CHECK(failure("input x : f64[n]; input z : f64[n]; y = x + z; export y", {vector}).code ==
        wf::errc::shape_mismatch);
  CHECK(failure("input x : f64[n]; y = x + x; z = y; export y; export z", {vector}).code ==
        wf::errc::shape_mismatch);
}
