// SPDX-License-Identifier: BSL-1.0
#include <wf/core/json/document.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../../ir/random_graph.hpp"

namespace {

constexpr bool reads_every_kind() {
  const auto json = wf::parse_json(R"( {"a": [null, true, -1.5e+3], "b": {"c": "x\n\u00e9"}} )");
  if (!json || (*json)[0].kind != wf::json_kind::object || (*json)[0].size != 2) return false;
  const std::uint32_t a = json->find(0, "a"), b = json->find(0, "b");
  if ((*json)[a].kind != wf::json_kind::array || (*json)[a].size != 3) return false;
  const std::uint32_t null = wf::json_document::first_of(a), truth = (*json)[null].next,
                      number = (*json)[truth].next;
  return (*json)[null].kind == wf::json_kind::null && json->text_of(truth) == "true" &&
         json->text_of(number) == "-1.5e+3" && (*json)[number].next == b - 1 &&
         json->text_of(json->find(b, "c")) == "x\n\xc3\xa9" && json->find(b, "d") == 0;
}
static_assert(reads_every_kind());

constexpr wf::error error_of(wf::text_view source) { return wf::parse_json(source).error(); }

static_assert(error_of("[1,]").where == wf::text_position{1, 4, 3});
static_assert(error_of("{\"a\": 1,\n \"a\": 2}").where == wf::text_position{2, 2, 10});

std::string message(wf::text_view source) { return std::string(error_of(source).message.view()); }

}  // namespace

TEST_CASE("row 1: what RFC 8259 allows is read") {
  CHECK(reads_every_kind());
  for (const char* source : {"0", "-0", "0.0", "1E9", "10e-7", " null\r\n\t", "\"\"", "[]", "{}",
                             "[[],{}]", "\"\\/\\b\\f\"", "\"\x7f\"", "{\"\":{\"\":[]}}"}) {
    CAPTURE(source);
    CHECK(wf::parse_json(source));
  }
  const auto pair = wf::parse_json("\"\\ud83d\\ude00 \\u20AC \\u0000\"");
  REQUIRE(pair);
  CHECK(std::string(pair->text_of(0)) == std::string("\xf0\x9f\x98\x80 \xe2\x82\xac \0", 10));
}

TEST_CASE("row 1: what it does not allow is an error in one sentence") {
  CHECK(message("") == "expected a JSON value, found the end");
  CHECK(message("[1 2]") == "expected ',' or ']'");
  CHECK(message("[1,]") == "expected another element after ','");
  CHECK(message("{\"a\":1,}") == "expected another element after ','");
  CHECK(message("{a: 1}") == "expected a key in quotes");
  CHECK(message("{\"a\" 1}") == "expected ':' after the key");
  CHECK(message("[1") == "the array is not closed");
  CHECK(message("{\"a\": 1") == "the object is not closed");
  CHECK(message("01") == "a number has no needless zero in front");
  CHECK(message("1.") == "expected a digit");
  CHECK(message("-x") == "expected a digit");
  CHECK(message("1e+") == "expected a digit");
  CHECK(message(".5") == "expected a JSON value");
  CHECK(message("+1") == "expected a JSON value");
  CHECK(message("nul") == "expected a JSON value");
  CHECK(message("nullx") == "expected the end of the JSON text");
  CHECK(message("[] // no") == "expected the end of the JSON text");
  CHECK(message("'a'") == "expected a JSON value");
  CHECK(message("\"a") == "the string is not closed");
  CHECK(message("\"a\nb\"") == "the string is not closed on its line");
  CHECK(message("\"a\tb\"") == "a control character in a string is written as an escape");
  CHECK(message("\"\\x41\"").starts_with("expected one of \\\" \\\\"));
  CHECK(message("\"\\u12g4\"").starts_with("expected one of \\\" \\\\"));
  CHECK(message("\"\\u12\"").starts_with("expected one of \\\" \\\\"));
  CHECK(message("\"\\ud83d\"") == "the first half of a character without its second half");
  CHECK(message("\"\\ud83d\\u0041\"") == "the first half of a character without its second half");
  CHECK(message("\"\\ude00\"") == "the second half of a character without its first half");
  CHECK(message("\"\xc0\x80\"") == "these bytes are not UTF-8");
  CHECK(message("\"\xed\xa0\x80\"") == "these bytes are not UTF-8");
  CHECK(message("\"\xf4\x90\x80\x80\"") == "these bytes are not UTF-8");
  CHECK(message("\"\xe2\x82\"") == "these bytes are not UTF-8");
  CHECK(message("\xef\xbb\xbf[]") == "a JSON text does not begin with a byte order mark");
  CHECK(message("{\"a\":1,\"b\":2,\"a\":3}") == "the object has the key 'a' twice");
  CHECK(message("{\"a\":1,\"\\u0061\":3}") == "the object has the key 'a' twice");
}

TEST_CASE("row 1: nesting has a limit, and it is met") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(wf::parse_json(nested(wf::max_json_depth)));
  CHECK(message(nested(wf::max_json_depth + 1)) ==
        "arrays and objects nest too deeply (at most 64 levels)");
  CHECK(message(std::string(100000, '[')) ==
        "arrays and objects nest too deeply (at most 64 levels)");
}

TEST_CASE("row 1: a repeated key is found among many, where it stands") {
  wf_test::random_source random(71);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const std::size_t count = 2 + random() % 40, first = random() % (count - 1);
    const std::size_t second = first + 1 + random() % (count - first - 1);
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < count; ++i)
      keys.push_back(std::to_string(random() % 7) + "." + std::to_string(i));
    const auto written = [&] {
      std::string out;
      for (const std::string& key : keys) out += (out.empty() ? "{\"" : ",\n\"") + key + "\": []";
      return out + "}";
    };
    CHECK(wf::parse_json(written()));
    keys[second] = keys[first];
    const wf::error e = error_of(written());
    CHECK(e.where.line == second + 1);
    CHECK(std::string(e.message.view()) == "the object has the key '" + keys[first] + "' twice");
  }
}

TEST_CASE("row 1: any bytes survive as a JSON string, which is UTF-8") {
  wf_test::random_source random(72);
  const auto round_trip = [](const std::string& bytes) {
    wf::text written;
    wf::append_json_string(written, bytes);
    for (std::size_t i = 0; i < written.size();) {
      const std::size_t size = wf::detail::utf8_size(written.view(), i);
      REQUIRE(size != 0);
      i += size;
    }
    const auto read = wf::parse_json(written.view());
    REQUIRE(read);
    CHECK(std::string(read->text_of(0)) == bytes);
  };
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  round_trip(all);
  for (int round = 0; round < 3000; ++round) {
    std::string bytes;
    for (std::size_t k = random() % 12; k > 0; --k) {
      const std::uint64_t r = random();
      if (r % 3 == 0) {
        bytes += static_cast<char>(static_cast<unsigned char>(r >> 8));
      } else if (r % 3 == 1) {
        bytes += static_cast<char>(static_cast<unsigned char>(0x80 + (r >> 8) % 0x80));
      } else {
        wf::text code;
        std::uint32_t point = static_cast<std::uint32_t>((r >> 8) % 0x110000);
        if (point >= 0xd800 && point < 0xe000) point = 0x20ac;
        wf::detail::append_utf8(code, point);
        bytes += std::string(code.view());
        CHECK(wf::detail::utf8_size(code.view(), 0) == code.size());
      }
    }
    round_trip(bytes);
  }
}
