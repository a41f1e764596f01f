// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/engine/pool.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <random>

TEST_CASE("records keep their indices until they are released, and storage is used again") {
  std::mt19937_64 random(9);
  wf::pool<std::uint64_t> p;
  std::map<std::uint32_t, std::uint64_t> used;
  std::size_t most = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (used.empty() || random() % 2 == 0) {
      const std::uint64_t value = random();
      const std::uint32_t at = p.add(value);
      REQUIRE(used.emplace(at, value).second);
    } else {
      auto at = used.lower_bound(static_cast<std::uint32_t>(random() % most));
      if (at == used.end()) at = used.begin();
      p.release(at->first);
      REQUIRE(p[at->first] == at->second);  // readable still
      used.erase(at);
    }
    most = most < used.size() ? used.size() : most;
    REQUIRE(p.in_use() == used.size());
    if (!used.empty()) REQUIRE(p[used.begin()->first] == used.begin()->second);
  }
  for (const auto& [at, value] : used) REQUIRE(p[at] == value);
  CHECK(p.records().size() == most);
  const std::uint32_t fresh = wf::pool<int>().acquire();
  CHECK(fresh == 0);
}
