// SPDX-License-Identifier: BSL-1.0
#include <wf/report/batch_trace.hpp>

#include <doctest/doctest.h>

#include <wf/map/map_batch.hpp>

#include "samples.hpp"

TEST_CASE("the replay of a batch is a trace with a slice for every event") {
  wf::workload w;
  w.name = "chain";
  w.batch = 4;
  for (std::uint32_t k = 0; k < 2; ++k) {
    wf::workload_operator o;
    o.label = k == 0 ? "first" : "second";
    o.macs = 64;
    o.weight_bytes = o.output_bytes = 8;
    o.input_bytes = k == 0 ? 8 : 0;
    o.is_output = k == 1;
    o.first_axis = o.second_axis = 4;
    w.add(o);
    if (k > 0) w.connect(k - 1, k, 8);
  }
  wf::pe_array a;
  a.columns = 2;
  a.macs_per_cycle = 4;
  a.link_bytes_per_cycle = 64;
  a.dram_bytes_per_cycle = 8;
  a.memory_bytes = 200;
  const auto m = wf::map_batch(w, a);
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
