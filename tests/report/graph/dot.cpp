// SPDX-License-Identifier: BSL-1.0
#include <wf/report/graph/dot.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/choice/builtin.hpp>
#include <wf/choice/graph/extract.hpp>

#include "../golden.hpp"
#include "../samples.hpp"

using samples::contains, samples::count, samples::kalman;

TEST_CASE("DOT has a line a node and an edge an operand") {
  const wf::graph_view g = kalman.graph();
  const wf::text made = wf::to_dot(g);
  const std::string dot(made.view());
  CHECK(count(made.view(), " -> n") == g.operands.size());
  CHECK(count(made.view(), "shape=ellipse") == 3);
  CHECK(count(made.view(), "shape=plaintext") == 1);
  CHECK(dot.starts_with("digraph \"kalman\" {"));
  CHECK(dot.ends_with("}\n"));
}

TEST_CASE("quotes and line breaks are escaped, control edges dashed") {
  wf::graph g("a \"b\"\\");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(1)};
  const wf::value_id x = g.add_input("x", t);
  g.add_node({.op = "f"}, {&x, 1}, {&t, 1});
  g.add_node({.op = "h"}, {&x, 1}, {&t, 1});
  g.add_edge(wf::edge_kind::control, wf::node_id{0}, wf::node_id{1});
  const wf::text dot = wf::to_dot(g.view());
  CHECK(contains(dot.view(), "digraph \"a \\\"b\\\"\\\\\""));
  CHECK(contains(dot.view(), "n0 -> n1 [style=dashed]"));
}

TEST_CASE("a choice graph has one cluster a class") {
  const auto grown = wf::grow(kalman.graph(), wf::builtin_transforms());
  REQUIRE(grown);
  CHECK(count(wf::to_dot(*grown).view(), "subgraph") == wf::number_classes(*grown).count);
}

TEST_CASE("golden: a workflow and its alternatives in DOT") {
  golden::check("kalman.dot", wf::to_dot(kalman.graph()).view());
  const auto grown = wf::grow(kalman.graph(), wf::builtin_transforms());
  REQUIRE(grown);
  golden::check("kalman_choices.dot", wf::to_dot(*grown).view());
}

TEST_CASE("the comparison with a golden file can fail, and says how to go on") {
  const auto file = std::filesystem::path(WF_GOLDEN_FOLDER) / "kalman.dot";
  const std::string made(wf::to_dot(kalman.graph()).view());
  CHECK(golden::difference(file, made + "\n").find("differs in line") != std::string::npos);
  CHECK(golden::difference(file, "digraph \"kalman\" {\n").find("in line 2") != std::string::npos);
  const std::string missing = golden::difference(file.parent_path() / "no_such_file.dot", made);
  CHECK(missing.find("no golden file no_such_file.dot") != std::string::npos);
  CHECK(missing.find("WF_UPDATE_GOLDEN=1") != std::string::npos);
}
