// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/from_graph.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/adapt/wfformat/reader.hpp>
#include <wf/adapt/wfformat/writer.hpp>
#include <wf/cost/critical_path.hpp>
#include <wf/static.hpp>

#include "../../ir/random_graph.hpp"
#include "../../types/typed_graph.hpp"
#include "random_instance.hpp"
#include "small_file.hpp"

namespace {

using wf::wfformat::from_graph;

const wf::registry& kernels() {
  static const wf::registry all = wf::builtin_registry();
  return all;
}

std::string written(const wf::result<wf::wfformat::instance>& made) {
  if (!made) return std::string(wf::to_text(made.error()).view());
  const auto json = wf::wfformat::to_json(*made);
  return std::string(json ? json->view() : wf::to_text(json.error()).view());
}

// y = A x twice, ordered by a control edge, and a name that WfFormat does not allow.
wf::graph two_products() {
  wf::graph g("two");
  const wf::value_type matrix{wf::dtype::f64, {}, wf::shape::of(3, 4)},
      vector{wf::dtype::f64, {}, wf::shape::of(4, 1)},
      result{wf::dtype::f64, {}, wf::shape::of(3, 1)};
  const wf::value_id operands[] = {g.add_input("A'", matrix), g.add_input("x", vector)};
  const wf::value_id unused = g.add_input("unused", vector);
  (void)unused;
  const auto first = g.add_node({.op = "matmul", .domain = "linalg"}, operands, {&result, 1});
  const auto second =
      g.add_node({.op = "matmul", .domain = "linalg", .name = "again"}, operands, {&result, 1});
  g.add_edge(wf::edge_kind::control, first, second);
  g.add_output("y", wf::graph_view::output_of(g[second]));
  return g;
}

}  // namespace

