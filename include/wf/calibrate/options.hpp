// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include <wf/core/diagnosis/result.hpp>
#include <wf/registry/catalogue.hpp>
#include <wf/registry/times/host_link.hpp>

namespace wf::calibration {

/// Sizes of the measurements, and limits on them.
struct measuring_options {
  /// Number of shapes at which each kernel is measured; twice as many where operands may lack a
  /// dimension, so that about half of them do.
  int shapes = 60;
  /// Largest random number in the formulas for extents; all magnitudes are equally likely.
  std::int64_t largest_extent = 2500;
  /// Maximum number of elements of all operands and results, to limit memory.
  std::int64_t largest_elements = 20'000'000;
  /// Maximum number of floating-point operations per run, so that it takes some tenths of a second.
  std::int64_t largest_flops = 3'500'000'000;
  /// Caches of the machine, in bytes, which formulas of times may name.
  host_caches caches;
  /// Number of cores that compute the same at the same time, each on results of its own; the time
  /// of one of them counts.
  std::uint32_t cores = 1;
  /// Number of sets of operands and results that runs use in turn, at most 512 MB together: with
  /// several, an operand is no longer in a near cache when it is read again, as in a workflow where
  /// others are used in between.
  int sets = 1;
};

/// Options of the `wf-calibrate` command line.
struct command_options {
  /// Name of the output file; empty: standard output.
  std::string file;
  /// Measures only kernels whose names contain this text; empty: all.
  std::string match;
  /// The command that starts a program as several processes, between which the link is measured;
  /// empty: it is not.
  std::string processes;
  /// The link between processes, if it is known.
  std::optional<host_link> link;
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

namespace detail {

// The number that a text is, from `least` to 2^40.
inline result<std::int64_t> number_option(const std::string& text, std::int64_t least) {
  char* end = nullptr;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || value < least || value > (std::int64_t{1} << 40))
    return make_error(errc::bad_attribute, text, "is no such number");
  return value;
}
// "LATENCY,BANDWIDTH": nanoseconds, and bytes per second.
inline result<host_link> link_option(const std::string& text) {
  const std::size_t comma = std::min(text.find(','), text.size());
  const auto latency = number_option(text.substr(0, comma), 0);
  if (!latency) return latency.error();
  const auto bandwidth =
      number_option(comma == text.size() ? std::string() : text.substr(comma + 1), 0);
  if (!bandwidth) return make_error(errc::bad_attribute, text, "is no latency and bandwidth");
  return host_link{*latency, *bandwidth};
}
// Takes an option with its value; the error is that of the value.
inline error take_option(const std::string& option, const std::string& value,
                         command_options& out) {
  if (option == "--out" || option == "--match" || option == "--processes") {
    (option == "--out" ? out.file : option == "--match" ? out.match : out.processes) = value;
    return {};
  }
  if (option == "--link") {
    const auto link = link_option(value);
    if (link) out.link = *link;
    return link.error();
  }
  const bool is_cores = option == "--cores", is_shapes = option == "--shapes",
             is_sets = option == "--sets";
  const auto number = number_option(value, is_cores || is_sets ? 1 : is_shapes ? 8 : 1024);
  if (!number) return number.error();
  if (is_sets && *number > 1000)
    return make_error(errc::bad_attribute, value, "these are too many sets of operands");
  if (is_shapes && *number > 100000)
    return make_error(errc::bad_attribute, value, "these are too many shapes");
  if (is_cores && *number > 4096)
    return make_error(errc::bad_attribute, value, "these are too many cores");
  if (is_cores)
    out.measuring.cores = static_cast<std::uint32_t>(*number);
  else if (is_sets)
    out.measuring.sets = static_cast<int>(*number);
  else if (is_shapes)
    out.measuring.shapes = static_cast<int>(*number);
  else
    out.measuring.caches.second = *number;
  return {};
}

}  // namespace detail

/// Parses the command line. Errors: `unknown_argument` for an unknown option, `missing_argument`
/// for an option without its value, `bad_attribute` for a number out of its range.
inline result<command_options> read_options(const std::vector<std::string>& arguments) {
  static const std::string with_value[] = {"--out",       "--match", "--shapes", "--second-cache",
                                           "--processes", "--link",  "--cores",  "--sets"};
  command_options out;
  out.measuring.caches = caches_of_this_machine();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& option = arguments[i];
    if (option == "--help" || option == "--dry-run") {
      (option == "--help" ? out.help : out.dry_run) = true;
      continue;
    }
    if (std::find(std::begin(with_value), std::end(with_value), option) == std::end(with_value))
      return make_error(errc::unknown_argument, option, "there is no such option");
    if (++i == arguments.size())
      return make_error(errc::missing_argument, option, "the option needs a value");
    if (error e = detail::take_option(option, arguments[i], out); e.code != errc::none) return e;
  }
  return out;
}

namespace detail {

inline constexpr const char* usage_text =
    "usage: wf-calibrate [--out FILE] [--match TEXT] [--shapes N] [--second-cache BYTES] "
    "[--cores N]\n"
    "                    [--sets N] [--processes COMMAND | --link LATENCY,BANDWIDTH] [--dry-run]\n"
    "\n"
    "Measures wf's kernels on one core of this machine and writes their times as a file of\n"
    "kernels in YAML, which wf::load_times reads.\n"
    "\n"
    "  --out FILE            the file; without it the standard output\n"
    "  --match TEXT          only kernels whose names contain TEXT: a part for load_kernels\n"
    "  --shapes N            how many extents each is measured at, from 8 on (60)\n"
    "  --second-cache BYTES  the second-level cache of a core (what the system states)\n"
    "  --cores N             while N cores compute the same (1)\n"
    "  --sets N              with N sets of operands in turn, which are then in no near cache (1)\n"
    "  --processes COMMAND   measures the link between processes of MPI, too, which COMMAND\n"
    "                        starts: --processes 'mpirun -np 2'\n"
    "  --link L,B            states this link: nanoseconds, and bytes per second\n"
    "  --dry-run             only say whether the options are understood\n";

inline int fail(const error& e) {
  std::fprintf(stderr, "wf-calibrate: %s\n", std::string(to_text(e).view()).c_str());
  return 1;
}

}  // namespace detail

/// Parses the command line of `wf-calibrate` and prints the usage if it is asked for, or errors and
/// the usage. Returns the exit status of a program that has nothing else to do: 0, 1 if the usage
/// cannot be written, 2 for wrong options; or nothing if there is something to measure.
inline std::optional<int> read_command(int argc, char** argv, command_options& out) {
  const auto options = read_options(std::vector<std::string>(argv + 1, argv + argc));
  if (!options) {
    detail::fail(options.error());
    std::fputs(detail::usage_text, stderr);
    return 2;
  }
  out = *options;
  if (out.help) return std::fputs(detail::usage_text, stdout) < 0 ? 1 : 0;
  if (out.dry_run) return 0;
  return std::nullopt;
}

}  // namespace wf::calibration
