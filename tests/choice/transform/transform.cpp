// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/transform/transform.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/choice/growth/growth.hpp>
#include <wf/registry/domain/builtin.hpp>

#include "../expressions.hpp"

using expressions::inverse_of;

// Proposes the Cholesky variant unconditionally: transforms are plain values.
wf::result<wf::nothing> always_cholesky(wf::choice_graph& c, wf::node_id id) {
  const wf::node n = c.view()[id];
  if (c.view().op_name(n) != "inverse") return wf::nothing{};
  const wf::value_id a = c.view().inputs_of(n)[0];
  const auto made = c.add(wf::kernels::inverse_cholesky, {&a, 1});
  if (!made) return made.error();
  c.unite(wf::graph_view::output_of(n), *made);
  return wf::nothing{};
}

wf::result<wf::nothing> failing(wf::choice_graph&, wf::node_id) {
  return wf::make_error(wf::errc::invalid_problem, "failing", "it always fails");
}

TEST_CASE("a transform from outside the library adds its candidate, with its origin") {
  const wf::transform mine{"user", "always_cholesky", "for the test", &always_cholesky};
  const wf::graph workflow = inverse_of({});
  const auto c = wf::grow(workflow.view(), {&mine, 1});
  REQUIRE(c);
  CHECK(c->view().nodes.size() == 2);
  CHECK(c->origin_of(wf::node_id{1}) == wf::origin_id{1});
}

TEST_CASE("an operator that shares only the hash of a transform's operator is not its") {
  wf::transform about_inverse;
  about_inverse.name = "cholesky";
  about_inverse.propose = always_cholesky;
  about_inverse.op = "inverse";
  wf::detail::guard_table guards;
  REQUIRE(guards.prepare({&about_inverse, 1}, wf::builtin_registry()).code == wf::errc::none);
  const std::uint64_t hash = wf::hash_text("inverse");
  CHECK(guards.next_about(0, hash, "inverse") == 0);
  CHECK(guards.next_about(0, hash, "another name of this hash") == 1);
}

TEST_CASE("a failing transform ends the growth; a limit stops it") {
  const wf::graph workflow = inverse_of({});
  const wf::transform broken{"user", "broken", "for the test", &failing};
  CHECK(wf::grow(workflow.view(), {&broken, 1}).error().code == wf::errc::invalid_problem);
  const wf::transform mine{"user", "always_cholesky", "for the test", &always_cholesky};
  const auto stopped =
      wf::grow(workflow.view(), {&mine, 1}, wf::builtin_registry(), {.max_nodes = 1});
  REQUIRE(stopped);
  CHECK(stopped->view().nodes.size() == 1);
}

namespace {

// x -> soft(x) -> soft(x), with a user-defined operator to which guards refer.
const wf::kernel_spec soft{.name = "soft",
                           .domain = "user",
                           .signature = "X: floating [M, N], order: number -> Y[M, N]",
                           .costs = {{"flops", "9*Y"}}};

wf::graph softened(wf::extent m, wf::extent n, int order) {
  wf::graph g("softened");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(m, n)};
  const wf::value_id x = g.add_input("x", t);
  const wf::attribute_value a = wf::attribute_value::integer("order", order);
  const wf::view<wf::attribute_value> stated(&a, order == 0 ? 0U : 1U);
  const wf::node_id first = g.add_node({.op = "relu", .domain = "nn"}, {&x, 1}, {&t, 1});
  const wf::value_id y = wf::graph_view::output_of(g[first]);
  const wf::node_id second =
      g.add_node({.op = "soft", .domain = "user", .attributes = stated}, {&y, 1}, {&t, 1});
  g.add_output("y", wf::graph_view::output_of(g[second]));
  return g;
}

// Proposes sigmoid for every node.
wf::result<wf::nothing> as_sigmoid(wf::choice_graph& c, wf::node_id id) {
  const wf::node n = c.view()[id];
  const wf::value_id x = c.view().inputs_of(n)[0];
  const auto made = c.add(wf::kernels::sigmoid, {&x, 1});
  if (!made) return made.error();
  c.unite(wf::graph_view::output_of(n), *made);
  return wf::nothing{};
}

wf::transform guarded(wf::text_view guard, wf::text_view op = "soft") {
  return {"user", "as_sigmoid", "for the test", &as_sigmoid, false, op, guard};
}

wf::registry with_soft() {
  wf::registry r = wf::builtin_registry();
  REQUIRE(r.add(soft));
  return r;
}

