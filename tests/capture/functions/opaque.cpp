// SPDX-License-Identifier: BSL-1.0
#include <wf/capture/functions/opaque.hpp>

#include <doctest/doctest.h>

#include <wf/capture/trace.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/cost/static_cost.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/text.hpp>

namespace {

constexpr auto spectrum = wf::workflow<"spectrum">([](wf::scope& s) {
  auto x = s.input<"x", double, 64>();
  auto y = s.let(wf::opaque<"fftw.r2r", "x: floating [N] -> y: floating [N]",
                            wf::declare("flops", "stages*N*5"), wf::declare("scratch", "N*8"),
                            wf::with("stages", 6)>(x));
  static_assert(decltype(y)::type.shape == wf::shape::of(64));
  s.output<"power">(y * y);
});
static_assert(wf::cost(spectrum)[wf::flops] == 6 * 64 * 5 + 64);
static_assert(wf::cost(spectrum)[wf::bytes] == 2 * 64 * 8 + 3 * 64 * 8);
static_assert(wf::cost(spectrum)[wf::peak_memory] == 3 * 64 * 8);

}  // namespace

TEST_CASE("row 5: an opaque call is a node named ::opaque:: with its declared cost") {
  const wf::graph_view g = spectrum.graph();
  const wf::node& n = g.nodes[0];
  CHECK(g.op_name(n) == "::opaque::fftw.r2r");
  CHECK(n.effects == wf::effect::external);
  REQUIRE(g.costs_of(n).size() == 2);
  CHECK(g.text_of(g.costs_of(n)[0].formula) == "stages*N*5");
}

TEST_CASE("row 5: what an opaque call does not declare is unknown, never zero") {
  const auto price =
      wf::total_cost<wf::rational>(spectrum.graph(), wf::macs_::spec, wf::builtin_registry());
  REQUIRE_FALSE(price);
  CHECK(price.error().code == wf::errc::unknown_cost);
  const auto declared = wf::capture("g", [](wf::scope& s) {
    auto x = s.input<"x", double, 4>();
    s.output<"y">(wf::opaque<"f", "x[N] -> y[N]", wf::declare("flops", "unknown")>(x));
  });
  REQUIRE(declared);
  const auto flops =
      wf::total_cost<wf::rational>(declared->view(), wf::flops_::spec, wf::builtin_registry());
  REQUIRE_FALSE(flops);
  CHECK(flops.error().code == wf::errc::unknown_cost);
  CHECK(flops.error().message.view() == "its cost in flops is declared unknown");
}

TEST_CASE("row 5: symbolic sizes make a symbolic price") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto x = s.input<"x", double, "M", "N">();
    s.output<"y">(wf::opaque<"svd", "A[M, N] -> s[N]", wf::declare("flops", "2*M*N**2")>(x));
  });
  REQUIRE(g);
  const auto price =
      wf::total_cost<wf::polynomial>(g->view(), wf::flops_::spec, wf::builtin_registry());
  REQUIRE(price);
  CHECK(wf::to_text(*price).view() == "2*M*N**2");
}

TEST_CASE("opaque calls that act on the world are never merged, pure ones with equal costs are") {
  const auto g = wf::capture("g", [](wf::scope& s) {
    auto x = s.input<"x", double, 4>();
    s.output<"a">(wf::opaque<"print", "x[N] -> y[N]">(x));
    s.output<"b">(wf::opaque<"print", "x[N] -> y[N]">(x));
    s.output<"c">(wf::opaque<"f", "x[N] -> y[N]", wf::effect::pure, wf::declare("flops", "N")>(x));
    s.output<"d">(wf::opaque<"f", "x[N] -> y[N]", wf::declare("flops", "N"), wf::effect::pure>(x));
    s.output<"e">(
        wf::opaque<"f", "x[N] -> y[N]", wf::declare("flops", "2*N"), wf::effect::pure>(x));
  });
  REQUIRE(g);
  CHECK(g->view().nodes.size() == 4);
}

TEST_CASE("an opaque call survives the text form with its price") {
  const wf::text written = wf::to_text(spectrum.graph());
  const auto read = wf::parse_graph(written.view());
  REQUIRE(read);
  const auto price =
      wf::total_cost<wf::rational>(read->view(), wf::flops_::spec, wf::builtin_registry());
  REQUIRE(price);
  CHECK(*price == wf::rational(6 * 64 * 5 + 64));
}

TEST_CASE("opaque calls work in traced functions") {
  const auto g = wf::trace(
      "g",
      [](const auto& x) {
        return wf::opaque<"f", "x[N] -> y[N]", wf::declare("flops", "7*N")>(x + 1);
      },
      wf::outputs("y"), wf::input<double>("x", wf::shape::of(10)));
  REQUIRE(g);
  const auto price =
      wf::total_cost<wf::rational>(g->view(), wf::flops_::spec, wf::builtin_registry());
  REQUIRE(price);
  CHECK(*price == wf::rational(80));
}
