// SPDX-License-Identifier: BSL-1.0
//
// The program of tools/bench partition: benchmarks/partition/run calls it, see there.
//     partition scale NODES CLASSES ROUNDS | assign ROUNDS | random PROGRAMS | storms FOLDER SEEDS

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <partition/broken_storms.hpp>
#include <partition/scale.hpp>
#include <partition/storms.hpp>
#include <partition/together.hpp>
#include <simulation/faults.hpp>

int main(int count, char** words) {
  using namespace partition_benchmark;
  const std::string_view what = count > 1 ? words[1] : "";
  const auto number = [&](int i) {
    return static_cast<std::uint32_t>(std::strtoul(words[i], nullptr, 10));
  };
  if (what == "scale" && count == 5)
    return run_scale(number(2), number(3), static_cast<int>(number(4)));
  if (what == "assign" && count == 3) return run_assign(static_cast<int>(number(2)));
  if (what == "random" && count == 3) return run_random(number(2));
  if (what == "storms" && count == 4) {
    std::vector<wf::fault::script> scripts;
    if (!simulation_benchmark::read_fault_scripts(words[2], scripts)) return 1;
    const int of_storms = run_storms(scripts, number(3));
    return std::max(of_storms, run_broken_gates(scripts));
  }
  std::fprintf(stderr,
               "usage: partition scale NODES CLASSES ROUNDS | assign ROUNDS | random PROGRAMS | "
               "storms FOLDER SEEDS\n");
  return 2;
}
