// SPDX-License-Identifier: BSL-1.0
#include <wf/report/simulation/usage_rows.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include "../samples.hpp"
#include "accounts.hpp"

TEST_CASE("the percentages of a row are those of counting each tick") {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    const wf::run_account a = accounts::random_account(seed);
    if (a.makespan == 0) continue;
    const auto usage = wf::utilisation_of(a);
    for (const auto role : {wf::run_role::host, wf::run_role::link})
      for (const auto& row : wf::detail::usage_rows_of(a, usage, role)) {
        REQUIRE(row.resources.size() == 1);
        const std::uint32_t r = row.resources[0];
        const auto percent = wf::detail::usage_percent(a, usage, row, a.makespan);
        for (std::int64_t bin = 0; bin < wf::detail::usage_bins; ++bin) {
          const std::int64_t from = a.makespan * bin / wf::detail::usage_bins,
                             to = a.makespan * (bin + 1) / wf::detail::usage_bins;
          std::int64_t busy = 0;
          for (std::int64_t tick = from; tick < to; ++tick) {
            std::int64_t in_use = 0;
            for (const wf::run_task& t : a.tasks)
              for (const std::uint32_t u : a.resources_of(t))
                in_use += u == r && t.use_begin <= tick && tick < t.use_end ? 1 : 0;
            busy += std::min(in_use, a.resources[r].capacity);
          }
          const std::int64_t all = a.resources[r].capacity * (to - from);
          REQUIRE(percent[static_cast<std::size_t>(bin)] == (all == 0 ? 0 : busy * 100 / all));
        }
      }
  }
}

TEST_CASE("many resources share rows, none is lost, and the rows are labelled by their ends") {
  const wf::run_account a = accounts::large_account(4'000, 150);
  const auto usage = wf::utilisation_of(a);
  const auto rows = wf::detail::usage_rows_of(a, usage, wf::run_role::host);
  REQUIRE(rows.size() == 50);
  CHECK(rows[0].label == wf::text("host 0 … 2"));
  CHECK(rows[49].label == wf::text("host 147 … 149"));
  CHECK(wf::detail::distinct_end("host 1", "node 2") == wf::text_view("node 2"));
  std::uint32_t next = 0;
  for (const auto& row : rows)
    for (const std::uint32_t r : row.resources) CHECK(r == next++);
  CHECK(next == 150);
}

TEST_CASE("cells of one shade are joined and idle ones left out") {
  wf::table<std::int64_t> percent(200);
  for (std::size_t i = 10; i < 20; ++i) percent[i] = 91;
  percent[20] = 1;
  wf::text out;
  wf::detail::draw_usage_cells(out, {"<row>", wf::run_role::host, {}}, percent, 3, 8);
  CHECK(accounts::values(out.view(), "\"cell\"", "x") == std::vector<std::int64_t>{50, 100});
  CHECK(accounts::values(out.view(), "\"cell\"", "width") == std::vector<std::int64_t>{50, 5});
  CHECK(samples::contains(out.view(), "<title>&lt;row&gt;: 90 to 100 % in use</title>"));
}
