// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <string>

#include <wf/run/transport/run_tasks.hpp>

#include "../run/transport/random_tasks.hpp"

// A random list of tasks on all processes, some of which are killed in the middle of it. Those who
// are left must make all outputs, with the values of one process.
namespace tasks {

// A run of one process. Dead: nobody (0), the first processes but 0 (1, 2, 3), or 0 (4). Prints a
// line that begins with "tasks", the number of the process, and "ok" or what is wrong; then how
// many of the outputs it has.
template <wf::transport Transport>
void run(Transport& processes, std::uint32_t seed, std::uint32_t dead, int signal) {
  const std::uint32_t rank = processes.rank();
  const random_tasks::problem p = random_tasks::make(seed, processes.ranks(), 4'000);
  const random_tasks::expected e = random_tasks::serially(p);
  std::size_t own = 0, wanted = 0, here = 0;  // own: those that it will compute
  for (std::uint32_t t = 0; t < p.tasks.size(); ++t) {
    bool runs = p.tasks.owner(t) == rank;
    for (const std::uint32_t b : p.tasks.before(t)) runs = runs && e.failed[b] == 0;
    own += runs ? 1 : 0;
    wanted += p.tasks.is_kept(t) && e.failed[t] == 0 ? 1 : 0;
  }
  std::size_t left = SIZE_MAX;
  if (dead > 3 ? rank == 0 : rank > 0 && rank <= dead) {
    if (own == 0) std::raise(signal);
    left = (seed * 7 + rank * 11) % own;
  }
  random_tasks::computing computes{&p, 0};
  const auto compute = [&](std::uint32_t task, wf::view<wf::task_operand<std::uint64_t>> operands,
                           std::uint64_t& out) {
    if (left-- == 0) std::raise(signal);
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
    while (std::chrono::steady_clock::now() < end) {
    }
    return computes(task, operands, out);
  };
  wf::task_run_options options;
  options.recovers = true;
  options.most_silence_ns = 20'000'000'000;
  const auto ran = wf::run_tasks<std::uint64_t>(processes, p.tasks, compute, options);
  std::string said = "ok";
  if (!ran) said = std::string(wf::to_text(ran.error()).view());
  if (ran && ran->failure.task != e.first_failure) said = "another first failure";
  for (std::size_t i = 0; ran && i < ran->outputs.size(); ++i, ++here)
    if (ran->outputs[i].value != e.values[ran->outputs[i].task]) said = "an output has other bits";
  std::printf("tasks %u %s, %zu of %zu outputs\n", rank, said.c_str(), here, wanted);
  std::fflush(stdout);
}

}  // namespace tasks
