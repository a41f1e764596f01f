// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/subworkflow.hpp>

#include <doctest/doctest.h>

#include <wf/capture/trace.hpp>
#include <wf/cost/static_cost.hpp>
#include <wf/ir/compare/digest.hpp>

namespace {

constexpr auto gain = wf::workflow<"gain">([](wf::scope& s) {
  auto P = s.input<"P", double, "N", "N">(wf::spd);
  auto H = s.input<"H", double, "M", "N">();
  auto R = s.input<"R", double, "M", "M">(wf::spd);
  auto S = s.let<"S">(H * P * trans(H) + R);
  s.output<"K">(P * trans(H) * inv(S));
  s.output<"S">(S);
});

constexpr auto step = wf::workflow<"step">([](wf::scope& s) {
  auto P = s.input<"P", double, 6, 6>(wf::spd);
  auto H = s.input<"H", double, 3, 6>();
  auto R = s.input<"R", double, 3, 3>(wf::spd);
  auto [K, S] = gain(P, H, R);
  static_assert(decltype(K)::type.shape == wf::shape::of(6, 3));
  static_assert(decltype(S)::type.shape == wf::shape::of(3, 3));
  s.output<"P">(P - K * S * trans(K));
});

constexpr auto written = wf::workflow<"written">([](wf::scope& s) {
  auto P = s.input<"P", double, 6, 6>(wf::spd);
  auto H = s.input<"H", double, 3, 6>();
  auto R = s.input<"R", double, 3, 3>(wf::spd);
  auto S = s.let<"S">(H * P * trans(H) + R);
  auto K = s.let(P * trans(H) * inv(S));
  s.output<"P">(P - K * S * trans(K));
});
static_assert(wf::cost(step)[wf::flops] == wf::cost(written)[wf::flops]);

constexpr auto twice = wf::workflow<"twice">([](wf::scope& s) {
  auto x = s.input<"x", float, "N">();
  s.output<"y">(x + x);
});

}  // namespace

TEST_CASE("row 1: a sub-workflow applied is its nodes in place") {
  CHECK(wf::digest(step.graph()) == wf::digest(written.graph()));
}

TEST_CASE("row 1: applications nest, repeat and mix with expressions") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto x = s.input<"x", float, 8>();
    auto y = twice(twice(x) * 3);
    static_assert(decltype(y)::type.shape == wf::shape::of(8));
    auto again = twice(twice(x) * 3);  // merged with the first call
    s.output<"y">(y + again);
  });
  REQUIRE(g);
  CHECK(g->view().nodes.size() == 5);
}

TEST_CASE("row 1: symbols of the callee take the caller's extents, symbols among them") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto A = s.input<"A", double, "M", "M">(wf::spd);  // the caller's M is the callee's N
    auto B = s.input<"B", double, "N", "M">();
    auto R = s.input<"R", double, "N", "N">(wf::spd);
    auto [K, S] = gain(A, B, R);
    static_assert(decltype(K)::type.shape == wf::shape::of(wf::extent("M"), wf::extent("N")));
    s.output<"K">(K);
    s.output<"S">(S);
  });
  REQUIRE(g);
  for (const wf::output& o : g->view().outputs) CHECK(g->view()[o.source].type.shape.rank == 2);
  const auto traced = wf::trace(
      "g", [](const auto& A, const auto& B, const auto& R) { return gain(A, B, R); },
      wf::outputs("K", "S"),
      wf::input<double>("A", wf::shape::of(wf::extent("M"), wf::extent("M")), wf::spd),
      wf::input<double>("B", wf::shape::of(wf::extent("N"), wf::extent("M"))),
      wf::input<double>("R", wf::shape::of(wf::extent("N"), wf::extent("N")), wf::spd));
  REQUIRE(traced);
  CHECK(wf::digest(traced->view()) == wf::digest(g->view()));
}

TEST_CASE("operands that do not fit are an error of the capture") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    wf::dynamic_handle<double> P = s.input<double>("P", wf::shape::of(6, 5));
    auto H = s.input<"H", double, 3, 6>();
    auto R = s.input<"R", double, 3, 3>();
    auto [K, S] = gain(P, H, R);
    s.output("K", K);
    s.output("S", S);
  });
  REQUIRE_FALSE(g);
  CHECK(g.error().code == wf::errc::shape_mismatch);
  CHECK(g.error().subject.view() == "P");
}
