// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/task_arena.h>

#include <wf/adapt/parallel.hpp>

#include <cpu_time.hpp>

namespace execution_benchmark {

using wf_benchmark::median;
using wf_benchmark::process_seconds;

/// A graph of empty tasks: layers of `width` tasks, each of which waits for two of the layer
/// before.
struct empty_tasks {
  std::uint32_t count = 0;
  wf::table<wf::step_dependence> dependences;

  empty_tasks(std::uint32_t tasks, std::uint32_t width) : count(tasks) {
    std::mt19937_64 random(20261128);
    for (std::uint32_t i = width; i < tasks; ++i)
      for (int k = 0; k < 2; ++k) {
        const std::uint32_t layer = (i / width - 1) * width;
        dependences.push_back({layer + static_cast<std::uint32_t>(random() % width), i});
      }
  }
};

/// CPU nanoseconds of both for each task, and the ratio of wall times, by medians of rounds side by
/// side: steps of wf and nodes of TBB's flow graph, each of which adds one to a counter of its own.
inline int run_overhead(std::uint32_t tasks, int rounds) {
  namespace flow = oneapi::tbb::flow;
  using node = flow::continue_node<flow::continue_msg>;
  int code = 0;
  for (const int threads : {1, 2}) {
    const empty_tasks all(tasks, 1000);
    const std::vector<std::int64_t> times(all.count);
    const wf::step_graph graph(times, all.dependences);
    std::vector<std::atomic<std::uint32_t>> waits(all.count);
    std::vector<std::uint32_t> done(all.count), done_by_tbb(all.count);
    wf::parallel cores(threads);
    const wf::core_pool pool = cores;
    const auto by_wf = [&] {
      pool.walk(pool.pool,
                {&graph, waits.data(),
                 [](void* what, std::uint32_t step) { ++static_cast<std::uint32_t*>(what)[step]; },
                 done.data()});
    };
    oneapi::tbb::task_arena arena(threads);
    std::unique_ptr<flow::graph> flow_graph;
    std::vector<std::unique_ptr<node>> nodes;
    std::unique_ptr<flow::broadcast_node<flow::continue_msg>> start;
    arena.execute([&] {
      flow_graph = std::make_unique<flow::graph>();
      start = std::make_unique<flow::broadcast_node<flow::continue_msg>>(*flow_graph);
      for (std::uint32_t i = 0; i < all.count; ++i) {
        nodes.push_back(std::make_unique<node>(
            *flow_graph, [&done_by_tbb, i](const flow::continue_msg&) { ++done_by_tbb[i]; }));
        if (graph.waits(i) == 0) flow::make_edge(*start, *nodes.back());
      }
      for (std::uint32_t i = 0; i < all.count; ++i)
        for (const std::uint32_t next : graph.after(i)) flow::make_edge(*nodes[i], *nodes[next]);
    });
    const auto by_tbb = [&] {
      arena.execute([&] {
        start->try_put(flow::continue_msg());
        flow_graph->wait_for_all();
      });
    };
    std::vector<double> cpu[2], wall[2];
    const auto measure = [&](auto&& run, int which) {
      const double cpu_begin = process_seconds();
      const double begin = wf_benchmark::seconds_of(CLOCK_MONOTONIC);
      run();
      wall[which].push_back((wf_benchmark::seconds_of(CLOCK_MONOTONIC) - begin) / all.count);
      cpu[which].push_back((process_seconds() - cpu_begin) / all.count);
    };
    for (int round = 0; round <= rounds; ++round) {
      measure(by_wf, 0);
      measure(by_tbb, 1);
      if (round == 0)  // a warm-up
        for (int k = 0; k < 2; ++k) cpu[k].clear(), wall[k].clear();
    }
    for (std::uint32_t i = 0; i < all.count; ++i)
      if (done[i] != static_cast<std::uint32_t>(rounds) + 1 || done_by_tbb[i] != done[i]) code = 1;
    if (code != 0) std::fprintf(stderr, "execution: a task did not run once in each round\n");
    std::printf(
        "RESULT suite=execution what=task_overhead threads=%d tasks=%u ns=%.1f tbb_ns=%.1f "
        "wall_ns=%.1f tbb_wall_ns=%.1f target=60\n",
        threads, all.count, 1e9 * median(cpu[0]), 1e9 * median(cpu[1]), 1e9 * median(wall[0]),
        1e9 * median(wall[1]));
    std::fflush(stdout);
    nodes.clear();
    start.reset();
  }
  return code;
}

}  // namespace execution_benchmark
