// SPDX-License-Identifier: BSL-1.0
#include <wf/core/container/heap.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace {

struct less_than {
  template <class T>
  constexpr bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

// Every seventh sequence of five digits below five leaves the heap in order.
constexpr bool sorts() {
  for (int sequence = 0; sequence < 3125; sequence += 7) {
    wf::binary_heap<int, less_than> heap;
    int sum = 0;
    for (int rest = sequence, i = 0; i < 5; ++i, rest /= 5) {
      heap.push(rest % 5);
      sum += rest % 5;
    }
    int last = 0;
    while (!heap.empty()) {
      const int top = heap.top();
      if (heap.pop() != top || top < last) return false;
      sum -= top;
      last = top;
    }
    if (sum != 0 || heap.size() != 0) return false;
  }
  return true;
}
static_assert(sorts());

constexpr bool clears() {
  wf::binary_heap<int, less_than> heap;
  heap.push(2);
  heap.push(1);
  if (heap.records().size() != 2) return false;
  heap.clear();
  if (!heap.empty() || !heap.records().empty()) return false;
  heap.push(3);
  return heap.size() == 1 && heap.top() == 3;
}
static_assert(clears());

// Ordered by the first member alone: equal elements leave in any order, but intact.
struct by_first {
  bool operator()(const std::pair<int, int>& a, const std::pair<int, int>& b) const {
    return a.first < b.first;
  }
};

struct by_value {
  bool operator()(const std::unique_ptr<int>& a, const std::unique_ptr<int>& b) const {
    return *a < *b;
  }
};

}  // namespace

TEST_CASE("a heap gives what a sorted container gives") {
  std::mt19937 random(91);
  wf::binary_heap<int, less_than> heap;
  std::multiset<int> expected;
  for (int i = 0; i < 20000; ++i) {
    const auto choice = random() % 1000;
    if (choice == 0) {
      heap.clear();
      expected.clear();
    } else if (choice < 600 || expected.empty()) {
      const int x = static_cast<int>(random() % 1000);
      heap.push(x);
      expected.insert(x);
    } else {
      CHECK(heap.pop() == *expected.begin());
      expected.erase(expected.begin());
    }
    REQUIRE(heap.size() == expected.size());
    REQUIRE(heap.empty() == expected.empty());
    if (!heap.empty()) CHECK(heap.top() == *expected.begin());
    if (i % 50 == 0) {
      std::vector<int> records(heap.records().begin(), heap.records().end());
      std::sort(records.begin(), records.end());
      CHECK(std::equal(records.begin(), records.end(), expected.begin(), expected.end()));
    }
  }
}

TEST_CASE("equal records leave one by one and unharmed") {
  std::mt19937 random(331);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    wf::binary_heap<std::pair<int, int>, by_first> heap;
    std::set<std::pair<int, int>> kept;
    int last = -1;
    const int size = 1 + static_cast<int>(random() % 60);
    for (int i = 0; i < size; ++i) heap.push({static_cast<int>(random() % 5), i});
    for (const auto& record : heap.records()) kept.insert(record);
    REQUIRE(kept.size() == static_cast<std::size_t>(size));
    while (!heap.empty()) {
      const std::pair<int, int> record = heap.pop();
      CHECK(record.first >= last);
      CHECK(kept.erase(record) == 1);
      last = record.first;
    }
    CHECK(kept.empty());
  }
}

TEST_CASE("with a total order the same records leave in the same sequence, however they came") {
  std::mt19937 random(332);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    std::vector<std::pair<int, int>> records;
    for (int i = 0; i < 40; ++i) records.push_back({static_cast<int>(random() % 6), i});
    wf::binary_heap<std::pair<int, int>, less_than> heap;
    std::shuffle(records.begin(), records.end(), random);
    for (const auto& record : records) heap.push(record);
    std::sort(records.begin(), records.end());
    for (const auto& record : records) CHECK(heap.pop() == record);
  }
}

TEST_CASE("records need only be movable") {
  std::mt19937 random(333);
  wf::binary_heap<std::unique_ptr<int>, by_value> heap;
  std::multiset<int> expected;
  for (int i = 0; i < 2000; ++i) {
    if (random() % 3 != 0 || heap.empty()) {
      const int x = static_cast<int>(random() % 100);
      heap.push(std::make_unique<int>(x));
      expected.insert(x);
    } else {
      CHECK(*heap.pop() == *expected.begin());
      expected.erase(expected.begin());
    }
  }
  CHECK(heap.size() == expected.size());
}
