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
constexpr auto by_key_and_place = [](const record& a, const record& b) {
  return a.key != b.key ? a.key < b.key : a.place < b.place;
};

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
    std::sort(wanted.begin(), wanted.end(), by_key_and_place);
    wf::detail::stable_sort(list, by_key);
    CHECK(std::equal(wanted.begin(), wanted.end(), list.begin(), list.end()));
  }
}

TEST_CASE("a record is inserted behind its equals, and not before a part's begin") {
  std::mt19937_64 random(20261126);
  for (std::size_t size = 0; size < 40; ++size) {
    wf::table<record> list = {{9, -1}}, wanted = list;
    for (std::size_t i = 0; i < size; ++i) {
      const record added{static_cast<int>(random() % 10), static_cast<int>(i)};
      wf::detail::insert_sorted(list, added, by_key, 1);
      wanted.push_back(added);
    }
    std::sort(wanted.begin() + 1, wanted.end(), by_key_and_place);
    CHECK(list == wanted);
  }
}
