// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include <wf/core/text/text.hpp>

// Golden files: what an exporter wrote when somebody looked at it, byte for byte. The build says
// where they are (WF_GOLDEN_FOLDER).
namespace golden {

// The line with that number, counted from 1.
inline std::string line_of(const std::string& content, std::ptrdiff_t number) {
  auto first = content.begin();
  while (--number > 0) first = std::find(first, content.end(), '\n') + 1;
  return {first, std::find(first, content.end(), '\n')};
}

// Empty if the file holds exactly what was made, otherwise what is wrong.
inline std::string difference(const std::filesystem::path& file, const std::string& made) {
  const std::string name = file.filename().string();
  const std::string command = "WF_UPDATE_GOLDEN=1 ctest --test-dir build/gcc -R report";
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return "there is no golden file " + name + ": " + command + " writes it";
  const std::string expected{std::istreambuf_iterator<char>(stream), {}};
  if (expected == made) return {};
  const auto common = std::min(expected.size(), made.size());
  const auto end = made.begin() + static_cast<std::ptrdiff_t>(common);
  const auto at = std::mismatch(made.begin(), end, expected.begin()).first;
  const auto line = std::count(made.begin(), at, '\n') + 1;
  return name + " differs in line " + std::to_string(line) +
         "\n  golden: " + line_of(expected, line) + "\n  made:   " + line_of(made, line) +
         "\nIf that is better: " + command + " takes it over.";
}

// Checks an exporter's text against its golden file. With WF_UPDATE_GOLDEN=1 in the environment the
// file is written instead.
inline void check(const char* name, wf::text_view made) {
  const auto file = std::filesystem::path(WF_GOLDEN_FOLDER) / name;
  const char* update = std::getenv("WF_UPDATE_GOLDEN");
  if (update != nullptr && std::string(update) == "1")
    std::ofstream(file, std::ios::binary) << std::string(made);
  const std::string problem = difference(file, std::string(made));
  CHECK_MESSAGE(problem.empty(), problem);
}

}  // namespace golden
