// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/subset_sums.hpp>

#include <set>

#include <doctest/doctest.h>

#include "../task_graphs.hpp"

TEST_CASE("the largest sum of a subset below a number is found") {
  wf_test::task_dice dice(41);
  wf::detail::reachable_sums sums;
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    sums.clear(4);
    std::set<std::int64_t> all{0};
    for (std::int64_t n = dice(0, 8); n > 0; --n) {
      const std::int64_t x = dice(1, 255);
      sums.add(static_cast<std::size_t>(x));
      std::set<std::int64_t> more = all;
      for (const std::int64_t s : all) more.insert(s + x);
      all = more;
    }
    for (std::int64_t most = 0; most < 256; ++most)
      REQUIRE(sums.below(static_cast<std::size_t>(most)) ==
              static_cast<std::size_t>(*std::prev(all.upper_bound(most))));
  }
}
