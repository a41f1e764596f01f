// SPDX-License-Identifier: BSL-1.0
#include <wf/core/container/box.hpp>

#include <utility>

#include <doctest/doctest.h>

namespace {

struct counted {
  constexpr explicit counted(int& alive) : alive_(alive) { ++alive_; }
  constexpr ~counted() { --alive_; }
  int& alive_;
};

constexpr int most_alive_then_left() {
  int alive = 0, most = 0;
  {
    auto a = wf::make_box<counted>(alive);
    auto b = wf::make_box<counted>(alive);
    most = alive;
    a = std::move(b);
    wf::box<counted> c(std::move(a));
    if (a || !c) return -1;
  }
  return 10 * most + alive;
}

}  // namespace

TEST_CASE("a box deletes what it owns, once, wherever it moved") {
  static_assert(most_alive_then_left() == 20);
  CHECK(most_alive_then_left() == 20);
  const wf::box<int> none;
  CHECK(!none);
  const auto five = wf::make_box<int>(5);
  CHECK(*five == 5);
}
