// SPDX-License-Identifier: BSL-1.0
#include <wf/report/mapping/schedule_svg.hpp>

#include <doctest/doctest.h>

#include <wf/map/schedule/schedule_tasks.hpp>

#include "../golden.hpp"
#include "../samples.hpp"
#include "../scheduled.hpp"

using samples::contains, samples::count;

TEST_CASE("every task has a box, every transfer a line and every resource a panel") {
  const wf::task_graph g = samples::schedule_problem();
  const wf::text svg = wf::schedule_svg(samples::schedule_trace(), g, {}, "ns");
  CHECK(count(svg.view(), "class=\"run\"") == g.tasks.size());
  CHECK(count(svg.view(), "class=\"edge\"") == 2);
  CHECK(contains(svg.view(), "<title>second &lt;&amp;&gt;: 40 to 90 ns, memory 3</title>"));
  CHECK(contains(svg.view(), ">processor 1</text>"));
  CHECK(contains(svg.view(), ">of 5</text>"));
  CHECK(contains(svg.view(), ">most 5</text>"));
}

TEST_CASE("a graph without processors has a lane for each task") {
  wf::task_graph g;
  for (int i = 0; i < 100; ++i) g.add("t", 1);
  wf::execution_trace t;
  t.makespan = 1;
  for (std::uint32_t i = 0; i < 100; ++i)
    t.events.push_back({wf::trace_kind::execute,
                        i,
                        i,
                        0,
                        1,
                        {0, static_cast<std::int32_t>(i), 1, 1},
                        {0, static_cast<std::int32_t>(i), 1, 1},
                        0});
  const wf::text svg = wf::schedule_svg(t, g);
  CHECK(count(svg.view(), "class=\"run\"") == 100);
  CHECK(count(svg.view(), ">task ") == 0);  // too thin for a label
}

TEST_CASE("golden: a schedule as a picture") {
  golden::check(
      "schedule.svg",
      wf::schedule_svg(samples::schedule_trace(), samples::schedule_problem(), {}, "ns").view());
}
