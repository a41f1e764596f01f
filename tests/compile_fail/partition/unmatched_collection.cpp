// SPDX-License-Identifier: BSL-1.0
// EXPECT: "all"
// EXPECT: WF912: what it collects was sent to another list of machines last
#include <wf/capture/functions/functions.hpp>
#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/functions/wire.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/partition/static_deployment.hpp>

constexpr auto joined = wf::workflow<"joined">([](wf::scope& s) {
  const auto x = s.input<"x", double, 8>();
  const auto servers = s.input<"servers", wf::peer, 2>();
  const auto others = s.input<"others", wf::peer, 3>();
  const auto [there, from, request] = s.let_each(wf::send(x, servers));
  const auto [back, by, reply] = s.let_each(wf::send(-there, from));
#ifdef WF_FAIL
  s.output<"y">(s.let<"all">(wf::collect(back, others)));
#else
  s.output<"y">(s.let<"all">(wf::collect(back, servers)));
  s.output<"z">(s.let_each(wf::send(x, others)).get<2>());
#endif
});
static_assert(wf::deploys<joined>());
