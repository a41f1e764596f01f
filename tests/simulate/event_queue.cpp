// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/simulate/event_queue.hpp>

#include <algorithm>
#include <random>
#include <vector>

namespace {

constexpr bool events_leave_by_time_then_by_arrival() {
  wf::event_queue<int> q;
  q.push(5, 1);
  q.push(3, 2);
  q.push(5, 3);
  q.push(3, 4);
  if (q.size() != 4 || q.now() != 0) return false;
  for (int expected : {2, 4, 1, 3})
    if (q.pop().event != expected) return false;
  return q.empty() && q.now() == 5 && q.processed() == 4;
}
static_assert(events_leave_by_time_then_by_arrival());

constexpr bool the_past_is_now() {
  wf::event_queue<int> q;
  q.push(5, 1);
  (void)q.pop();
  q.push(2, 2);
  return q.pop().time == 5;
}
static_assert(the_past_is_now());

}  // namespace

TEST_CASE("the order is that of a stable sort by time") {
  std::mt19937_64 random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::pair<std::int64_t, int>> events;
    wf::event_queue<int> q;
    for (int i = 0; i < 300; ++i) {
      const auto time = static_cast<std::int64_t>(random() % 40);
      events.emplace_back(time, i);
      q.push(time, i);
    }
    // Pairs of time and number, so that sorting preserves the order of equal times.
    std::sort(events.begin(), events.end());
    for (const auto& [time, i] : events) {
      const auto next = q.pop();
      REQUIRE(next.time == time);
      REQUIRE(next.event == i);
    }
    REQUIRE(q.empty());
  }
}
