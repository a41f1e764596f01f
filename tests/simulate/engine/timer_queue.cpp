// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/engine/timer_queue.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <random>

// Any sequence of changes leaves the completions of an ordered map.
TEST_CASE("the first completion is that of all timers that are set") {
  using wf::sim::completion;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const std::uint32_t timers = 1 + static_cast<std::uint32_t>(random() % 9);
    wf::sim::timer_queue queue(timers);
    std::map<std::uint32_t, completion> expected;
    std::uint64_t number = 0;
    for (int step = 0; step < 400; ++step) {
      const auto timer = static_cast<std::uint32_t>(random() % timers);
      if (random() % 2 == 0) {
        const completion c{static_cast<std::int64_t>(random() % 20), number++};
        queue.set(timer, c);
        expected[timer] = c;
      } else {
        queue.clear(timer);
        expected.erase(timer);
      }
      REQUIRE(queue.empty() == expected.empty());
      if (expected.empty()) continue;
      auto first = expected.begin();
      for (auto i = expected.begin(); i != expected.end(); ++i)
        if (i->second < first->second) first = i;
      REQUIRE(queue.time() == first->second.time);
      if (random() % 3 != 0) continue;
      REQUIRE(queue.top() == first->first);
    }
  }
}

TEST_CASE("completions are ordered by time, then by number") {
  using wf::sim::completion;
  CHECK(completion{1, 9} < completion{2, 0});
  CHECK(completion{1, 2} < completion{1, 3});
  CHECK_FALSE(completion{1, 3} < completion{1, 3});
  CHECK(completion{1, 3} == completion{1, 3});
  CHECK(completion{}.time == wf::sim::never);
}
