// SPDX-License-Identifier: BSL-1.0
#include <wf/core/diagnosis/ill_formed.hpp>

#include <string>
#include <type_traits>

#include <doctest/doctest.h>

namespace {

constexpr wf::error failure() {
  return wf::make_error(wf::errc::shape_mismatch, "conv2",
                        "inner dimensions differ: 3 vs 5, as the operands' shapes show");
}
using diagnosis = wf::diagnose<failure>;
static_assert(std::is_same_v<diagnosis, wf::ill_formed<"conv2", "WF101: inner dimensions differ: 3",
                                                       "vs 5, as the operands' shapes show">>);

}  // namespace

TEST_CASE("a sentence is broken at spaces into lines that clang prints whole") {
  const wf::text_view sentence =
      "a sentence with words and oneverylongwordthatnobodycanbreakatanyspace inside";
  std::string joined;
  const std::size_t lines = wf::detail::sentence_lines(sentence);
  for (std::size_t i = 0; i < lines; ++i) {
    const wf::text_view line = wf::detail::sentence_line(sentence, i);
    CHECK(line.size() <= wf::detail::diagnostic_line);
    joined += std::string(line);
  }
  std::string expected(sentence);
  std::erase(expected, ' ');
  std::erase(joined, ' ');
  CHECK(joined == expected);
}
