// SPDX-License-Identifier: BSL-1.0
#include <wf/report/simulation/page.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../samples.hpp"
#include "accounts.hpp"

using samples::contains, samples::count;

namespace {

wf::html_page page_of(const wf::run_account& a) {
  wf::html_page page("run");
  wf::add_run(page, a);
  return page;
}

// Two tasks compete for one slot; the second one then sends to a third.
wf::run_account queue() {
  wf::sim_program_builder b;
  b.platform.slots = {1};
  b.platform.links = {{1, 0, 0}};
  const char* const names[] = {"first <&>", "second", "send", "third"};
  b.add(wf::sim_resource::slots, 0, 3000);
  b.add(wf::sim_resource::slots, 0, 1000);
  b.add(wf::sim_resource::link, 0, 500);
  b.add(wf::sim_resource::slots, 0, 1500);
  b.connect(1, 2);
  b.connect(2, 3);
  const wf::sim_program p = b.take();
  wf::run_account a =
      wf::account_of(p, *wf::simulate(p), [&](std::uint32_t t) { return wf::text(names[t]); });
  a.name = "a <queue>";
  return a;
}

}  // namespace

TEST_CASE("a page has the figures, both pictures, the zoom, and the critical path") {
  const wf::html_page page = page_of(queue());
  CHECK(contains(page.body(), "Run of a &lt;queue&gt;</h2>"));
  CHECK(contains(page.body(), "<td>makespan, ticks</td><td>6,000</td>"));
  CHECK(contains(page.body(), "<td>critical path: compute</td><td>2,500</td>"));
  CHECK(contains(page.body(), "<td>critical path: link</td><td>500</td>"));
  CHECK(contains(page.body(), "<td>critical path: queue</td><td>3,000</td>"));
  CHECK(contains(page.body(), "<td>tasks that compute</td><td>3</td>"));
  CHECK(contains(page.body(), "<td>hosts used</td><td>1 of 1</td>"));
  CHECK(contains(page.body(), "<td>mean use of the hosts</td><td>91 %</td>"));
  CHECK(count(page.body(), "class=\"timeline\"") == 1);
  CHECK(count(page.body(), "class=\"usage\"") == 1);
  CHECK(count(page.body(), "<script>") == 1);
}

TEST_CASE("each part of the critical path says what it waited for") {
  const wf::html_page page = page_of(queue());
  CHECK(contains(page.body(),
                 "<td>second</td><td>queue</td><td>0</td><td>3,000</td><td>3,000</td>"
                 "<td>host 0</td><td>host 0, held by first &lt;&amp;&gt;</td>"));
  CHECK(contains(page.body(), "<td>host 0</td><td>its turn in the queue</td>"));
  CHECK(contains(page.body(), "<td>link 0</td><td>the end of second</td>"));
  CHECK(contains(page.body(), "<td>host 0</td><td>the end of send</td>"));
}

TEST_CASE("links are listed by what they moved") {
  wf::sim_program_builder b;
  b.platform.links = {{0, 1, 0}, {2, 0, 0}, {2, 0, 0}};
  for (std::uint32_t l = 0; l < 2; ++l) b.add(wf::sim_resource::link, l, 1000 + 500 * l);
  const wf::sim_program p = b.take();
  const wf::html_page page = page_of(wf::account_of(p, *wf::simulate(p)));
  CHECK(contains(page.body(), "Run of a simulation</h2>"));
  CHECK(contains(page.body(),
                 "<td>link 1</td><td>1</td><td>1,500</td><td>100 %</td>"
                 "<td>100 %</td></tr>"));
  CHECK(contains(page.body(), "<td>link 0</td><td>1</td><td>1,000</td><td>–</td><td>0 %</td>"));
  CHECK_FALSE(contains(page.body(), "<td>link 2</td>"));
  const std::string all(page.body());
  CHECK(all.find("<td>link 1</td>") < all.find("<td>link 0</td>"));
}

TEST_CASE("the page of a large run is bounded, and says what its table leaves out") {
  const wf::run_account a = accounts::large_account(100'000, 300);
  const wf::html_page page = page_of(a);
  CHECK(count(page.body(), "<tr>") == 2 * 101 + 12);
  CHECK(contains(page.body(), "<p>The 100 longest of "));
  CHECK(contains(page.body(), "<p>The 100 of 300 that moved most."));
  CHECK(page.body().size() < 5'000'000);
}

TEST_CASE("the longest segments are shown in the order of time") {
  wf::run_path path;
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < 300; ++i) {
    const std::int64_t ticks = 1 + i * 7 % 300;
    path.segments.push_back({0, at, at + ticks, wf::path_reason::compute});
    at += ticks;
  }
  const auto shown = wf::detail::longest_segments(path);
  REQUIRE(shown.size() == wf::detail::most_run_rows);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    CHECK((i == 0 || shown[i - 1] < shown[i]));
    CHECK(path.segments[shown[i]].to - path.segments[shown[i]].from > 200);
  }
}
