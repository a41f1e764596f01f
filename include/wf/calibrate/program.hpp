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
#include <wf/run/plan/host_library.hpp>

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

// The time of the library's implementation of a kernel; without a formula if there is none.
template <class GoesOn>
result<measured_time> measure_in_library(const kernel_spec& kernel, view<kernel_spec> library,
                                         const measuring_options& options, const GoesOn& goes_on) {
  for (kernel_spec k : library) {
    if (!(k.name == kernel.name)) continue;
    k.implementation = k.library;  // as if there were no other
    registry kernels = builtin_registry();
    if (auto added = kernels.add(k); !added) return added.error();
    const auto nanoseconds = [&](const one_kernel& one) {
      return run_nanoseconds(one, options.cores, options.sets, &kernels);
    };
    return measure(kernel, options, nanoseconds, goes_on);
  }
  return measured_time{};
}

inline void print(std::size_t number, std::size_t all, const std::string& name,
                  const measured_time& t) {
  std::fprintf(stderr, "%3zu of %zu %-35s median error %3.0f %%, worst %4.0f %%: %s ns\n", number,
               all, name.c_str(), 100 * t.median_error, 100 * t.worst_error, t.formula.c_str());
}

inline int measure_all(const command_options& options, view<kernel_spec> library) {
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
    const auto goes_on = [] { return interrupted == 0; };
    const auto nanoseconds = [&options](const one_kernel& one) {
      return run_nanoseconds(one, options.measuring.cores, options.measuring.sets);
    };
    auto measured = measure(*k, options.measuring, nanoseconds, goes_on);
    const auto in_library = measured ? measure_in_library(*k, library, options.measuring, goes_on)
                                     : result<measured_time>(measured_time{});
    if (interrupted != 0) {
      std::fprintf(stderr, "wf-calibrate: interrupted; nothing is written\n");
      return 130;
    }
    if (!measured) return fail(measured.error());
    if (!in_library) return fail(in_library.error());
    measured->library_formula = in_library->formula;
    times.push_back(*measured);
    print(times.size(), chosen.size(), name, *measured);
    if (!in_library->formula.empty())
      print(times.size(), chosen.size(), name + " in the library", *in_library);
  }
  const std::string file = times_file(times, options.measuring, options.link);
  if (options.file.empty())
    return std::fwrite(file.data(), 1, file.size(), stdout) == file.size() ? 0 : 1;
  if (write_whole(options.file, file)) return 0;
  std::fprintf(stderr, "wf-calibrate: cannot write %s\n", options.file.c_str());
  return 1;
}

}  // namespace detail

/// The program `wf-calibrate`: measures, and writes the times. `library` are kernels whose
/// library's implementations are measured, too; by default those that the program is built with.
/// Returns the exit status: 0; 1 after an error; 2 for wrong options; 130 if interrupted, which
/// takes effect between two runs of a kernel. Only complete files are written.
inline int run_program(int argc, char** argv, view<kernel_spec> library = host_library()) {
  command_options options;
  if (const auto status = read_command(argc, argv, options)) return *status;
  detail::interrupted = 0;
  std::signal(SIGINT, [](int) { detail::interrupted = 1; });
  return detail::measure_all(options, library);
}

}  // namespace wf::calibration
