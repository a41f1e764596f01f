// SPDX-License-Identifier: BSL-1.0
//
// The program of tools/bench execution: benchmarks/execution/run calls it, see there.
//     execution overhead TASKS ROUNDS | applications FILE SCALE ROUNDS | ranks SIDE

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <execution/applications.hpp>
#include <execution/overhead.hpp>
#include <execution/ranks.hpp>

int main(int count, char** words) {
  using namespace execution_benchmark;
  const std::string_view what = count > 1 ? words[1] : "";
  if (what == "overhead" && count == 4)
    return run_overhead(static_cast<std::uint32_t>(std::strtoul(words[2], nullptr, 10)),
                        std::atoi(words[3]));
  if (what == "applications" && count == 5)
    return run_applications(words[2], std::atof(words[3]), std::atoi(words[4]));
  if (what == "ranks" && count == 3)
    return run_ranks(static_cast<std::uint32_t>(std::strtoul(words[2], nullptr, 10)));
  std::fprintf(stderr,
               "usage: execution overhead TASKS ROUNDS | applications FILE SCALE ROUNDS | "
               "ranks SIDE\n");
  return 2;
}
