// SPDX-License-Identifier: BSL-1.0
#include <wf/report/toolchain/toolchain.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../golden.hpp"
#include "../layered_steps.hpp"
#include "../samples.hpp"

namespace {

using samples::contains, samples::count;

constexpr wf::toolchain_outline outline = steps::compiler;
static_assert(outline.name == "compiler" && outline.in == "steps::source" &&
              outline.out == "steps::artefact" && outline.steps.size() == 8);
static_assert(outline.end_of(0) == 3 && outline.has_inside(0) && !outline.has_inside(1));
static_assert(outline.name_of(1) == "split" && outline.name_of(0) == "front");
static_assert(wf::to_json(steps::front).size() > 100);
static_assert(wf::to_dot(steps::front).size() > 100);
static_assert(wf::to_mermaid(steps::front).size() > 100);

}  // namespace

TEST_CASE("a toolchain in JSON is strict and has all that describe tells") {
  const auto json = wf::parse_json(wf::to_json(steps::compiler).view());
  REQUIRE(json);
  CHECK(json->text_of(json->find(0, "format")) == "wf-toolchain");
  CHECK(json->text_of(json->find(0, "version")) == "1");
  CHECK(json->text_of(json->find(0, "name")) == "compiler");
  CHECK(json->text_of(json->find(0, "in")) == "steps::source");
  CHECK(json->text_of(json->find(0, "out")) == "steps::artefact");
  const auto rows = steps::compiler.describe();
  const std::uint32_t list = json->find(0, "steps");
  REQUIRE((*json)[list].size == rows.size());
  std::uint32_t item = wf::json_document::first_of(list);
  for (const wf::step_description& row : rows) {
    CHECK(json->text_of(json->find(item, "path")) == row.path);
    CHECK(json->text_of(json->find(item, "in")) == row.in);
    CHECK(json->text_of(json->find(item, "out")) == row.out);
    CHECK(json->text_of(json->find(item, "depth")) == (wf::text() << row.depth).view());
    CHECK((*json)[json->find(item, "fallible")].kind == wf::json_kind::boolean);
    CHECK(json->text_of(json->find(item, "fallible")) == (row.fallible ? "true" : "false"));
    CHECK((*json)[item].size == 5);
    item = (*json)[item].next;
  }
}

TEST_CASE("DOT has a node a step without others inside, a frame for the others, edges between") {
  const wf::text dot = wf::to_dot(steps::compiler);
  CHECK(count(dot.view(), "subgraph cluster_") == 3);
  CHECK(count(dot.view(), " -> ") == 6);
  CHECK(contains(dot.view(), "s2 -> s4 [label=\"steps::tree\", ltail=cluster_0, lhead=cluster_3]"));
  CHECK(count(dot.view(), "{") == count(dot.view(), "}"));
}

TEST_CASE("what is special in a language is escaped") {
  wf::text out;
  wf::detail::quote_mermaid(out, "a \"b\" <c> & #d |`\n é");
  CHECK(out.view() == "\"a #34;b#34; #60;c#62; #38; #35;d #124;#96;#10; é\"");
  const auto odd = wf::chain<"\"\\\n">(wf::step<"\"\\\n">([](int x) { return x; }));
  CHECK(wf::parse_json(wf::to_json(odd).view()));
  CHECK(contains(wf::to_dot(odd).view(), "digraph \"\\\"\\\\\\n\""));
  CHECK(contains(wf::to_mermaid(odd).view(), "s0[\"#34;\\#10;\"]"));
}

TEST_CASE("an edge to a step that takes another type says both") {
  CHECK(contains(wf::to_dot(steps::converting).view(), "[label=\"steps::tree as steps::number\"]"));
  CHECK(contains(wf::to_mermaid(steps::converting).view(), "|\"steps::tree as steps::number\"|"));
}

TEST_CASE("a toolchain of one step, and an outline made by hand") {
  const auto one = wf::chain(wf::step<"one">([](const steps::tree& t) { return t; }));
  CHECK(contains(wf::to_dot(one).view(),
                 "  in -> s0 [label=\"steps::tree\"];\n"
                 "  s0 -> out [label=\"steps::tree\"];\n"));
  const wf::step_description rows[] = {{"a", "x", "y", 0, false}, {"a/b", "x", "y", 1, true}};
  const wf::toolchain_outline made("name", "x", "y", rows);
  CHECK(contains(wf::to_mermaid(made).view(), "subgraph s0[\"a\"]"));
  CHECK(contains(wf::to_mermaid(made).view(), "input -->|\"x\"| s0\n"));
}

TEST_CASE("golden: toolchains as DOT, Mermaid and JSON") {
  golden::check("toolchain.dot", wf::to_dot(steps::compiler).view());
  golden::check("toolchain.mmd", wf::to_mermaid(steps::compiler).view());
  golden::check("toolchain.json", wf::to_json(steps::compiler).view());
  golden::check("layers.dot", wf::to_dot(steps::layers).view());
  golden::check("layers.mmd", wf::to_mermaid(steps::layers).view());
}
