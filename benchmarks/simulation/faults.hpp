// SPDX-License-Identifier: BSL-1.0
#pragma once

// Fault scripts: the hand-checked scenarios once, the storms with many seeds, a network of
// processes under each storm with a twentieth of them.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <wf/simulate/fault/shrink.hpp>
#include <wf/simulate/fault/write_script.hpp>

#include <cpu_time.hpp>
#include <files.hpp>
#include <simulation/fault_networks.hpp>
#include <simulation/fault_scenarios.hpp>

namespace simulation_benchmark {

/// Reads all scripts of `folder`/scripts, by name; false, with a message, if one is invalid.
inline bool read_fault_scripts(const std::string& folder, std::vector<script>& out) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/scripts"))
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    const std::string source = wf_benchmark::read_whole(path);
    const auto read = parse_script(wf::text_view(source.data(), source.size()));
    if (!read) {
      std::printf("%s: %s\n", path.c_str(), std::string(to_text(read.error()).view()).c_str());
      return false;
    }
    out.push_back(*read);
  }
  return true;
}

/// Prints a seed that breaks an invariant, and the smallest script that still breaks it.
inline void print_violation(const script& s, const run_report& run) {
  std::printf("  seed %llu breaks invariant %u: %s\n", static_cast<unsigned long long>(s.seed),
              run.broken.invariant, std::string(run.broken.sentence.view()).c_str());
  const std::uint32_t invariant = run.broken.invariant;
  const auto small = shrink(s, [invariant](const script& candidate) {
    return run_storm(candidate).broken.invariant == invariant;
  });
  std::printf("%s", std::string(to_json(small.smallest).view()).c_str());
}

/// Runs the scripts of a folder, the storms with `seeds` seeds each, on one core; prints a line for
/// each script and the result. Returns the exit code: 0 if there are scripts, and no violations.
inline int run_faults(const std::string& folder, std::uint32_t seeds) {
  if (!std::filesystem::exists(folder + "/scripts")) {
    std::printf("simulation: there are no fault scripts in %s\n", folder.c_str());
    return 1;
  }
  std::vector<script> scripts;
  if (!read_fault_scripts(folder, scripts)) return 1;
  int violations = 0;
  double seconds = 0;
  std::uint64_t runs = 0, events = 0, rings = 0, complete = 0;
  int of_rings = 0;
  for (script s : scripts) {
    const std::string name(s.name.view());
    if (!s.expect.empty()) {
      const std::string differs = check_scenario(s);
      std::printf("%-30s %s\n", name.c_str(), differs.empty() ? "as expected" : differs.c_str());
      violations += !differs.empty();
      continue;
    }
    int broken = 0;
    std::uint64_t own = 0, timeouts = 0, retries = 0, dropped = 0;
    const std::uint64_t first = s.seed;
    const double begin = wf_benchmark::process_seconds();
    for (std::uint32_t i = 0; i < seeds; ++i) {
      s.seed = first + i;
      const run_report run = run_storm(s);
      own += run.events;
      timeouts += run.counts.timeouts.size();
      for (const tally::counts& c : run.counts.peers) retries += c.retries, dropped += c.dropped;
      if (run.broken.invariant != 0 && ++broken == 1) print_violation(s, run);
    }
    const double took = wf_benchmark::process_seconds() - begin;
    std::printf(
        "%-30s seeds=%u violations=%d events=%.0f dropped=%.1f timeouts=%.1f retries=%.1f "
        "seeds_per_s=%.0f\n",
        name.c_str(), seeds, broken, static_cast<double>(own) / seeds,
        static_cast<double>(dropped) / seeds, static_cast<double>(timeouts) / seeds,
        static_cast<double>(retries) / seeds, seeds / took);
    violations += broken;
    seconds += took;
    runs += seeds;
    events += own;
    const std::uint32_t some = std::max(seeds / 20, std::min(seeds, 50U));
    of_rings += run_ring(s, some, complete);
    rings += some;
  }
  std::printf(
      "RESULT suite=simulation set=faults seeds=%llu violations=%d seeds_per_s=%.0f "
      "events_per_s=%.0f networks=%llu complete=%llu network_violations=%d\n",
      static_cast<unsigned long long>(runs), violations, static_cast<double>(runs) / seconds,
      static_cast<double>(events) / seconds, static_cast<unsigned long long>(rings),
      static_cast<unsigned long long>(complete), of_rings);
  return violations + of_rings == 0 ? 0 : 1;
}

}  // namespace simulation_benchmark
