// SPDX-License-Identifier: BSL-1.0
#include <wf/report/perfetto.hpp>

#include <doctest/doctest.h>

#include <wf/map/map.hpp>
#include <wf/simulate/simulate.hpp>

#include "golden.hpp"
#include "samples.hpp"

namespace {

wf::workload two_operators() {
  wf::workload w;
  w.name = "two";
  for (const char* label : {"first", "second<&>"}) {
    wf::workload_operator o;
    o.label = label;
    o.macs = 4096;
    o.first_axis = o.second_axis = 64;
    o.output_bytes = 256;
    w.add(o);
  }
  w.connect(0, 1, 256);
  return w;
}

wf::pe_array small_array() {
  wf::pe_array a;
  a.rows = a.columns = 2;
  a.macs_per_cycle = 16;
  a.memory_bytes = 1 << 20;
  a.link_bytes_per_cycle = 16;
  a.dram_bytes_per_cycle = 16;
  return a;
}

}  // namespace

TEST_CASE("the trace is JSON with one complete event an event") {
  const wf::workload w = two_operators();
  const auto m = wf::map_onto(w, small_array());
  REQUIRE(m);
  const auto replay = wf::simulate(w, small_array(), *m);
  REQUIRE(replay);
  const wf::text made = wf::to_perfetto(*replay, w, 2);
  CHECK(wf::parse_json(made.view()));
  CHECK(samples::count(made.view(), "\"ph\":\"X\"") == replay->events.size());
}

TEST_CASE("golden: the trace of a small network") {
  const wf::text made = wf::to_perfetto(samples::network_trace(), samples::network(), 2);
  golden::check("trace.json", made.view());
}
