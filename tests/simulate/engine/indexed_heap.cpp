// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/engine/indexed_heap.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

TEST_CASE("two heaps over the same members have the least of theirs on top") {
  using heap = wf::indexed_heap<std::pair<int, std::uint32_t>>;
  for (std::uint32_t seed = 1; seed <= 50; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    heap heaps[2];
    std::map<std::uint32_t, int> keys[2];
    std::vector<std::uint32_t> places(20, heap::absent);
    for (int step = 0; step < 2000; ++step) {
      const auto member = static_cast<std::uint32_t>(random() % 20);
      const std::size_t in = keys[0].contains(member)   ? 0
                             : keys[1].contains(member) ? 1
                                                        : random() % 2;
      if (random() % 3 == 0) {
        heaps[in].remove(places.data(), member);
        keys[in].erase(member);
      } else {
        const int key = static_cast<int>(random() % 50);
        heaps[in].set(places.data(), member, {key, member});
        keys[in][member] = key;
      }
      for (std::size_t h = 0; h < 2; ++h) {
        REQUIRE(heaps[h].size() == keys[h].size());
        if (keys[h].empty()) {
          REQUIRE(heaps[h].empty());
          continue;
        }
        std::pair<int, std::uint32_t> least{1000, 0};
        for (const auto& [m, key] : keys[h]) least = std::min(least, {key, m});
        REQUIRE(heaps[h].top() == least.second);
        REQUIRE(heaps[h].key() == least);
      }
    }
  }
}
