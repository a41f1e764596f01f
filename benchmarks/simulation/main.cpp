// SPDX-License-Identifier: BSL-1.0
//
// The program of tools/bench simulation: benchmarks/simulation/run calls it, see there.
//     simulation oracle FOLDER INDEX | speed TASKS ROUNDS [FILE] | scale TASKS |
//                faults FOLDER SEEDS | noc FOLDER | recorded UNPACKED FOLDER

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <simulation/faults.hpp>
#include <simulation/noc.hpp>
#include <simulation/oracle.hpp>
#include <simulation/recorded.hpp>
#include <simulation/speed.hpp>

int main(int count, char** words) {
  using namespace simulation_benchmark;
  const std::string_view set = count > 1 ? words[1] : "";
  const auto number = [&](int i) {
    return static_cast<std::uint32_t>(std::strtoul(words[i], nullptr, 10));
  };
  if (set == "oracle" && count == 4) return run_oracle(words[2], words[3]);
  if (set == "speed" && (count == 4 || count == 5))
    return run_speed(number(2), static_cast<int>(number(3)), count == 5 ? words[4] : "");
  if (set == "scale" && count == 3) return run_scale(number(2));
  if (set == "faults" && count == 4) return run_faults(words[2], number(3));
  if (set == "noc" && count == 3) return run_noc(words[2]);
  if (set == "recorded" && count == 4) return run_recorded(words[2], words[3]);
  std::fprintf(stderr,
               "usage: simulation oracle FOLDER INDEX | speed TASKS ROUNDS [FILE] | scale TASKS | "
               "faults FOLDER SEEDS | noc FOLDER | recorded UNPACKED FOLDER\n");
  return 2;
}
