// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <wf/search/threads.hpp>
#include <wf/simulate/program/variants.hpp>

#include <cpu_time.hpp>
#include <simulation/speed.hpp>
#include <simulation/workload.hpp>

namespace simulation_benchmark {

/// Simulates independent workloads with max-min fair shares one after the other, then on two
/// threads, in each of some rounds. Prints the ratio of the medians of the wall-clock times, which
/// count here. 1 if an outcome differs.
inline int run_variants(std::uint32_t tasks, int rounds) {
  constexpr std::uint32_t count = 16;
  std::vector<wf::sim_program> programs;
  for (std::uint32_t i = 0; i < count; ++i)
    programs.push_back(max_min_program(draw_workload(tasks, i + 1)));
  const auto make = [&](std::size_t i) { return programs[i]; };
  const auto timed = [&](auto&& executor, double& seconds) {
    const auto start = std::chrono::steady_clock::now();
    auto out = wf::simulate_variants(count, make, executor);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
  };
  wf::threads two(2);
  std::vector<double> serial, parallel;
  bool equal = true;
  for (int r = 0; r < rounds; ++r) {
    double seconds = 0;
    const auto one = timed(wf::in_turn{}, seconds);
    serial.push_back(seconds);
    const auto other = timed(two, seconds);
    parallel.push_back(seconds);
    for (std::size_t i = 0; i < count; ++i) equal = equal && *one[i] == *other[i];
  }
  const double ratio = wf_benchmark::median(serial) / wf_benchmark::median(parallel);
  std::printf(
      "RESULT suite=simulation set=variants tasks=%u variants=%u threads=2 speedup=%.2f "
      "equal=%d\n",
      tasks, count, ratio, equal ? 1 : 0);
  return equal ? 0 : 1;
}

}  // namespace simulation_benchmark
