// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/search/executor.hpp>
#include <wf/simulate/program/program.hpp>

namespace wf {

/// Simulates `count` programs that do not depend on each other, such as one workflow on ever larger
/// clusters or with other links: `make(i)` returns the i-th `sim_program`, or a `result` of one.
/// The outcomes are those of `simulate`, in the order of the numbers, whatever the executor
/// (`wf/search/threads.hpp`); `make` is called by its tasks, at the same time if it has threads.
/// Errors of one program, of `make` or `simulate`, do not stop the others.
template <class Make, task_executor Executor = in_turn>
constexpr table<result<sim_record>> simulate_variants(std::size_t count, Make&& make,
                                                      Executor&& executor = {}) {
  table<result<sim_record>> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) out.push_back(sim_record{});
  result<sim_record>* const first = out.data();
  executor(count, [&](std::size_t i) {
    const result<sim_program> program = make(i);
    if (program)
      first[i] = simulate(*program);
    else
      first[i] = program.error();
  });
  return out;
}

}  // namespace wf
