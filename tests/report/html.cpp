// SPDX-License-Identifier: BSL-1.0
#include <wf/report/html.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>

namespace {

constexpr auto kalman = wf::workflow<"kalman">([](wf::scope& s) {
  auto P = s.input<"P", double, 6, 6>(wf::spd);
  auto H = s.input<"H", double, 3, 6>();
  auto R = s.input<"R", double, 3, 3>(wf::spd);
  auto S = s.let<"S">(H * P * trans(H) + R);
  s.output<"K">(P * trans(H) * inv(S));
});

bool contains(wf::text_view text, const char* part) {
  return std::string(text).find(part) != std::string::npos;
}

}  // namespace

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
  CHECK_FALSE(contains(all.view(), "http"));
  CHECK_FALSE(contains(all.view(), "<script"));
  wf::html_page outer("outer");
  outer.add_fragment(page.body());
  CHECK(contains(outer.page().view(), "x &gt; y"));
}
