// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

#include <wf/calibrate/measure.hpp>

namespace wf::calibration {

/// The text of a kernel file (docs/reference/kernel-files.md) with the measured times of a machine,
/// those of a library among them, and its caches; `load_times` reads it.
inline std::string times_file(const std::vector<measured_time>& times, const host_caches& caches) {
  bool has_library = false;
  for (const measured_time& t : times) has_library = has_library || !t.library_formula.empty();
  std::string out =
      "# Times of wf's kernels on one core of this machine, in nanoseconds, measured by "
      "wf-calibrate.\n";
  if (has_library) out += "# library_time is that of the BLAS and LAPACK it was linked with.\n";
  out += "wf_kernels: 1\nmetrics: [execution_time";
  out += has_library ? ", library_time]\n" : "]\n";
  out += "second_cache: " + std::to_string(caches.second) + "\nkernels:\n";
  for (const measured_time& t : times) {
    out += "  - name: " + t.op + "\n    overrides: true\n    costs:\n      execution_time: \"" +
           t.formula + "\"\n";
    if (!t.library_formula.empty()) out += "      library_time: \"" + t.library_formula + "\"\n";
  }
  return out;
}

}  // namespace wf::calibration
