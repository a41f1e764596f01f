// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include <wf/adapt/wfformat/program.hpp>
#include <wf/adapt/wfformat/reader.hpp>
#include <wf/simulate/program/source.hpp>

#include <files.hpp>
#include <simulation/speed.hpp>
#include <simulation/workload.hpp>

namespace simulation_benchmark {

/// Prints a program that the compiler is to simulate, as a header on the standard output: `program`
/// is the program, `makespan` that of this run.
inline int write_constant(const wf::sim_program& p) {
  const auto source = wf::source_of(p, "program");
  const auto run = wf::simulate(p);
  if (!source || !run) {
    std::fprintf(stderr, "constant: the program cannot be simulated\n");
    return 1;
  }
  std::printf("%.*s", static_cast<int>(source->size()), source->view().data());
  std::printf("inline constexpr long long makespan = %lld;\n",
              static_cast<long long>(run->makespan));
  return 0;
}

/// Writes a recorded workflow, with transfers over a hub of 125 MB/s and a serial dispatcher.
inline int write_recorded_constant(const std::string& file) {
  const std::string json = wf_benchmark::read_whole(file);
  const auto all = wf::wfformat::parse(wf::text_view(json.data(), json.size()));
  if (!all) {
    std::fprintf(stderr, "constant: %s is no recorded workflow\n", file.c_str());
    return 1;
  }
  const auto made = wf::wfformat::program_of(*all, {.decimals = 6,
                                                    .latency = 2'000'000,
                                                    .serial_dispatch = 100'000,
                                                    .hub_bandwidth = 125'000'000});
  if (!made) {
    std::fprintf(stderr, "constant: %s has no program\n", file.c_str());
    return 1;
  }
  return write_constant(made->program);
}

/// Writes the workload of the set "speed", with a link for each host or max-min fair shares.
inline int write_drawn_constant(const std::string& model, std::uint32_t tasks) {
  const workload w = draw_workload(tasks, 1);
  return write_constant(model == "fifo" ? fifo_program(w) : max_min_program(w));
}

}  // namespace simulation_benchmark
