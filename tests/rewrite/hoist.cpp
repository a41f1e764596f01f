// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/hoist.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>
#include <wf/registry/registry.hpp>
#include <wf/run/dynamic.hpp>

#include "../repeated.hpp"
#include "../run/uniform_arguments.hpp"

namespace {

// Bodies with parts that do not vary: products, views of them, constants, all of a result.
constexpr const char* hoisted[] = {
    "input A : f64[n,n]; input B : f64[n,n]; input x_ : f64[n]; x = 0.1 * (A B x_); export x",
    "input A : f64[n,n]; input x_ : f64[n]; x = 0.1 * (trans(A) A x_) + 0.1 * (A x_); export x",
    "input A : f64[n,n]; input x_ : f64[n]; S = tanh(A); x = trans(S) x_ + sum(S, axis = 0);"
    "export x",
    "input b : f64[n]; input x_ : f64[n]; x = square(b); export x",
    "input b : f64[n]; input x_ : f64[n]; x = exp(b) + 0.5 * x_; export x",
    "input A : f64[n,n]; input X_ : f64[n,n]; input y_ : f64[n];"
    "X = 0.1 * tanh(trans(A) A); y = X_ y_; export X; export y"};

}  // namespace

TEST_CASE("what does not vary is computed once, and the results are the same") {
  std::mt19937_64 random(8);
  MESSAGE("seed 8");
  const wf::registry kernels = wf::builtin_registry();
  for (const char* text : hoisted)
    for (std::int64_t rounds : {1, 2, 40}) {
      CAPTURE(text);
      CAPTURE(rounds);
      const wf::graph g = repeated::once(text, 4, {rounds});
      const auto made = wf::hoist_invariants(g.view(), kernels);
      REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
      CHECK(wf::validate(made->view()));
      CHECK(made->view().nodes.size() > 1);
      // As cheap as where the runs are written out and equal nodes merge.
      const wf::graph all = repeated::written_out(g.view(), rounds);
      CHECK(*wf::price(made->view(), wf::flops) == *wf::price(all.view(), wf::flops));
      const auto at = wf_test::uniform_arguments(g.view(), random, -1, 1);
      const auto before = wf::run_dynamic(g.view(), at), after = wf::run_dynamic(made->view(), at);
      REQUIRE(before);
      REQUIRE_MESSAGE(after, std::string(wf::to_text(after.error()).view()));
      for (const auto& [name, m] : *before)
        CHECK((m - after->at(name)).cwiseAbs().maxCoeff() <= 1e-13);
      // Nothing is left to move.
      const auto again = wf::hoist_invariants(made->view(), kernels);
      REQUIRE(again);
      CHECK(wf::same(again->view(), made->view()));
    }
}

TEST_CASE("what varies stays, and so does a node that would have too many operands") {
  const wf::registry kernels = wf::builtin_registry();
  for (const char* text : {repeated::bodies[1], repeated::bodies[3], repeated::bodies[8]}) {
    const wf::graph g = repeated::once(text, 3, {5});
    const auto made = wf::hoist_invariants(g.view(), kernels);
    REQUIRE(made);
    CHECK(wf::same(made->view(), g.view()));
  }
  // Four products that are read, beside five operands.
  const wf::graph wide = repeated::once(
      "input a : f64[n]; input b : f64[n]; input c : f64[n]; input d : f64[n]; input x_ : f64[n];"
      "p = square(a); q = square(b); r = square(c); s = square(d);"
      "x = minimum(x_ + a, p) + maximum(x_ + b, q) + minimum(x_ + c, r) + maximum(x_ + d, s);"
      "export x",
      3, {5});
  const auto made = wf::hoist_invariants(wide.view(), kernels);
  REQUIRE(made);
  CHECK(wf::same(made->view(), wide.view()));
}

TEST_CASE("a node that gets a smaller body keeps its place in the order") {
  wf::graph g = repeated::once(hoisted[0], 3, {5});
  const wf::value_id x = wf::value_id{0};
  const wf::value_type type = g.view()[x].type;
  const wf::node_id later = g.add_node({.op = "exp", .domain = "elementwise"}, {&x, 1}, {&type, 1});
  g.add_output("later", wf::graph_view::output_of(g.view()[later]));
  g.add_edge(wf::edge_kind::control, wf::node_id{0}, later);
  const auto made = wf::hoist_invariants(g.view(), wf::builtin_registry());
  REQUIRE(made);
  const wf::graph_view h = made->view();
  REQUIRE(h.edges.size() == 1);
  CHECK(h.op_name(h[h.edges[0].from]) == "fixpoint");
  CHECK(h.op_name(h[h.edges[0].to]) == "exp");
}
