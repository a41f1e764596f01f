// SPDX-License-Identifier: BSL-1.0
#pragma once

// Large workflows over many classes: the time of each step, and of an assignment of classes.

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <wf/partition/assign.hpp>
#include <wf/partition/toolchain.hpp>

#include <cpu_time.hpp>

namespace partition_benchmark {

/// A workflow of about so many nodes on the host and `classes` - 1 other classes; every eighth node
/// is a message.
inline wf::graph large_workflow(std::uint32_t nodes, std::uint32_t classes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  wf::graph g("large");
  const wf::value_type number{wf::dtype::f64, {}, wf::shape::of(16)};
  std::vector<wf::value_id> peers;
  std::vector<std::vector<wf::value_id>> values(classes);
  for (std::uint32_t c = 1; c < classes; ++c)
    peers.push_back(g.add_input(("class" + std::to_string(c)).c_str(),
                                {wf::dtype::peer, {}, wf::shape::of(1)}));
  values[0].push_back(g.add_input("x", number));
  for (std::uint32_t i = 0; i < nodes; ++i) {
    std::size_t c = below(classes);
    while (values[c].empty()) c = below(classes);
    const auto recent = [&] {
      const std::size_t n = values[c].size();
      return values[c][n - 1 - below(n < 20 ? n : 20)];
    };
    if (i % 8 == 0 || i < 4 * classes) {
      const std::size_t to = below(classes - 1);
      const wf::value_id operands[] = {recent(), peers[to]};
      const wf::value_type results[] = {
          number, {wf::dtype::peer, {}, {}}, {wf::dtype::u64, {}, {}}};
      const wf::node_id made =
          g.add_node({.op = "send", .domain = "wire", .effects = wf::effect::external},
                     {operands, 2}, {results, 3});
      values[to + 1].push_back(wf::graph_view::output_of(g[made]));
    } else {
      const wf::value_id operands[] = {recent(), recent()};
      const wf::node_id made =
          g.add_node({.op = "add", .domain = "elementwise"}, {operands, 2}, {&number, 1});
      values[c].push_back(wf::graph_view::output_of(g[made]));
    }
  }
  for (std::uint32_t c = 0; c < classes; ++c)
    if (!values[c].empty()) g.add_output(("y" + std::to_string(c)).c_str(), values[c].back());
  return g;
}

/// CPU seconds by step of a toolchain.
struct step_clock {
  std::vector<std::string> names;            ///< of the steps, in their order
  std::vector<std::vector<double>> seconds;  ///< by step, in the order of the rounds
  double began = 0;                          ///< of the step that runs

  /// A step begins.
  template <class Stage>
  void enter(const wf::step_info&, const Stage&) {
    began = wf_benchmark::process_seconds();
  }
  /// A step has ended.
  template <class Stage>
  void leave(const wf::step_info& info, const Stage&) {
    const double took = wf_benchmark::process_seconds() - began;
    const std::string name(info.name.data(), info.name.size());
    std::size_t i = 0;
    while (i < names.size() && names[i] != name) ++i;
    if (i == names.size()) {
      names.push_back(name);
      seconds.emplace_back();
    }
    seconds[i].push_back(took);
  }
};

/// All steps over a large workflow; prints the medians. Returns the exit code.
inline int run_scale(std::uint32_t nodes, std::uint32_t classes, int rounds) {
  const wf::graph g = large_workflow(nodes, classes, 1);
  const auto steps = wf::deployment_toolchain(wf::deployment_settings{});
  step_clock clock;
  std::vector<double> whole;
  wf::digest128 identity;
  std::size_t edges = 0, partitions = 0;
  for (int r = 0; r < rounds; ++r) {
    const double began = wf_benchmark::process_seconds();
    const auto d = steps(g, clock);
    whole.push_back(wf_benchmark::process_seconds() - began);
    if (!d || (r > 0 && d->identity != identity)) {
      std::fprintf(stderr, "partition: %s\n",
                   d ? "another deployment" : std::string(wf::to_text(d.error()).view()).c_str());
      return 1;
    }
    identity = d->identity;
    edges = d->parts().edges.size();
    partitions = d->parts().partitions.size();
  }
  for (std::size_t i = 0; i < clock.names.size(); ++i)
    std::printf("%-28s %.4f s\n", clock.names[i].c_str(), wf_benchmark::median(clock.seconds[i]));
  std::printf(
      "RESULT suite=partition what=scale nodes=%zu classes=%u partitions=%zu edges=%zu "
      "seconds=%.3f target=0.5\n",
      g.view().nodes.size(), classes, partitions, edges, wf_benchmark::median(whole));
  return 0;
}

/// Classes for the nodes of growing workflows without messages: times, and whether the choice is
/// proven. Returns the exit code.
inline int run_assign(int rounds) {
  for (const std::uint32_t nodes : {50u, 200u, 1000u}) {
    std::vector<double> seconds;
    int proven = 0;
    for (int r = 0; r < rounds; ++r) {
      std::mt19937_64 random(static_cast<std::uint64_t>(r) + 1);
      const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
      wf::graph g("layers");
      std::vector<wf::value_id> values;
      for (int i = 0; i < 4; ++i)
        values.push_back(g.add_input(("x" + std::to_string(i)).c_str(),
                                     {wf::dtype::f64, {}, wf::shape::of(std::int64_t{64})}));
      for (std::uint32_t i = 0; i < nodes; ++i) {
        const wf::value_type type{
            wf::dtype::f64, {}, wf::shape::of(static_cast<std::int64_t>(16 + below(200)))};
        const std::string price = std::to_string(10 + below(5000));
        const wf::cost_formula cost{"flops", price.c_str()};
        const std::size_t n = values.size(), near = n < 12 ? n : 12;
        const wf::value_id operands[] = {values[n - 1 - below(near)], values[n - 1 - below(near)]};
        const wf::node_id made = g.add_node({.op = "layer", .domain = "user", .costs = {&cost, 1}},
                                            {operands, 2}, {&type, 1});
        values.push_back(wf::graph_view::output_of(g[made]));
      }
      g.add_output("y", values.back());
      wf::machine_park park;
      const char* const names[] = {"@self", "gpu", "edge"};
      const std::int64_t speeds[] = {10, 2, 30};
      for (int c = 0; c < 3; ++c) {
        park.classes.push_back({wf::text(names[c]), speeds[c], -1, {}});
        for (int d = 0; d < 3; ++d)
          if (c != d) park.links.push_back({wf::text(names[c]), wf::text(names[d]), 2000, 5});
      }
      const double began = wf_benchmark::process_seconds();
      const auto a =
          wf::assign_classes(g.view(), park, wf::builtin_registry(), {.max_nodes = 200'000});
      seconds.push_back(wf_benchmark::process_seconds() - began);
      if (!a) {
        std::fprintf(stderr, "partition: %s\n", std::string(wf::to_text(a.error()).view()).c_str());
        return 1;
      }
      proven += a->status == wf::search_status::proven;
    }
    std::printf(
        "RESULT suite=partition what=assign nodes=%u classes=3 proven=%d of=%d seconds=%.3f\n",
        nodes, proven, rounds, wf_benchmark::median(seconds));
  }
  return 0;
}

}  // namespace partition_benchmark
