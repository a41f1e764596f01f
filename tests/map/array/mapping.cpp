// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/map/array/mapping.hpp>

#include "../small_problems.hpp"

namespace {

constexpr wf::mapping example() {
  wf::mapping m;
  m.rows = 1;
  m.columns = 2;
  m.operators.push_back({{0, 0, 1, 2}, {2, 1, 10, 5}, 0, 10, 3});
  m.operators.push_back({{}, {1, 1, 0, 0}, 10, 10, 0});  // a view
  m.operators.push_back({{0, 1, 1, 1}, {1, 1, 30, 7}, 10, 40, 1});
  m.sequence = {0, 2};
  m.makespan = 40;
  m.bound = 30;
  m.busy = {10, 40};
  m.high_water = {8, 11};
  return m;
}

constexpr wf::workload work() { return wf_test::alike("example", {}, {"conv", "reshape", "fc"}); }

static_assert(example().utilisation(0, 0) == wf::ratio{10, 40});
static_assert(example().utilisation() == wf::ratio{50, 80});
static_assert(example().most_memory() == 11);
static_assert(example().gap() == wf::ratio{10, 40});
static_assert(!example().proven());
static_assert(schedule_of(example()).entries.size() == 2);
static_assert(schedule_of(example()).entries[1] == wf::schedule_entry{2, 10, 40});
static_assert(schedule_of(example()).makespan == 40);
static_assert(example() == example());

}  // namespace

TEST_CASE("a mapping is written for reading") {
  CHECK(to_text(example(), work()) ==
        wf::text("mapping 'example' on 1x2 PEs: makespan 40, bound 30, gap 25.00 %, stopped by a "
                 "limit, utilisation 62.50 %, at most 11 bytes in a PE\n"
                 "  0..10 conv 1x2@(0,0) cut 2x1\n"
                 "  10..40 fc 1x1@(0,1) cut 1x1\n"));
}

TEST_CASE("percentages are rounded down and never hide an unknown") {
  CHECK(wf::detail::percent({1, 3}) == wf::text("33.33 %"));
  CHECK(wf::detail::percent({1, 1000}) == wf::text("0.10 %"));
  CHECK(wf::detail::percent({0, 1}) == wf::text("0.00 %"));
  CHECK(wf::detail::percent({7, 7}) == wf::text("100.00 %"));
  CHECK(wf::detail::percent({1, 0}) == wf::text("unknown"));
}
