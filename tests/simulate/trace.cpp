// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/simulate/trace.hpp>

namespace {

constexpr wf::execution_trace example() {
  wf::execution_trace t;
  t.makespan = 20;
  t.processed = 3;
  t.link_waiting = 2;
  t.events.push_back({wf::trace_kind::execute, 0, 0, 0, 8, {0, 0, 1, 2}, {0, 0, 1, 2}, 64});
  t.events.push_back({wf::trace_kind::transfer, 0, 1, 8, 12, {0, 0, 1, 2}, {1, 0, 1, 1}, 32});
  return t;
}
static_assert(example() == example());

}  // namespace

TEST_CASE("a trace is written for reading") {
  CHECK(to_text(example()) == wf::text("makespan 20, 3 events, transfers waited 2\n"
                                       "  0..8 execute 0 1x2@(0,0) 64 B\n"
                                       "  8..12 transfer 0 -> 1 1x2@(0,0) -> 1x1@(1,0) 32 B\n"));
  wf::execution_trace t = example();
  t.events.clear();
  t.dram_waiting = 7;
  CHECK(to_text(t) == wf::text("makespan 20, 3 events, transfers waited 2, operators waited for "
                               "the DRAM 7\n"));
}
