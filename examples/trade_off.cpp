// SPDX-License-Identifier: BSL-1.0
//
// Flops against memory: the Pareto front of a workflow's plans, proven complete, and its plot; then
// the same search stopped early, with bounds for the missing part.
#include <iostream>

#include <wf/report.hpp>
#include <wf/select.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

namespace {

// --8<-- [start:workflow]
constexpr auto kalman = wf::workflow<"kalman">([](wf::scope& s) {
  auto P = s.input<"P", double, 6, 6>(wf::spd);
  auto H = s.input<"H", double, 3, 6>();
  auto R = s.input<"R", double, 3, 3>(wf::spd);
  auto S = s.let<"S">(H * P * trans(H) + R);
  s.output<"K">(P * trans(H) * inv(S));
});
// --8<-- [end:workflow]

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  wf::text story;
  // --8<-- [start:front]
  const auto plans = support::value_or_exit(
      wf::optimise(kalman.graph(), wf::trade_off(wf::flops, wf::peak_memory)));
  for (std::size_t i = 0; i < plans.chosen.size(); ++i) {
    const wf::objective_vector& value = plans.front.points[i].value;
    story.grouped(value[0]) << " flops, ";
    story.grouped(value[1]) << " bytes: " << plans.chosen[i].view().nodes.size() << " nodes\n";
  }
  story << (plans.front.proven() ? "there are no others" : "there may be more") << '\n';
  // --8<-- [end:front]
  support::require(plans.front.proven() && plans.chosen.size() == 4, "the front is complete");
  // --8<-- [start:picture]
  support::write(folder / "trade_off.svg", wf::to_svg(plans).view());
  // --8<-- [end:picture]

  // --8<-- [start:stopped]
  wf::pareto_options few;
  few.max_points = 3;
  const wf::limit limits[] = {wf::peak_memory <= 950};
  const auto some =
      support::value_or_exit(wf::optimise(kalman.graph(), wf::trade_off(wf::flops, wf::peak_memory),
                                          limits, wf::builtin_registry(), few));
  story << some.chosen.size() << " plans, " << wf::to_text(some.front.status) << '\n';
  for (const wf::objective_box& box : some.front.open)
    story << "  more may have " << box.low[0] << " to " << box.high[0] << " flops and "
          << box.low[1] << " to " << box.high[1] << " bytes\n";
  // --8<-- [end:stopped]
  support::require(some.front.status == wf::pareto_status::full, "the front has its most points");
  support::write(folder / "trade_off_stopped.svg", wf::to_svg(some).view());
  std::cout << story;
  support::write(folder / "trade_off.txt", story.view());
}
