// SPDX-License-Identifier: BSL-1.0
#pragma once

// Deployments with broken gates under storms: how soon the fault is found, and how small the script
// that shows it becomes.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>
#include <vector>

#include <wf/simulate/fault/parse_script.hpp>
#include <wf/simulate/fault/shrink.hpp>
#include <wf/simulate/fault/write_script.hpp>

#include <cpu_time.hpp>
#include <partition/storm_case.hpp>
#include <simulation/broken_gates.hpp>

namespace partition_benchmark {

/// Deployments and storms, one of each for a seed.
class storm_lottery {
 public:
  /// Of the scripts that state no expectation.
  explicit storm_lottery(const std::vector<wf::fault::script>& scripts) {
    for (const wf::fault::script& s : scripts)
      if (s.expect.empty()) storms_.push_back(s);
    for (const storm_workflow& w : storm_workflows()) {
      cases_.emplace_back(w);
      cases_.emplace_back(w, hurried);
    }
  }
  /// False if none of the scripts is a storm: then there is nothing to draw.
  bool has_storms() const { return !storms_.empty(); }
  /// The deployment of a seed.
  const storm_case& deployed(std::uint64_t seed) const { return cases_[seed % cases_.size()]; }
  /// The script of a seed.
  wf::fault::script script(std::uint64_t seed) const {
    return varied(storms_[seed / cases_.size() % storms_.size()], seed);
  }

 private:
  std::vector<wf::fault::script> storms_;
  std::deque<storm_case> cases_;
};

/// A fault that a broken gate led to.
struct found_fault {
  std::uint32_t seeds = 0;         ///< runs up to the first with a fault; 0: there was none
  std::string fault;               ///< what was wrong
  wf::fault::shrunk_script small;  ///< the smallest script with this fault
  bool is_confirmed = false;       ///< it has the fault again when read from its text, and sound
                                   ///< gates have none under it
};

/// Runs deployments with broken gates under the scripts of the seeds from 1 on, up to the first
/// fault, and shrinks its script.
template <class Gates>
found_fault find_fault(const storm_lottery& all, std::uint32_t most_seeds) {
  found_fault out;
  for (std::uint32_t seed = 1; seed <= most_seeds; ++seed) {
    const storm_case& deployed = all.deployed(seed);
    const wf::fault::script s = all.script(seed);
    const auto fault = [&](const wf::fault::script& tried) {
      return deployed.check(tried, deployed.run<Gates>(tried));
    };
    out.fault = fault(s);
    if (out.fault.empty()) continue;
    out.seeds = seed;
    out.small = wf::fault::shrink(
        s, [&](const wf::fault::script& tried) { return fault(tried) == out.fault; });
    const wf::fault::script& small = out.small.smallest;
    const auto read = wf::fault::parse_script(wf::fault::to_json(small).view());
    out.is_confirmed = read && *read == small && fault(*read) == out.fault &&
                       deployed.check(small, deployed.run(small)).empty();
    break;
  }
  return out;
}

/// Searches the fault of each broken gate, and one of the sound gates in as many runs. Prints a
/// result for each, with the script. Returns the exit code: 0 if each broken gate is found within
/// 1,000 seeds, and its script shrunk to five lines, and if nothing is wrong with the sound ones.
inline int run_broken_gates(const std::vector<wf::fault::script>& scripts) {
  constexpr std::uint32_t most_seeds = 1000;
  constexpr std::size_t most_lines = 5;
  const storm_lottery all(scripts);
  if (!all.has_storms()) {
    std::printf("partition: no fault script is without expectations\n");
    return 1;
  }
  int missed = 0;
  broken_gates::for_each_broken_gate([&]<class Gates>(const char* name) {
    const found_fault f = find_fault<Gates>(all, most_seeds);
    if (f.seeds == 0) {
      ++missed;
      std::printf("RESULT suite=partition what=broken_gate gate=%s seeds=none lines=none\n", name);
      return;
    }
    const std::size_t lines = broken_gates::lines_of(f.small.smallest);
    const bool is_met = f.is_confirmed && lines <= most_lines;
    missed += !is_met;
    std::printf("  %s: %s\n%s", name, f.fault.c_str(),
                std::string(wf::fault::to_json(f.small.smallest).view()).c_str());
    std::printf(
        "RESULT suite=partition what=broken_gate gate=%s seeds=%u lines=%zu runs_to_shrink=%u "
        "confirmed=%s\n",
        name, f.seeds, lines, f.small.runs, f.is_confirmed ? "yes" : "no");
  });
  const found_fault sound = find_fault<wf::fault::standard_gates>(all, most_seeds);
  if (sound.seeds != 0)
    std::printf("  sound gates: %s\n%s", sound.fault.c_str(),
                std::string(wf::fault::to_json(sound.small.smallest).view()).c_str());
  std::printf(
      "RESULT suite=partition what=broken_gate gate=none seeds=%u violations=%d missed=%d\n",
      sound.seeds == 0 ? most_seeds : sound.seeds, sound.seeds != 0, missed);
  return missed == 0 && sound.seeds == 0 ? 0 : 1;
}

}  // namespace partition_benchmark
