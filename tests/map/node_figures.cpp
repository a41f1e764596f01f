// SPDX-License-Identifier: BSL-1.0
#include <wf/map/node_figures.hpp>

#include <doctest/doctest.h>

#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/workflow.hpp>

TEST_CASE("an opaque call that declares nothing counts nothing where that is allowed") {
  const auto g = wf::capture("calls", [](wf::scope& s) {
    auto x = s.input<"x", double, 4>();
    auto y = wf::opaque<"quiet", "X: f64 [N] -> Y[N]">(x);
    s.output<"z">(wf::opaque<"loud", "X: f64 [N] -> Y[N]", wf::declare("macs", "7*N"),
                             wf::declare("scratch", "3*N")>(y));
  });
  REQUIRE(g);
  const wf::registry kernels = wf::builtin_registry();
  wf::detail::node_figures figures(*g, kernels);
  wf::pricer<wf::rational> macs(*g, wf::macs, kernels);
  const wf::node_id quiet{0}, loud{1};
  CHECK(*figures.price_or_zero(macs, quiet, wf::macs) == wf::rational(0));
  CHECK(*figures.price_or_zero(macs, loud, wf::macs) == wf::rational(28));
  CHECK(*figures.scratch_bytes(quiet, 1000) == 0);
  CHECK(*figures.scratch_bytes(loud, 1000) == 16);  // a multiple of 8
  CHECK(figures.scratch_bytes(loud, 15).error().code == wf::errc::overflow);
  CHECK(*figures.bytes_of(wf::graph_view::output_of(g->view()[quiet]), "y") == 32);
}
