// SPDX-License-Identifier: BSL-1.0
#pragma once

// Random programs on machines, without and with faults.

#include <cstdint>
#include <cstdio>
#include <string>

#include <cpu_time.hpp>
#include <partition/machine_case.hpp>
#include <partition/random_program.hpp>
#include <partition/storm_case.hpp>

namespace partition_benchmark {

/// Random programs on one machine for each class, called twice: without faults, and with loss,
/// copies, delays and corruption. Prints the result; returns the exit code.
inline int run_random(std::uint32_t programs) {
  std::uint64_t messages = 0, fired = 0;
  int wrong = 0;
  const double began = wf_benchmark::process_seconds();
  for (std::uint32_t seed = 1; seed <= programs; ++seed) {
    const random_program program(seed);
    const wf::deployment d = machine_case::deployed(program.workflow());
    const hashed::outputs whole = hashed::run_whole(program.workflow());
    for (const bool with_faults : {false, true}) {
      machine_case::machines_of m(d);
      m.script.seed = seed;
      m.script.delay_ns = {0, 5'000'000};
      if (with_faults)
        machine_case::add_rules(m.script,
                                {wf::fault::rule_effect::drop, wf::fault::rule_effect::duplicate,
                                 wf::fault::rule_effect::delay, wf::fault::rule_effect::corrupt},
                                0.2, 20'000'000);
      const auto r = m.run(d, {machine_case::call_at(d, 0), machine_case::call_at(d, 10'000'000)});
      std::string fault =
          r ? fault_of(d, *r, whole, 2, false) : std::string(wf::to_text(r.error()).view());
      for (std::uint64_t k = 1; fault.empty() && k <= 2; ++k)
        for (const auto& [name, list] : machine_case::outputs_of(d, *r, k))
          if (list.size() != 1) fault = name + " comes " + std::to_string(list.size()) + " times";
      if (!fault.empty() && ++wrong <= 5)
        std::printf("program %u%s: %s\n", seed, with_faults ? " with faults" : "", fault.c_str());
      if (!r) continue;
      for (const std::uint64_t n : r->received) fired += n;
      messages += r->run.records;
    }
  }
  std::printf(
      "RESULT suite=partition what=random programs=%u runs=%u messages=%llu records=%llu wrong=%d "
      "seconds=%.1f\n",
      programs, 2 * programs, static_cast<unsigned long long>(fired),
      static_cast<unsigned long long>(messages), wrong, wf_benchmark::process_seconds() - began);
  return wrong == 0 ? 0 : 1;
}

}  // namespace partition_benchmark
