// SPDX-License-Identifier: BSL-1.0
#pragma once

// Workflows of 5 to 25 operations planned while compiling, under five sets of goals. The test is
// that they compile: exceeding a compiler's own limit would be an error, whereas `search_limit` is
// a result.

#include <wf/select/static_plan.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

#include <wf/capture/workflow.hpp>

namespace static_workflows {

inline constexpr auto kalman_full_4 = wf::workflow<"kalman_full_4">([](wf::scope& s) {
  auto F = s.input<"F", double, 4, 4>();
  auto Q = s.input<"Q", double, 4, 4>(wf::spd);
  auto P = s.input<"P", double, 4, 4>(wf::spd);
  auto H = s.input<"H", double, 2, 4>();
  auto R = s.input<"R", double, 2, 2>(wf::spd);
  auto x = s.input<"x", double, 4>();
  auto z = s.input<"z", double, 2>();
  auto xp = s.let<"xp">(F * x);
  auto Pp = s.let<"Pp">(F * P * trans(F) + Q);
  auto S = s.let<"S">(H * Pp * trans(H) + R);
  auto K = s.let<"K">(Pp * trans(H) * inv(S));
  s.output<"xn">(xp + K * (z - H * xp));
  s.output<"Pn">(Pp - K * H * Pp);
});
inline constexpr auto kalman_update_8 = wf::workflow<"kalman_update_8">([](wf::scope& s) {
  auto P = s.input<"P", double, 8, 8>(wf::spd);
  auto H = s.input<"H", double, 4, 8>();
  auto R = s.input<"R", double, 4, 4>(wf::spd);
  auto x = s.input<"x", double, 8>();
  auto z = s.input<"z", double, 4>();
  auto S = s.let<"S">(H * P * trans(H) + R);
  auto K = s.let<"K">(P * trans(H) * inv(S));
  s.output<"xn">(x + K * (z - H * x));
  s.output<"Pn">(P - K * H * P);
});
inline constexpr auto chain_7 = wf::workflow<"chain_7">([](wf::scope& s) {
  auto A0 = s.input<"A0", double, 3, 8>();
  auto A1 = s.input<"A1", double, 8, 6>();
  auto A2 = s.input<"A2", double, 6, 4>();
  auto A3 = s.input<"A3", double, 4, 9>();
  auto A4 = s.input<"A4", double, 9, 7>();
  auto A5 = s.input<"A5", double, 7, 5>();
  auto A6 = s.input<"A6", double, 5, 3>();
  s.output<"y">(A0 * A1 * A2 * A3 * A4 * A5 * A6);
});
inline constexpr auto chain_8 = wf::workflow<"chain_8">([](wf::scope& s) {
  auto A0 = s.input<"A0", double, 3, 8>();
  auto A1 = s.input<"A1", double, 8, 6>();
  auto A2 = s.input<"A2", double, 6, 4>();
  auto A3 = s.input<"A3", double, 4, 9>();
  auto A4 = s.input<"A4", double, 9, 7>();
  auto A5 = s.input<"A5", double, 7, 5>();
  auto A6 = s.input<"A6", double, 5, 3>();
  auto A7 = s.input<"A7", double, 3, 8>();
  s.output<"y">(A0 * A1 * A2 * A3 * A4 * A5 * A6 * A7);
});
inline constexpr auto chain_10 = wf::workflow<"chain_10">([](wf::scope& s) {
  auto A0 = s.input<"A0", double, 3, 8>();
  auto A1 = s.input<"A1", double, 8, 6>();
  auto A2 = s.input<"A2", double, 6, 4>();
  auto A3 = s.input<"A3", double, 4, 9>();
  auto A4 = s.input<"A4", double, 9, 7>();
  auto A5 = s.input<"A5", double, 7, 5>();
  auto A6 = s.input<"A6", double, 5, 3>();
  auto A7 = s.input<"A7", double, 3, 8>();
  auto A8 = s.input<"A8", double, 8, 6>();
  auto A9 = s.input<"A9", double, 6, 4>();
  s.output<"y">(A0 * A1 * A2 * A3 * A4 * A5 * A6 * A7 * A8 * A9);
});
inline constexpr auto sum_of_products_6 = wf::workflow<"sum_of_products_6">([](wf::scope& s) {
  auto x = s.input<"x", double, 5>();
  auto A0 = s.input<"A0", double, 6, 6>();
  auto B0 = s.input<"B0", double, 6, 5>();
  auto A1 = s.input<"A1", double, 6, 6>();
  auto B1 = s.input<"B1", double, 6, 5>();
  auto A2 = s.input<"A2", double, 6, 6>();
  auto B2 = s.input<"B2", double, 6, 5>();
  auto A3 = s.input<"A3", double, 6, 6>();
  auto B3 = s.input<"B3", double, 6, 5>();
  auto A4 = s.input<"A4", double, 6, 6>();
  auto B4 = s.input<"B4", double, 6, 5>();
  auto A5 = s.input<"A5", double, 6, 6>();
  auto B5 = s.input<"B5", double, 6, 5>();
  s.output<"y">(A0 * B0 * x + A1 * B1 * x + A2 * B2 * x + A3 * B3 * x + A4 * B4 * x + A5 * B5 * x);
});
inline constexpr auto gls = wf::workflow<"gls">([](wf::scope& s) {
  auto X = s.input<"X", double, 20, 4>();
  auto y = s.input<"y", double, 20>();
  auto M = s.input<"M", double, 20, 20>(wf::spd);
  s.output<"b">(inv(trans(X) * inv(M) * X) * trans(X) * inv(M) * y);
});
inline constexpr auto smoother = wf::workflow<"smoother">([](wf::scope& s) {
  auto P = s.input<"P", double, 5, 5>(wf::spd);
  auto Q = s.input<"Q", double, 5, 5>(wf::spd);
  auto F = s.input<"F", double, 5, 5>();
  auto N = s.input<"N", double, 5, 5>(wf::spd);
  auto G = s.let<"G">(P * trans(F) * inv(Q));
  s.output<"S">(P + G * (N - Q) * trans(G));
});
inline constexpr auto information = wf::workflow<"information">([](wf::scope& s) {
  auto F = s.input<"F", double, 5, 5>();
  auto Y = s.input<"Y", double, 5, 5>(wf::spd);
  auto Q = s.input<"Q", double, 5, 5>(wf::spd);
  auto y = s.input<"y", double, 5>();
  auto M = s.let<"M">(trans(inv(F)) * Y * inv(F));
  s.output<"Z">(inv(inv(M) + Q));
  s.output<"z">(M * F * y);
});
inline constexpr auto gauss_newton = wf::workflow<"gauss_newton">([](wf::scope& s) {
  auto J = s.input<"J", double, 12, 4>();
  auto W = s.input<"W", double, 12, 12>(wf::spd);
  auto r = s.input<"r", double, 12>();
  auto D = s.input<"D", double, 4, 4>(wf::spd);
  auto x = s.input<"x", double, 4>();
  s.output<"xn">(x + inv(trans(J) * W * J + D) * trans(J) * W * r);
});
inline constexpr auto riccati = wf::workflow<"riccati">([](wf::scope& s) {
  auto A = s.input<"A", double, 4, 4>();
  auto B = s.input<"B", double, 4, 2>();
  auto Q = s.input<"Q", double, 4, 4>(wf::spd);
  auto R = s.input<"R", double, 2, 2>(wf::spd);
  auto P = s.input<"P", double, 4, 4>(wf::spd);
  auto K = s.let<"K">(inv(R + trans(B) * P * B) * trans(B) * P * A);
  s.output<"Pn">(Q + trans(A) * P * A - trans(A) * P * B * K);
});
inline constexpr auto whiten = wf::workflow<"whiten">([](wf::scope& s) {
  auto S = s.input<"S", double, 5, 5>(wf::spd);
  auto M = s.input<"M", double, 5, 5>();
  auto x = s.input<"x", double, 5>();
  auto m = s.input<"m", double, 5>();
  s.output<"y">(M * inv(S) * trans(M) * (x - m));
  s.output<"d">(dot(x - m, inv(S) * (x - m)));
});

template <class Plan, class... Limit>
void check_plan(const Plan& plan, const wf::metric_spec& metric, const Limit&... limits) {
  const auto failure = plan.failure();
  if (failure != wf::errc::none) {
    CHECK((failure == wf::errc::search_limit || failure == wf::errc::infeasible));
    return;
  }
  CHECK(plan.bound <= plan.value);
  CHECK(plan.proven_optimal == (plan.bound == plan.value));
  CHECK(wf::validate(plan.graph()));
  CHECK(*wf::price(plan.graph(), metric) == plan.value);
  for (const wf::limit& l : std::initializer_list<wf::limit>{limits...})
    CHECK(*wf::price(plan.graph(), l.metric) <= l.maximum);
}

// Checks that both tiers prove the same values, and the same infeasibility.
template <const auto& Workflow>
void check_workflow() {
  CAPTURE(std::string(Workflow.graph().text_of(Workflow.graph().name)));
  constexpr wf::objective least_flops = wf::minimise(wf::flops);
  constexpr wf::objective least_memory = wf::minimise(wf::peak_memory);
  static constexpr auto cheap = wf::try_optimise<Workflow>(least_flops);
  static constexpr auto fits =
      wf::try_optimise<Workflow>(least_flops, wf::peak_memory <= 1'000'000);
  static constexpr auto none = wf::try_optimise<Workflow>(least_flops, wf::peak_memory <= 1);
  static constexpr auto small = wf::try_optimise<Workflow>(least_memory);
  static constexpr auto quick = wf::try_optimise<Workflow>(least_memory, wf::flops <= 1'000'000);
  check_plan(cheap, wf::flops);
  check_plan(fits, wf::flops, wf::peak_memory <= 1'000'000);
  check_plan(small, wf::peak_memory);
  check_plan(quick, wf::peak_memory, wf::flops <= 1'000'000);
  CHECK(none.failure() != wf::errc::none);
  if (cheap.failure() != wf::errc::none) return;
  wf::optimise_options options;
  options.search.max_nodes = 20'000;
  const auto at_run_time =
      wf::optimise(Workflow.graph(), least_flops, {}, wf::builtin_registry(), options);
  REQUIRE(at_run_time);
  CHECK(cheap.bound <= at_run_time->value);
  CHECK(at_run_time->bound <= cheap.value);
  if (cheap.proven_optimal && at_run_time->proven_optimal) CHECK(cheap.value == at_run_time->value);
}

}  // namespace static_workflows
