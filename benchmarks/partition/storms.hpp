// SPDX-License-Identifier: BSL-1.0
#pragma once

// Deployments under published storms.

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <wf/simulate/fault/shrink.hpp>
#include <wf/simulate/fault/write_script.hpp>

#include <cpu_time.hpp>
#include <partition/storm_case.hpp>

namespace partition_benchmark {

/// What runs under a storm with many seeds came to.
struct storm_counts {
  std::uint64_t runs = 0;
  std::uint64_t outputs = 0;
  std::uint64_t replays = 0;  ///< runs that were run again
  int violations = 0;
};

/// Runs a deployment under a script with many seeds. Prints a line, and before it the first
/// violation with its smallest script.
inline void run_storm_seeds(const char* name, const storm_case& deployed, wf::fault::script s,
                            std::uint32_t seeds, storm_counts& counts) {
  const std::uint64_t first = s.seed;
  int broken = 0;
  for (std::uint32_t i = 0; i < seeds; ++i) {
    s.seed = first + i;
    const auto r = deployed.run(s);
    ++counts.runs;
    std::string fault = deployed.check(s, r);
    if (r) counts.outputs += r->outputs.size();
    if (r && i % 100 == 0) {
      ++counts.replays;
      if (deployed.run(s)->run.trace != r->run.trace) fault = "a second run differs";
    }
    if (fault.empty() || ++broken > 1) continue;
    std::printf("  %s, %s, seed %llu: %s\n", name, std::string(s.name.view()).c_str(),
                static_cast<unsigned long long>(s.seed), fault.c_str());
    const auto small = wf::fault::shrink(s, [&](const wf::fault::script& tried) {
      return deployed.check(tried, deployed.run(tried)) == fault;
    });
    std::printf("%s", std::string(wf::fault::to_json(small.smallest).view()).c_str());
  }
  std::printf("%-10s %-26s seeds=%u violations=%d\n", name, std::string(s.name.view()).c_str(),
              seeds, broken);
  counts.violations += broken;
}

/// Runs deployments under the scripts of a folder that state no expectation, with `seeds` seeds
/// each; every hundredth is run again and must give the same records. Prints a line for each
/// script, a first violation with its smallest script, and the result. Returns the exit code.
inline int run_storms(const std::vector<wf::fault::script>& scripts, std::uint32_t seeds) {
  storm_counts counts;
  const double began = wf_benchmark::process_seconds();
  for (const storm_workflow& w : storm_workflows()) {
    const storm_case deployed(w);
    for (const wf::fault::script& s : scripts)
      if (s.expect.empty()) run_storm_seeds(w.name, deployed, s, seeds, counts);
  }
  const double took = wf_benchmark::process_seconds() - began;
  std::printf(
      "RESULT suite=partition what=storms seeds=%llu outputs=%llu replays=%llu violations=%d "
      "seeds_per_s=%.0f\n",
      static_cast<unsigned long long>(counts.runs), static_cast<unsigned long long>(counts.outputs),
      static_cast<unsigned long long>(counts.replays), counts.violations,
      static_cast<double>(counts.runs) / took);
  return counts.violations == 0 ? 0 : 1;
}

}  // namespace partition_benchmark
