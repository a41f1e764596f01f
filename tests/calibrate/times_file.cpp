// SPDX-License-Identifier: BSL-1.0
#include <wf/calibrate/times_file.hpp>

#include <doctest/doctest.h>

TEST_CASE("a file of times states caches and every time, in order") {
  const std::vector<wf::calibration::measured_time> times = {{"add", "70 + 0.2*C"},
                                                             {"exp", "90 + 4*C"}};
  wf::calibration::measuring_options measuring;
  measuring.caches.second = 1 << 20;
  measuring.cores = 3;
  const std::string head =
      "# Times of wf's kernels on one core of this machine, in nanoseconds, measured by "
      "wf-calibrate.\n"
      "wf_kernels: 1\n"
      "metrics: [execution_time]\n"
      "second_cache: 1048576\n"
      "cores: 3\n";
  const std::string kernels =
      "kernels:\n"
      "  - name: add\n"
      "    overrides: true\n"
      "    costs:\n"
      "      execution_time: \"70 + 0.2*C\"\n"
      "  - name: exp\n"
      "    overrides: true\n"
      "    costs:\n"
      "      execution_time: \"90 + 4*C\"\n";
  CHECK(wf::calibration::times_file(times, measuring) == head + kernels);
  CHECK(wf::calibration::times_file(times, measuring, wf::host_link{800, 5000}) ==
        head + "link:\n  latency_ns: 800\n  bytes_per_second: 5000\n" + kernels);
}

TEST_CASE("the times of a library stand beside wf's") {
  std::vector<wf::calibration::measured_time> times = {{"add", "70 + 0.2*C"}, {"lu", "9*M"}};
  times[1].library_formula = "8*M";
  wf::calibration::measuring_options measuring;
  measuring.caches.second = 1 << 20;
  CHECK(wf::calibration::times_file(times, measuring) ==
        "# Times of wf's kernels on one core of this machine, in nanoseconds, measured by "
        "wf-calibrate.\n"
        "# library_time is that of the BLAS and LAPACK it was linked with.\n"
        "wf_kernels: 1\n"
        "metrics: [execution_time, library_time]\n"
        "second_cache: 1048576\n"
        "cores: 1\n"
        "kernels:\n"
        "  - name: add\n"
        "    overrides: true\n"
        "    costs:\n"
        "      execution_time: \"70 + 0.2*C\"\n"
        "  - name: lu\n"
        "    overrides: true\n"
        "    costs:\n"
        "      execution_time: \"9*M\"\n"
        "      library_time: \"8*M\"\n");
}
