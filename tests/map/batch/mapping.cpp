// SPDX-License-Identifier: BSL-1.0
#include <wf/map/batch/mapping.hpp>

#include <doctest/doctest.h>

#include "../small_problems.hpp"

namespace {

constexpr wf::batch_mapping two_segments() {
  wf::batch_mapping m;
  m.segments.push_back({{0, 2}, 2, 4, 0, 0, 70});
  m.segments.push_back({{2, 1}, 8, 1, 0, 70, 100});
  m.stages.push_back({{0, 0, 1, 1}, 0, {0, 1}, 40});
  m.stages.push_back({{0, 1, 1, 1}, 1, {1, 1}, 60});
  m.stages.push_back({{0, 0, 1, 2}, 0, {2, 1}, 50});
  m.operators.push_back({0, 1, 1, true, 8, 9, 5, 100, 3, 0});
  m.operators.push_back({1, 1, 1, false, 8, 8, 5, 10, 0, 2});
  m.operators.push_back({2, 2, 1, false, 20, 20, 5, 7, 4, 1});
  m.makespan = 100;
  m.bound = 80;
  return m;
}

static_assert(two_segments().dram_bytes() == 100 + 4 * 3 + 10 + 4 * 2 + 7 + 5);
static_assert(two_segments().most_memory() == 60);
static_assert(two_segments().gap() == wf::ratio{20, 100});
static_assert(!two_segments().proven());
static_assert(two_segments() == two_segments());

TEST_CASE("a batch mapping reads as lines") {
  const wf::workload w = wf_test::alike("net", {}, {"a", "b", "c"});
  CHECK(wf::to_text(two_segments(), w) ==
        wf::text("batch mapping 'net': makespan 100, bound 80, gap 20.00 %, stopped by a limit, "
                 "142 bytes of DRAM traffic, at most 60 bytes in a PE\n"
                 "  0..70 4 rounds of 2\n"
                 "    1x1@(0,0) from beat 0: a 1x1\n"
                 "    1x1@(0,1) from beat 1: b 1x1\n"
                 "  70..100 1 rounds of 8\n"
                 "    1x2@(0,0) from beat 0: c 2x1\n"));
}

}  // namespace
