// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/fault/checker_model.hpp>

#include <doctest/doctest.h>

#include <random>
#include <set>

TEST_CASE("a set of numbers agrees with the standard library's") {
  wf::fault::detail::number_set set;
  std::set<std::uint64_t> naive;
  std::mt19937_64 random(9);
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t n = random() % 2000;
    CHECK(set.has(n) == (naive.count(n) != 0));
    if (random() % 3 == 0) {
      set.add(n);
      naive.insert(n);
    }
  }
  set.clear();
  CHECK_FALSE(set.has(*naive.begin()));
}
