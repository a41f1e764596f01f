// SPDX-License-Identifier: BSL-1.0
#include <wf/report/trace/perfetto.hpp>

#include <doctest/doctest.h>

#include <wf/map/place/map.hpp>
#include <wf/simulate/replay/mapping.hpp>

#include "../golden.hpp"
#include "../samples.hpp"

TEST_CASE("the trace is JSON with one complete event an event") {
  const wf::workload w = samples::two_operators();
  const auto m = wf::map(w, samples::small_array());
  REQUIRE(m);
  const auto replay = wf::simulate(w, samples::small_array(), *m);
  REQUIRE(replay);
  const wf::text made = wf::to_perfetto(*replay, w, 2);
  CHECK(wf::parse_json(made.view()));
  CHECK(samples::count(made.view(), "\"ph\":\"X\"") == replay->events.size());
}

TEST_CASE("golden: the trace of a small network") {
  const wf::text made = wf::to_perfetto(samples::network_trace(), samples::network(), 2);
  golden::check("trace.json", made.view());
}
