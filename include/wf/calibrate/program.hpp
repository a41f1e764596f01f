// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/transform.hpp>

#include <wf/calibrate/options.hpp>
#include <wf/calibrate/times_file.hpp>
#include <wf/registry/times/host_times.hpp>

namespace wf::calibration {

namespace detail {

inline volatile std::sig_atomic_t interrupted = 0;

// Writes a text to a file, all or nothing: first under another name.
inline bool write_whole(const std::string& file, const std::string& text) {
  const std::string partial = file + ".part";
  std::FILE* out = std::fopen(partial.c_str(), "w");
  if (out == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if (std::fclose(out) == 0 && written && std::rename(partial.c_str(), file.c_str()) == 0)
    return true;
  std::remove(partial.c_str());
  return false;
}

inline int measure_all(const command_options& options) {
  const registry timed = timed_registry();
  const auto chosen =
      kernels::host_times | ranges::views::filter([&options](const kernel_spec& k) {
        return std::string(k.name).find(options.match) != std::string::npos;
      }) |
      ranges::views::transform([&timed](const kernel_spec& k) { return timed.find(k.name); }) |
      ranges::to<std::vector>();
  if (chosen.empty())
    return fail(make_error(errc::unknown_operator, options.match, "is in no kernel's name"));
  std::vector<measured_time> times;
  for (const kernel_spec* k : chosen) {
    const std::string name(k->name);
    const auto nanoseconds = [&options](const one_kernel& one) {
      return run_nanoseconds(one, options.measuring.cores);
    };
    const auto measured =
        measure(*k, options.measuring, nanoseconds, [] { return interrupted == 0; });
    if (interrupted != 0) {
      std::fprintf(stderr, "wf-calibrate: interrupted; nothing is written\n");
      return 130;
    }
    if (!measured) return fail(measured.error());
    times.push_back(*measured);
    std::fprintf(stderr, "%3zu of %zu %-26s median error %3.0f %%, worst %4.0f %%: %s ns\n",
                 times.size(), chosen.size(), name.c_str(), 100 * measured->median_error,
                 100 * measured->worst_error, measured->formula.c_str());
  }
  const std::string file = times_file(times, options.measuring, options.link);
  if (options.file.empty())
    return std::fwrite(file.data(), 1, file.size(), stdout) == file.size() ? 0 : 1;
  if (write_whole(options.file, file)) return 0;
  std::fprintf(stderr, "wf-calibrate: cannot write %s\n", options.file.c_str());
  return 1;
}

}  // namespace detail

/// The program `wf-calibrate`: measures, and writes the times. Returns the exit status: 0; 1 after
/// an error; 2 for wrong options; 130 if interrupted, which takes effect between two runs of a
/// kernel. Only complete files are written.
inline int run_program(int argc, char** argv) {
  command_options options;
  if (const auto status = read_command(argc, argv, options)) return *status;
  detail::interrupted = 0;
  std::signal(SIGINT, [](int) { detail::interrupted = 1; });
  return detail::measure_all(options);
}

}  // namespace wf::calibration
