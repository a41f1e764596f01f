// SPDX-License-Identifier: BSL-1.0
#include <wf/select/static_plan.hpp>

#include <doctest/doctest.h>

#include <wf/core/units.hpp>
#include <wf/ir/compare/same.hpp>
#include <wf/registry/static_registry.hpp>

#include "../choice/expressions.hpp"
#include "static_workflows.hpp"

using namespace wf::literals;
using expressions::kalman;

namespace {

constexpr auto plan = wf::optimise<kalman>(wf::minimise(wf::flops), wf::peak_memory <= 8_KiB);
static_assert(plan.failure() == wf::errc::none && plan.proven_optimal);
static_assert(plan.value == plan.bound && plan.value < wf::cost(kalman)[wf::flops]);
static_assert(*wf::price(plan.graph(), wf::flops) == plan.value);
static_assert(static_cast<bool>(wf::validate(plan.graph())));

constexpr auto none = wf::try_optimise<kalman>(wf::minimise(wf::flops), wf::peak_memory <= 1);
static_assert(none.failure() == wf::errc::infeasible && !none.proven_optimal);

// A user-defined metric and kernels: inverting costs messages, solving does not.
inline constexpr wf::metric<"messages", "message"> messages;
inline constexpr wf::kernel_spec inverse_by_peers{.name = "inverse",
                                                  .domain = "linalg",
                                                  .signature = "A: field [M, M] -> B[M, M]",
                                                  .costs = {{"flops", "M**3"}, {"messages", "M"}},
                                                  .overrides = true};
constexpr auto quiet =
    wf::optimise<kalman>(wf::minimise(messages), wf::with_kernels<inverse_by_peers>);
static_assert(quiet.proven_optimal && quiet.value == 0);
static_assert(wf::cost(kalman, wf::with_kernels<inverse_by_peers>)[messages] == 3);
constexpr auto quiet_and_small =
    wf::try_optimise<kalman>(wf::minimise(wf::flops), wf::with_kernels<inverse_by_peers>,
                             messages <= 0, wf::peak_memory <= 8_KiB);
static_assert(quiet_and_small.failure() == wf::errc::none);

// Small problems get most of the budget of a search, larger ones the remainder, too large ones
// nothing.
constexpr std::uint64_t steps_left(std::uint32_t candidates) {
  wf::selection_problem p;
  p.add_metric("flops");
  const std::uint32_t k = p.add_class();
  const std::int64_t cost = 1;
  for (std::uint32_t i = 0; i < candidates; ++i)
    p.add_candidate(k, {}, wf::view<std::int64_t>(&cost, 1));
  const std::uint64_t steps = wf::detail::steps_while_compiling(p, 10);
  return steps == 0 ? 0 : steps - wf::detail::least_steps(p);
}
static_assert(steps_left(50) > 4'000);
static_assert(steps_left(200) > 1'000 && steps_left(200) < steps_left(50));
static_assert(steps_left(2'000) == 0);

// A user-defined transform, which knows a property that the types do not state.
constexpr wf::result<wf::nothing> as_if_definite(wf::choice_graph& c, wf::node_id id) {
  const wf::node n = c.view()[id];
  const wf::value_id a = c.view().inputs_of(n)[0];
  const auto made = c.add(wf::kernels::inverse_cholesky, {&a, 1});
  if (!made) return made.error();
  c.unite(wf::graph_view::output_of(n), *made);
  return wf::nothing{};
}
inline constexpr wf::transform definite{.domain = "own",
                                        .name = "definite",
                                        .summary = "every matrix is definite here",
                                        .propose = &as_if_definite,
                                        .op = "inverse",
                                        .guard = "M >= 8"};
template <int N>
constexpr auto inverse_of = wf::workflow<"inverse_of">([](wf::scope& s) {
  auto a = s.input<"A", double, N, N>();
  s.output<"B">(inv(a));
});
template <int N>
constexpr auto as_definite = wf::optimise<inverse_of<N>>(
    wf::minimise(wf::flops), wf::with_kernels<>, wf::with_transforms<definite>);
static_assert(as_definite<8>.graph().op_name(as_definite<8>.graph().nodes[0]) ==
              "inverse_cholesky");
static_assert(as_definite<7>.graph().op_name(as_definite<7>.graph().nodes[0]) == "inverse");
static_assert(as_definite<8>.value ==
              *wf::price(as_definite<8>.graph(), wf::flops, wf::builtin_registry()));

}  // namespace

TEST_CASE("the plan made while compiling is the plan made at run time") {
  const wf::limit limits[] = {wf::peak_memory <= 8_KiB};
  const auto made = wf::optimise(kalman.graph(), wf::minimise(wf::flops), limits);
  REQUIRE(made);
  CHECK(made->value == plan.value);
  CHECK(wf::same(made->chosen.view(), plan.graph()));
}

TEST_CASE("at run time a call without a plan returns why") {
  const auto failed = wf::optimise<kalman>(wf::minimise(wf::flops), wf::peak_memory <= 1);
  CHECK(failed.failure() == wf::errc::infeasible);
  CHECK(failed.graph().nodes.size() == 0);
}

TEST_CASE("no plan made while compiling reaches the limit of a compiler") {
  static_workflows::check_workflow<static_workflows::kalman_full_4>();
  static_workflows::check_workflow<static_workflows::kalman_update_8>();
  static_workflows::check_workflow<static_workflows::chain_7>();
  static_workflows::check_workflow<static_workflows::chain_8>();
  static_workflows::check_workflow<static_workflows::chain_10>();
  static_workflows::check_workflow<static_workflows::sum_of_products_6>();
  static_workflows::check_workflow<static_workflows::gls>();
  static_workflows::check_workflow<static_workflows::smoother>();
  static_workflows::check_workflow<static_workflows::information>();
  static_workflows::check_workflow<static_workflows::gauss_newton>();
  static_workflows::check_workflow<static_workflows::riccati>();
  static_workflows::check_workflow<static_workflows::whiten>();
}
