// SPDX-License-Identifier: BSL-1.0
#include <wf/map/place/live_results.hpp>

#include <doctest/doctest.h>

namespace {

constexpr wf::rectangle left{0, 0, 1, 1}, both{0, 0, 1, 2}, right{0, 1, 1, 1};
constexpr std::uint32_t nothing = UINT32_MAX;

// 6 bytes on the left until 10, 5 on both until 20, 3 on the right forever.
constexpr wf::live_results three() {
  wf::live_results l;
  l.add({0, left, 6, 10});
  l.add({1, both, 5, 20});
  l.add({2, right, 3, wf::unbounded});
  return l;
}
constexpr std::int64_t fits_at(const wf::rectangle& r, std::int64_t needed, std::uint32_t over,
                               std::int64_t start) {
  wf::live_results l = three();
  return l.when_it_fits(9, r, needed, 16, over, start);
}
static_assert(fits_at(left, 5, nothing, 0) == 0);
static_assert(fits_at(left, 6, nothing, 0) == 10);
static_assert(fits_at(left, 6, 0, 0) == 0);  // it overwrites the result of 0
static_assert(fits_at(both, 12, nothing, 0) == 20);
static_assert(fits_at(both, 12, nothing, 25) == 25);

}  // namespace

TEST_CASE("bytes that never fit are a shortage, and the least one is remembered") {
  wf::live_results l = three();
  CHECK(l.least_shortage().op == UINT32_MAX);
  CHECK(l.when_it_fits(9, right, 15, 16, nothing, 0) == wf::unbounded);
  CHECK(l.least_shortage().op == 9);
  CHECK(l.least_shortage().needed == 15);
  CHECK(l.least_shortage().left == 13);
  l.note({8, left, 20, 13});
  CHECK(l.least_shortage().op == 9);
  l.note({7, left, 14, 13});
  CHECK(l.least_shortage().op == 7);
  CHECK(l.steps() > 0);
}

TEST_CASE("results end") {
  wf::live_results l = three();
  l.remove_until(10);
  CHECK(l.results().size() == 2);
  CHECK(l.results()[0].op == 1);
  l.remove_until(1000);
  CHECK(l.results().size() == 1);
  CHECK(l.when_it_fits(9, right, 13, 16, nothing, 0) == 0);
  l.clear();
  CHECK(l.results().empty());
}
