// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/call_node.hpp>

#include <doctest/doctest.h>

#include <wf/ir/compare/digest.hpp>
#include <wf/rewrite/inline.hpp>

namespace {

constexpr auto normalise = wf::workflow<"normalise">([](wf::scope& s) {
  auto x = s.input<"x", float, "N">();
  auto m = s.let<"m">(mean(x));
  s.output<"centred">(x - m);
  s.output<"mean">(m);
});

constexpr auto outer = wf::workflow<"outer">([](wf::scope& s) {
  auto a = s.input<"a", float, 8>();
  auto [c, m] = wf::call_node<"first">(normalise, a * 2);
  static_assert(decltype(c)::type.shape == wf::shape::of(8));
  auto [d, n] = wf::call_node<"second">(normalise, c);
  s.output<"y">(d * n + m);
});

}  // namespace

TEST_CASE("row 1: a sub-workflow is one node with its body as text") {
  const wf::graph_view g = outer.graph();
  std::size_t calls = 0;
  for (const wf::node& n : g.nodes) calls += wf::is_call(g, n);
  CHECK(calls == 2);
  CHECK(g.nodes.size() == 6);  // constant, multiply, two calls, multiply, add
}

TEST_CASE("row 1: inlining a call gives what applying the workflow gives") {
  const auto inlined = wf::inline_calls(outer.graph());
  REQUIRE(inlined);
  const auto applied = wf::capture("outer", [](wf::scope& s) {
    auto a = s.input<"a", float, 8>();
    auto x = s.let(a * 2);
    auto m = s.let(mean(x));
    auto c = s.let(x - m);
    auto n = s.let(mean(c));
    s.output<"y">((c - n) * n + m);
  });
  REQUIRE(applied);
  CHECK(wf::digest(inlined->view()) == wf::digest(applied->view()));
}

TEST_CASE("operands that do not fit are an error of the capture") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    wf::dynamic_handle<float> x = s.input<float>("x", wf::shape::of(3, 3));
    auto [c, m] = wf::call_node<"n">(normalise, x);
    s.output("c", c);
    s.output("m", m);
  });
  REQUIRE_FALSE(g);
  CHECK(g.error().code == wf::errc::shape_mismatch);
}
