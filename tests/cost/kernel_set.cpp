// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/kernel_set.hpp>

#include <doctest/doctest.h>

#include <wf/capture/call.hpp>
#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/cost/static_cost.hpp>
#include <wf/registry/static_registry.hpp>

namespace {

// A user-defined metric and domain.
inline constexpr wf::metric<"messages", "message"> messages;
inline constexpr wf::metric<"handles", "handle", wf::combination::peak> handles;
inline constexpr wf::metric<"risk", "point", wf::combination::sum, wf::missing_cost::unknown> risk;

inline constexpr wf::kernel_spec all_reduce{
    .name = "all_reduce",
    .domain = "cluster",
    .signature = "X: number [...], peers: integer -> Y[...]",
    .costs = {{"messages", "2*(peers - 1)"}, {"flops", "X"}, {"handles", "peers"}},
    .summary = "the sum over all peers"};
inline constexpr wf::kernel_spec broadcast{.name = "broadcast",
                                           .domain = "cluster",
                                           .signature = "X: number [...], peers: integer -> Y[...]",
                                           .costs = {{"messages", "peers - 1"}, {"flops", "0"}}};
inline constexpr const wf::kernel_spec* cluster_domain[] = {&all_reduce, &broadcast};

constexpr auto training = wf::workflow<"training">([](wf::scope& s) {
  auto x = s.input<"x", double, 8, 4>();
  auto w = s.input<"w", double, 4, 4>();
  auto near = s.let<"near">(wf::call<broadcast, wf::with("peers", 5)>(x));
  auto sum = s.let<"sum">(wf::call<all_reduce, wf::with("peers", 5)>(near * w));
  auto again = s.let<"again">(wf::call<all_reduce, wf::with("peers", 3)>(relu(sum)));
  s.output<"y">(relu(again));
});

// Row 4: a user-defined metric, priced by user-defined kernels; built-in kernels use the fallback.
constexpr auto costs = wf::cost(training, wf::with_kernels<cluster_domain>);
static_assert(costs[messages] == 4 + 8 + 4);
static_assert(costs[wf::flops] == 2 * 8 * 4 * 4 + 32 + 32 + 32 + 32);
// Handles held while results are alive: 5 until relu has read them, then 3.
static_assert(costs[handles] == 5);
static_assert(wf::within<decltype(training), messages, 16>(wf::with_kernels<cluster_domain>));
static_assert(wf::cost(training, wf::with_kernels<all_reduce, broadcast>)[messages] == 16);

// An irrational price: rounded up to a whole unit by its bounds.
inline constexpr wf::kernel_spec spectrum{.name = "spectrum",
                                          .domain = "signal",
                                          .signature = "X: number [N] -> Y[N]",
                                          .costs = {{"flops", "5*N*log2(N)"}}};
constexpr auto of_a_hundred = wf::workflow<"of_a_hundred">([](wf::scope& s) {
  auto x = s.input<"x", double, 100>();
  s.output<"y">(relu(s.let<"f">(wf::call<spectrum>(x))));
});
static_assert(wf::cost(of_a_hundred, wf::with_kernels<spectrum>)[wf::flops] == 3322 + 100);
static_assert(wf::within<decltype(of_a_hundred), wf::flops, 3422>(wf::with_kernels<spectrum>));

constexpr auto declared = wf::workflow<"declared">([](wf::scope& s) {
  auto x = s.input<"x", double, 8>();
  s.output<"y">(wf::opaque<"bus.send", "x: f64 [N] -> y: f64 [N]", wf::declare("messages", "N/4"),
                           wf::declare("risk", "3")>(x));
});
static_assert(wf::cost(declared)[messages] == 2);
static_assert(wf::cost(declared)[risk] == 3);

}  // namespace

TEST_CASE("row 4: users' metrics at run time, with the same registry") {
  const wf::registry r = decltype(wf::with_kernels<cluster_domain>)::registry();
  CHECK(*wf::price(training.graph(), messages, r) == 16);
  CHECK(*wf::price(training.graph(), handles, r) == 5);
  const auto missing = wf::price(training.graph(), risk, r);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == wf::errc::unknown_cost);
}

TEST_CASE("a domain adds to the built-in kernels") {
  const wf::registry r = decltype(wf::with_kernels<cluster_domain>)::registry();
  CHECK(r.find("all_reduce") != nullptr);
  CHECK(r.find("matmul") != nullptr);
  CHECK(wf::detail::entries_error<all_reduce, all_reduce>().code == wf::errc::duplicate_kernel);
}
