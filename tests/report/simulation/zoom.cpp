// SPDX-License-Identifier: BSL-1.0
#include <wf/report/simulation/zoom.hpp>

#include <doctest/doctest.h>

#include <wf/report/simulation/path_strip.hpp>

#include "../samples.hpp"

using samples::contains, samples::count;

TEST_CASE("only a page with zoom has a script, and it needs nothing from elsewhere") {
  wf::html_page plain("plain"), zoomed("zoomed");
  plain.add_paragraph("text");
  wf::detail::add_zoom(zoomed);
  CHECK_FALSE(contains(plain.page().view(), "<script"));
  CHECK(count(zoomed.page().view(), "<script>") == 1);
  CHECK(count(zoomed.page().view(), "</script>") == 1);
  CHECK_FALSE(contains(zoomed.page().view(), "src="));
  CHECK(count(zoomed.page().view(), "<button data-zoom=") == 3);
}

TEST_CASE("the script knows the axis of the pictures") {
  const wf::text width = wf::text("width = ") << wf::detail::run_axis::width << ',';
  const wf::text left = wf::text("r.width - ") << wf::detail::run_axis::left << ") / width";
  CHECK(contains(wf::detail::zoom_script, std::string(width.view()).c_str()));
  CHECK(contains(wf::detail::zoom_script, std::string(left.view()).c_str()));
}
