// SPDX-License-Identifier: BSL-1.0
//
// One workflow for every size: symbolic costs held to budgets over a range, the plan that is
// optimal on each interval, proven for every integer, and the choice made when the size is known.
#include <iostream>
#include <random>

#include <wf/run/dynamic.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

namespace {

// --8<-- [start:budget]
constexpr auto inversion = wf::workflow<"inversion">([](wf::scope& s) {
  auto A = s.input<"A", double, "M", "M">();
  s.output<"B">(inv(A));
});
// A symbolic cost is a polynomial; a budget holds over a range of sizes, or does not compile.
static_assert(wf::cost(inversion)[wf::flops].at_most(520'000, wf::symbol_range("M", 1, 64)));
static_assert(wf::within<decltype(inversion), wf::flops, 520'000, wf::symbol_range("M", 1, 64)>());
// --8<-- [end:budget]

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  wf::text story;
  // --8<-- [start:pieces]
  const auto plans = support::value_or_exit(wf::optimise_piecewise(
      inversion.graph(), wf::symbol_range("M", 1, 4096), wf::minimise(wf::flops)));
  for (const wf::plan_piece& piece : plans.pieces)
    story << "M in [" << piece.low << ", " << piece.high
          << "]: " << piece.chosen.view().nodes.size()
          << " nodes, flops = " << to_text(piece.value).view() << '\n';
  // --8<-- [end:pieces]
  support::require(plans.pieces.size() == 2 && plans.pieces[0].high == 3, "the flip is at M = 4");
  story << "proven for 4096 sizes by " << plans.solved << " selection problems\n";

  // --8<-- [start:dispatch]
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const Eigen::Index size : {2, 3, 4, 64}) {
    const Eigen::MatrixXd A =
        Eigen::MatrixXd::NullaryExpr(size, size, [&] { return uniform(random); });
    const wf::graph plan = support::value_or_exit(plans.bound_for(A.rows()));
    const wf::graph steps = support::value_or_exit(wf::unroll(plan, wf::builtin_registry()));
    const auto made = support::value_or_exit(wf::run_dynamic(steps, {{"A", A}}));
    const double residual = (A * made.at("B") - Eigen::MatrixXd::Identity(size, size)).norm();
    support::require(residual < 1e-8, "it is the inverse");
    story << "M = " << size << ": " << steps.view().nodes.size() << " steps\n";
  }
  // --8<-- [end:dispatch]
  std::cout << story;
  support::write(folder / "every_size.txt", story.view());
}
