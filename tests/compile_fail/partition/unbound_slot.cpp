// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF907: it needs the aggregator in slot 3, to which nothing is bound
#include <wf/capture/functions/functions.hpp>
#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/functions/wire.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/partition/static_deployment.hpp>

constexpr auto open = wf::workflow<"open">([](wf::scope& s) {
  const auto x = s.input<"x", double, 8>();
  s.output<"y">(
      wf::opaque<"summarise", "A[n] -> C[]", wf::with("role", "aggregator"), wf::with("slot", 3)>(
          x));
});
#ifdef WF_FAIL
constexpr auto settings = [] { return wf::deployment_settings{}; };
#else
constexpr auto settings = [] {
  wf::deployment_settings s;
  s.bindings.push_back({wf::text("aggregator"), 3, wf::text("mean"), {}});
  return s;
};
#endif
static_assert(wf::deploys<open, settings>());
