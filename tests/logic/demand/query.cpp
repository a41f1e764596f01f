// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/demand/query.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <wf/logic/program/read_program.hpp>

using namespace wf::logic;

namespace {

tensor_program program() {
  const auto p = read_program(
      "Path(x,y) = Edge(x,y)\nD[x,y] min= Path(x,y) + W[x]\nn[] += In[i]\n"
      "Yes() = Edge(x,y)\nS[i] += (In[i] + 1)\n");
  REQUIRE_MESSAGE(p, std::string(wf::to_text(p.error())));
  return *p;
}
query read(const char* text) {
  const auto q = read_query(text, program());
  REQUIRE_MESSAGE(q, text, ": ", std::string(wf::to_text(q.error())));
  return *q;
}
std::string refused(std::string_view text) {
  const auto q = read_query(text, program());
  CHECK_MESSAGE(!q, std::string(text));
  return std::string(wf::to_text(q.error()));
}
bool contains(const std::string& text, std::string_view part) {
  CAPTURE(text);
  CAPTURE(std::string(part));
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a query binds positions by numbers and symbols, and leaves others open") {
  const query q = read("Path('a', y)");
  const tensor_program p = program();
  CHECK(p.tensors[q.tensor].name.view() == "Path");
  REQUIRE(q.terms.size() == 2);
  CHECK(q.terms[0].kind == term_kind::symbol);
  CHECK(q.terms[0].symbol.view() == "a");
  CHECK(q.terms[1].kind == term_kind::variable);
  CHECK(q.variables == 1);
  CHECK_FALSE(wants_all(q));
  CHECK(q.source.view() == "Path('a', y)");

  const query value = read("D[-3, 5]");
  CHECK(value.terms[0].shift == -3);
  CHECK(value.terms[1].shift == 5);
  CHECK(value.variables == 0);
  CHECK(wants_all(read("Path(x, y)")));
  CHECK(wants_all(read("Edge(_, _)")));
  CHECK_FALSE(wants_all(read("Path(x, x)")));
  CHECK(read("Path(x, x)").terms[1].variable == 0);
  CHECK(wants_all(read("Yes()")));
  CHECK(wants_all(read("n")));
}

TEST_CASE("a query that does not fit the program is refused, with its position") {
  CHECK(contains(refused("Z(x)"), "unknown tensor 'Z'"));
  CHECK(contains(refused("Pat(x, y)"), "did you mean 'Path'?"));
  CHECK(contains(refused("Path(x)"), "Path has 2 indices, not 1 (line 1, column 1)"));
  CHECK(contains(refused("Path[x, y]"), "Path is Boolean"));
  CHECK(contains(refused(" D(x, y)"), "D has values: its indices stand in [ ] (line 1, column 2)"));
  CHECK(contains(refused("D[x+1, y]"), "an index of a query is a name"));
  CHECK(contains(refused("D[0:2, y]"), "an index of a query is a name"));
  for (const char* text : {"", "Path(x, y) Edge(x, y)", "Path(x, y)\nEdge(x, y)", "-n", "3", "'a'",
                           "!Path(x, y)", "Path(x, y) = Edge(x, y)", "Path(x,"})
    refused(text);
}
