// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/form/parse_json.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/ir/compare/digest.hpp>
#include <wf/ir/compare/same.hpp>
#include <wf/ir/graph/validate.hpp>

#include "../random_graph.hpp"

namespace {

constexpr wf::text_view source =
    "wf.graph 1 \"update\"\n"
    "input \"P\" : f64[M, M] {spd}\n"
    "node linalg.matmul(%0, %3) [steps = dim M, r = 3/2, s = \"a\\n\\\"b\\\"\", x = 0.1] "
    "cost [flops = \"2*M\"] effect stateful -> f64[M, 2*N + 1], f32[]\n"
    "input \"x\" : f64[M, 2*N + 1]\n"
    "node io.log(%2) at \"main.cpp\":12:3\n"
    "edge control @0 -> @1\n"
    "edge mutate @0 -> @1\n"
    "output \"y\" = %2\n";

constexpr bool round_trips() {
  const auto g = wf::parse_graph(source);
  const auto again = wf::parse_graph_json(wf::to_json(*g).view());
  return again && wf::validate(*again) && wf::same(*g, *again) &&
         wf::digest(*g) == wf::digest(*again);
}
static_assert(round_trips());

}  // namespace

TEST_CASE("row 1: the JSON form round-trips random graphs of every feature") {
  CHECK(round_trips());
  wf_test::random_source random(74);
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    const wf::graph g = wf_test::random_graph(random);
    const wf::text written = wf::to_json(g);
    INFO(std::string(written.view()));
    const auto read = wf::parse_graph_json(written.view());
    if (!read) INFO(std::string(wf::to_text(read.error()).view()));
    REQUIRE(read);
    CHECK(wf::validate(*read));
    CHECK(wf::same(g, *read));
    CHECK(wf::to_json(*read) == written);
    CHECK(wf::digest(g) == wf::digest(*read));
    // Through the text form.
    const auto text = wf::parse_graph(wf::to_text(read->view()).view());
    REQUIRE(text);
    CHECK(wf::same(g, *text));
  }
}

TEST_CASE("row 1: members may come in any order, and optional ones be absent") {
  const auto g = wf::parse_graph_json(R"({
    "outputs": [{"value": 1, "name": "y"}], "edges": [],
    "nodes": [{"results": [{"shape": ["3", 4], "dtype": "f32", "value": 1}],
               "operands": [0], "op": "f",
               "attributes": [{"real": 1e3, "name": "a"}, {"real": 5, "name": "b"},
                              {"integer": "-7", "name": "c"}, {"real": "nan", "name": "d"}]}],
    "inputs": [{"shape": null, "dtype": "unknown", "value": 0, "name": "x", "properties": []}],
    "name": "g", "version": 1, "format": "wf-graph"})");
  if (!g) MESSAGE(std::string(wf::to_text(g.error()).view()));
  REQUIRE(g);
  CHECK(std::string(wf::to_text(g->view()).view()) ==
        "wf.graph 1 \"g\"\ninput \"x\" : unknown[...]\n"
        "node f(%0) [a = 1000.0, b = 5.0, c = -7, d = nan] -> f32[3, 4]\noutput \"y\" = %1\n");
}

namespace {

// The JSON of a graph with one part replaced.
std::string with(const char* replaced, const char* by) {
  std::string json = R"({
  "format": "wf-graph",
  "version": 1,
  "name": "g",
  "inputs": [
    {"value": 0, "name": "x", "dtype": "f64", "shape": ["M", 3], "properties": ["spd"]}
  ],
  "nodes": [
    {"op": "f", "operands": [0], "attributes": [{"name": "k", "integer": 5}], "effect": "pure",
     "costs": [{"metric": "flops", "formula": "1"}],
     "source": {"file": "a.cpp", "line": 1, "column": 2}, "results": [
    {"value": 1, "dtype": "f64", "shape": []}]}
  ],
  "edges": [
    {"kind": "control", "from": 0, "to": 0}
  ],
  "outputs": [
    {"name": "y", "value": 1}
  ]
})";
  const std::size_t at = json.find(replaced);
  REQUIRE(at != std::string::npos);
  return json.replace(at, std::string(replaced).size(), by);
}

std::string message(const char* replaced, const char* by) {
  const auto g = wf::parse_graph_json(with(replaced, by));
  CHECK(g.error().code == wf::errc::graph_syntax);
  return std::string(g.error().message.view());
}

}  // namespace

