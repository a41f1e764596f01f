// SPDX-License-Identifier: BSL-1.0
#include <wf/report/dot.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>

namespace {

constexpr auto kalman = wf::workflow<"kalman">([](wf::scope& s) {
  auto P = s.input<"P", double, 6, 6>(wf::spd);
  auto H = s.input<"H", double, 3, 6>();
  auto R = s.input<"R", double, 3, 3>(wf::spd);
  auto S = s.let<"S">(H * P * trans(H) + R);
  s.output<"K">(P * trans(H) * inv(S));
});

bool contains(wf::text_view text, const char* part) {
  return std::string(text).find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("DOT has a line a node and an edge an operand") {
  const wf::graph_view g = kalman.graph();
  const std::string dot(wf::to_dot(g).view());
  const auto count = [&](const char* part) {
    std::size_t n = 0;
    for (std::size_t at = dot.find(part); at != std::string::npos; at = dot.find(part, at + 1)) ++n;
    return n;
  };
  CHECK(count(" -> n") == g.operands.size());
  CHECK(count("shape=ellipse") == 3);
  CHECK(count("shape=plaintext") == 1);
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
  const std::string dot(wf::to_dot(*grown).view());
  std::size_t clusters = 0;
  for (std::size_t at = dot.find("subgraph"); at != std::string::npos;
       at = dot.find("subgraph", at + 1))
    ++clusters;
  CHECK(clusters == wf::number_classes(*grown).count);
}
