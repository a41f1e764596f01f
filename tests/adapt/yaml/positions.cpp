// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/yaml/positions.hpp>

#include <sstream>
#include <string>

#include <yaml-cpp/parser.h>

#include <doctest/doctest.h>

namespace {

using wf::detail::yaml_text;

// The YAML from the position that is computed for character `wanted` of a value on; the value
// begins at `scalar`.
std::string rest(const std::string& yaml, const std::string& scalar, wf::text_view value,
                 std::size_t wanted) {
  const std::size_t start = yaml.find(scalar);
  REQUIRE(start != std::string::npos);
  return yaml.substr(yaml_text(yaml).inside(start, value, wanted));
}

}  // namespace

TEST_CASE("a byte order mark is no part of the document, but of its offsets") {
  const std::string yaml =
      "\xef\xbb\xbf"
      "a: 1";
  const yaml_text text(yaml);
  CHECK(text.body() == "a: 1");
  YAML::Mark mark = YAML::Mark::null_mark();
  CHECK(text.offset_of(mark) == 3);
  mark.pos = 1;
  CHECK(text.offset_of(mark) == 4);
  CHECK(yaml_text("a: 1").offset_of(mark) == 1);
}

TEST_CASE("the first character that no YAML text has") {
  CHECK(yaml_text("a:\t1\r\n").first_illegal() == 6);
  CHECK(yaml_text("a\x01").first_illegal() == 1);
  CHECK(yaml_text("ab\x7f").first_illegal() == 2);
  CHECK(yaml_text("a\xff").first_illegal() == 1);
  CHECK(yaml_text("\xc3\xa9").first_illegal() == 2);
}

TEST_CASE("a place behind the end is the end") {
  const yaml_text text("a\nbc");
  CHECK(text.at(3).line == 2);
  CHECK(text.at(3).column == 2);
  CHECK(text.at(99).offset == 4);
}

TEST_CASE("a character of a value is found in the text, through quotes and folded lines") {
  CHECK(rest("k: 2*H + V", "2*H", "2*H + V", 6) == "V");
  CHECK(rest("k: '2*H'", "'2*H", "2*H", 2) == "H'");
  CHECK(rest("k: \"2*H\"", "\"2*H", "2*H", 2) == "H\"");
  CHECK(rest("k: 2\n   + V", "2", "2 + V", 4) == "V");
  CHECK(rest("k: >-\n  2\n  + V\n", ">-", "2 + V", 4) == "V\n");
  CHECK(rest("k: |\n  2\n  + V\n", "|", "2\n+ V\n", 4) == "V\n");
  // With an escape: the beginning of the scalar.
  CHECK(rest("k: \"\\x32*V\"", "\"", "2*V", 2) == "\"\\x32*V\"");
  CHECK(rest("k: 2", "2", "2*H", 2) == "2");
}

TEST_CASE("the beginning of the last document that was parsed") {
  const std::string yaml = "a: 1\n---\nb: 2\n";
  std::istringstream stream(yaml);
  YAML::Parser parser(stream);
  wf::detail::yaml_document_marks marks;
  REQUIRE(parser.HandleNextDocument(marks));
  CHECK(marks.last.pos == 0);
  REQUIRE(parser.HandleNextDocument(marks));
  CHECK(marks.last.line == 1);
  CHECK_FALSE(parser.HandleNextDocument(marks));
}
