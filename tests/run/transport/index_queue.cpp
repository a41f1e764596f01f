// SPDX-License-Identifier: BSL-1.0
#include <wf/run/transport/index_queue.hpp>

#include <doctest/doctest.h>

#include <random>
#include <set>

namespace {

constexpr bool works_while_compiling() {
  wf::index_queue q(200);
  q.add(130), q.add(3), q.add(64);
  return q.take() == 3 && q.take() == 64 && q.size() == 1 && q.take() == 130 && q.empty();
}
static_assert(works_while_compiling());

}  // namespace

TEST_CASE("an index queue gives out the smallest index, as a set does") {
  std::mt19937 random(7);
  for (const std::uint32_t bound : {1U, 63U, 64U, 65U, 4096U, 4097U, 300'000U}) {
    CAPTURE(bound);
    wf::index_queue q(bound);
    std::set<std::uint32_t> s;
    for (int i = 0; i < 5000; ++i) {
      const std::uint32_t index = std::uint32_t(random()) % bound;
      if (random() % 2 == 0 && s.insert(index).second) q.add(index);
      if (random() % 3 == 0 && !s.empty()) {
        REQUIRE(q.take() == *s.begin());
        s.erase(s.begin());
      }
      REQUIRE(q.size() == s.size());
      REQUIRE(q.empty() == s.empty());
    }
    for (; !s.empty(); s.erase(s.begin())) REQUIRE(q.take() == *s.begin());
    CHECK(q.empty());
  }
  CHECK(wf::index_queue(0).empty());
}