TEST_CASE("a graph as a specification: values that move are files, control edges parents") {
  CHECK(written(from_graph(two_products())) ==
        R"({"name":"two","schemaVersion":"1.5","workflow":{"specification":{"tasks":[)"
        R"({"name":"matmul#0","id":"matmul#0","parents":[],"children":["again"],)"
        R"("inputFiles":["A_","x"],"outputFiles":["matmul#0"]},)"
        R"({"name":"again","id":"again","parents":["matmul#0"],"children":[],)"
        R"("inputFiles":["A_","x"],"outputFiles":["again"]}],)"
        R"("files":[{"id":"A_","sizeInBytes":96},{"id":"x","sizeInBytes":32},)"
        R"({"id":"matmul#0","sizeInBytes":24},{"id":"again","sizeInBytes":24}]}}})");
}

TEST_CASE("times come from a metric or from a cost table") {
  const wf::graph g = two_products();
  const auto made = from_graph(g, wf::flops, kernels(), {.units_per_second = 1000});
  REQUIRE_MESSAGE(made, written(made));
  const auto& run = *made->workflow.execution;
  CHECK(run.tasks[0].runtime_in_seconds.spelling() == "0.024");
  CHECK(run.makespan_in_seconds.spelling() == "0.048");
  const wf::metric_spec metrics[] = {wf::bytes, wf::flops};
  const auto table = wf::tabulate_costs(g, metrics, kernels());
  REQUIRE(table);
  CHECK(written(from_graph(g, *table, wf::flops, {.units_per_second = 1000})) == written(made));
  CHECK(from_graph(g, *table, wf::latency).error().code == wf::errc::unknown_cost);
  CHECK(from_graph(g, wf::latency, kernels()).error().code == wf::errc::unknown_cost);
  CHECK(from_graph(g, wf::flops, kernels(), {.units_per_second = 0}).error().code ==
        wf::errc::invalid_problem);
  // A third of a nanosecond is rounded to nearest.
  const auto thirds = from_graph(g, wf::flops, kernels(), {.units_per_second = 72'000'000'000});
  CHECK(thirds->workflow.execution->tasks[0].runtime_in_seconds.spelling() == "0");
  const auto half = from_graph(g, wf::flops, kernels(), {.units_per_second = 48'000'000'000});
  CHECK(half->workflow.execution->tasks[0].runtime_in_seconds.spelling() == "0.000000001");
}

TEST_CASE("captured workflows are exported") {
  static constexpr auto solve = wf::workflow<"solve">([](wf::scope& s) {
    auto a = s.input<"A", double, 8, 8>();
    auto b = s.input<"b", double, 8>();
    s.output<"x">(a * b + b);
  });
  const auto made = from_graph(solve.graph(), wf::flops, kernels());
  REQUIRE_MESSAGE(made, written(made));
  CHECK(made->workflow.specification.tasks.size() == 2);
  CHECK(made->workflow.execution->makespan_in_seconds.spelling() == "0.000000136");
}

TEST_CASE("graphs that WfFormat cannot express are refused") {
  CHECK(from_graph(wf::graph("empty")).error().code == wf::errc::invalid_problem);
  wf::graph symbolic("symbolic");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of("N")};
  const wf::value_id x = symbolic.add_input("x", t);
  symbolic.add_node({.op = "relu"}, {&x, 1}, {&t, 1});
  CHECK(from_graph(symbolic).error().code == wf::errc::workflow_not_static);
  CHECK(from_graph(symbolic, wf::flops, kernels()).error().code == wf::errc::workflow_not_static);
  wf::graph large("large");
  const wf::value_type huge{wf::dtype::f64, {}, wf::shape::of(INT64_MAX / 4)};
  const wf::value_id y = large.add_input("y", huge);
  large.add_node({.op = "relu"}, {&y, 1}, {&huge, 1});
  CHECK(from_graph(large).error().code == wf::errc::overflow);
}

TEST_CASE("random graphs: what is exported is valid and has the edges and bytes of the graph") {
  wf_test::random_source random(20261201);
  int exported = 0;
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    const wf::graph g = i % 2 == 0 ? wf_test::random_graph(random) : wf_test::typed_graph(random);
    const auto made = from_graph(g);
    if (!made) {
      CHECK((!g.view().is_static() || g.view().nodes.empty() ||
             made.error().code == wf::errc::overflow));
      continue;
    }
    ++exported;
    const auto json = wf::wfformat::to_json(*made);
    REQUIRE_MESSAGE(json, std::string(wf::to_text(json.error()).view()));
    const auto read = wf::wfformat::parse(json->view());
    REQUIRE(read);
    const auto back = wf::wfformat::to_graph(*read);
    REQUIRE_MESSAGE(back, std::string(wf::to_text(back.error()).view()));
    const wf::graph_view h = back->workflow.view();
    REQUIRE(h.nodes.size() == g.view().nodes.size());
    const auto before = wf::adjacency_of(g.view()), after = wf::adjacency_of(h);
    for (std::uint32_t n = 0; n < h.nodes.size(); ++n) {
      const auto was = before.predecessors_of(static_cast<wf::node_id>(n));
      const auto is = after.predecessors_of(back->nodes[n]);
      REQUIRE(was.size() == is.size());
      for (const wf::node_id p : was) {
        bool found = false;
        for (const wf::node_id q : is) found = found || q == back->nodes[wf::index_of(p)];
        CHECK(found);
      }
      const wf::node& old = g.view().nodes[n];
      const wf::node& now = h[back->nodes[n]];
      REQUIRE(old.outputs.count == now.outputs.count);
      for (std::uint32_t k = 0; k < old.outputs.count; ++k) {
        const auto& type = g.view().values[old.outputs.first + k].type;
        CHECK(h.values[now.outputs.first + k].type.shape.elements() ==
              type.shape.elements() * wf::size_of(type.type));
      }
    }
  }
  CHECK(exported > 100);
}

TEST_CASE("a recorded workflow survives the way through a graph") {
  wf_test::random_source random(20261202);
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    const auto all = wf_test::random_instance(random);
    const auto there = wf::wfformat::to_graph(all);
    REQUIRE(there);
    const auto back = from_graph(there->workflow, wf::execution_time, kernels());
    REQUIRE_MESSAGE(back, written(back));
    for (std::size_t t = 0; t < all.workflow.specification.tasks.size(); ++t) {
      const auto& was = all.workflow.specification.tasks[t];
      const auto& is = back->workflow.specification.tasks[t];
      CHECK(is.id == was.id);
      CHECK(is.parents.size() == was.parents.size());
      CHECK(is.output_files.size() == was.output_files.size());
      CHECK(*back->workflow.execution->tasks[t].runtime_in_seconds.scaled(9) ==
            *all.workflow.execution->tasks[t].runtime_in_seconds.scaled(9));
    }
    const auto path = wf::price(there->workflow, wf::latency, kernels());
    CHECK(*back->workflow.execution->makespan_in_seconds.scaled(9) == *path);
  }
}
