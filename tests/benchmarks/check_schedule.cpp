// SPDX-License-Identifier: BSL-1.0
#include <mapping/check_schedule.hpp>

#include <doctest/doctest.h>

namespace {

// a before b (delay 3) and c, two processors, one resource that b and c share.
wf::task_graph sample() {
  wf::task_graph g;
  g.processors = 2;
  g.add("a", 2);
  g.add("b", 4);
  g.add("c", 1);
  g.connect(0, 1, 3);
  g.connect(0, 2, 3);
  g.resources.push_back({wf::text("memory"), 5});
  g.demands.push_back({1, 0, 3});
  g.demands.push_back({2, 0, 2});
  return g;
}
wf::task_schedule right() {
  wf::task_schedule s;
  s.tasks = {{0, 0, 2}, {0, 2, 6}, {1, 5, 6}};
  s.makespan = 6;
  s.bound = 5;
  return s;
}

template <class Change>
std::string after(Change change) {
  wf::task_graph g = sample();
  wf::task_schedule s = right();
  change(g, s);
  return mapping_benchmark::fault_of(g, s);
}

using graph = wf::task_graph;
using schedule = wf::task_schedule;

}  // namespace

TEST_CASE("a schedule that is right has no fault") {
  CHECK(after([](graph&, schedule&) {}) == "");
  CHECK(after([](graph& g, schedule& s) {  // projects have no delays
          g.processors = 0;
          s.tasks = {{0, 0, 2}, {1, 2, 6}, {2, 2, 3}};
        }) == "");
  CHECK(after([](graph& g, schedule& s) {
          g.durations_on = {2, 9, 4, 9, 9, 3};
          s.tasks[2] = {1, 5, 8};
          s.makespan = 8;
        }) == "");
  CHECK(after([](graph& g, schedule& s) {  // duration 0: it may start together with another task
          g.tasks[2].duration = 0;
          s.tasks[2] = {0, 2, 2};
        }) == "");
}

TEST_CASE("whatever is wrong with a schedule is found") {
  CHECK(after([](graph&, schedule& s) { s.tasks.pop_back(); }) == "there are 2 placements");
  CHECK(after([](graph&, schedule& s) { s.tasks[1].processor = 2; }) == "task 1 has no processor");
  CHECK(after([](graph& g, schedule&) { g.processors = 0; }) == "task 1 has no processor");
  CHECK(after([](graph&, schedule& s) { s.tasks[0] = {0, -2, 0}; }) ==
        "task 0 starts before time 0");
  CHECK(after([](graph&, schedule& s) { s.tasks[2].finish = 7; }) ==
        "task 2 does not take its time");
  CHECK(after([](graph& g, schedule&) { g.durations_on = {2, 2, 4, 4, 1, 2}; }) ==
        "task 2 does not take its time");
  CHECK(after([](graph&, schedule& s) { s.makespan = 5; }) == "the makespan is 6");
  CHECK(after([](graph&, schedule& s) { s.bound = 7; }) == "the bound is above the makespan");
  CHECK(after([](graph&, schedule& s) { s.status = wf::search_status::proven; }) ==
        "proven, but bound and makespan do not meet");
  CHECK(after([](graph&, schedule& s) { s.tasks[2] = {1, 4, 5}; }) ==
        "task 2 starts before the data of task 0 are there");
  CHECK(after([](graph&, schedule& s) { s.tasks[1] = {0, 1, 5}; }) ==
        "task 1 starts before the data of task 0 are there");
  CHECK(after([](graph&, schedule& s) { s.tasks[2] = {0, 5, 6}; }) ==
        "task 2 starts while task 1 runs");
  CHECK(after([](graph& g, schedule&) { g.resources[0].capacity = 4; }) ==
        "resource 0 is used beyond its capacity when task 2 starts");
}
