// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <files.hpp>

namespace logic_benchmark {

/// The facts of a file of tab-separated numbers.
struct fact_table {
  std::vector<std::vector<std::int32_t>> columns;  ///< of positions
  std::vector<double> values;                      ///< by row, if the facts have values

  std::size_t rows() const { return columns.empty() ? values.size() : columns[0].size(); }
};

/// Reads facts with so many positions each, and a value behind them if they are valued. No facts if
/// the file cannot be read.
inline fact_table read_facts(const std::string& path, std::size_t rank, bool valued) {
  const std::string text = wf_benchmark::read_whole(path);
  fact_table out;
  out.columns.resize(rank);
  for (const char* at = text.c_str(); *at != '\0';) {
    char* end = nullptr;
    for (std::size_t c = 0; c < rank; ++c, at = end)
      out.columns[c].push_back(static_cast<std::int32_t>(std::strtol(at, &end, 10)));
    if (valued) out.values.push_back(std::strtod(at, &end)), at = end;
    while (*at != '\0' && *at != '\n') ++at;
    if (*at == '\n') ++at;
  }
  return out;
}

}  // namespace logic_benchmark
