// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <files.hpp>
#include <simulation/noc_traffic.hpp>
#include <simulation/read_noc.hpp>

namespace simulation_benchmark {

/// How a simulated row compares with the measured one.
struct noc_comparison {
  noc_statistics ours;
  double load = 0;       ///< offered load, as a share of the saturation throughput
  double error = 0;      ///< of the latency or of the saturation throughput, percent
  double tolerance = 0;  ///< percent: 3 up to 70 % of saturation, then 8; saturation 10
  double ratio = 0;      ///< of the speeds; not a number if theirs is not given
};

/// Packets per tile and cycle that a mesh delivers when each tile offers one flit a cycle.
inline double saturation_throughput(noc_load load) {
  load.offered = 1.0 / static_cast<double>(load.flits);
  load.sample = 20'000;
  load.is_drained = false;
  return noc_run(load).run().accepted;
}

/// Simulates a row for a number of cycles after the warm-up. `saturation` is the throughput of the
/// same mesh and traffic.
inline noc_comparison compare(const noc_row& row, double saturation, std::int64_t cycles) {
  noc_load load = row.load;
  load.is_drained = !row.is_saturation;
  load.sample = cycles;
  noc_comparison out;
  out.ours = noc_run(load).run();
  out.load = load.offered / saturation;
  out.tolerance = row.is_saturation ? 10 : out.load <= 0.7 ? 3 : 8;
  out.error = row.is_saturation ? 100 * (out.ours.accepted / row.accepted - 1)
                                : 100 * (out.ours.latency / row.latency - 1);
  out.ratio = out.ours.cycles_per_second / row.cycles_per_second;
  return out;
}

/// The saturation throughput of the mesh and traffic of a row: measured, or else simulated.
inline double saturation_of(const noc_row& row, const std::vector<noc_row>& rows) {
  for (const noc_row& r : rows)
    if (r.is_saturation && r.load.side == row.load.side && r.load.pattern == row.load.pattern &&
        r.load.flits == row.load.flits)
      return r.accepted;
  return saturation_throughput(row.load);
}

/// Compares all rows of `booksim2_mesh.csv` in a folder, prints a line for each and the RESULT
/// line: the worst latency up to 70 % of saturation, the worst one above, the worst saturation
/// throughput (all in percent), and the least ratio of speeds. 0 if the file could be read.
inline int run_noc(const std::string& folder) {
  const auto rows = read_noc(wf_benchmark::read_whole(folder + "/booksim2_mesh.csv"));
  if (!rows || rows->empty()) {
    std::fprintf(stderr, "noc: cannot read %s/booksim2_mesh.csv\n", folder.c_str());
    return 1;
  }
  int within = 0;
  double low = 0, high = 0, saturation = 0, speed = INFINITY;
  for (const noc_row& row : *rows) {
    // Close to where a transposition becomes unstable, means of 10^5 cycles still differ by 1 %.
    const std::int64_t cycles = row.is_saturation ? 100'000 : 1'000'000;
    const noc_comparison c = compare(row, saturation_of(row, *rows), cycles);
    const double error = std::fabs(c.error);
    double& worst = row.is_saturation ? saturation : c.tolerance == 3 ? low : high;
    worst = std::max(worst, error);
    within += error <= c.tolerance ? 1 : 0;
    if (c.ratio < speed) speed = c.ratio;
    std::printf("%-30s offered %.3f load %3.0f %% %s %8.4f ours %8.4f error %+6.2f %% of %2.0f %%,",
                row.name.c_str(), row.load.offered, 100 * c.load,
                row.is_saturation ? "accepted" : "latency ",
                row.is_saturation ? row.accepted : row.latency,
                row.is_saturation ? c.ours.accepted : c.ours.latency, c.error, c.tolerance);
    std::printf(" spread of their seeds %.2f %%, hops %.3f ours %.3f, %.0f cycles/s, ratio %.0f\n",
                row.spread, row.hops, c.ours.hops, c.ours.cycles_per_second, c.ratio);
    std::fflush(stdout);
  }
  std::printf(
      "RESULT suite=simulation set=noc rows=%zu within=%d worst_low=%.2f worst_high=%.2f "
      "saturation=%.2f speed_ratio=%.0f\n",
      rows->size(), within, low, high, saturation, speed);
  return 0;
}

}  // namespace simulation_benchmark
