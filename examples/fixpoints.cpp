// SPDX-License-Identifier: BSL-1.0
//
// Workflows that run until nothing changes: how they are written, what they cost at most, how their
// bodies are chosen, and what their derivatives are.
#include <cmath>
#include <iostream>

#include <Eigen/Core>

#include <wf/capture/equations/equations.hpp>
#include <wf/capture/fixpoint.hpp>
#include <wf/rewrite/gradient.hpp>
#include <wf/run/eigen.hpp>
#include <wf/run/plan/executable.hpp>
#include <wf/select/bodies.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

using namespace wf::literals;

// --8<-- [start:equations]
// How often a visitor who follows links is at each of four pages.
constexpr auto ranks = wf::equations<"ranks", R"(
  input M : f64[4,4]
  input jump : f64[4]
  repeat r = jump until 200, 1e-10
  r = 0.85 * (M r) + 0.15 * jump
  export r
  export r_runs
  export r_converged
)">();
static_assert(wf::cost(ranks)[wf::flops] <= 200 * 44);
// --8<-- [end:equations]

// --8<-- [start:workflow]
// The square roots of some numbers, by Newton's method.
constexpr auto newton = wf::workflow<"newton">([](wf::scope& s) {
  auto a = s.input<"a", double, 3>();
  auto x = s.input<"x", double, 3>();
  s.output<"x">(0.5 * (x + a / x));
});
constexpr auto roots = wf::workflow<"roots">([](wf::scope& s) {
  auto a = s.input<"a", double, 3>();
  auto [x, runs, converged] = wf::fixpoint<"root">(newton, {30, 1e-14}, a, a);
  s.output<"x">(x);
});
// --8<-- [end:workflow]

int main() {
  // --8<-- [start:run]
  Eigen::Matrix4d links;  // column j: where the links of page j lead
  links << 0, 0, 1, 0.5, 1. / 3, 0, 0, 0, 1. / 3, 0.5, 0, 0.5, 1. / 3, 0.5, 0, 0;
  const Eigen::Vector4d jump = Eigen::Vector4d::Constant(0.25);
  const auto made = wf::run<ranks>("M"_arg = links, "jump"_arg = jump);
  support::require(static_cast<bool>(made), "the ranks are computed");
  std::cout << "after " << made["r_runs"_arg](0, 0) << " runs: " << made["r"_arg].transpose()
            << '\n';
  // --8<-- [end:run]
  support::require(made["r_converged"_arg](0, 0), "they converge");
  const Eigen::Vector4d rest = 0.85 * (links * made["r"_arg]) + 0.15 * jump - made["r"_arg];
  support::require(rest.norm() < 1e-9, "they are a fixpoint");
  const Eigen::Vector3d numbers(2, 9, 100);
  const auto rooted = wf::run<roots>("a"_arg = numbers);
  support::require((rooted["x"_arg] - numbers.cwiseSqrt()).norm() < 1e-12, "roots are roots");

  // --8<-- [start:bodies]
  const wf::graph chain = support::value_or_exit(wf::equations("chain", R"(
    input A : f64[300,300]
    input B : f64[300,300]
    input x0 : f64[300]
    repeat x = x0 until 40
    x = A B x
    export x
  )"));
  const auto best =
      support::value_or_exit(wf::optimise_bodies(chain.view(), wf::minimise(wf::flops)));
  std::cout << *wf::price(chain.view(), wf::flops) << " flops as written, "
            << *wf::price(best.workflow.view(), wf::flops) << " chosen\n";
  // --8<-- [end:bodies]
  support::require(best.proven_optimal && !best.hoisted, "40 runs from the right are cheaper");

  // --8<-- [start:gradient]
  // The derivatives of the first page's rank by all links.
  const wf::text_view links_only[] = {"M"};
  const wf::graph slopes = support::value_or_exit(
      wf::gradient(ranks.graph(), {.output = "r", .inputs = links_only, .seed = "weight"}));
  const auto program = support::value_or_exit(wf::executable_graph::prepare(slopes.view()));
  const auto by_links = support::value_or_exit(
      program({{"M", links}, {"jump", jump}, {"weight", Eigen::Vector4d::Unit(0)}}));
  std::cout << "by a link from page 3 to page 1: " << by_links.at("grad_M")(0, 2) << '\n';
  // --8<-- [end:gradient]
  Eigen::Matrix4d more = links;
  more(0, 2) += 1e-6;
  const auto moved = wf::run<ranks>("M"_arg = more, "jump"_arg = jump);
  const double difference = (moved["r"_arg](0) - made["r"_arg](0)) / 1e-6;
  support::require(std::abs(difference - by_links.at("grad_M")(0, 2)) < 1e-3, "it is the slope");
}
