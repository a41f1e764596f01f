// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/start_bounds.hpp>

#include <doctest/doctest.h>

#include <wf/map/schedule/task_bounds.hpp>

namespace {

using time_type = std::int32_t;

// Two tasks of 4, then one of 2 with a delay of 3 from either on another processor.
wf::task_graph join() {
  wf::task_graph g;
  g.processors = 2;
  for (const std::int64_t time : {4, 4, 2}) g.add("t", time);
  g.connect(0, 2, 3);
  g.connect(1, 2, 3);
  return g;
}

}  // namespace

TEST_CASE("a start waits for data from elsewhere, and is excluded beyond the deadline") {
  const wf::task_graph g = join();
  const wf::prepared_tasks w = wf::prepare(g);
  const wf::detail::delay_facts<time_type> f(w, wf::tail_bounds(w), false, false);
  wf::detail::partial_schedule<time_type> s(f);
  wf::detail::start_bounds<time_type> b(f);
  s.apply(f, {0, 0, 0});
  REQUIRE(b.find(f, s, 20));
  CHECK(b.starts[1 * 2 + 0] == 4);
  CHECK(b.starts[1 * 2 + 1] == 0);
  CHECK(b.limits[2 * 2 + 0] == 18);
  CHECK(b.starts[2 * 2 + 0] == 7);  // after task 1 at 4 on the other processor, plus the delay
  CHECK(b.starts[2 * 2 + 1] == 7);
  CHECK(b.is_in_turn(f, s, 1, 1, 0));
  s.apply(f, {1, 1, 0});
  REQUIRE(b.find(f, s, 9));
  CHECK(b.starts[2 * 2 + 0] == 7);
  CHECK_FALSE(b.find(f, s, 8));
  // A task that should have started before the last one is not considered again.
  s.undo(f);
  s.undo(f);
  s.apply(f, {1, 0, 0});
  REQUIRE(b.find(f, s, 20));
  CHECK_FALSE(b.is_in_turn(f, s, 0, 1, 0));
  CHECK(b.is_in_turn(f, s, 0, 1, 1));
}
