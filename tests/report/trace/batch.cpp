// SPDX-License-Identifier: BSL-1.0
#include <wf/report/trace/batch.hpp>

#include <doctest/doctest.h>

#include <wf/map/batch/map.hpp>

#include "../../map/small_problems.hpp"
#include "../samples.hpp"

TEST_CASE("the replay of a batch is a trace with a slice for every event") {
  wf::workload w = wf_test::batch_chain(2, 4);
  w.operators[1].label = "second";
  const wf::pe_array a = wf_test::row_of(2, 200, 64);
  const auto m = wf::map(w, a, wf::batch_options{});
  REQUIRE(m);
  const auto t = wf::simulate(a, *m);
  REQUIRE(t);
  const wf::text made = wf::to_perfetto(*t, *m, w);
  CHECK(wf::parse_json(made.view()));
  CHECK(samples::count(made.view(), "\"ph\":\"X\"") == t->events.size());
  std::size_t loads = 0;
  for (const wf::batch_event& e : t->events) loads += e.kind == wf::batch_event_kind::load ? 1 : 0;
  CHECK(loads > 0);
  CHECK(samples::count(made.view(), "\"load ") == loads);
  CHECK(samples::contains(made.view(), "\"name\":\"second\""));
}
