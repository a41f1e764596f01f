// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <string>

#include <linalg/solving.hpp>
#include <linalg/timing.hpp>

namespace linalg_benchmark {

/// The problem sets.
inline constexpr const char* set_names[] = {"applications", "random", "chains", "library", "einsum",
                                            "strassen",     "single", "static", "limits"};

struct options {
  std::string set = "applications";
  std::string file;  ///< a data file; empty: that of the set
  double scale = 0;  ///< divides all extents; 0: the usual value of the set
  std::string match = ".*";
  std::uint64_t seed = 1;
  double plan_seconds = 30;
  measuring how;
  std::string csv;
  right_side solved = right_side::next;
  std::string picture;
  bool plans = false;
  bool cost_model = false;
  bool rates = false;
  bool dry_run = false;
  bool help = false;
};

inline const char* usage() {
  return "usage: tools/bench linalg [options]\n"
         "  --set applications|random  the published problems (default: applications)\n"
         "  --set chains               products of many matrices against proven optima\n"
         "  --set library              what libraries do with natural forms: the tests of LAMP\n"
         "  --set einsum               orders of contractions, and contractions\n"
         "  --set strassen             large products, and verified schemes for them\n"
         "  --set single               floats beside doubles\n"
         "  --set static               fixed sizes 4 to 64, planned while compiling\n"
         "  --set limits               plans under halved and doubled limits on proposals\n"
         "  --file F.json              problems of the same form\n"
         "  --scale S                  divide extents by S (default: 5 for applications, 3 for\n"
         "                             library, of side 3000, else 1)\n"
         "  --match RE                 only problems whose whole name matches\n"
         "  --rounds N                 exactly N rounds after the first (default: at least 5)\n"
         "  --seconds S                measure each problem for about S seconds (default: 2)\n"
         "  --seed N                   of the random operands (default: 1)\n"
         "  --plan-seconds S           stop planning then (default: 30)\n"
         "  --solve next|rest          what rivals solve for inv(A)*B*C: A x = B (default), or "
         "B*C\n"
         "  --csv F                    write the figures as a table, too\n"
         "  --plans                    print what wf chose, node by node, with the time of each\n"
         "  --cost-model               run the plans that are predicted to be nearly as fast, "
         "too:\n"
         "                             how often is the chosen one among the fastest?\n"
         "  --picture F.svg            predicted against measured times\n"
         "  --rates                    only measure matrix products\n"
         "  --dry-run                  only say whether the options are understood\n";
}

namespace detail {

inline constexpr const char* no_option = "is no option";

inline bool read_number(const std::string& word, double least, double& out) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0' || !(value >= least) || value > 1e9) return false;
  out = value;
  return true;
}
inline bool read_count(const std::string& word, double least, double& out) {
  return word.find_first_not_of("0123456789") == std::string::npos && read_number(word, least, out);
}

/// Sets an option; returns a message if the value is invalid, else "".
inline std::string take_option(options& o, const std::string& name, const std::string& value) {
  double number = 0;
  if (name == "--set") {
    o.set = value;
    std::string all;
    for (const char* const known : set_names) {
      if (value == known) return "";
      all += (all.empty() ? "is one of " : ", ") + std::string(known);
    }
    return all;
  }
  if (name == "--file") return o.file = value, "";
  if (name == "--csv") return o.csv = value, "";
  if (name == "--picture") return o.picture = value, "";
  if (name == "--match") {
    o.match = value;
    try {
      (void)std::regex(value);
    } catch (const std::regex_error&) {
      return "is no regular expression";
    }
    return "";
  }
  if (name == "--solve") {
    o.solved = value == "rest" ? right_side::rest : right_side::next;
    return value == "next" || value == "rest" ? "" : "is next or rest";
  }
  if (name == "--scale")
    return read_number(value, 1e-3, o.scale) ? "" : "is a number of at least 0.001";
  if (name == "--seconds")
    return read_number(value, 0, o.how.seconds) ? "" : "is a number of seconds";
  if (name == "--plan-seconds")
    return read_number(value, 0, o.plan_seconds) ? "" : "is a number of seconds";
  if (name == "--rounds") {
    if (!read_count(value, 1, number) || number > 1e6) return "is a number from 1 to 1,000,000";
    o.how.rounds = static_cast<int>(number);
    return "";
  }
  if (name == "--seed") {
    if (!read_count(value, 0, number)) return "is a whole number";
    o.seed = static_cast<std::uint64_t>(number);
    return "";
  }
  return no_option;
}

/// The flag of an option that takes no value; null for other options.
inline bool* flag(options& o, const std::string& name) {
  return name == "--plans"        ? &o.plans
         : name == "--rates"      ? &o.rates
         : name == "--cost-model" ? &o.cost_model
         : name == "--dry-run"    ? &o.dry_run
         : name == "--help"       ? &o.help
                                  : nullptr;
}

}  // namespace detail

/// Parses the arguments of the program; returns an error message, or "".
inline std::string read_options(int count, const char* const* words, options& out) {
  for (int i = 1; i < count; ++i) {
    const std::string name = words[i];
    if (bool* const asked = detail::flag(out, name)) {
      *asked = true;
      continue;
    }
    const bool last = i + 1 == count;
    const std::string wrong = detail::take_option(out, name, last ? "" : words[++i]);
    if (wrong == detail::no_option) return "'" + name + "' " + wrong;
    if (last) return name + " needs a value";
    if (!wrong.empty()) return name + " " + wrong + ", not '" + words[i] + "'";
  }
  return "";
}

/// Parses the arguments and answers those that need no measurement: returns the exit code of the
/// program, or -1 if there is something to measure.
inline int read_command(int count, const char* const* words, options& out) {
  if (const std::string wrong = read_options(count, words, out); !wrong.empty()) {
    std::fprintf(stderr, "linalg: %s\n%s", wrong.c_str(), usage());
    return 2;
  }
  if (out.help) std::fputs(usage(), stdout);
  return out.help || out.dry_run ? 0 : -1;
}

}  // namespace linalg_benchmark
