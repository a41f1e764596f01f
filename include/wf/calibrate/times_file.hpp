// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

#include <wf/calibrate/measure.hpp>

namespace wf::calibration {

/// The text of a kernel file (docs/reference/kernel-files.md) with the measured times of a machine
/// and its caches; `load_times` reads it.
inline std::string times_file(const std::vector<measured_time>& times, const host_caches& caches) {
  std::string out =
      "# Times of wf's kernels on one core of this machine, in nanoseconds, measured by "
      "wf-calibrate.\n"
      "wf_kernels: 1\n"
      "metrics: [execution_time]\n"
      "second_cache: " +
      std::to_string(caches.second) + "\nkernels:\n";
  for (const measured_time& t : times)
    out += "  - name: " + t.op + "\n    overrides: true\n    costs:\n      execution_time: \"" +
           t.formula + "\"\n";
  return out;
}

}  // namespace wf::calibration
