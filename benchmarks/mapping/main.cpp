// SPDX-License-Identifier: BSL-1.0
//
// tools/bench mapping --set SET [--data DIR] [--seconds S] [--threads T] [--memory-mib M]
//     [--match REGEX] [--csv FILE]
//
// Solves public scheduling and mapping problems and prints a line for each, then a RESULT line.

#include <cstdio>
#include <string>

#include <mapping/networks.hpp>
#include <mapping/options.hpp>
#include <mapping/project_sets.hpp>
#include <mapping/sinnen.hpp>

namespace {

using mapping_benchmark::options;

/// A set of instances: its name, and what runs it and returns the program's exit code.
struct set {
  const char* name;
  int (*run)(const options&);
};

constexpr set sets[] = {
    {"j30", mapping_benchmark::run_j30},
    {"networks", mapping_benchmark::run_networks},
    {"sinnen", mapping_benchmark::run_sinnen},
    {"stg", mapping_benchmark::run_stg},
};

}  // namespace

int main(int count, char** words) {
  options o;
  if (mapping_benchmark::parse(count, words, o))
    for (const set& s : sets)
      if (o.set == s.name) return s.run(o);
  std::fprintf(stderr,
               "usage: mapping --set SET [--data DIR] [--seconds S] [--threads T] "
               "[--memory-mib M] [--match REGEX] [--csv FILE]\nsets:");
  for (const set& s : sets) std::fprintf(stderr, " %s", s.name);
  std::fprintf(stderr, "\n");
  return 2;
}
