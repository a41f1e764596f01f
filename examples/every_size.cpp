// SPDX-License-Identifier: BSL-1.0
//
// One workflow for every size: symbolic costs within budgets over a range of sizes, an optimal plan
// for each interval with a proof for every integer in it, and dispatch when the size is known.
#include <iostream>
#include <random>

#include <wf/run/dynamic.hpp>
#include <wf/select.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

namespace {

// --8<-- [start:budget]
constexpr auto low_rank = wf::workflow<"low_rank">([](wf::scope& s) {
  auto U = s.input<"U", double, "M", 8>();
  auto V = s.input<"V", double, 8, "M">();
  auto X = s.input<"X", double, "M", 8>();
  s.output<"Y">(U * V * X);
});
// A symbolic cost is a polynomial; a violated budget over a range of sizes is a compile-time error.
static_assert(wf::cost(low_rank)[wf::flops].at_most(131'072, wf::symbol_range("M", 1, 64)));
static_assert(wf::within<decltype(low_rank), wf::flops, 131'072, wf::symbol_range("M", 1, 64)>());
// --8<-- [end:budget]

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  wf::text story;
  // --8<-- [start:pieces]
  const auto plans = support::value_or_exit(wf::optimise_piecewise(
      low_rank.graph(), wf::symbol_range("M", 1, 4096), wf::minimise(wf::flops)));
  for (const wf::plan_piece& piece : plans.pieces)
    story << "M in [" << piece.low << ", " << piece.high
          << "]: " << piece.chosen.view().nodes.size()
          << " nodes, flops = " << to_text(piece.value).view() << '\n';
  // --8<-- [end:pieces]
  support::require(plans.pieces.size() == 2 && plans.pieces[0].high == 8, "the flip is at M = 9");
  story << "proven for 4096 sizes by " << plans.solved << " selection problems\n";

  // --8<-- [start:dispatch]
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto matrix = [&](Eigen::Index rows, Eigen::Index columns) {
    return Eigen::MatrixXd(
        Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return uniform(random); }));
  };
  for (const Eigen::Index size : {2, 8, 9, 64}) {
    const Eigen::MatrixXd U = matrix(size, 8), V = matrix(8, size), X = matrix(size, 8);
    const wf::graph plan = support::value_or_exit(plans.bound_for(size));
    const auto made = support::value_or_exit(wf::run_dynamic(plan, {{"U", U}, {"V", V}, {"X", X}}));
    support::require((made.at("Y") - U * V * X).norm() < 1e-12 * U.norm() * V.norm() * X.norm(),
                     "it is the product");
    const auto cost = support::value_or_exit(wf::price(plan.view(), wf::flops));
    story << "M = " << size << ": " << cost << " flops\n";
  }
  // --8<-- [end:dispatch]
  std::cout << story;
  support::write(folder / "every_size.txt", story.view());
}
