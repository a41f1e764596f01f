// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/form/json.hpp>

#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include <wf/ir/form/parse.hpp>

#include "../random_graph.hpp"

namespace {

constexpr wf::text json_of(wf::text_view text) { return wf::to_json(*wf::parse_graph(text)); }

constexpr wf::text_view smallest =
    "{\n  \"format\": \"wf-graph\",\n  \"version\": 1,\n  \"name\": \"\",\n  \"inputs\": [],\n"
    "  \"nodes\": [],\n  \"edges\": [],\n  \"outputs\": []\n}\n";
static_assert(wf::to_json(wf::graph()).view() == smallest);

// The contents of a file, relative to the root of the repository, in which tests run.
std::string content(const char* path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("row 1: the JSON form is the one that the reference shows") {
  // docs/reference/graph-forms.md includes these files.
  const std::string text = content("tests/ir/graph_example.txt");
  const auto g = wf::parse_graph(text);
  REQUIRE(g);
  CHECK(std::string(wf::to_text(g->view()).view()) == text);
  CHECK(std::string(wf::to_json(*g).view()) == content("tests/ir/graph_example.json"));
  CHECK(wf::to_json(wf::graph()).view() == smallest);
}

TEST_CASE("row 1: numbers that other readers would round are strings") {
  const auto attribute = [](const char* value) {
    const std::string text = std::string("wf.graph 1 \"g\"\nnode f() [a = ") + value + "]\n";
    const wf::text written = json_of(text);
    const std::string json(written.view());
    const std::size_t first = json.find("\"a\", ") + 5;
    return json.substr(first, json.find('}', first) - first);
  };
  CHECK(attribute("9007199254740991") == "\"integer\": 9007199254740991");
  CHECK(attribute("9007199254740992") == "\"integer\": \"9007199254740992\"");
  CHECK(attribute("-9223372036854775808") == "\"integer\": \"-9223372036854775808\"");
  CHECK(attribute("1/9223372036854775807") == "\"rational\": [1, \"9223372036854775807\"]");
  CHECK(attribute("0.1") == "\"real\": 0.1");
  CHECK(attribute("-0.0") == "\"real\": -0.0");
  CHECK(attribute("inf") == "\"real\": \"inf\"");
  CHECK(attribute("0x1.8p+200") == "\"real\": \"0x1.8p+200\"");
  CHECK(attribute("dim 9223372036854775807") == "\"extent\": \"9223372036854775807\"");
  CHECK(attribute("dim ?") == "\"extent\": null");
}

TEST_CASE("row 1: what is written is strict JSON, whatever the graph") {
  wf_test::random_source random(73);
  for (int round = 0; round < 500; ++round) {
    CAPTURE(round);
    const wf::graph g = wf_test::random_graph(random);
    const wf::text written = wf::to_json(g);
    const auto json = wf::parse_json(written.view());
    REQUIRE(json);
    CHECK((*json)[json->find(0, "nodes")].size == g.view().nodes.size());
    CHECK((*json)[json->find(0, "outputs")].size == g.view().outputs.size());
  }
}
