// SPDX-License-Identifier: BSL-1.0
#include <wf/core/container/sort.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

struct record {
  int key = 0;
  int place = 0;
  friend constexpr bool operator==(const record&, const record&) = default;
};
constexpr auto by_key = [](const record& a, const record& b) { return a.key < b.key; };

constexpr bool sorts_while_compiling() {
  wf::table<record> list = {{2, 0}, {1, 1}, {2, 2}, {0, 3}, {1, 4}};
  wf::detail::stable_sort(list, by_key);
  return list == wf::table<record>{{0, 3}, {1, 1}, {1, 4}, {2, 0}, {2, 2}};
}
static_assert(sorts_while_compiling());

}  // namespace

TEST_CASE("records are sorted, and equal ones keep their order") {
  std::mt19937_64 random(20261209);
  for (std::size_t size = 0; size < 130; ++size) {
    std::vector<record> wanted;
    for (std::size_t i = 0; i < size; ++i)
      wanted.push_back({static_cast<int>(random() % 10), static_cast<int>(i)});
    wf::table<record> list{wf::view<record>(wanted)};
    std::sort(wanted.begin(), wanted.end(), [](const record& a, const record& b) {
      return a.key != b.key ? a.key < b.key : a.place < b.place;
    });
    wf::detail::stable_sort(list, by_key);
    CHECK(std::equal(wanted.begin(), wanted.end(), list.begin(), list.end()));
  }
}
