// SPDX-License-Identifier: BSL-1.0
#include <wf/search/first_exception.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace {

std::exception_ptr holding(int number) {
  try {
    throw number;
  } catch (...) {
    return std::current_exception();
  }
}

// The number in the rethrown exception; -1: none.
int rethrown(wf::detail::first_exception& kept) {
  try {
    kept.rethrow();
  } catch (const int number) {
    return number;
  }
  return -1;
}

}  // namespace

TEST_CASE("the exception of the smallest task is rethrown once, in whatever order they come") {
  std::vector<int> order{3, 5, 8, 13};
  do {
    wf::detail::first_exception kept;
    CHECK(rethrown(kept) == -1);
    for (const int task : order) kept.note(static_cast<std::size_t>(task), holding(task));
    CHECK(rethrown(kept) == 3);
    CHECK(rethrown(kept) == -1);
    kept.note(21, holding(21));  // the next call
    CHECK(rethrown(kept) == 21);
  } while (std::next_permutation(order.begin(), order.end()));
}
