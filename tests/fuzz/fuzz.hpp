// SPDX-License-Identifier: BSL-1.0
#pragma once

// What a fuzz target is: a property that must hold of any bytes, and what to begin with. libFuzzer
// drives it (tools/fuzz), or drive.cpp, which is all that a test needs.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <wf/core/diagnosis/result.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace wf_test {

// Texts from which mutation begins.
std::vector<std::string> fuzz_seeds();
// Words that mutation inserts.
std::vector<std::string> fuzz_words();

// What drive.cpp is trying.
inline std::string fuzz_input;
// How many inputs were read without an error: if none, the property says little.
inline std::size_t fuzz_accepted = 0;

inline void fuzz_require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "violated: %s\n", property);
  std::fprintf(stderr, "%s\n", fuzz_input.c_str());
  std::abort();
}

// An error about a text says what and where, and the caret finds the place.
inline void fuzz_require_error(wf::text_view source, const wf::error& e) {
  fuzz_require(e.code != wf::errc::none && !e.message.empty(), "an error has code and sentence");
  fuzz_require(e.where.line >= 1 && e.where.column >= 1 && e.where.offset <= source.size(),
               "an error of a text lies inside the text");
  fuzz_require(wf::position_at(source, e.where.offset) == e.where,
               "line and column of an error are those of its offset");
  const wf::text picture = wf::caret(source, e.where);
  fuzz_require(!picture.empty() && picture[picture.size() - 1] == '^', "the caret can be drawn");
}

}  // namespace wf_test
