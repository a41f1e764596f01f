// SPDX-License-Identifier: BSL-1.0
#include <wf/report/mapping/svg.hpp>

#include <doctest/doctest.h>

#include <wf/core/json/document.hpp>
#include <wf/map/place/map.hpp>

#include "../../map/random_mapping.hpp"
#include "../golden.hpp"
#include "../samples.hpp"

using samples::contains, samples::count;

TEST_CASE("every operator has a box and, where there is room, its name") {
  const wf::text svg =
      wf::mapping_svg(samples::network_mapping(), samples::network(), samples::network_kinds);
  CHECK(contains(svg.view(), "<title>conv1: cycles 0 to 2,000, 2x2@(0,0) cut 1x1</title>"));
  CHECK(contains(svg.view(), ">conv1</text>"));
  CHECK(contains(svg.view(), "relu &lt;&amp;&gt; &quot;1&quot;"));
  CHECK(count(svg.view(), "class=\"run\"") == 4);  // two rows of conv1, one of the others
  CHECK(count(svg.view(), "<svg") == 1);
  CHECK(count(svg.view(), "</svg>") == 1);
  CHECK(count(svg.view(), "<g") == count(svg.view(), "</g>"));
  CHECK(contains(svg.view(), ">67,584</text>"));
}

TEST_CASE("names are cut between characters, and many thin lanes have figures by row") {
  wf::workload w;
  w.name = wf::text("wide");
  wf::workload_operator o;
  o.label = wf::text("größenänderung der Eingabe");
  o.macs = 4096;
  o.first_axis = o.second_axis = 64;
  o.output_bytes = 64;
  for (int i = 0; i < 12; ++i) w.add(o);
  wf::pe_array a;
  a.rows = 8;
  a.columns = 16;
  a.memory_bytes = 1 << 12;
  wf::map_options options;
  options.limits.max_nodes = 5;
  const auto m = wf::map(w, a, options);
  REQUIRE(m);
  const wf::text svg = wf::mapping_svg(*m, w, {}, a.memory_bytes);
  CHECK(contains(svg.view(), "…</text>"));
  for (std::size_t i = 0; i < svg.size();) {
    const std::size_t bytes = wf::detail::utf8_size(svg.view(), i);
    REQUIRE(bytes != 0);
    i += bytes;
  }
  CHECK(count(svg.view(), " %</text>") == 8);  // one per row
}

TEST_CASE("the memory panel shows exactly the bytes of the profiles") {
  std::mt19937_64 random(4);
  const wf::workload w = wf_test::random_workload(random, 8);
  const wf::pe_array a = wf_test::random_array(random, 2, 3);
  const auto m = wf_test::random_mapping(random, w, a);
  REQUIRE(m);
  const wf::text svg = wf::mapping_svg(*m, w);
  for (const wf::memory_profile& p : wf::memory_profiles(*m, w))
    for (std::size_t i = 0; i + 1 < p.size(); ++i) {
      if (p[i].bytes == 0) continue;
      const wf::text title = wf::text() << ": " << p[i].bytes << " bytes in cycles " << p[i].time
                                        << " to " << p[i + 1].time << "</title>";
      CHECK(contains(svg.view(), std::string(title.view()).c_str()));
    }
}

TEST_CASE("golden: a mapping as a picture") {
  golden::check("mapping.svg", wf::mapping_svg(samples::network_mapping(), samples::network(),
                                               samples::network_kinds)
                                   .view());
}
