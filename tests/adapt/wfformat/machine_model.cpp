// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/machine_model.hpp>

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include <wf/adapt/wfformat/reader.hpp>

#include "small_file.hpp"

using wf::wfformat::machine_options;

TEST_CASE("tasks, machines and the hub in ticks") {
  const auto all = *wf::wfformat::parse(wf_test::small_file);
  const auto m = wf::wfformat::detail::model_of(all, {.decimals = 3, .hub_bandwidth = 5e6});
  REQUIRE(m);
  CHECK(m->slots ==
        wf::table<std::int64_t>{2, wf::sim::slots::unlimited, wf::sim::slots::unlimited});
  CHECK(m->hub == 5000);
  CHECK(m->tasks[0].runtime == 1500);
  CHECK(m->tasks[0].read == 1000);
  CHECK(m->tasks[0].written == 200);
  CHECK(m->tasks[2].machine == 1);
  const auto fixed = wf::wfformat::detail::model_of(all, {.slots = 7, .unplaced_slots = 5});
  CHECK(fixed->slots == wf::table<std::int64_t>{7, 7, 5});
}

TEST_CASE("a task needs no more cores than its machine has, and runs on its first machine") {
  auto all = *wf::wfformat::parse(wf_test::small_file);
  auto& runs = all.workflow.execution->tasks;
  runs[0].core_count = 5;
  runs[1].core_count = wf::wfformat::number::spelled("1e300");
  runs[2].machines.push_back("m1");
  runs[3].machines.clear();
  const auto m = wf::wfformat::detail::model_of(all, {});
  REQUIRE(m);
  CHECK(m->tasks[0].cores == 2);
  CHECK(m->tasks[1].cores == 2);
  CHECK(m->tasks[2].machine == 1);
  CHECK(m->tasks[3].machine == 2);
  CHECK(m->tasks[3].cores == 1);
}

TEST_CASE("options out of range are refused") {
  const auto all = *wf::wfformat::parse(wf_test::small_file);
  const machine_options wrong[] = {
      {.decimals = 19},        {.start = -1},         {.latency = -1},
      {.serial_dispatch = -1}, {.hub_bandwidth = -1}, {.hub_bandwidth = INFINITY},
      {.hub_bandwidth = NAN},  {.slots = -1},         {.unplaced_slots = -1}};
  for (const machine_options& o : wrong)
    CHECK(wf::wfformat::detail::model_of(all, o).error().code == wf::errc::invalid_problem);
  CHECK(
      wf::wfformat::detail::model_of(all, {.decimals = 18, .hub_bandwidth = 1e-320}).error().code ==
      wf::errc::invalid_problem);
  CHECK(wf::wfformat::detail::model_of(all, {.latency = std::int64_t{1} << 59}).error().code ==
        wf::errc::overflow);
  CHECK(wf::wfformat::detail::model_of(all, {.hub_bandwidth = 1e-12}).error().code ==
        wf::errc::overflow);
  auto unrecorded = all;
  unrecorded.workflow.execution.reset();
  CHECK(wf::wfformat::detail::model_of(unrecorded, {}).error().code == wf::errc::bad_workflow_file);
}
