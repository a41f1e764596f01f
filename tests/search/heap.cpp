// SPDX-License-Identifier: BSL-1.0
#include <wf/search/heap.hpp>

#include <random>
#include <set>

#include <doctest/doctest.h>

namespace {

struct less_than {
  constexpr bool operator()(int a, int b) const { return a < b; }
};

constexpr bool sorts() {
  wf::binary_heap<int, less_than> heap;
  for (int x : {5, 1, 4, 1, 3}) heap.push(x);
  int last = 0;
  while (!heap.empty()) {
    const int top = heap.top();
    if (heap.pop() != top || top < last) return false;
    last = top;
  }
  return last == 5;
}
static_assert(sorts());

}  // namespace

TEST_CASE("a heap gives what a sorted container gives") {
  std::mt19937 random(91);
  wf::binary_heap<int, less_than> heap;
  std::multiset<int> expected;
  for (int i = 0; i < 20000; ++i) {
    if (random() % 3 != 0 || expected.empty()) {
      const int x = static_cast<int>(random() % 1000);
      heap.push(x);
      expected.insert(x);
    } else {
      CHECK(heap.pop() == *expected.begin());
      expected.erase(expected.begin());
    }
    CHECK(heap.size() == expected.size());
  }
}