// The number of nodes that a guarded transform adds.
std::size_t added(wf::text_view guard, wf::extent m, wf::extent n, int order = 0,
                  wf::text_view op = "soft") {
  const wf::transform t = guarded(guard, op);
  const wf::graph g = softened(m, n, order);
  const auto c = wf::grow(g.view(), {&t, 1}, with_soft());
  REQUIRE(c);
  return c->view().nodes.size() - 2;
}

}  // namespace

TEST_CASE("row 6: a guard is a formula over the symbols of the operator's kernel") {
  CHECK(added("min(M, N) >= 512", 512, 600) == 1);
  CHECK(added("min(M, N) >= 512", 511, 600) == 0);
  CHECK(added("M % 2 == 0 and Y.bytes <= 1KiB", 8, 16) == 1);
  CHECK(added("M % 2 == 0 and Y.bytes <= 1KiB", 8, 17) == 0);
  CHECK(added("order > 2", 8, 8, 3) == 1);
  CHECK(added("order > 2", 8, 8, 2) == 0);
  // Irrational values are compared by their bounds, or not at all: log2(100) = 6.64.
  CHECK(added("M*log2(M) > 664", 100, 8) == 1);
  CHECK(added("M*log2(M) > 665", 100, 8) == 0);
  {
    const wf::transform t = guarded("2**0.5*2**0.5 >= 2");
    const wf::graph g = softened(8, 8, 0);
    const auto c = wf::grow(g.view(), {&t, 1}, with_soft());
    REQUIRE_FALSE(c);
    CHECK(c.error().code == wf::errc::undecided);
  }
  // A comparison with an unknown value is undecided: the guard does not hold.
  CHECK(added("order > 2", 8, 8) == 0);
  CHECK(added("M >= 1", "M", 8) == 0);
  CHECK(added("N >= 8", "M", 8) == 1);
  // Only nodes of the operator are visited, with or without a guard.
  CHECK(added("", 8, 8) == 1);
  CHECK(added("", 8, 8, 0, "relu") == 1);
  CHECK(added("", 8, 8, 0, "") == 2);
  CHECK(added("", 8, 8, 0, "gelu") == 0);
}

TEST_CASE("row 6: a guard may name only declared symbols; it is looked at before anything grows") {
  const wf::registry r = with_soft();
  const wf::graph g = softened(8, 8, 1);
  const auto told = [&](const wf::transform& t) {
    const auto c = wf::grow(g.view(), {&t, 1}, r);
    return c ? std::string("ok") : std::string(wf::to_text(c.error()).view());
  };
  CHECK(told(guarded("M >= 8")) == "ok");
  CHECK(told(guarded("min(M, n) >= 8")) ==
        "WF202 in 'as_sigmoid': guard: unknown symbol 'n': did you mean 'N'? (line 1, column 8)");
  CHECK(told(guarded("M >=")) ==
        "WF201 in 'as_sigmoid': guard: expected a value, found the end (line 1, column 5)");
  CHECK(told(guarded("M >= 8", "sofd")) ==
        "WF301 in 'as_sigmoid': unknown kernel 'sofd': did you mean 'soft'?");
  CHECK(told(guarded("M >= 8", "")) ==
        "WF503 in 'as_sigmoid': a guard needs the operator whose symbols it names");
  wf::transform nothing = guarded("");
  nothing.propose = nullptr;
  CHECK(told(nothing) == "WF503 in 'as_sigmoid': a transform that proposes nothing");
  CHECK(told(guarded("M/(N - 8) > 1")).substr(0, 5) == "WF203");
}

TEST_CASE("row 6: guards hold while compiling as they do at run time") {
  static constexpr auto grown = [] {
    wf::graph g("g");
    const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(8, 8)};
    const wf::value_id x = g.add_input("x", t);
    const wf::node_id n = g.add_node({.op = "gelu", .domain = "nn"}, {&x, 1}, {&t, 1});
    g.add_output("y", wf::graph_view::output_of(g[n]));
    constexpr auto propose = [](wf::choice_graph& c, wf::node_id id) -> wf::result<wf::nothing> {
      const wf::value_id in = c.view().inputs_of(c.view()[id])[0];
      const auto made = c.add(wf::kernels::silu, {&in, 1});
      if (!made) return made.error();
      c.unite(wf::graph_view::output_of(c.view()[id]), *made);
      return wf::nothing{};
    };
    const wf::transform t_small{"user", "small", "", propose, false, "gelu", "Y <= 64"};
    const wf::transform t_large{"user", "large", "", propose, false, "gelu", "Y > 64"};
    const auto small = wf::grow(g.view(), {&t_small, 1});
    const auto large = wf::grow(g.view(), {&t_large, 1});
    return small->view().nodes.size() * 10 + large->view().nodes.size();
  }();
  CHECK(grown == 21);
}
