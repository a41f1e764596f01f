// SPDX-License-Identifier: BSL-1.0
#include <wf/report/simulation/comparison_page.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

#include "../samples.hpp"
#include "accounts.hpp"

using samples::contains, samples::count;

namespace {

// Tasks on one host with some slots, all asked for at tick 0.
wf::run_account run_of(std::int64_t slots, wf::view<const char*> names, std::int64_t work) {
  wf::sim_program_builder b;
  b.platform.slots = {slots};
  for (std::size_t i = 0; i < names.size(); ++i) b.add(wf::sim_resource::slots, 0, work);
  const wf::sim_program p = b.take();
  return wf::account_of(p, *wf::simulate(p), [&](std::uint32_t t) { return wf::text(names[t]); });
}

}  // namespace

TEST_CASE("a comparison has both makespans, the reasons, and both timelines on one axis") {
  const char* const one[] = {"a<&>", "b", "old"};
  const char* const other[] = {"b", "a<&>"};
  wf::run_account first = run_of(1, one, 2000), second = run_of(2, other, 1500);
  first.name = "one <slot>";
  second.name = "two slots";
  wf::html_page page("comparison");
  wf::add_run_comparison(page, first, second);
  CHECK(contains(page.body(), "one &lt;slot&gt; against two slots</h2>"));
  CHECK(contains(page.body(), "<td>makespan</td><td>6,000</td><td>1,500</td><td>-4,500</td>"));
  CHECK(contains(page.body(),
                 "<td>critical path: queue</td><td>4,000</td><td>0</td><td>-4,000</td>"));
  CHECK(count(page.body(), "class=\"timeline\"") == 2);
  CHECK(count(page.body(), ">6,000</text>") == 2);
  CHECK(count(page.body(), "<script>") == 1);
  CHECK(contains(page.body(),
                 "<td>b</td><td>2,000</td><td>1,500</td><td>2,000</td><td>0</td><td>-2,500</td>"));
  CHECK(contains(page.body(), "<td>a&lt;&amp;&gt;</td><td>2,000</td><td>1,500</td><td>0</td>"));
  CHECK(contains(page.body(),
                 "Common to both runs: 2 tasks; in the first one only: 1, in the "
                 "second one only: 0."));
}

TEST_CASE("a run compared with itself has no changes") {
  const wf::run_account a = accounts::random_account(11);
  wf::html_page page("same");
  wf::add_run_comparison(page, a, a);
  CHECK(count(page.body(), "<tr>") == 6 + 1);
}

TEST_CASE("common tasks are those of counting labels") {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    wf::run_account x = accounts::random_account(seed), y = accounts::random_account(seed + 1000);
    std::map<std::string, std::size_t> in_x, in_y;
    const auto rename = [](wf::run_account& a, std::map<std::string, std::size_t>& counts) {
      for (wf::run_task& t : a.tasks) {
        t.label = wf::text("l") << t.work % 7;
        ++counts[std::string(t.label.view())];
      }
    };
    rename(x, in_x);
    rename(y, in_y);
    std::size_t expected = 0;
    for (const auto& [label, n] : in_x) expected += std::min(n, in_y[label]);
    const auto pairs = wf::detail::common_tasks(x, y);
    REQUIRE(pairs.size() == expected);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      REQUIRE(x.tasks[pairs[i].first].label == y.tasks[pairs[i].second].label);
      if (i == 0 || !(x.tasks[pairs[i].first].label == x.tasks[pairs[i - 1].first].label)) continue;
      REQUIRE(pairs[i].first > pairs[i - 1].first);
      REQUIRE(pairs[i].second > pairs[i - 1].second);
    }
  }
}

TEST_CASE("the comparison of large runs is bounded") {
  const wf::run_account x = accounts::large_account(100'000, 300),
                        y = accounts::large_account(100'000, 200);
  wf::html_page page("large");
  wf::add_run_comparison(page, x, y);
  CHECK(count(page.body(), "<tr>") <= 6 + 41);
  CHECK(page.body().size() < 8'000'000);
}
