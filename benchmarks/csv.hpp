// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <files.hpp>

namespace wf_benchmark {

/// The cells of a line of a CSV file without quotes; also the last one if it is empty.
inline std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> out(1);
  for (const char c : line)
    if (c == ',')
      out.emplace_back();
    else if (c != '\r')
      out.back() += c;
  return out;
}

/// The rows of a CSV file without quotes, each by the names of the columns; none if it cannot be
/// read. Empty lines and cells without a column are ignored.
inline std::vector<std::map<std::string, std::string>> read_rows(const std::string& path) {
  std::istringstream in(read_whole(path));
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = cells_of(line);
  std::vector<std::map<std::string, std::string>> out;
  while (std::getline(in, line)) {
    if (line.empty()) continue;
    const std::vector<std::string> row = cells_of(line);
    out.emplace_back();
    for (std::size_t i = 0; i < row.size() && i < names.size(); ++i) out.back()[names[i]] = row[i];
  }
  return out;
}

}  // namespace wf_benchmark
