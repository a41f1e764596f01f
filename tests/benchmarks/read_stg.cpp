// SPDX-License-Identifier: BSL-1.0
#include <mapping/read_stg.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include "samples.hpp"

using mapping_benchmark::read_stg;

namespace {

std::string fault_of(wf::text_view text) {
  const auto read = read_stg(text);
  REQUIRE_FALSE(read);
  CHECK(read.error().code == wf::errc::graph_syntax);
  return {read.error().message.view().data(), read.error().message.view().size()};
}

}  // namespace

TEST_CASE("a graph of the Standard Task Graph Set") {
  const auto g = read_stg(wf_test::small_stg);
  REQUIRE(g);
  REQUIRE(g->tasks.size() == 5);
  CHECK(g->tasks[1].duration == 9);
  CHECK(g->edges.size() == 5);
  CHECK(g->edges[3] == wf::task_edge{2, 3, 0});
  CHECK(validate(*g).has_value());
  CHECK(read_stg("2\n0 1 0\n1 1 1 0\n"));  // the dummy tasks may be counted
}

TEST_CASE("what is wrong with a graph is named") {
  CHECK(fault_of("") == "expected an integer from 0 on");
  CHECK(fault_of("2\n0 1 0\n") == "there are 1 tasks, 2 are stated");
  CHECK(fault_of("0\n0 1 0\n1 1 0\n2 1 0\n") == "there are more tasks than stated");
  CHECK(fault_of("2\n0 1 0\n2 1 0\n") == "expected the number of task 1");
  CHECK(fault_of("2\n0 1 0\n1 1 1 7\n") == "task 1 follows one that is not there");
  CHECK(fault_of("2\n0 1 0\n1 1 1\n") == "expected an integer from 0 on");
  CHECK(fault_of("2\n0 1 0\n1 -1 0\n") == "expected an integer from 0 on");
  CHECK(fault_of("2\n0 1 0\n1 9999999999 0\n") == "a number is larger than 1000000000");
  const auto read = read_stg("2\n0 1 0\n1 x 0\n");
  REQUIRE_FALSE(read);
  CHECK(read.error().where.line == 3);
  CHECK(read.error().where.column == 3);
}

TEST_CASE("all graphs of the set are valid") {
  const char* folder = std::getenv("WF_DATA_DIR");
  if (folder == nullptr || !std::filesystem::exists(std::string(folder) + "/stg_kasahara")) {
    MESSAGE("skipped: there is no WF_DATA_DIR/stg_kasahara");
    return;
  }
  int count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(folder) + "/stg_kasahara")) {
    if (entry.path().extension() != ".stg") continue;
    CAPTURE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto g = read_stg(wf::text_view(text.data(), text.size()));
    REQUIRE(g);
    CHECK(validate(*g).has_value());
    ++count;
  }
  CHECK(count == 183);
}
