// SPDX-License-Identifier: BSL-1.0
#include <mapping/read_project.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

#include "samples.hpp"

using mapping_benchmark::read_rcp;
using mapping_benchmark::read_sm;

namespace {

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const std::size_t at = text.find(part);
  REQUIRE(at != text.npos);
  return text.replace(at, part.size(), by);
}
std::string message_of(const wf::result<wf::task_graph>& read) {
  REQUIRE_FALSE(read);
  CHECK(read.error().code == wf::errc::graph_syntax);
  return {read.error().message.view().data(), read.error().message.view().size()};
}
std::string sm_fault(const std::string& part, const std::string& by) {
  const std::string text = replaced(wf_test::small_sm, part, by);
  return message_of(read_sm(wf::text_view(text.data(), text.size())));
}

}  // namespace

TEST_CASE("a project of PSPLIB") {
  const auto g = read_sm(wf_test::small_sm);
  REQUIRE(g);
  REQUIRE(validate(*g).has_value());
  REQUIRE(g->tasks.size() == 4);
  CHECK(g->processors == 0);
  CHECK(g->tasks[1].duration == 8);
  CHECK(g->edges.size() == 4);
  CHECK(g->edges[0] == wf::task_edge{0, 1, 0});
  REQUIRE(g->resources.size() == 2);
  CHECK(g->resources[0].capacity == 12);
  CHECK(g->demands.size() == 3);
  CHECK(g->demands[0] == wf::resource_demand{1, 0, 4});
}

TEST_CASE("the same project in Patterson's form") {
  const auto a = read_rcp(wf_test::small_rcp);
  const auto b = read_sm(wf_test::small_sm);
  REQUIRE(a);
  REQUIRE(b);
  CHECK(a->demands == b->demands);
  CHECK(a->edges == b->edges);
  CHECK(a->tasks == b->tasks);
  CHECK(a->resources == b->resources);
}

TEST_CASE("what is wrong with a project is named") {
  CHECK(sm_fault("jobs (incl", "jobs (excl") == "there is no 'jobs (incl. supersource/sink )'");
  CHECK(sm_fault("RESOURCEAVAIL", "RESOURCE") == "there is no 'RESOURCEAVAILABILITIES:'");
  CHECK(sm_fault("   2        1          1           4", "   5        1          1           4") ==
        "expected job 2");
  CHECK(sm_fault("   2        1          1           4", "   2        2          1           4") ==
        "expected one mode");
  CHECK(sm_fault("1           4", "1           5") == "a number is larger than 4");
  CHECK(sm_fault("1           4", "1           0") == "there is no job 0");
  CHECK(sm_fault("12   10", "12   x") == "expected an integer from 0 on");
  CHECK(message_of(read_rcp("2 1  5  3 1 0  4 1 0 7")) == "expected no more than the jobs");
  CHECK(message_of(read_rcp("2 1  5  3 1 0")) == "expected an integer from 0 on");
}

TEST_CASE("all projects of the set are valid") {
  const char* folder = std::getenv("WF_DATA_DIR");
  if (folder == nullptr || !std::filesystem::exists(std::string(folder) + "/psplib_rcpsp")) {
    MESSAGE("skipped: there is no WF_DATA_DIR/psplib_rcpsp");
    return;
  }
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(folder) + "/psplib_rcpsp/j30.sm")) {
    CAPTURE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto g = read_sm(wf::text_view(text.data(), text.size()));
    REQUIRE(g);
    CHECK(validate(*g).has_value());
    CHECK(g->tasks.size() == 32);
    CHECK(g->resources.size() == 4);
    ++count;
  }
  CHECK(count == 240);
}
