// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/form/scanner.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

namespace {

using wf::detail::graph_scanner;

std::string chars(wf::text_view t) { return {t.data(), t.size()}; }

// The string at the beginning of a text, or the error message in angle brackets.
std::string string_of(const std::string& source) {
  graph_scanner scanner(source);
  wf::text_view out;
  if (scanner.string(out, "no string")) return chars(out);
  return "<" + chars(scanner.failure().message.view()) + ">";
}

}  // namespace

TEST_CASE("statements are found over spaces, line ends and comments") {
  graph_scanner scanner(" \t\n# a comment\n\r\n  input x # another\n# the last");
  REQUIRE(scanner.skip_to_statement());
  CHECK(chars(scanner.take_word()) == "input");
  CHECK_FALSE(scanner.at_end_of_statement());
  CHECK(chars(scanner.take_word()) == "x");
  CHECK(scanner.at_end_of_statement());
  CHECK(scanner.end_statement("more"));
  CHECK_FALSE(scanner.skip_to_statement());
  CHECK(scanner.peek() == '\0');
  CHECK_FALSE(scanner.has_failed());
}

TEST_CASE("a token is consumed if it comes next, and nothing else is") {
  graph_scanner scanner("  : -> - a_1b.c");
  CHECK_FALSE(scanner.take('='));
  CHECK(scanner.take(':'));
  CHECK(scanner.take_arrow());
  CHECK_FALSE(scanner.take_arrow());
  CHECK(scanner.take_word().empty());
  CHECK(scanner.take('-'));
  CHECK(chars(scanner.take_word()) == "a_1b");
  CHECK_FALSE(scanner.has_failed());
  CHECK_FALSE(scanner.expect(',', "a comma is wanted"));
  REQUIRE(scanner.has_failed());
  CHECK(scanner.failure().code == wf::errc::graph_syntax);
  CHECK(scanner.failure().message == wf::text("a comma is wanted"));
  CHECK(scanner.failure().where == wf::text_position{1, 14, 13});
}

TEST_CASE("numbers and references keep their limits") {
  std::uint32_t narrow = 0;
  graph_scanner references("%12 @ 7 % x");
  CHECK(references.reference('%', narrow, "wanted"));
  CHECK(narrow == 12);
  CHECK_FALSE(references.reference('@', narrow, "a digit follows the mark"));
  CHECK(references.failure().message == wf::text("a digit follows the mark"));
  CHECK(graph_scanner("4294967295").number(narrow, ""));
  graph_scanner beyond("  4294967296");
  CHECK_FALSE(beyond.number(narrow, ""));
  CHECK(beyond.failure().message == wf::text("the number is too large"));
  CHECK(beyond.failure().where.offset == 2);
  std::uint64_t wide = 0;
  graph_scanner most("18446744073709551615 18446744073709551616");
  CHECK(most.number(UINT64_MAX, wide, ""));
  CHECK(wide == UINT64_MAX);
  CHECK_FALSE(most.number(UINT64_MAX, wide, ""));
  CHECK(graph_scanner("007").number(9, wide, ""));
  CHECK(wide == 7);
}

TEST_CASE("strings are closed on their line, and their escapes are known ones") {
  CHECK(string_of(R"("plain # text")") == "plain # text");
  CHECK(string_of(R"("")").empty());
  CHECK(string_of(R"("a\"b\\c\n\t\r\x00\xfF.")") == std::string("a\"b\\c\n\t\r\0\xff.", 11));
  CHECK(string_of("word") == "<no string>");
  for (const char* open : {"\"", "\"a", "\"a\n\"", "\"\\n", "\"\\n\n\""}) {
    CAPTURE(open);
    CHECK(string_of(open) == "<the string is not closed on its line>");
  }
  for (const char* wrong : {R"("\q")", R"("a\x1")", R"("\xg0")", "\"\\", "\"\\x"}) {
    CAPTURE(wrong);
    CHECK(string_of(wrong) ==
          "<expected one of \\\" \\\\ \\n \\t \\r, or \\x and two hexadecimal digits>");
  }
}

TEST_CASE("strings with escapes stay where they are while others are read") {
  std::string source;
  for (int i = 0; i < 100; ++i)
    source += "\"\\t" + std::to_string(i) + "\" word_" + std::to_string(i) + " ";
  graph_scanner scanner(source);
  wf::text_view strings[100], words[100];
  for (int i = 0; i < 100; ++i) {
    REQUIRE(scanner.word_or_string(strings[i], "wanted"));
    REQUIRE(scanner.word_or_string(words[i], "wanted"));
  }
  for (int i = 0; i < 100; ++i) {
    CHECK(chars(strings[i]) == "\t" + std::to_string(i));
    CHECK(chars(words[i]) == "word_" + std::to_string(i));
  }
  CHECK_FALSE(scanner.word_or_string(words[0], "wanted"));
  scanner.forget_strings();
}
