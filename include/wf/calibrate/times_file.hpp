// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <wf/calibrate/measure.hpp>

namespace wf::calibration {

/// The text of a kernel file (docs/reference/kernel-files.md) with the measured times of a machine,
/// those of a library among them, its caches, the number of cores that were busy, and its link if
/// it is known; `load_times` reads it.
inline std::string times_file(const std::vector<measured_time>& times,
                              const measuring_options& measuring,
                              const std::optional<host_link>& link = {}) {
  bool has_library = false;
  for (const measured_time& t : times) has_library = has_library || !t.library_formula.empty();
  std::string out =
      "# Times of wf's kernels on one core of this machine, in nanoseconds, measured by "
      "wf-calibrate.\n";
  if (has_library) out += "# library_time is that of the BLAS and LAPACK it was linked with.\n";
  out += "wf_kernels: 1\nmetrics: [execution_time";
  out += has_library ? ", library_time]\n" : "]\n";
  out += "second_cache: " + std::to_string(measuring.caches.second) +
         "\ncores: " + std::to_string(measuring.cores) + "\n";
  if (link)
    out += "link:\n  latency_ns: " + std::to_string(link->latency_ns) +
           "\n  bytes_per_second: " + std::to_string(link->bytes_per_second) + "\n";
  out += "kernels:\n";
  for (const measured_time& t : times) {
    out += "  - name: " + t.op + "\n    overrides: true\n    costs:\n      execution_time: \"" +
           t.formula + "\"\n";
    if (!t.library_formula.empty()) out += "      library_time: \"" + t.library_formula + "\"\n";
  }
  return out;
}

}  // namespace wf::calibration
