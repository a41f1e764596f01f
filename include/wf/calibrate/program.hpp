// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <unistd.h>

#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/transform.hpp>

#include <wf/calibrate/times_file.hpp>
#include <wf/registry/times/host_times.hpp>

namespace wf::calibration {

/// Options of the `wf-calibrate` command line.
struct command_options {
  /// Name of the output file; empty: standard output.
  std::string file;
  /// Measures only kernels whose names contain this text; empty: all.
  std::string match;
  /// Sizes and limits of the measurements.
  measuring_options measuring;
  /// True if only the usage is printed.
  bool help = false;
  /// True if nothing is measured: only the options are checked.
  bool dry_run = false;
};

/// The size in bytes of a core's second-level cache as reported by the system, or the default of
/// `host_caches` if unknown.
inline host_caches caches_of_this_machine() {
  host_caches out;
#ifdef _SC_LEVEL2_CACHE_SIZE
  if (const long bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); bytes > 0) out.second = bytes;
#endif
  return out;
}

/// Parses the command line. Errors: `unknown_argument` for an unknown option, `missing_argument`
/// for an option without its value, `bad_attribute` for a number out of its range.
inline result<command_options> read_options(const std::vector<std::string>& arguments) {
  command_options out;
  out.measuring.caches = caches_of_this_machine();
  const auto number = [](const std::string& text, std::int64_t least) -> result<std::int64_t> {
    char* end = nullptr;
    const long long value = std::strtoll(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0' || value < least || value > (std::int64_t{1} << 40))
      return make_error(errc::bad_attribute, text, "is no such number");
    return value;
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& option = arguments[i];
    if (option == "--help" || option == "--dry-run") {
      (option == "--help" ? out.help : out.dry_run) = true;
      continue;
    }
    const bool is_text = option == "--out" || option == "--match";
    if (!is_text && option != "--shapes" && option != "--second-cache")
      return make_error(errc::unknown_argument, option, "there is no such option");
    if (++i == arguments.size())
      return make_error(errc::missing_argument, option, "the option needs a value");
    if (is_text) {
      (option == "--out" ? out.file : out.match) = arguments[i];
      continue;
    }
    const auto value = number(arguments[i], option == "--shapes" ? 8 : 1024);
    if (!value) return value.error();
    if (option == "--shapes" && *value > 100000)
      return make_error(errc::bad_attribute, arguments[i], "these are too many shapes");
    if (option == "--shapes")
      out.measuring.shapes = static_cast<int>(*value);
    else
      out.measuring.caches.second = *value;
  }
  return out;
}

namespace detail {

inline volatile std::sig_atomic_t interrupted = 0;

inline constexpr const char* usage_text =
    "usage: wf-calibrate [--out FILE] [--match TEXT] [--shapes N] [--second-cache BYTES] "
    "[--dry-run]\n"
    "\n"
    "Measures wf's kernels on one core of this machine and writes their times as a file of\n"
    "kernels in YAML, which wf::load_times reads.\n"
    "\n"
    "  --out FILE            the file; without it the standard output\n"
    "  --match TEXT          only kernels whose names contain TEXT: a part for load_kernels\n"
    "  --shapes N            how many extents each is measured at, from 8 on (60)\n"
    "  --second-cache BYTES  the second-level cache of a core (what the system states)\n"
    "  --dry-run             only say whether the options are understood\n";

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

inline int fail(const error& e) {
  std::fprintf(stderr, "wf-calibrate: %s\n", std::string(to_text(e).view()).c_str());
  return 1;
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
    const auto measured =
        measure(*k, options.measuring, run_nanoseconds, [] { return interrupted == 0; });
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
  const std::string file = times_file(times, options.measuring.caches);
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
  const auto options = read_options(std::vector<std::string>(argv + 1, argv + argc));
  if (!options) {
    detail::fail(options.error());
    std::fputs(detail::usage_text, stderr);
    return 2;
  }
  if (options->help) return std::fputs(detail::usage_text, stdout) < 0 ? 1 : 0;
  if (options->dry_run) return 0;
  detail::interrupted = 0;
  std::signal(SIGINT, [](int) { detail::interrupted = 1; });
  return detail::measure_all(*options);
}

}  // namespace wf::calibration
