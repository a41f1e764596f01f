// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace linalg_benchmark {

/// The ratio of wf's time to a rival's up to which wf does not lose: 1.02; for the best known
/// program by hand 1.05, for the best variant of a formula 1.10.
inline double allowed_for(const std::string& rival) {
  return rival == "best_variant" ? 1.10 : rival == "hand" ? 1.05 : 1.02;
}

/// The measurements of a rival on a problem.
struct rival_time {
  double seconds = 0;
  double allowed = 1;  ///< see `allowed_for`
};

/// The measurements of a problem.
struct row {
  std::string problem, sizes;
  double wf_seconds = 0;
  std::vector<rival_time> rivals;  ///< in the order of the table; the last ones may be missing
  double planning_seconds = 0;
  double error = 0;  ///< relative difference between wf's result and the reference
  double allowed_error = 0;
  std::string failure;  ///< the reason if the problem counts as failed, else empty

  void add(const std::string& rival, double seconds) {
    rivals.push_back({seconds, allowed_for(rival)});
  }
  bool has(std::size_t rival) const { return wf_seconds > 0 && rival < rivals.size(); }
  double ratio(std::size_t rival) const { return rivals[rival].seconds / wf_seconds; }
};

inline bool is_loss(const row& r, std::size_t rival) {
  return r.wf_seconds > r.rivals[rival].allowed * r.rivals[rival].seconds;
}
inline bool has_loss(const row& r) {
  for (std::size_t i = 0; i < r.rivals.size(); ++i)
    if (is_loss(r, i)) return true;
  return false;
}

/// The summary of a set against one rival.
struct comparison {
  double geomean = 1;  ///< geometric mean of the rival's times over wf's
  double worst = INFINITY;
  std::size_t losses = 0;
  std::size_t problems = 0;  ///< problems for which both were measured
};

inline comparison compare(const std::vector<row>& rows, std::size_t rival) {
  comparison out;
  double logarithms = 0;
  for (const row& r : rows) {
    if (!r.has(rival)) continue;
    ++out.problems;
    logarithms += std::log(r.ratio(rival));
    out.worst = std::min(out.worst, r.ratio(rival));
    out.losses += is_loss(r, rival) ? 1 : 0;
  }
  if (out.problems > 0) out.geomean = std::exp(logarithms / static_cast<double>(out.problems));
  return out;
}

inline void print_head(const std::vector<std::string>& rivals) {
  std::printf("%-21s %-14s %11s", "problem", "sizes", "wf");
  for (const std::string& name : rivals) std::printf(" %17s", name.c_str());
  std::printf(" %11s %9s\n", "planning", "error");
}

/// A row of the table, with the same rivals as its head.
inline void print_row(const row& r, std::size_t rivals, bool in_colour) {
  const bool red = in_colour && (has_loss(r) || !r.failure.empty());
  std::printf("%s%-21s %-14s", red ? "\033[31m" : "", r.problem.c_str(), r.sizes.c_str());
  if (r.wf_seconds > 0) {
    if (r.wf_seconds < 1e-4)
      std::printf(" %8.3f us", 1e6 * r.wf_seconds);
    else
      std::printf(" %8.3f ms", 1e3 * r.wf_seconds);
    for (std::size_t i = 0; i < rivals; ++i)
      if (r.has(i))
        std::printf(" %16.2fx", r.ratio(i));
      else
        std::printf(" %17s", "-");
    std::printf(" %8.3f ms %9.1e", 1e3 * r.planning_seconds, r.error);
    if (has_loss(r)) std::printf(" LOSS");
  }
  if (!r.failure.empty()) std::printf(" FAILED: %s", r.failure.c_str());
  std::printf("%s\n", red ? "\033[0m" : "");
  std::fflush(stdout);
}

/// "RESULT suite=linalg set=... rival=... geomean=6.12 worst=1.01 losses=0 problems=18"
inline void print_results(const std::string& set, const std::vector<std::string>& rivals,
                          const std::vector<row>& rows) {
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    const comparison c = compare(rows, i);
    if (c.problems == 0) continue;
    std::printf(
        "RESULT suite=linalg set=%s rival=%s geomean=%.2f worst=%.2f losses=%zu "
        "problems=%zu\n",
        set.c_str(), rivals[i].c_str(), c.geomean, c.worst, c.losses, c.problems);
  }
}

/// Writes the rows as a table; false if the file cannot be written.
inline bool write_csv(const std::string& path, const std::vector<std::string>& rivals,
                      const std::vector<row>& rows) {
  std::ofstream file(path);
  file.precision(9);
  file << "problem,sizes,wf_seconds";
  for (const std::string& name : rivals) file << ',' << name << "_seconds";
  file << ",planning_seconds,error,allowed_error,failure\n";
  for (const row& r : rows) {
    file << r.problem << ',' << r.sizes << ',' << r.wf_seconds;
    for (std::size_t i = 0; i < rivals.size(); ++i) {
      file << ',';
      if (i < r.rivals.size()) file << r.rivals[i].seconds;
    }
    file << ',' << r.planning_seconds << ',' << r.error << ',' << r.allowed_error << ",\""
         << r.failure << "\"\n";
  }
  file.close();
  return !file.fail();
}

}  // namespace linalg_benchmark
