// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include <wf/core/diagnosis/result.hpp>
#include <wf/report/page/html.hpp>

// Common functions of the examples: output folder, error exits, and formatting.
namespace support {

// The folder after --out, created if missing; "out" if the option is absent.
inline std::filesystem::path output_folder(int argc, char** argv) {
  std::filesystem::path folder = "out";
  for (int i = 1; i + 1 < argc; ++i)
    if (std::string(argv[i]) == "--out") folder = argv[i + 1];
  std::filesystem::create_directories(folder);
  return folder;
}

inline void write(const std::filesystem::path& file, wf::text_view content) {
  std::ofstream stream(file, std::ios::binary);
  stream << content;
  if (!stream.flush()) {
    std::cerr << "cannot write " << file << '\n';
    std::exit(1);
  }
}

// The value of a result; prints the error and ends the program if there is none.
template <class T>
T value_or_exit(wf::result<T> r) {
  if (!r) {
    std::cerr << wf::to_text(r.error()) << '\n';
    std::exit(1);
  }
  return *static_cast<wf::result<T>&&>(r);
}

// Ends the program with a message if a check fails.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "does not hold: " << what << '\n';
  std::exit(1);
}

// A ratio as a percentage: "12.3 %".
inline wf::text percent(const wf::ratio& r) { return wf::detail::percent(r); }

}  // namespace support