TEST_CASE("row 1: each error is one sentence") {
  CHECK(wf::parse_graph_json(with("\"g\"", "\"h\"")));
  CHECK(message("wf-graph", "wf-grph") == "expected \"format\": \"wf-graph\"");
  CHECK(message("\"format\": \"wf-graph\",", "") == "expected \"format\": \"wf-graph\"");
  CHECK(message("1,", "2,") == "only version 1 of the JSON form can be read");
  CHECK(message("\"version\": 1,", "\"version\": 2, \"new\": 1,") ==
        "only version 1 of the JSON form can be read");
  CHECK(message("1,", "\"1\",") == "'version' must be a number, not a string");
  CHECK(message("\"version\": 1,", "") == "a graph needs the field 'version'");
  CHECK(message("\"op\"", "\"opp\"") == "unknown field of a node 'opp': did you mean 'op'?");
  CHECK(message("\"operands\": [0],", "") == "a node needs the field 'operands'");
  CHECK(message("\"operands\": [0]", "\"operands\": 0") ==
        "'operands' must be an array, not a number");
  CHECK(message("\"operands\": [0]", "\"operands\": [-1]") ==
        "expected an integer from 0 to 4294967295");
  CHECK(message("\"operands\": [0]", "\"operands\": [1.0]") == "expected an integer");
  CHECK(message("\"operands\": [0]", "\"operands\": [\"0\"]") == "expected an integer");
  CHECK(message("\"operands\": [0]", "\"operands\": [[]]") == "expected an integer");
  CHECK(message("\"name\": \"x\"", "\"name\": \"x\", \"name\": \"x\"") ==
        "the object has the key 'name' twice");
  CHECK(message("\"name\": \"x\",", "") == "an input needs the field 'name'");
  CHECK(message("\"f64\"", "\"F64\"") == "unknown element type 'F64': did you mean 'f64'?");
  CHECK(message("\"spd\"", "\"sdp\"") == "unknown property 'sdp': did you mean 'spd'?");
  CHECK(message("\"spd\"", "7") == "'properties' must be a string, not a number");
  CHECK(message("[\"M\", 3]", "3") == "'shape' must be an array or null, not a number");
  CHECK(message("\"M\"", "\"2*M\"").starts_with("expected an extent: a size, a symbol of"));
  CHECK(message("\"M\"", "\"3x\"").starts_with("expected an extent"));
  CHECK(message("\"M\"", "-1") == "expected an integer from 0 to 9223372036854775807");
  CHECK(message("\"M\"", "true").starts_with("expected an extent"));
  CHECK(message("\"M\"", "{\"polynom\": \"M\"}") ==
        "unknown field of an extent 'polynom': did you mean 'polynomial'?");
  CHECK(message("[\"M\", 3]", "[1,1,1,1,1,1,1,1,1]") == "a value has at most 8 dimensions");
  CHECK(message("\"integer\": 5", "\"integer\": 9223372036854775808") ==
        "expected an integer from -9223372036854775808 to 9223372036854775807");
  CHECK(message("\"integer\": 5", "\"integer\": 5, \"real\": 5").starts_with("an attribute has a"));
  CHECK(message(", \"integer\": 5", "").starts_with("an attribute has a name and one of"));
  CHECK(message("\"integer\": 5", "\"rational\": [1, 0]") ==
        "expected an integer from 1 to 9223372036854775807");
  CHECK(message("\"integer\": 5", "\"rational\": [1]") ==
        "'rational' must be an array of numerator and denominator");
  CHECK(message("\"integer\": 5", "\"real\": \"1..2\"") == "this is not a number");
  CHECK(message("\"integer\": 5", "\"real\": 1e300") ==
        "the number has too high a power of ten: write it in hexadecimal (0x1.8p+200)");
  CHECK(message("\"integer\": 5", "\"bool\": true").starts_with("unknown field of an attribute"));
  CHECK(message("{\"name\": \"k\", \"integer\": 5}", "5") ==
        "expected an object, an attribute, not a number");
  CHECK(message("\"pure\"", "\"puer\"") == "unknown effect 'puer': did you mean 'pure'?");
  CHECK(message("\"op\": \"f\"", "\"op\": \"\"") == "an operator's name must not be empty");
  CHECK(message("\"metric\"", "\"metrics\"").starts_with("unknown field of a cost 'metrics'"));
  CHECK(message("\"line\": 1", "\"line\": 4294967296") ==
        "expected an integer from 0 to 4294967295");
  CHECK(message("\"control\"", "\"contrl\"") ==
        "unknown kind of edge 'contrl': did you mean 'control'?");
  CHECK(message("\"value\": 1, \"dtype\"", "\"value\": 2, \"dtype\"")
            .starts_with("expected value 1"));
  CHECK(message("\"value\": 0", "\"value\": 1").starts_with("expected value 0"));
  CHECK(std::string(wf::parse_graph_json("[]").error().message.view()) ==
        "expected an object, a graph");
  CHECK(std::string(wf::parse_graph_json("{").error().message.view()) ==
        "the object is not closed");
}

TEST_CASE("row 1: errors say line and column, and a caret shows the place") {
  const std::string json = with("\"f64\"", "\"F64\"");
  const auto g = wf::parse_graph_json(json);
  REQUIRE_FALSE(g);
  CHECK(g.error().where.line == 6);
  CHECK(std::string(wf::to_text(g.error()).view()) ==
        "WF402: unknown element type 'F64': did you mean 'f64'? (line 6, column 40)");
  CHECK(std::string(wf::caret(json, g.error().where).view()) ==
        "      {\"value\": 0, \"name\": \"x\", \"dtype\": \"F64\", \"shape\": [\"M\", 3], "
        "\"properties\": [\"spd\"]}\n"
        "                                         ^");
}

TEST_CASE("row 1: hostile tables are refused before they take quadratic time") {
  std::string json = R"({"format": "wf-graph", "version": 1, "name": "", "inputs": [], "nodes": [)";
  for (int i = 0; i <= 16384; ++i)
    json += (i == 0 ? "" : ",") + std::string("{\"op\":\"f") + std::to_string(i) +
            "\",\"operands\":[],\"results\":[]}";
  const auto g = wf::parse_graph_json(json + R"(], "edges": [], "outputs": []})");
  REQUIRE_FALSE(g);
  CHECK(std::string(g.error().message.view()) ==
        "the graph has too many different operators (16384)");
}
