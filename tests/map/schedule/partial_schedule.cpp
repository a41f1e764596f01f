// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/partial_schedule.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <wf/map/schedule/task_bounds.hpp>

TEST_CASE("a step may be taken back, and leaves nothing behind") {
  wf::task_graph g;
  g.processors = 2;
  for (const std::int64_t time : {3, 0, 5}) g.add("t", time);
  g.connect(0, 2);
  const wf::prepared_tasks w = wf::prepare(g);
  const wf::detail::delay_facts<std::int32_t> f(w, wf::tail_bounds(w), false, false);
  wf::detail::partial_schedule<std::int32_t> s(f);
  const auto left = [&] {
    std::vector<std::uint32_t> out;
    s.each_undone(f, [&](std::uint32_t t) { out.push_back(t); });
    return out;
  };
  CHECK(left() == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(s.waiting[2] == 1);
  s.apply(f, {0, 1, 10});
  CHECK(s.waiting[2] == 0);
  CHECK(s.makespan[s.depth] == 13);
  CHECK(s.free_at[s.depth * 2 + 1] == 13);
  CHECK(s.is_running(0, 12));
  CHECK_FALSE(s.is_running(0, 13));
  s.apply(f, {1, 0, 11});
  CHECK_FALSE(s.is_running(1, 0));  // a task of duration 0 is never running
  CHECK(left() == std::vector<std::uint32_t>{2});
  s.undo(f);
  s.undo(f);
  CHECK(left() == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(s.waiting[2] == 1);
  CHECK(s.makespan[s.depth] == 0);
}
