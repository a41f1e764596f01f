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

// What the examples share: where they write, and how they give up.
namespace support {

// The folder after --out, made if it is missing; "out" without it.
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

// The value of a result; without one, its error on the terminal and the end of the program.
template <class T>
T value_or_exit(wf::result<T> r) {
  if (!r) {
    std::cerr << wf::to_text(r.error()) << '\n';
    std::exit(1);
  }
  return *static_cast<wf::result<T>&&>(r);
}

// Ends the program if something that was checked does not hold.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "does not hold: " << what << '\n';
  std::exit(1);
}

// "12.3 %", from a fraction.
inline wf::text percent(const wf::ratio& r) { return wf::detail::percent(r); }

}  // namespace support
