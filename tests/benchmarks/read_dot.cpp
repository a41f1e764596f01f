// SPDX-License-Identifier: BSL-1.0
#include <mapping/read_dot.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include <mapping/check_schedule.hpp>

#include "samples.hpp"

using mapping_benchmark::read_dot;

namespace {

wf::error error_of(wf::text_view text) {
  const auto read = read_dot(text);
  REQUIRE(!read);
  CHECK(read.error().code == wf::errc::graph_syntax);
  CHECK(read.error().where.line >= 1);
  return read.error();
}

}  // namespace

TEST_CASE("a graph is read with its published schedule") {
  const auto read = read_dot(wf_test::small_dot);
  REQUIRE(read);
  const wf::task_graph& g = read->graph;
  CHECK(g.name == wf::text("Fork#1"));
  CHECK(g.processors == 2);
  REQUIRE(g.tasks.size() == 3);
  CHECK(g.tasks[1] == wf::graph_task{wf::text("2"), 4});
  CHECK(g.edges == wf::table<wf::task_edge>{{0, 1, 3}, {0, 2, 0}});
  CHECK(validate(g).has_value());
  CHECK(read->has_schedule);
  CHECK(read->states == 17);
  CHECK(read->milliseconds == 5);
  CHECK(mapping_benchmark::fault_of(g, read->schedule) == "");
}

TEST_CASE("what is not there stays open") {
  const auto read = read_dot("digraph \"g\" { 0 [Weight=1]; 1 [Weight=2, Processor=0]; }");
  REQUIRE(read);
  CHECK(read->graph.processors == 0);
  CHECK(!read->has_schedule);
  CHECK(read->graph.tasks.size() == 2);
}

TEST_CASE("bad graphs are errors that say where") {
  CHECK(error_of("").message == wf::text("expected digraph"));
  CHECK(error_of("digraph {").message == wf::text("expected the name of the graph"));
  CHECK(error_of("digraph g {\n 0 [Weight=1]").where == wf::text_position{2, 14, 25});
  CHECK(error_of("digraph g { 0 [Weight=1.5]; }").message ==
        wf::text("Weight is not an integer from 0 on"));
  CHECK(error_of("digraph g { 0 [Weight=-1]; }").where.column == 23);
  CHECK(error_of("digraph g { 0 [Weight=99999999999999]; }").message ==
        wf::text("Weight is larger than 1000000000000"));
  CHECK(error_of("digraph g { 0 [Start=1]; }").message == wf::text("there is no Weight"));
  CHECK(error_of("digraph g { 0 [Weight=1]; 0 [Weight=1]; }").message ==
        wf::text("a task is there twice: 0"));
  CHECK(error_of("digraph g { 0 [Weight=1]; 0 -> 1 [Weight=1]; }").message ==
        wf::text("the task is not known yet"));
  CHECK(error_of("digraph g { 0 [Weight=1, Weight=1]; }").message ==
        wf::text("a key is there twice: Weight"));
  CHECK(error_of("digraph g { 0 [Weight=\"1]; }").message ==
        wf::text("a quotation mark is not closed"));
  CHECK(error_of("digraph g { } }").message == wf::text("unexpected text after the graph"));
  CHECK(error_of("digraph g { graph [TargetSystem=\"Ring-4\"]; }").message ==
        wf::text("the system is not Homogeneous-number"));
}

TEST_CASE("all published schedules are right") {
  const char* folder = std::getenv("WF_DATA_DIR");
  if (folder == nullptr || !std::filesystem::exists(std::string(folder) + "/sinnen_optimal")) {
    MESSAGE("skipped: there is no WF_DATA_DIR/sinnen_optimal");
    return;
  }
  int schedules = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(folder) + "/sinnen_optimal")) {
    if (entry.path().extension() != ".dot") continue;
    CAPTURE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto read = read_dot(wf::text_view(text.data(), text.size()));
    REQUIRE(read);
    REQUIRE(validate(read->graph).has_value());
    if (!read->has_schedule) continue;
    ++schedules;
    CHECK(mapping_benchmark::fault_of(read->graph, read->schedule) == "");
  }
  CHECK(schedules == 1919);
}
