// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF902: it mixes machines of 'a' and 'b'
#include <wf/capture/functions/functions.hpp>
#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/functions/wire.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/partition/static_deployment.hpp>

constexpr auto mixed = wf::workflow<"mixed">([](wf::scope& s) {
  const auto x = s.input<"x", double, 8>();
  const auto a = s.input<"a", wf::peer, 2>();
#ifdef WF_FAIL
  const auto b = s.input<"b", wf::peer, 2>();
  const auto all = wf::concat<0>(a, b);
#else
  const auto all = wf::concat<0>(a, a);
#endif
  const auto [there, from, request] = s.let_each(wf::send(x, all));
  s.output<"y">(there);
});
static_assert(wf::deploys<mixed>());
