// SPDX-License-Identifier: BSL-1.0
#include <wf/report/page/html.hpp>

#include <doctest/doctest.h>

#include "../golden.hpp"
#include "../samples.hpp"

using samples::contains, samples::kalman;

TEST_CASE("a page is whole, self-contained, and escapes what it is given") {
  wf::html_page page("a < b & c");
  page.add_heading("x > y").add_paragraph("\"quoted\"").add_preformatted("1 < 2\n  3");
  const wf::table<wf::text> rows[] = {{wf::text("node"), wf::text("flops")},
                                      {wf::text("<S>"), wf::text("9")}};
  page.add_table(rows);
  page.add_picture(wf::to_svg(kalman.graph()).view(), "the graph");
  const wf::text all = page.page();
  CHECK(contains(all.view(), "<title>a &lt; b &amp; c</title>"));
  CHECK(contains(all.view(), "<td>&lt;S&gt;</td>"));
  CHECK(contains(all.view(), "<figcaption>the graph</figcaption>"));
  CHECK_FALSE(contains(all.view(), "<script"));
  CHECK_FALSE(contains(all.view(), "src="));
  CHECK_FALSE(contains(all.view(), "href="));
  CHECK_FALSE(contains(all.view(), "url("));
  CHECK_FALSE(contains(all.view(), "@import"));
  wf::html_page outer("outer");
  outer.add_fragment(page.body());
  CHECK(contains(outer.page().view(), "x &gt; y"));
}

TEST_CASE("golden: a page with everything a page can have") {
  wf::html_page page("A report");
  page.add_heading("Workflow").add_picture(wf::to_svg(kalman.graph()).view(), "kalman");
  page.add_heading("Figures", 3).add_paragraph("What it costs, in words & numbers:");
  const wf::table<wf::text> rows[] = {{wf::text("node"), wf::text("flops"), wf::text("bytes")},
                                      {wf::text("S"), wf::text("9"), wf::text("216")},
                                      {wf::text("K"), wf::text("106"), wf::text("360")}};
  page.add_table(rows).add_preformatted("1 < 2\n    indented");
  const wf::workload w = samples::network();
  const wf::mapping m = samples::network_mapping();
  page.add_heading("Mapping");
  page.add_picture(wf::timeline_svg(m, w, samples::network_kinds).view(), "one lane a PE");
  page.add_picture(wf::utilisation_svg(m).view(), "time busy, and the most bytes held");
  golden::check("page.html", page.page().view());
}
