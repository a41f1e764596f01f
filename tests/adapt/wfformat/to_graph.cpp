// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/to_graph.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/adapt/wfformat/reader.hpp>
#include <wf/cost/cost_table.hpp>
#include <wf/cost/critical_path.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/map/schedule/from_graph.hpp>

#include "random_instance.hpp"
#include "small_file.hpp"

namespace {

const wf::registry& kernels() {
  static const wf::registry all = wf::builtin_registry();
  return all;
}
std::int64_t priced(const wf::graph& g, const wf::metric_spec& m) {
  const auto price = wf::price(g, m, kernels());
  CHECK_MESSAGE(price, std::string(wf::to_text(price.error()).view()));
  return price ? *price : -1;
}

}  // namespace

TEST_CASE("the small file as a graph: text, prices, schedule") {
  const auto all = wf::wfformat::parse(wf_test::small_file);
  const auto made = wf::wfformat::to_graph(*all, {.flops_per_second = 1000});
  REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
  const wf::graph& g = made->workflow;
  CHECK(g.view().is_sealed());
  CHECK(std::string(wf::to_text(g.view()).view()) ==
        R"(wf.graph 1 "diamond"
input "in_x.dat" : u8[1000]
node wfformat."::opaque::a"(%0) cost [bytes_read = "1000", bytes_written = "200", )"
        R"(bytes = "1200", memory = "200", execution_time = "1500000000", latency = )"
        R"("1500000000", flops = "1500", scratch = "4096", energy = "7200000000000000"] effect )"
        R"(external named "a_ID01" -> "p" : u8[200], "q" : u8[0]
node wfformat."::opaque::b"(%1) cost [bytes_read = "200", bytes_written = "300", )"
        R"(bytes = "500", memory = "300", execution_time = "2000000000", latency = )"
        R"("2000000000", flops = "2000"] effect external named "b" -> "r" : u8[300]
node wfformat."::opaque::c"(%2) cost [bytes_read = "0", bytes_written = "40", bytes )"
        R"(= "40", memory = "40", execution_time = "4000000000", latency = "4000000000", flops )"
        R"(= "4000"] effect external named "c" -> "s" : u8[40]
node wfformat."::opaque::d"(%3, %4) cost [bytes_read = "340", bytes_written = "5", )"
        R"(bytes = "345", memory = "5", execution_time = "250000000", latency = "250000000", )"
        R"(flops = "250"] effect external named "d" -> "out:1" : u8[5]
output "out_1" = %5
)");
  const auto again = wf::parse_graph(wf::to_text(g.view()).view());
  REQUIRE(again);
  CHECK(wf::to_text(again->view()) == wf::to_text(g.view()));
  CHECK(priced(g, wf::execution_time) == 7'750'000'000);
  CHECK(priced(g, wf::latency) == 5'750'000'000);
  CHECK(priced(g, wf::bytes_read) == 1540);
  CHECK(priced(g, wf::bytes_written) == 545);
  CHECK(priced(g, wf::flops) == 7750);
  wf::task_options two;
  two.processors = 2;
  two.rate = 1'000'000;
  two.link = {100, 1};
  const auto schedule = wf::schedule(g, wf::execution_time, kernels(), two);
  REQUIRE(schedule);
  CHECK(schedule->times.makespan == 5750);  // a, c and d on one processor
  CHECK(schedule->times.proven());
}

TEST_CASE("without a record, times are unknown and the rest is there") {
  auto all = *wf::wfformat::parse(wf_test::small_file);
  all.workflow.execution.reset();
  const auto made = wf::wfformat::to_graph(all);
  REQUIRE(made);
  CHECK(priced(made->workflow, wf::bytes) == 2085);
  CHECK(wf::price(made->workflow, wf::execution_time, kernels()).error().code ==
        wf::errc::unknown_cost);
  CHECK(made->workflow.view().op_name(made->workflow[made->nodes[0]]) == "::opaque::a");
}

TEST_CASE("the operator is the program, or the name without its number") {
  using wf::wfformat::detail::kind_of;
  wf::wfformat::task task;
  wf::wfformat::executed_task record;
  const auto kind = [&](const char* name, const char* program) {
    task.name = name;
    record.called.emplace().program = program;
    return std::string(kind_of(task, &record).view()).substr(10);
  };
  CHECK(kind("n", "mProject") == "mProject");
  CHECK(kind("n", "/usr/bin/g++") == "g__");
  CHECK(kind("step_ID0000012", "cat a\ncat b") == "step");
  CHECK(kind("step_ID0000012", "") == "step");
  CHECK(kind("fetch.12", "") == "fetch");
  CHECK(kind("A.B", "a b") == "A.B");
  CHECK(kind("123", "") == "_123");
  CHECK(kind("_7", "") == "_");
}

TEST_CASE("edges, sizes and outputs of random graphs are those of the file") {
  wf_test::random_source random(20261130);
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    auto all = wf_test::random_instance(random, {.executed = i % 2 == 0});
    auto& tasks = all.workflow.specification.tasks;
    for (std::size_t k = tasks.size(); k > 1; --k) std::swap(tasks[k - 1], tasks[random() % k]);
    const auto related = *wf::wfformat::relations_of(all);
    const auto made = wf::wfformat::to_graph(all);
    REQUIRE_MESSAGE(made, std::string(wf::to_text(made.error()).view()));
    const wf::graph_view g = made->workflow.view();
    REQUIRE(wf::validate(wf::graph(g)));
    REQUIRE(g.nodes.size() == tasks.size());
    const auto edges = wf::adjacency_of(g);
    std::size_t outputs = 0;
    for (std::uint32_t t = 0; t < tasks.size(); ++t) {
      const wf::node& n = g[made->nodes[t]];
      CHECK(g.text_of(n.name) == tasks[t].id.view());
      CHECK(n.outputs.count == related.outputs[t].size());
      CHECK(edges.predecessors_of(made->nodes[t]).size() == related.parents[t].size());
      for (const std::uint32_t p : related.parents[t]) {
        bool found = false;
        for (const wf::node_id before : edges.predecessors_of(made->nodes[t]))
          found = found || before == made->nodes[p];
        CHECK(found);
      }
    }
    for (std::uint32_t f = 0; f < related.producers.size(); ++f) {
      bool read = false;
      for (std::uint32_t t = 0; t < tasks.size(); ++t)
        for (const std::uint32_t other : related.inputs[t])
          read = read || (other == f && related.producers[f] != t);
      REQUIRE(made->values[f] != wf::value_id::none);
      const wf::value& v = g[made->values[f]];
      CHECK(v.type.shape.elements() ==
            *all.workflow.specification.files[f].size_in_bytes.scaled(0));
      CHECK((v.producer == wf::node_id::none) == (related.producers[f] == UINT32_MAX));
      if (!read) {
        ++outputs;
        CHECK(g.is_output(made->values[f]));
      }
    }
    CHECK(g.outputs.size() == outputs);
  }
}

TEST_CASE("names that become equal are told apart") {
  auto all = *wf::wfformat::parse(wf_test::small_file);
  auto& s = all.workflow.specification;
  for (const char* id : {"in:x.dat", "in#x.dat", "in_x.dat.2"}) {
    s.files.push_back({id, 1, {}});
    s.tasks[0].input_files.push_back(id);
  }
  const auto made = wf::wfformat::to_graph(all);
  REQUIRE(made);
  std::string names;
  for (const wf::value& v : made->workflow.view().values)
    if (v.producer == wf::node_id::none) names += std::string(made->workflow.text_of(v.name)) + " ";
  CHECK(names == "in_x.dat in_x.dat.2 in_x.dat.3 in_x.dat.2.2 ");
}

TEST_CASE("what cannot be priced is refused") {
  auto all = *wf::wfformat::parse(wf_test::small_file);
  all.workflow.execution->tasks[2].runtime_in_seconds = wf::wfformat::number::spelled("-0.1");
  CHECK(wf::wfformat::to_graph(all).error().code == wf::errc::bad_workflow_file);
  all.workflow.specification.tasks[0].children.clear();
  CHECK(wf::wfformat::to_graph(all).error().code == wf::errc::bad_workflow_file);
}
