// SPDX-License-Identifier: BSL-1.0
//
// Flops against memory: all plans of a workflow that no other plan betters, proven to be all, and
// their picture; then the same in three metrics, stopped early, with what is still open.
#include <iostream>

#include <wf/wf.hpp>

#include "support.hpp"

namespace {

// --8<-- [start:workflow]
// Two products of matrices: which pairs to multiply first decides the operations and the memory.
constexpr auto products = wf::workflow<"products">([](wf::scope& s) {
  auto A = s.input<"A", double, 4, 6>();
  auto B = s.input<"B", double, 6, 12>();
  auto C = s.input<"C", double, 12, 90>();
  auto D = s.input<"D", double, 90, 7>();
  auto E = s.input<"E", double, 7, 20>();
  auto F = s.input<"F", double, 20, 10>();
  s.output<"left">(A * B * C * D * E * F);
  s.output<"right">(F * s.input<"G", double, 10, 60>() * s.input<"H", double, 60, 3>() *
                    s.input<"I", double, 3, 40>() * s.input<"J", double, 40, 90>());
});
// --8<-- [end:workflow]

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  wf::text story;
  // --8<-- [start:front]
  const auto plans = support::value_or_exit(
      wf::optimise_pareto(products.graph(), wf::trade_off(wf::flops, wf::memory)));
  for (std::size_t i = 0; i < plans.chosen.size(); ++i) {
    const wf::objective_vector& value = plans.front.points[i].value;
    story.grouped(value[0]) << " flops, ";
    story.grouped(value[1]) << " bytes: " << plans.chosen[i].view().nodes.size() << " nodes\n";
  }
  story << (plans.front.proven() ? "there are no others" : "there may be more") << '\n';
  // --8<-- [end:front]
  support::require(plans.front.proven() && plans.chosen.size() > 5, "the front is complete");
  // --8<-- [start:picture]
  support::write(folder / "trade_off.svg", wf::to_svg(plans).view());
  // --8<-- [end:picture]

  // --8<-- [start:stopped]
  wf::pareto_options few;
  few.max_points = 5;
  const wf::limit limits[] = {wf::memory <= 22'000};
  const auto some = support::value_or_exit(
      wf::optimise_pareto(products.graph(), wf::trade_off(wf::flops, wf::memory, wf::peak_memory),
                          limits, wf::builtin_registry(), few));
  story << "three metrics: " << some.chosen.size() << " plans, " << wf::to_text(some.front.status)
        << '\n';
  for (const wf::objective_box& box : some.front.open)
    story << "  more may be from " << box.low[0] << " flops on, from " << box.low[1]
          << " bytes on\n";
  // --8<-- [end:stopped]
  support::write(folder / "trade_off_three.svg", wf::to_svg(some).view());
  std::cout << story;
  support::write(folder / "trade_off.txt", story.view());
}
