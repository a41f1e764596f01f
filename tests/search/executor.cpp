// SPDX-License-Identifier: BSL-1.0
#include <wf/search/executor.hpp>

#include <doctest/doctest.h>

namespace {

constexpr int sum_of_squares(int count) {
  int total = 0;
  const wf::in_turn executor;
  executor(static_cast<std::size_t>(count),
           [&](std::size_t i) { total += static_cast<int>(i * i); });
  return total;
}

static_assert(wf::task_executor<wf::in_turn>);
static_assert(wf::task_executor<const wf::in_turn>);
static_assert(!wf::task_executor<int>);
static_assert(sum_of_squares(0) == 0 && sum_of_squares(4) == 14);

}  // namespace

TEST_CASE("tasks in turn are done in their order") {
  int last = -1;
  wf::in_turn()(5, [&](std::size_t i) {
    CHECK(static_cast<int>(i) == last + 1);
    last = static_cast<int>(i);
  });
  CHECK(last == 4);
}
