// SPDX-License-Identifier: BSL-1.0
#pragma once

// A fuzz target: a property that must hold for any bytes, with seeds and words. libFuzzer drives it
// (tools/fuzz), or drive.cpp, which suffices for tests.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <wf/core/diagnosis/result.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace wf_test {

// Texts with which mutation begins.
std::vector<std::string> fuzz_seeds();
// Words that mutation inserts.
std::vector<std::string> fuzz_words();

// The input that drive.cpp is running.
inline std::string fuzz_input;
// Number of inputs that were read without an error; if it is 0, the property has not been tested.
inline std::size_t fuzz_accepted = 0;

inline void fuzz_require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "violated: %s\n", property);
  std::fprintf(stderr, "%s\n", fuzz_input.c_str());
  std::abort();
}

// Checks that an error about a text has a code, a message and a position inside of the text.
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
