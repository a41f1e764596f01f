// SPDX-License-Identifier: BSL-1.0
// EXPECT: "z"
// EXPECT: WF901: it runs on 'servers', but reads a value of '@self': only a message leads from one
// with EXPECT: to the other
#include <wf/capture/functions/functions.hpp>
#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/functions/wire.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/partition/static_deployment.hpp>

constexpr auto mixed = wf::workflow<"mixed">([](wf::scope& s) {
  const auto x = s.input<"x", double, 8>();
  const auto servers = s.input<"servers", wf::peer, 2>();
  const auto [there, from, request] = s.let_each(wf::send(x, servers));
#ifdef WF_FAIL
  s.output<"y">(s.let<"z">(there + x));
#else
  s.output<"y">(s.let<"z">(there + there));
#endif
});
static_assert(wf::deploys<mixed>());
