// SPDX-License-Identifier: BSL-1.0
#include <wf/report/simulation/path_strip.hpp>

#include <doctest/doctest.h>

#include <numeric>

#include "../samples.hpp"
#include "accounts.hpp"

using samples::contains, samples::count;

namespace {

wf::text strip(const wf::run_account& a, std::int64_t span) {
  wf::text out;
  wf::detail::draw_path_strip(out, a, wf::critical_path_of(a), {span});
  return out;
}

}  // namespace

TEST_CASE("segments follow each other, and their widths sum up to the axis") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const wf::run_account a = accounts::random_account(seed);
    if (a.makespan == 0) continue;
    const wf::text svg = strip(a, a.makespan);
    const auto x = accounts::values(svg.view(), "\"segment\"", "x");
    const auto wide = accounts::values(svg.view(), "\"segment\"", "width");
    std::int64_t at = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      REQUIRE(x[i] == at);
      REQUIRE(wide[i] > 0);
      at += wide[i];
    }
    REQUIRE(at == wf::detail::run_axis::width);
    REQUIRE(accounts::well_formed(svg.view()));
    REQUIRE(svg == strip(a, a.makespan));
  }
}

TEST_CASE("on a longer axis the strip ends at the makespan") {
  const wf::run_account a = accounts::random_account(7);
  const auto wide = accounts::values(strip(a, 2 * a.makespan).view(), "\"segment\"", "width");
  CHECK(std::accumulate(wide.begin(), wide.end(), std::int64_t{0}) == 500);
}

TEST_CASE("a long path has at most as many segments as the axis has pixels") {
  const wf::run_account a = accounts::large_account(100'000, 4);
  REQUIRE(wf::critical_path_of(a).segments.size() > 10'000);
  CHECK(count(strip(a, a.makespan).view(), "\"segment\"") <= 1000);
}

TEST_CASE("a legend gives the time of each reason, and names are escaped") {
  wf::run_account a;
  a.makespan = 4000;
  a.unit = "<s>";
  wf::run_task t;
  t.label = "f<&>";
  t.ready = 0;
  t.start = 1000;
  t.finish = 4000;
  a.tasks.push_back(t);
  const wf::text svg = strip(a, 4000);
  CHECK(contains(svg.view(), ">compute: 3,000 &lt;s&gt; (75 %)</text>"));
  CHECK(contains(svg.view(), ">queue: 1,000 &lt;s&gt; (25 %)</text>"));
  CHECK(contains(svg.view(), "<title>queue: f&lt;&amp;&gt;, 0 to 1,000 &lt;s&gt;</title>"));
  CHECK(count(svg.view(), "\"legend\"") == 4);
}

TEST_CASE("the kind of a task is its label up to the first digit or blank") {
  CHECK(wf::detail::kind_of_label("map12 of 7") == wf::text_view("map"));
  CHECK(wf::detail::kind_of_label("reduce") == wf::text_view("reduce"));
  CHECK(wf::detail::kind_of_label("") == wf::text_view(""));
}
