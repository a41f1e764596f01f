// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace mapping_benchmark {

/// The sets of instances.
inline constexpr const char* set_names[] = {"j30", "networks", "sinnen", "stg"};

/// The options of a run, common to all sets.
struct options {
  std::string set = "sinnen";
  std::string data = "../shared/data";            ///< the folder of the sets
  double seconds = 120;                           ///< limit of CPU time per instance
  unsigned threads = 1;                           ///< number of threads of a search
  std::uint64_t memory = std::uint64_t{1} << 30;  ///< limit of bytes that a search holds
  std::string match;                              ///< a regular expression for the names of
                                                  ///< instances
  std::string csv;                                ///< path of the table of results; empty: none
  bool dry_run = false;
  bool help = false;
};

/// Parses the options after the program's name; false if they are invalid.
inline bool parse(int count, char** words, options& out) {
  if (const char* folder = std::getenv("WF_DATA_DIR")) out.data = folder;
  for (int i = 1; i < count; ++i) {
    const std::string option = words[i];
    if (option == "--dry-run" || option == "--help") {
      (option == "--help" ? out.help : out.dry_run) = true;
      continue;
    }
    if (++i == count) return false;
    const std::string value = words[i];
    if (option == "--set")
      out.set = value;
    else if (option == "--data")
      out.data = value;
    else if (option == "--seconds")
      out.seconds = std::strtod(value.c_str(), nullptr);
    else if (option == "--threads")
      out.threads = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
    else if (option == "--memory-mib")
      out.memory = std::strtoull(value.c_str(), nullptr, 10) << 20;
    else if (option == "--match")
      out.match = value;
    else if (option == "--csv")
      out.csv = value;
    else
      return false;
  }
  bool known = false;
  for (const char* const name : set_names) known = known || out.set == name;
  return known && out.seconds > 0 && out.threads > 0 && out.memory > 0;
}

/// Parses the arguments and answers those that need no run: returns the exit code of the program,
/// or -1 if there is something to solve.
inline int read_command(int count, char** words, options& out) {
  const bool understood = parse(count, words, out);
  if (understood && !out.help) return out.dry_run ? 0 : -1;
  std::FILE* const to = understood ? stdout : stderr;
  if (!understood) std::fprintf(to, "mapping: the options are not understood\n");
  std::fprintf(to,
               "usage: tools/bench mapping --set SET [--data DIR] [--seconds S] [--threads T] "
               "[--memory-mib M] [--match REGEX] [--csv FILE] [--dry-run]\nsets:");
  for (const char* const name : set_names) std::fprintf(to, " %s", name);
  std::fprintf(to, "\n");
  return understood ? 0 : 2;
}

}  // namespace mapping_benchmark
