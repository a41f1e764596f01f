// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <cpu_time.hpp>
#include <logic/engine.hpp>

namespace logic_benchmark {

/// CPU seconds of reading and ordering a program once: it is done as often as takes a millisecond.
inline double compile_seconds(const program_source& source) {
  for (int repeats = 1;; repeats *= 2) {
    const double start = wf_benchmark::thread_seconds();
    for (int i = 0; i < repeats; ++i)
      if (!compiled(source)) return 0;
    const double seconds = wf_benchmark::thread_seconds() - start;
    if (seconds > 1e-3) return seconds / repeats;
  }
}

/// Measures how long reading and ordering the programs of these folders takes, and prints a line
/// for all of them; the exit code. A program that wf refuses is named and counts as a failure.
inline int run_compile(int rounds, const std::vector<std::string>& folders) {
  std::vector<double> times;
  double most = 0;
  std::string slowest = "-";
  for (const std::string& folder : folders) {
    const program_source source = read_source(folder);
    if (const auto program = compiled(source); source.text.empty() || !program) {
      std::printf("refused: %s: %s\n", folder.c_str(),
                  program ? "there is no program" : message(program.error()).c_str());
      continue;
    }
    std::vector<double> of_rounds;
    for (int round = 0; round < rounds; ++round) of_rounds.push_back(compile_seconds(source));
    times.push_back(wf_benchmark::median(of_rounds));
    if (times.back() <= most) continue;
    most = times.back();
    const std::filesystem::path path(folder);
    slowest = (path.parent_path().filename() / path.filename()).string();
  }
  if (times.empty()) return 1;
  std::printf(
      "RESULT suite=logic set=compile programs=%zu read=%zu median_us=%.1f most_us=%.1f "
      "slowest=%s\n",
      folders.size(), times.size(), 1e6 * wf_benchmark::median(times), 1e6 * most, slowest.c_str());
  return times.size() == folders.size() ? 0 : 1;
}

}  // namespace logic_benchmark
