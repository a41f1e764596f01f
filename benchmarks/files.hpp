// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace wf_benchmark {

/// The contents of a file; empty if it cannot be read.
inline std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace wf_benchmark
