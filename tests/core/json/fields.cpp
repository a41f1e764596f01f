// SPDX-License-Identifier: BSL-1.0
#include <wf/core/json/fields.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

namespace {

// Reads {"name": string, "size": integer or null, "parts": [integers]}; only "name" is required.
class box_reader : wf::detail::json_form_reader {
 public:
  using json_form_reader::json_form_reader;

  constexpr bool read(std::int64_t lowest, std::int64_t highest) {
    constexpr wf::detail::json_field known[] = {
        {"name", wf::json_kind::string, true},
        {"size", wf::json_kind::number, false, wf::json_kind::string},
        {"parts", wf::json_kind::array}};
    std::uint32_t found[3]{};
    if (!fields(0, "a box", known, found)) return false;
    name = string(found[0]);
    if (found[1] != 0 && !integer(found[1], lowest, highest, size)) return false;
    return elements(found[2], [&](std::uint32_t item) {
      std::int64_t part = 0;
      if (!integer(item, INT64_MIN, INT64_MAX, part)) return false;
      sum += part;
      return true;
    });
  }
  constexpr wf::error error() const { return failure(wf::errc::graph_syntax); }

  wf::text_view name;
  std::int64_t size = -1;
  std::int64_t sum = 0;
};

constexpr std::int64_t sum_of(wf::text_view source) {
  const auto json = wf::parse_json(source);
  box_reader box(source, *json);
  return box.read(0, 9) ? box.size + box.sum : -1;
}
static_assert(sum_of(R"({"parts": [1, "2", -3], "size": 7, "name": "x"})") == 7);
static_assert(sum_of(R"({"parts": [1, "2", -3], "size": 70, "name": "x"})") == -1);

std::string refusal(const std::string& source, std::int64_t lowest = 0, std::int64_t highest = 9) {
  const auto json = wf::parse_json({source.data(), source.size()});
  REQUIRE(json);
  box_reader box({source.data(), source.size()}, *json);
  REQUIRE_FALSE(box.read(lowest, highest));
  const wf::error e = box.error();
  return std::to_string(e.where.offset) + ": " + std::string(e.message.view());
}

}  // namespace

TEST_CASE("the first fault of an object is named with its place") {
  CHECK(refusal("[]") == "0: expected an object, a box, not an array");
  CHECK(refusal(" {}") == "1: a box needs the field 'name'");
  CHECK(refusal(R"({"name": 1})") == "9: 'name' must be a string, not a number");
  CHECK(refusal(R"({"size": null})") == "9: 'size' must be a number or a string, not null");
  CHECK(refusal(R"({"name": "", "sizes": 1})").starts_with("13: unknown field of a box 'sizes'"));
  CHECK(refusal(R"({"name": "", "sizes": 1})").find("'size'") != std::string::npos);
  CHECK(refusal(R"({"name": "", "parts": [1, true, "x"]})") == "26: expected an integer");
}

TEST_CASE("integers are exact over their whole range, and nothing else passes") {
  const auto value = [](const std::string& written, std::int64_t lowest, std::int64_t highest) {
    const std::string source = "{\"name\": \"\", \"size\": " + written + "}";
    const auto json = wf::parse_json({source.data(), source.size()});
    box_reader box({source.data(), source.size()}, *json);
    CHECK(box.read(lowest, highest));
    return box.size;
  };
  std::mt19937_64 random(23);
  for (int round = 0; round < 500; ++round) {
    const auto n = static_cast<std::int64_t>(random() >> (random() % 64));
    CHECK(value(std::to_string(n), INT64_MIN, INT64_MAX) == n);
    CHECK(value('"' + std::to_string(n) + '"', n, n) == n);
    const std::string around = "{\"name\": \"\", \"size\": " + std::to_string(n) + "}";
    if (n != INT64_MAX)
      CHECK(refusal(around, n + 1, INT64_MAX) ==
            "21: expected an integer from " + std::to_string(n + 1) + " to 9223372036854775807");
  }
  CHECK(value("-9223372036854775808", INT64_MIN, INT64_MAX) == INT64_MIN);
  for (const char* bad : {"1.0", "1e3", "\"\"", "\"01\"", "\" 1\"", "\"-\"", "\"1x\"", "0.5"})
    CHECK(refusal(std::string("{\"name\": \"\", \"size\": ") + bad + "}", INT64_MIN, INT64_MAX) ==
          "21: expected an integer");
  for (const char* wide : {"9223372036854775808", "-9223372036854775809",
                           "99999999999999999999999999999999999999999999999999"})
    CHECK(refusal(std::string("{\"name\": \"\", \"size\": ") + wide + "}", INT64_MIN, INT64_MAX)
              .starts_with("21: expected an integer from -9223372036854775808 to"));
}

TEST_CASE("a value is copied without its white space, and with its spelling") {
  const auto compact = [](const char* source, std::size_t at) {
    return std::string(wf::detail::compact_json(source, at).view());
  };
  CHECK(compact("[ 1 , { \"a b\" : [ ] , \"\\\" ]\" : 1.50 } , true ] , 2", 0) ==
        "[1,{\"a b\":[],\"\\\" ]\":1.50},true]");
  CHECK(compact("{\"k\": \"\\u0041\\\\\" }", 6) == "\"\\u0041\\\\\"");
  CHECK(compact("[1e5 ]", 1) == "1e5");
  CHECK(compact("[null,2]", 1) == "null");
  CHECK(compact("{\"k\":3}", 5) == "3");
  CHECK(compact("7", 0) == "7");
}
