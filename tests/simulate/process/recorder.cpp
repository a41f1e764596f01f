// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/process/recorder.hpp>

#include <doctest/doctest.h>

TEST_CASE("runs and transfers are recorded, signals of order are not") {
  wf::table<wf::expected_input> in;
  in.push_back({wf::text("x"), wf::usage::data, {}});
  in.push_back({wf::text("y"), wf::usage::data, {}});
  in.push_back({wf::text("go"), wf::usage::order, {}});
  wf::table<std::int64_t> out = {6, 9, 0};
  wf::network<wf::task_process> n;
  const auto host = n.add_host(), link = n.add_link(3, 1);
  n.add_node("from", wf::task_process({}, 10, out), host);
  n.add_node("to", wf::task_process(in, 5, {}), host);
  for (std::uint32_t k = 0; k < 3; ++k) n.connect(0, k, 1, k, link);
  const auto t = wf::simulate(n);
  REQUIRE(t);
  REQUIRE(t->events.size() == 4);
  CHECK(t->events[0] == wf::trace_event{wf::trace_kind::execute, 0, 0, 0, 10, {}, {}, 15});
  CHECK(t->events[1] == wf::trace_event{wf::trace_kind::transfer, 0, 1, 10, 13, {}, {}, 6});
  CHECK(t->events[2] == wf::trace_event{wf::trace_kind::transfer, 0, 1, 12, 16, {}, {}, 9});
  CHECK(t->events[3] == wf::trace_event{wf::trace_kind::execute, 1, 1, 16, 21, {}, {}, 0});
  CHECK(t->link_waiting == 2 + 5);
  CHECK(t->makespan == 21);
  CHECK(t->accounts[1] == wf::resource_account{0, 5, 15, 0, 15, 1});
}
