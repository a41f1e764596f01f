// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/row_exchange.hpp>

#include <cstddef>
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
