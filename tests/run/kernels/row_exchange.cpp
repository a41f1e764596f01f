// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/row_exchange.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "strided.hpp"

namespace {

namespace compute = wf::compute;
using namespace strided;

}  // namespace

TEST_CASE("rows change places in all orders") {
  std::mt19937_64 random(55);
  for (const Index n : {0, 1, 3, 40})
    for_all_orders([&](const orders& o) {
      owned from(n, 5, o.a, o.apart, random), to(n, 5, o.b, o.apart, random), swapped = from;
      std::vector<double> rows, place;
      for (Index i = 0; i < n; ++i) {
        rows.push_back(static_cast<double>(i + static_cast<Index>(random() % 100) % (n - i)));
        place.push_back(static_cast<double>(i));
      }
      for (std::size_t i = 0; i < rows.size(); ++i)
        std::swap(place[i], place[static_cast<std::size_t>(rows[i])]);
      compute::copy_rows(to.ref(), from.view(), place.data());
      compute::exchange_rows(swapped.ref(), rows.data(), n);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < 5; ++j) {
          CHECK(to(i, j) == from(static_cast<Index>(place[static_cast<std::size_t>(i)]), j));
          CHECK(to(i, j) == swapped(i, j));
        }
      compute::undo_exchanges(swapped.ref(), rows.data(), n);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < 5; ++j) CHECK(swapped(i, j) == from(i, j));
      CHECK(to.is_clean());
      CHECK(swapped.is_clean());
    });
}

TEST_CASE("exchanges one after the other") {
  const double rows[] = {2, 2, 3, 3};
  double place[4];
  compute::follow_exchanges(place, rows, 4);
  const double expected[] = {2, 0, 3, 1};
  CHECK(std::equal(place, place + 4, expected));
}

TEST_CASE("a permutation has one set of exchanges, and what is none has no such set") {
  std::mt19937_64 random(20);
  for (Index n = 0; n <= 60; ++n) {
    const auto count = static_cast<std::size_t>(n);
    std::vector<double> place(count), rows(count), again(count), scratch(2 * count);
    for (std::size_t k = 0; k < count; ++k) place[k] = static_cast<double>(k);
    std::shuffle(place.begin(), place.end(), random);
    REQUIRE(compute::find_exchanges(rows.data(), place.data(), n, scratch.data()));
    for (Index k = 0; k < n; ++k) {
      CHECK(rows[static_cast<std::size_t>(k)] >= static_cast<double>(k));
      CHECK(rows[static_cast<std::size_t>(k)] < static_cast<double>(n));
    }
    compute::follow_exchanges(again.data(), rows.data(), n);
    CHECK(again == place);
    if (n < 2) continue;
    const std::size_t at = random() % count, other = (at + 1) % count;
    for (const double wrong :
         {place[other], static_cast<double>(n), -1.0, std::numeric_limits<double>::quiet_NaN()}) {
      again = place;
      again[at] = wrong;
      CHECK_FALSE(compute::find_exchanges(rows.data(), again.data(), n, scratch.data()));
    }
  }
}
