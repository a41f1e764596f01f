// SPDX-License-Identifier: BSL-1.0
//
// A user-defined metric and domain: messages between the peers of a cluster, priced, limited,
// minimised and tabulated like the built-in metrics.
#include <iostream>

#include <wf/capture.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

using namespace wf::literals;

namespace {

// --8<-- [start:metric]
// A metric has a name, a unit, and a rule that combines the costs of nodes: here their sum.
inline constexpr wf::metric<"messages", "message"> messages;
// For a kernel that does not state its round trips they are unknown, not zero.
inline constexpr wf::metric<"round_trips", "round trip", wf::combination::critical_path,
                            wf::missing_cost::unknown>
    round_trips;
// --8<-- [end:metric]

// --8<-- [start:kernels]
// Two operators of the cluster; `peers` is an attribute of the node.
inline constexpr wf::kernel_spec all_reduce{
    .name = "all_reduce",
    .domain = "cluster",
    .signature = "X: number [...], peers: integer -> Y[...]",
    .costs = {{"messages", "2*(peers - 1)"}, {"round_trips", "2"}, {"flops", "X"}},
    .in_place = true,
    .summary = "the sum over all peers"};
inline constexpr wf::kernel_spec all_gather{
    .name = "all_gather",
    .domain = "cluster",
    .signature = "X: number [...], peers: integer -> Y[...]",
    .costs = {{"messages", "peers*(peers - 1)"}, {"round_trips", "1"}, {"flops", "0"}},
    .summary = "the blocks of all peers"};
inline constexpr const wf::kernel_spec* cluster_domain[] = {&all_reduce, &all_gather};
// A distributed inverse, which overrides the built-in kernel.
inline constexpr wf::kernel_spec distributed_inverse{
    .name = "inverse",
    .domain = "linalg",
    .signature = "A: field [M, M] -> B[M, M]",
    .costs = {{"flops", "2*M**3 - 3/2*M**2 + 5/2*M"}, {"messages", "8*M"}},
    .overrides = true};
// --8<-- [end:kernels]

// --8<-- [start:workflow]
constexpr auto training = wf::workflow<"training">([](wf::scope& s) {
  auto x = s.input<"x", double, 64, 8>();
  auto y = s.input<"y", double, 64>();
  auto gram = s.let<"gram">(wf::call<all_reduce, wf::with("peers", 4)>(trans(x) * x));
  auto moment = s.let<"moment">(wf::call<all_reduce, wf::with("peers", 4)>(trans(x) * y));
  s.output<"weights">(inv(gram) * moment);
});
constexpr auto costs = wf::cost(training, wf::with_kernels<cluster_domain, distributed_inverse>);
static_assert(costs[messages] == 6 + 6 + 8 * 8);
// With the same kernels the optimiser solves instead of inverting: the only messages are those of
// the two sums.
constexpr auto plan = wf::optimise<training>(
    wf::minimise(wf::flops), wf::with_kernels<cluster_domain, distributed_inverse>, messages <= 12);
static_assert(plan.proven_optimal);
// --8<-- [end:workflow]

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  // --8<-- [start:table]
  // The same registry at run time.
  wf::registry kernels = wf::builtin_registry();
  support::require(kernels.add(cluster_domain).has_value(), "the names are new");
  support::require(kernels.add(distributed_inverse).has_value(), "it says that it overrides");
  const wf::metric_spec metrics[] = {wf::flops, messages, round_trips,
                                     wf::along_best_order(wf::peak_memory)};
  const wf::cost_table table =
      support::value_or_exit(wf::tabulate_costs(training.graph(), metrics, kernels));
  std::cout << wf::to_text(table, training.graph());
  // --8<-- [end:table]
  const wf::cost_table after =
      support::value_or_exit(wf::tabulate_costs(plan.graph(), metrics, kernels));
  std::cout << "\nwith at most 12 messages:\n" << wf::to_text(after, plan.graph());
  support::require(wf::to_text(after.totals[1]) == wf::text("12"), "12 messages");
  support::write(folder / "own_metrics.csv", wf::to_csv(table, training.graph()).view());
  support::write(folder / "own_metrics.md", wf::to_markdown(table, training.graph()).view());
}
