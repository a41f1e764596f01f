// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/sharing/mesh_calendar.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

std::vector<std::uint32_t> all(const wf::sim::roomy_list& list) {
  return {list.begin(), list.end()};
}

}  // namespace

TEST_CASE("a list keeps its members when room is made") {
  wf::sim::roomy_list list;
  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < 100; ++i) {
    list.reserve(2);
    list.push(1000 + i, i % 3 != 0);
    list.push(i);
    if (i % 3 != 0) expected.push_back(1000 + i);
    expected.push_back(i);
  }
  CHECK(all(list) == expected);
  CHECK(list.size() == expected.size());
  list.clear();
  CHECK(all(list).empty());
}

TEST_CASE("the next cycle with an arrival is found over any delay") {
  for (const std::int64_t longest : {1, 2, 7, 8, 100})
    for (std::int64_t now = 0; now < 40; now += 13)
      for (std::int64_t delay = 1; delay <= longest; ++delay) {
        wf::sim::mesh_calendar calendar(longest);
        CHECK(calendar.next(now) == INT64_MAX);
        const auto add = [&](wf::sim::roomy_list& list) {
          list.reserve(1);
          list.push(5);
          CHECK(calendar.next(now) == now + delay);
          CHECK(calendar.next(now + delay) == INT64_MAX);
          calendar.at(now + delay).clear();
          CHECK(calendar.next(now) == INT64_MAX);
        };
        add(calendar.at(now + delay).flits);
        add(calendar.at(now + delay).ejected);
        add(calendar.at(now + delay).credits);
        add(calendar.at(now + delay).releases);
        add(calendar.at(now + delay).tiles);
      }
}
