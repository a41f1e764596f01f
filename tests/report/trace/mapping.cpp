// SPDX-License-Identifier: BSL-1.0
#include <wf/report/trace/mapping.hpp>

#include <doctest/doctest.h>

#include <wf/map/place/map.hpp>

#include "../golden.hpp"
#include "../samples.hpp"

TEST_CASE("a mapping is a trace with a thread and a counter for every PE") {
  const wf::workload w = samples::two_operators();
  const auto m = wf::map(w, samples::small_array());
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
