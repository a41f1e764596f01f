// SPDX-License-Identifier: BSL-1.0
#include <wf/report/trace/schedule.hpp>

#include <doctest/doctest.h>

#include "../samples.hpp"
#include "../scheduled.hpp"

TEST_CASE("a schedule is a JSON trace with one event for each task and transfer") {
  const wf::text made = wf::to_perfetto(samples::schedule_trace(), samples::schedule_problem());
  CHECK(wf::parse_json(made.view()));
  CHECK(samples::count(made.view(), "\"ph\":\"X\"") == 4 + 2);
  CHECK(samples::contains(made.view(), "\"name\":\"second <&> to last\""));
}
