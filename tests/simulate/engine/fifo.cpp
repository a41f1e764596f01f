// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/engine/fifo.hpp>

#include <doctest/doctest.h>

#include <deque>
#include <random>

namespace {

constexpr int sum_of_queue() {
  wf::fifo<int> q;
  int sum = 0;
  for (int i = 0; i < 100; ++i) {
    q.push(i);
    if (i % 3 != 0) sum += q.pop();
  }
  return q.empty() ? -1 : sum;
}
static_assert(sum_of_queue() == 66 * 65 / 2);

}  // namespace

TEST_CASE("a queue is a deque that is used at its ends") {
  std::mt19937_64 random(7);
  wf::fifo<std::uint64_t> q;
  std::deque<std::uint64_t> expected;
  for (int i = 0; i < 20'000; ++i) {
    // Grows for a while, then shrinks for a while.
    if (expected.empty() || random() % 8 < ((i / 1000) % 2 == 0 ? 5u : 3u)) {
      expected.push_back(random());
      q.push(expected.back());
    } else {
      REQUIRE(q.pop() == expected.front());
      expected.pop_front();
    }
    REQUIRE(q.size() == expected.size());
    REQUIRE(q.empty() == expected.empty());
    if (expected.empty()) continue;
    REQUIRE(q.front() == expected.front());
    REQUIRE(q.back() == expected.back());
    REQUIRE(q[expected.size() / 2] == expected[expected.size() / 2]);
  }
}
