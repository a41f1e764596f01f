// SPDX-License-Identifier: BSL-1.0
#include <wf/report/mapping/page.hpp>

#include <doctest/doctest.h>

#include "../samples.hpp"

using samples::contains, samples::count;

TEST_CASE("a page tells the figures, shows the pictures and lists the operators") {
  wf::html_page page("network");
  wf::add_mapping(page, samples::network_mapping(), samples::network(), samples::network_kinds,
                  1 << 20);
  const wf::text_view html = page.body();
  CHECK(contains(html, "Mapping of network onto 2x2 PEs"));
  CHECK(contains(html, "<td>makespan, cycles</td><td>4,000</td>"));
  CHECK(contains(html, "<td>bytes of a PE</td><td>1,048,576</td>"));
  CHECK(contains(html, "<td>search</td><td>stopped by a limit</td>"));
  CHECK(count(html, "<svg") == 2);
  CHECK(contains(html, "<td>relu &lt;&amp;&gt; &quot;1&quot;</td><td>2,000</td><td>2,500</td>"));
  CHECK(count(html, "<tr>") == 8 + 4);
  wf::html_page without("network");
  wf::add_mapping(without, samples::network_mapping(), samples::network());
  CHECK_FALSE(contains(without.body(), "bytes of a PE</td>"));
}
