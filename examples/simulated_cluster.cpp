// SPDX-License-Identifier: BSL-1.0
//
// A word count of 24 shards of text on eight hosts, simulated on two networks: how long it takes,
// why, and pictures of both runs.
#include <iostream>

#include <wf/report/simulation/comparison_page.hpp>
#include <wf/report/simulation/perfetto.hpp>
#include <wf/simulate/account/program.hpp>
#include <wf/simulate/platform/topology.hpp>
#include <wf/simulate/program/builder.hpp>

#include "support.hpp"

namespace {

constexpr std::uint32_t hosts = 8, shards = 24, groups = 4;

// --8<-- [start:networks]
// Times are in microseconds. Each host has a link of 1 Gbit/s; the star has a slow centre.
constexpr double ticks_per_second = 1e6;
constexpr wf::sim_host processor{1e9, 1};
constexpr wf::sim_link gigabit{125e6, 50e-6};

wf::sim_cluster star() {
  const wf::sim_link centre{250e6, 10e-6};
  return wf::make_star(hosts, {&processor, 1}, {&gigabit, 1}, ticks_per_second, &centre);
}
// Two switches with four hosts each, and two switches above them.
wf::sim_cluster fat_tree() {
  const std::uint32_t down[] = {4, 2}, up[] = {1, 2}, copies[] = {1, 2};
  return wf::make_fat_tree(down, up, copies, {&processor, 1}, gigabit, ticks_per_second);
}
// --8<-- [end:networks]

// --8<-- [start:workflow]
// Activities with names: a task runs on a host, a transfer uses the route between two hosts.
struct word_count {
  wf::sim_program program;
  wf::table<wf::text> names;
};

class word_count_builder {
 public:
  explicit word_count_builder(const wf::sim_cluster& cluster) : cluster_(cluster) {
    // Instead of sharing its cores, each host runs two tasks at a time; others wait in a queue.
    b_.platform = cluster.platform;
    b_.platform.cores.clear();
    for (std::uint32_t h = 0; h < hosts; ++h) b_.platform.slots.push_back(2);
    b_.platform.slots.push_back(wf::sim::slots::unlimited);
  }

  word_count build() {
    std::uint32_t merges[groups];
    for (std::uint32_t g = 0; g < groups; ++g)
      merges[g] = task(wf::text("merge ") << g, 2 * g, 150'000);
    for (std::uint32_t s = 0; s < shards; ++s) {
      // Shards are there one after the other, every 20 ms.
      const std::uint32_t ready = task(wf::text("arrival ") << s, hosts, s * 20'000);
      const std::uint32_t host = s % hosts;
      const std::uint32_t count = task(wf::text("count ") << s, host, 300'000 + s * 7 % 5 * 40'000);
      b_.connect(ready, count);
      for (std::uint32_t g = 0; g < groups; ++g)
        send(wf::text("words ") << s << " to " << g, count, host, merges[g], 2 * g, 8'000'000);
    }
    const std::uint32_t report = task("report", 7, 80'000);
    for (std::uint32_t g = 0; g < groups; ++g)
      send(wf::text("ranking ") << g, merges[g], 2 * g, report, 7, 2'000'000);
    return {b_.take(), names_};
  }

 private:
  std::uint32_t task(wf::text name, std::uint32_t host, std::int64_t microseconds) {
    names_.push_back(name);
    return b_.add(wf::sim_resource::slots, host, microseconds);
  }
  void send(wf::text name, std::uint32_t earlier, std::uint32_t from, std::uint32_t later,
            std::uint32_t to, std::int64_t bytes) {
    if (from == to) return b_.connect(earlier, later);
    names_.push_back(name);
    const std::uint32_t moved = b_.add(wf::sim_resource::route, cluster_.route(from, to), bytes);
    b_.connect(earlier, moved);
    b_.connect(moved, later);
  }

  const wf::sim_cluster& cluster_;
  wf::sim_program_builder b_;
  wf::table<wf::text> names_;
};
// --8<-- [end:workflow]

// --8<-- [start:run]
wf::run_account run_on(const wf::sim_cluster& cluster, wf::text_view name) {
  const word_count w = word_count_builder(cluster).build();
  const wf::sim_record record = support::value_or_exit(wf::simulate(w.program));
  wf::run_account account =
      wf::account_of(w.program, record, [&](std::uint32_t a) { return w.names[a]; });
  account.name = name;
  account.unit = "µs";
  return account;
}

void print(const wf::run_account& a) {
  const wf::run_path path = wf::critical_path_of(a);
  std::cout << a.name << ": makespan " << a.makespan << " µs\n";
  for (const auto reason : {wf::path_reason::compute, wf::path_reason::link, wf::path_reason::delay,
                            wf::path_reason::queue})
    std::cout << "  " << wf::to_text(reason) << ' ' << path.of(reason) << '\n';
  std::cout << "  critical path of " << path.segments.size() << " parts\n";
}
// --8<-- [end:run]

}  // namespace

int main(int argc, char** argv) {
  const auto folder = support::output_folder(argc, argv);
  // --8<-- [start:both]
  const wf::run_account on_star = run_on(star(), "star");
  const wf::run_account on_tree = run_on(fat_tree(), "fat tree");
  print(on_star);
  print(on_tree);
  // --8<-- [end:both]
  support::require(on_tree.makespan < on_star.makespan, "the fat tree is faster");

  // --8<-- [start:draw]
  wf::html_page page("Word count on a star");
  wf::add_run(page, on_star);
  support::write(folder / "star.html", page.page().view());
  support::write(folder / "star.json", wf::to_perfetto(on_star).view());
  // --8<-- [end:draw]
  // --8<-- [start:compare]
  wf::html_page both("Word count on two networks");
  wf::add_run_comparison(both, on_star, on_tree);
  support::write(folder / "comparison.html", both.page().view());
  // --8<-- [end:compare]
}
