// SPDX-License-Identifier: BSL-1.0
//
// Published optima of small instances of every kind, proven again; only where the data exist.

#include <cstdlib>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include <wf/map/schedule/schedule_tasks.hpp>

#include <mapping/check_schedule.hpp>
#include <mapping/sinnen.hpp>

TEST_CASE("published optima of ten tasks are proven") {
  const char* data = std::getenv("WF_DATA_DIR");
  const std::string folder = std::string(data == nullptr ? "." : data) + "/sinnen_optimal";
  std::ifstream index(folder + "/index.csv");
  if (!index) {
    MESSAGE("skipped: there is no WF_DATA_DIR/sinnen_optimal");
    return;
  }
  int solved = 0, seen = 0;
  std::string line;
  std::getline(index, line);
  while (std::getline(index, line)) {
    std::istringstream row(line);
    std::string where, file, tasks, edges, processors, type, ccr, optimum;
    for (std::string* cell : {&where, &file, &tasks, &edges, &processors, &type, &ccr, &optimum})
      std::getline(row, *cell, ',');
    if (tasks != "10" || ++seen % 7 != 0) continue;
    CAPTURE(file);
    const auto graph = mapping_benchmark::read_sinnen(folder + "/" + where + "/" + file);
    REQUIRE(graph);
    const auto schedule = wf::schedule_tasks(*graph);
    REQUIRE(schedule);
    CHECK(mapping_benchmark::fault_of(*graph, *schedule) == "");
    CHECK(schedule->proven());
    CHECK(std::to_string(schedule->makespan) == optimum);
    ++solved;
  }
  CHECK(solved == 86);
}
