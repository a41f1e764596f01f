// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/engine/index_set.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

TEST_CASE("members are kept once, in the order in which they came") {
  std::mt19937_64 random(4);
  wf::index_set s(20);
  std::vector<std::uint32_t> list;
  for (int i = 0; i < 5000; ++i) {
    if (random() % 40 == 0) {
      s.clear();
      list.clear();
    }
    const auto index = static_cast<std::uint32_t>(random() % 20);
    const bool is_new = std::find(list.begin(), list.end(), index) == list.end();
    REQUIRE(s.has(index) == !is_new);
    REQUIRE(s.add(index) == is_new);
    if (is_new) list.push_back(index);
    REQUIRE(s.size() == list.size());
    REQUIRE(std::equal(s.begin(), s.end(), list.begin(), list.end()));
    REQUIRE(s.members().size() == list.size());
  }
}

TEST_CASE("a member that was left may come again") {
  wf::index_set s(3);
  s.add(2);
  s.add(0);
  CHECK(s.leave(0) == 2);
  CHECK_FALSE(s.has(2));
  CHECK(s.add(2));
  REQUIRE(s.size() == 3);
  CHECK(s[2] == 2);
}
