// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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

// No option takes a larger number.
inline constexpr std::int64_t most_number = std::int64_t{1} << 40;

// The number that a text is, from `least` to `most_number`.
inline result<std::int64_t> number_option(const std::string& text, std::int64_t least) {
  char* end = nullptr;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || value < least || value > most_number)
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
// An option whose value is a number in a range.
struct number_option_row {
  const char* name;
  std::int64_t least, most;
  text_view excess;  // what is said of a larger one, up to `most_number`
  void (*put)(measuring_options&, std::int64_t);
};
inline constexpr number_option_row number_options[] = {
    {"--cores", 1, 4096, "these are too many cores",
     [](measuring_options& m, std::int64_t n) { m.cores = static_cast<std::uint32_t>(n); }},
    {"--sets", 1, 1000, "these are too many sets of operands",
     [](measuring_options& m, std::int64_t n) { m.sets = static_cast<int>(n); }},
    {"--shapes", 8, 100'000, "these are too many shapes",
     [](measuring_options& m, std::int64_t n) { m.shapes = static_cast<int>(n); }},
    {"--second-cache", 1024, most_number, "",
     [](measuring_options& m, std::int64_t n) { m.caches.second = n; }},
};
// An option whose value is any text.
struct text_option_row {
  const char* name;
  std::string command_options::* value;
};
inline constexpr text_option_row text_options[] = {{"--out", &command_options::file},
                                                   {"--match", &command_options::match},
                                                   {"--processes", &command_options::processes}};

template <class Row, std::size_t Count>
const Row* row_of(const Row (&rows)[Count], const std::string& option) {
  for (const Row& row : rows)
    if (option == row.name) return &row;
  return nullptr;
}

// Takes an option with its value, which is null if there is none.
inline error take_option(const std::string& option, const std::string* value,
                         command_options& out) {
  const text_option_row* const as_text = row_of(text_options, option);
  const number_option_row* const as_number = row_of(number_options, option);
  if (as_text == nullptr && as_number == nullptr && option != "--link")
    return make_error(errc::unknown_argument, option, "there is no such option");
  if (value == nullptr)
    return make_error(errc::missing_argument, option, "the option needs a value");
  if (as_text != nullptr) {
    out.*as_text->value = *value;
    return {};
  }
  if (as_number != nullptr) {
    const auto number = number_option(*value, as_number->least);
    if (!number) return number.error();
    if (*number > as_number->most)
      return make_error(errc::bad_attribute, *value, as_number->excess);
    as_number->put(out.measuring, *number);
    return {};
  }
  const auto link = link_option(*value);
  if (link) out.link = *link;
  return link.error();
}

}  // namespace detail

/// Parses the command line. Errors: `unknown_argument` for an unknown option, `missing_argument`
/// for an option without its value, `bad_attribute` for a number out of its range.
inline result<command_options> read_options(const std::vector<std::string>& arguments) {
  command_options out;
  out.measuring.caches = caches_of_this_machine();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& option = arguments[i];
    if (option == "--help" || option == "--dry-run") {
      (option == "--help" ? out.help : out.dry_run) = true;
      continue;
    }
    const std::string* const value = ++i < arguments.size() ? &arguments[i] : nullptr;
    if (error e = detail::take_option(option, value, out); e.code != errc::none) return e;
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
