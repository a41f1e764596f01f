// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/checked_tile.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

namespace {

namespace compute = wf::compute;

// Tests sums and products of every length and step, with an overflow at every position.
template <class Integer>
void check_tiles() {
  constexpr Integer most = std::numeric_limits<Integer>::max();
  for (const int n : {1, 7, 16, 33, 600})
    for (const Eigen::Index first : {0, 1, 2})
      for (const Eigen::Index second : {0, 1, 2}) {
        const auto size = static_cast<std::size_t>(n);
        std::vector<Integer> x(2 * size + 1), y(2 * size + 1), sum(size), product(size);
        for (std::size_t i = 0; i < x.size(); ++i) {
          x[i] = static_cast<Integer>(i % 13) - 6;
          y[i] = static_cast<Integer>(i % 7) - 3;
        }
        const Integer* const from[] = {x.data(), y.data()};
        const Eigen::Index step[] = {first, second};
        using adds = compute::detail::checked_sum;
        CHECK(compute::checked_tile_of<adds, 2>(sum.data(), from, step, n));
        CHECK(compute::checked_product_tile(product.data(), from, step, n));
        bool right = true;
        for (std::size_t i = 0; i < size; ++i) {
          const Integer a = x[i * static_cast<std::size_t>(first)];
          const Integer b = y[i * static_cast<std::size_t>(second)];
          right = right && sum[i] == a + b && product[i] == a * b;
        }
        CHECK(right);
        for (std::size_t i = 0; i < size; i += 5) {
          std::vector<Integer> large = x;
          large[i * static_cast<std::size_t>(first)] = most;
          std::vector<Integer> two(y.size(), 2);
          const Integer* const over[] = {large.data(), two.data()};
          CHECK_FALSE(compute::checked_tile_of<adds, 2>(sum.data(), over, step, n));
          CHECK_FALSE(compute::checked_product_tile(product.data(), over, step, n));
        }
      }
}

}  // namespace

TEST_CASE("sums and products of integers are exact, or refused wherever they overflow") {
  check_tiles<std::int32_t>();
  check_tiles<std::int64_t>();
}
