// SPDX-License-Identifier: BSL-1.0
//
// Least squares whose observations lie on four hosts: captured, scheduled, and simulated on two
// clusters, with pictures of both runs.
#include <iostream>

#include <wf/map.hpp>
#include <wf/report/simulation/comparison_page.hpp>
#include <wf/simulate.hpp>
#include <wf/wf.hpp>

#include "support.hpp"

namespace {

// --8<-- [start:workflow]
// x minimises |A x - y|, where A has four blocks of rows, each on its own host.
constexpr auto fit = wf::workflow<"fit">([](wf::scope& s) {
  const auto block = [&]<wf::fixed_string A, wf::fixed_string Y, wf::fixed_string Gram>() {
    auto a = s.input<A, double, 1000, 1000>();
    auto y = s.input<Y, double, 1000>();
    return std::pair{s.let<Gram>(trans(a) * a), trans(a) * y};
  };
  auto [gram_1, moment_1] = block.operator()<"A1", "y1", "gram_1">();
  auto [gram_2, moment_2] = block.operator()<"A2", "y2", "gram_2">();
  auto [gram_3, moment_3] = block.operator()<"A3", "y3", "gram_3">();
  auto [gram_4, moment_4] = block.operator()<"A4", "y4", "gram_4">();
  auto gram = s.let<"gram">(gram_1 + gram_2 + gram_3 + gram_4);
  auto moment = s.let<"moment">(moment_1 + moment_2 + moment_3 + moment_4);
  s.output<"x">(s.let<"solution">(solve(gram, moment)));
});
// --8<-- [end:workflow]

// --8<-- [start:machine]
// Times are in microseconds: 10 Gflop/s, 1 Gbit/s, and 100 µs until a message arrives.
constexpr wf::task_options machine() {
  wf::task_options four;
  four.processors = 4;
  four.rate = 10'000;
  four.link = {125, 100};
  return four;
}
// --8<-- [end:machine]

// --8<-- [start:cluster]
constexpr double ticks_per_second = 1e6;

wf::sim_cluster star(double bytes_per_second) {
  const wf::sim_host host;
  const wf::sim_link link{bytes_per_second, 50e-6};  // a message passes two of them
  return wf::make_star(4, {&host, 1}, {&link, 1}, ticks_per_second);
}
// --8<-- [end:cluster]

// --8<-- [start:simulate]
wf::run_account run_on(const wf::sim_cluster& cluster, const wf::workflow_schedule& schedule,
                       wf::text_view name) {
  const auto [program, labels] = support::value_or_exit(wf::program_of(schedule, cluster));
  const wf::sim_record record = support::value_or_exit(wf::simulate(program));
  wf::run_account account =
      wf::account_of(program, record, [&](std::uint32_t a) { return labels[a]; });
  account.name = name;
  account.unit = "µs";
  return account;
}
// --8<-- [end:simulate]

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  // --8<-- [start:schedule]
  const wf::workflow_schedule schedule = support::value_or_exit(
      wf::schedule(fit.graph(), wf::flops, wf::builtin_registry(), machine()));
  std::cout << "scheduled: makespan " << schedule.times.makespan << " µs, bound "
            << schedule.times.bound << '\n';
  // --8<-- [end:schedule]
  support::require(schedule.times.proven(), "no schedule is shorter");

  // --8<-- [start:run]
  const wf::run_account slow = run_on(star(125e6), schedule, "1 Gbit/s");
  const wf::run_account fast = run_on(star(1250e6), schedule, "10 Gbit/s");
  for (const wf::run_account* a : {&slow, &fast}) {
    const wf::run_path path = wf::critical_path_of(*a);
    std::cout << a->name << ": makespan " << a->makespan << " µs, of which compute "
              << path.of(wf::path_reason::compute) << " and link " << path.of(wf::path_reason::link)
              << '\n';
  }
  // --8<-- [end:run]
  support::require(slow.makespan > schedule.times.makespan && fast.makespan < slow.makespan,
                   "messages share links");

  // --8<-- [start:draw]
  wf::html_page page("Least squares on two clusters");
  wf::add_run_comparison(page, slow, fast);
  support::write(folder / "fit.html", page.page().view());
  // --8<-- [end:draw]
}
