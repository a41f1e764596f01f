// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace mapping_benchmark {

/// What is asked of a run, whatever the set.
struct options {
  std::string set = "sinnen";
  std::string data = "../shared/data";            ///< the folder that holds the sets
  double seconds = 120;                           ///< of CPU, for each instance
  unsigned threads = 1;                           ///< that search together
  std::uint64_t memory = std::uint64_t{1} << 30;  ///< bytes that a search may hold
  std::string match;                              ///< a regular expression of the instances to take
  std::string csv;                                ///< a file for everything, as a table
};

/// Reads the options behind the program's name; false if they are not understood.
inline bool parse(int count, char** words, options& out) {
  if (const char* folder = std::getenv("WF_DATA_DIR")) out.data = folder;
  if (count % 2 == 0) return false;
  for (int i = 1; i < count; i += 2) {
    const std::string option = words[i], value = words[i + 1];
    if (option == "--set")
      out.set = value;
    else if (option == "--data")
      out.data = value;
    else if (option == "--seconds")
      out.seconds = std::strtod(value.c_str(), nullptr);
    else if (option == "--threads")
      out.threads = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
    else if (option == "--memory-mib")
      out.memory = std::strtoull(value.c_str(), nullptr, 10) << 20;
    else if (option == "--match")
      out.match = value;
    else if (option == "--csv")
      out.csv = value;
    else
      return false;
  }
  return out.seconds > 0 && out.threads > 0 && out.memory > 0;
}

}  // namespace mapping_benchmark
