// SPDX-License-Identifier: BSL-1.0
#include <wf/report/mapping/schedule_page.hpp>

#include <doctest/doctest.h>

#include "../samples.hpp"
#include "../scheduled.hpp"

using samples::contains, samples::count;

TEST_CASE("a page shows figures, the chart and a line for each task") {
  wf::html_page page("schedules");
  wf::add_schedule(page, samples::schedule_problem(), samples::schedule_times(), {}, "ns");
  CHECK(contains(page.body(), "Schedule of four</h2>"));
  CHECK(contains(page.body(), "<td>makespan, ns</td><td>140</td>"));
  CHECK(contains(page.body(), "<td>proven lower bound, ns</td><td>120</td>"));
  CHECK(count(page.body(), "<svg") == 1);
  CHECK(contains(page.body(), "<td>second &lt;&amp;&gt;</td><td>1</td><td>40</td><td>90</td>"));
  CHECK(count(page.body(), "<tr>") == 4 + 5);
}
