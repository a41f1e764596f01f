// SPDX-License-Identifier: BSL-1.0
#include <wf/search/state_index.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

TEST_CASE("the index finds every state it holds, whatever the hashes") {
  std::mt19937 random(92);
  for (const std::uint64_t spread : {1U, 7U, 1000U, 1U << 30}) {
    wf::state_index index;
    std::vector<std::uint64_t> keys;
    for (std::uint32_t i = 0; i < 2000; ++i) {
      keys.push_back(random());
      index.insert(keys.back() % spread, i);
    }
    CHECK(index.size() == 2000);
    for (std::uint32_t i = 0; i < 2000; i += 7) {
      const auto found = index.find(keys[i] % spread, [&](std::uint32_t n) { return n == i; });
      CHECK(found == i);
      const auto none = index.find(keys[i] % spread, [](std::uint32_t) { return false; });
      CHECK(none != i);
    }
  }
}
