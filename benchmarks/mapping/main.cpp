// SPDX-License-Identifier: BSL-1.0
//
// tools/bench mapping --set SET [--data DIR] [--seconds S] [--threads T] [--memory-mib M]
//     [--match REGEX] [--csv FILE] [--dry-run]
//
// Solves public scheduling and mapping problems and prints a line for each, then a RESULT line.

#include <algorithm>
#include <string>
#include <string_view>

#include <mapping/networks.hpp>
#include <mapping/options.hpp>
#include <mapping/project_sets.hpp>
#include <mapping/sinnen.hpp>

namespace {

using mapping_benchmark::options;

/// A set of instances: its name, and the function that runs it and returns the exit code.
struct set {
  std::string_view name;
  int (*run)(const options&);
};

constexpr set sets[] = {
    {"j30", mapping_benchmark::run_j30},
    {"networks", mapping_benchmark::run_networks},
    {"sinnen", mapping_benchmark::run_sinnen},
    {"stg", mapping_benchmark::run_stg},
};
static_assert(std::ranges::equal(sets, mapping_benchmark::set_names, {}, &set::name));

}  // namespace

int main(int count, char** words) {
  options o;
  if (const int code = mapping_benchmark::read_command(count, words, o); code >= 0) return code;
  for (const set& s : sets)
    if (o.set == s.name) return s.run(o);
  return 2;
}
