// SPDX-License-Identifier: BSL-1.0
#include <wf/report/mapping_trace.hpp>

#include <doctest/doctest.h>

#include <wf/map/map.hpp>

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

TEST_CASE("a mapping is a trace with a thread and a counter for every PE") {
  const wf::workload w = two_operators();
  const auto m = wf::map_onto(w, small_array());
  REQUIRE(m);
  const wf::text made = wf::to_perfetto(*m, w);
  CHECK(wf::parse_json(made.view()));
  std::int64_t slices = 0;
  for (std::uint32_t op : m->sequence) slices += m->operators[op].where.area();
  CHECK(samples::count(made.view(), "\"ph\":\"X\"") == static_cast<std::size_t>(slices));
  CHECK(samples::count(made.view(), "\"thread_name\"") == 4);
  std::size_t steps = 0;
  for (const wf::memory_profile& p : wf::memory_profiles(*m, w)) steps += p.size();
  CHECK(steps > 0);
  CHECK(samples::count(made.view(), "\"ph\":\"C\"") == steps);
}

TEST_CASE("golden: a mapping as a trace") {
  golden::check("mapping_trace.json",
                wf::to_perfetto(samples::network_mapping(), samples::network()).view());
}
