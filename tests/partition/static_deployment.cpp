// SPDX-License-Identifier: BSL-1.0
#include <wf/partition/static_deployment.hpp>

#include <doctest/doctest.h>

#include <wf/capture/functions/functions.hpp>
#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/functions/wire.hpp>
#include <wf/capture/workflow.hpp>

namespace {

constexpr auto asking = wf::workflow<"asking">([](wf::scope& s) {
  const auto x = s.input<"x", double, 8>();
  const auto servers = s.input<"servers", wf::peer, 2>();
  const auto [there, from, request] = s.let_each(wf::send(x, servers));
  const auto [back, replier, reply] = s.let_each(wf::send(-there, from));
  s.output<"y">(back + x);
});
static_assert(wf::deploys<asking>());

constexpr auto open = wf::workflow<"open">([](wf::scope& s) {
  const auto x = s.input<"x", double, 8>();
  s.output<"y">(
      wf::opaque<"summarise", "A[n] -> C[]", wf::with("role", "aggregator"), wf::with("slot", 3)>(
          x));
});
constexpr auto bound = [] {
  wf::deployment_settings s;
  s.bindings.push_back({wf::text("aggregator"), 3, wf::text("mean"), {}});
  return s;
};
static_assert(wf::deploys<open, bound>());

}  // namespace

TEST_CASE("a workflow that is deployable while compiling is so at run time") {
  CHECK(wf::detail::deployment_failure<asking, wf::detail::standard_deployment{}>{}().code ==
        wf::errc::none);
  CHECK(wf::detail::deployment_failure<open, bound>{}().code == wf::errc::none);
  CHECK(wf::detail::deployment_failure<open, wf::detail::standard_deployment{}>{}().code ==
        wf::errc::unbound_slot);
}
