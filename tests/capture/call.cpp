// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/call.hpp>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/ir/compare/digest.hpp>

namespace kernels {

inline constexpr wf::kernel_spec clip{
    .name = "clip", .domain = "mine", .signature = "X[...] -> Y[...]", .costs = {{"flops", "2*Y"}}};
inline constexpr wf::kernel_spec halve{.name = "halve",
                                       .domain = "mine",
                                       .signature = "X[M, N] -> L[M, N//2], R[M, N - N//2]",
                                       .costs = {{"flops", "0"}}};
inline constexpr wf::kernel_spec attend{
    .name = "attend",
    .domain = "mine",
    .signature = "Q[T, D], K[S, D], V[S, E], mask: bool [T, S] -> Y[T, E]",
    .costs = {{"flops", "2*T*S*(D + E)"}}};
inline constexpr wf::kernel_spec barrier{.name = "barrier",
                                         .domain = "mine",
                                         .signature = "X[...] -> Y[...]",
                                         .effects = wf::effect::external};

inline constexpr wf::kernel_spec noise{.name = "noise",
                                       .domain = "mine",
                                       .signature = "size: integer -> Y: f64 [size]",
                                       .effects = wf::effect::stateful};

}  // namespace kernels

namespace {

constexpr auto calls = wf::workflow<"calls">([](wf::scope& s) {
  auto x = s.input<"x", float, 4, 7>();
  auto y = s.let(wf::call<kernels::clip, wf::with("lo", 0), wf::with("hi", 6.5)>(x * 2));
  auto [l, r] = s.let_each(wf::call<kernels::halve>(y));
  static_assert(decltype(l)::type.shape == wf::shape::of(4, 3));
  static_assert(decltype(r)::type.shape == wf::shape::of(4, 4));
  s.output<"l">(relu(l));
  s.output<"r">(r);
});

}  // namespace

TEST_CASE("any kernel can be called, with attributes, and with several results") {
  const wf::graph_view g = calls.graph();
  REQUIRE(g.nodes.size() == 5);  // constant, multiply, clip, halve, relu
  const wf::node& halve = g[g[g.outputs[1].source].producer];
  CHECK(g.op_name(halve) == "halve");
  const wf::node& clip = g[g[g.inputs_of(halve)[0]].producer];
  CHECK(g.op_name(clip) == "clip");
  CHECK(g.integer_attribute(clip, "lo", -1) == 0);
  REQUIRE(g.find_attribute(clip, "hi") != nullptr);
  CHECK(g.find_attribute(clip, "hi")->kind == wf::attribute_kind::real);
  CHECK(g[g.outputs[0].source].type.shape == wf::shape::of(4, 3));
}

TEST_CASE("attributes by type and by value give the same graph") {
  const auto by_value = wf::capture("calls", [](wf::scope& s) {
    wf::dynamic_handle<float> x = s.input<"x", float, 4, 7>();
    const double hi = 6.5;
    wf::dynamic_handle<float> y = wf::call<kernels::clip>(wf::attributes("lo", 0, "hi", hi), x * 2);
    auto [l, r] = s.let_each(wf::call<kernels::halve>(y));
    s.output("l", relu(l));
    s.output("r", r);
  });
  REQUIRE(by_value);
  CHECK(wf::digest(by_value->view()) == wf::digest(calls.graph()));
}

TEST_CASE("a kernel of four operands") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto q = s.input<"q", float, 5, 8>();
    auto k = s.input<"k", float, 6, 8>();
    auto v = s.input<"v", float, 6, 3>();
    auto mask = s.input<"mask", bool, 5, 6>();
    auto y = wf::call<kernels::attend>(q, k, v, mask);
    static_assert(decltype(y)::handle_type::type.shape == wf::shape::of(5, 3));
    s.output<"y">(y + 1);
  });
  REQUIRE(g);
  const wf::graph_view v = g->view();
  const wf::node& sum = v[v[v.outputs[0].source].producer];
  const wf::node& attend = v[v[v.inputs_of(sum)[0]].producer];
  CHECK(v.inputs_of(attend).size() == 4);
}

TEST_CASE("shapes known by value only are checked by value") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    wf::dynamic_handle<float> q = s.input<float>("q", wf::shape::of(5, 8));
    wf::dynamic_handle<float> k = s.input<float>("k", wf::shape::of(6, 9));
    auto mask = s.input<"mask", bool, 5, 6>();
    s.output("y", wf::call<kernels::attend>(q, k, k, mask));
  });
  REQUIRE_FALSE(g);
  CHECK(g.error().code == wf::errc::shape_mismatch);
  CHECK(g.error().subject.view() == "attend");
}

TEST_CASE("a failed operation of several results still binds, and its error is kept") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    wf::dynamic_handle<float> x = s.input<float>("x", wf::shape::of(5));
    auto [l, r] = s.let_each(wf::call<kernels::halve>(x));
    s.output("l", l);
    s.output("r", r);
  });
  REQUIRE_FALSE(g);
  CHECK(g.error().subject.view() == "halve");
}

TEST_CASE("a kernel's effects become the node's, so that equal calls are not merged") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto x = s.input<"x", float, 4>();
    auto a = s.let(wf::call<kernels::barrier>(x));
    auto b = s.let(wf::call<kernels::barrier>(x));
    s.output<"a">(a);
    s.output<"b">(b);
  });
  REQUIRE(g);
  CHECK(g->view().nodes.size() == 2);
  for (const auto& n : g->view().nodes) CHECK(n.effects == wf::effect::external);
}

TEST_CASE("a kernel of no operand can be bound by every scope") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto x = s.input<"x", double, 5>();
    auto n = s.let(wf::call<kernels::noise, wf::with("size", 5)>());
    auto m = s.let(wf::call<kernels::noise, wf::with("size", 5)>());
    s.output<"y">(x + n - m);
  });
  REQUIRE_MESSAGE(g, wf::to_text(g.error()).data());
  CHECK(g->view().nodes.size() == 4);  // stateful, hence not merged: two draws
}
