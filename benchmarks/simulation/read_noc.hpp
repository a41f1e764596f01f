// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <wf/core/diagnosis/result.hpp>

#include <csv.hpp>
#include <simulation/noc_traffic.hpp>

namespace simulation_benchmark {

/// A measurement of a mesh network-on-chip with BookSim2. A value that is not given is not a
/// number.
struct noc_row {
  bool is_saturation = false;      ///< `accepted` is measured, else `latency`
  noc_load load;                   ///< mesh, traffic and load
  std::string name;                ///< its first four fields
  double latency = NAN;            ///< mean, cycles
  double spread = NAN;             ///< difference of two seeds, percent
  double accepted = NAN;           ///< packets per tile and cycle
  double hops = NAN;               ///< mean number of routers passed
  double cycles_per_second = NAN;  ///< its speed
};

/// Reads one line of `booksim2_mesh.csv`. False if it has not the ten fields.
inline bool read_noc_row(const std::string& line, noc_row& out) {
  const std::vector<std::string> fields = wf_benchmark::cells_of(line);
  if (fields.size() != 10) return false;
  bool is_valid = true;
  const auto number = [&](std::size_t field, bool may_be_empty) {
    const std::string& text = fields[field];
    if (text.empty() && may_be_empty) return double{NAN};
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    is_valid = is_valid && !text.empty() && *end == '\0' && value > 0;
    return value;
  };
  out.is_saturation = fields[0] == "saturation";
  is_valid = out.is_saturation || fields[0] == "latency";
  const auto side = static_cast<std::uint32_t>(std::strtoul(fields[1].c_str(), nullptr, 10));
  is_valid = is_valid && side > 0 && side < 256;
  is_valid = is_valid && fields[1] == std::to_string(side) + "x" + std::to_string(side);
  out.load.side = side;
  const char* const patterns[] = {"uniform", "transpose", "neighbor", "bitcomp"};
  std::size_t pattern = 0;
  while (pattern < 4 && fields[2] != patterns[pattern]) ++pattern;
  is_valid = is_valid && pattern < 4;
  out.load.pattern = static_cast<noc_pattern>(pattern);
  out.load.flits = static_cast<std::int64_t>(number(3, false));
  out.load.offered = number(4, false);
  out.name = fields[0] + " " + fields[1] + " " + fields[2] + " " + fields[3];
  out.latency = number(5, out.is_saturation);
  out.spread = number(6, true);
  out.accepted = number(7, false);
  out.hops = number(8, true);
  out.cycles_per_second = number(9, true);
  return is_valid && out.load.flits >= 1 && out.load.offered <= 1;
}

/// Reads `booksim2_mesh.csv`: a line of names, then one for each measurement. Errors:
/// `graph_syntax` with the line.
inline wf::result<std::vector<noc_row>> read_noc(const std::string& text) {
  std::vector<noc_row> out;
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  for (std::int32_t number = 2; std::getline(in, line); ++number) {
    noc_row row;
    if (!read_noc_row(line, row))
      return wf::make_error(wf::errc::graph_syntax, "",
                            wf::text("line ") << number << " is not a measurement");
    out.push_back(row);
  }
  return out;
}

}  // namespace simulation_benchmark
