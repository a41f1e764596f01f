// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/tile_kernel.hpp>

#include <cstddef>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../apply.hpp"

namespace {

using apply::random_tensor;
using apply::tensor;
using wf::shape;
namespace compute = wf::compute;

constexpr auto minus = [](const auto& x, const auto& y) { return x - y; };
constexpr auto product_and_sum = [](double x, double y, double z) { return x * y + z; };
constexpr auto negative = [](double x) { return -x; };

}  // namespace

TEST_CASE("kernels of every number of elements and every step") {
  std::mt19937_64 random(44);
  for (const int n : {0, 1, 2, 15, 16, 17, 40}) {
    const tensor x = random_tensor(shape::of(n + 1), random),
                 y = random_tensor(shape::of(n + 1), random);
    for (int bits = 0; bits < 8; ++bits) {
      const Eigen::Index step[] = {bits & 1, bits >> 1 & 1, bits >> 2};
      const double* const from[] = {x.elements.data(), y.elements.data(), x.elements.data()};
      std::vector<double> one(static_cast<std::size_t>(n + 1), 5.0), two = one, three = one;
      compute::tile_of<negative, 1>(one.data(), from, step, n);
      compute::tile_of<minus, 2>(two.data(), from, step, n);
      compute::tile_of<product_and_sum, 3>(three.data(), from, step, n);
      for (int i = 0; i < n; ++i) {
        const auto at = [&](int k) { return from[k][i * step[k]]; };
        const auto place = static_cast<std::size_t>(i);
        CHECK(one[place] == -at(0));
        CHECK(two[place] == at(0) - at(1));
        CHECK(three[place] == product_and_sum(at(0), at(1), at(2)));
      }
      for (const auto& v : {one, two, three}) CHECK(v[static_cast<std::size_t>(n)] == 5.0);
    }
  }
}

TEST_CASE("kernels of arrays and of blocks compute what those of numbers do") {
  constexpr auto twice = [](const auto& x) { return x + x; };
  std::mt19937_64 random(45);
  for (const int n : {0, 1, 7, 16, 33}) {
    const tensor x = random_tensor(shape::of(3 * n + 1), random),
                 y = random_tensor(shape::of(3 * n + 1), random);
    const double* const from[] = {x.elements.data(), y.elements.data()};
    for (const Eigen::Index first : {0, 1, 3})
      for (const Eigen::Index second : {0, 1, 3}) {
        const Eigen::Index step[] = {first, second};
        std::vector<double> one(static_cast<std::size_t>(n + 1), 5.0), two = one, expected = one;
        compute::tile_of<minus, 2>(expected.data(), from, step, n);
        compute::array_tile_of<minus, 2>(two.data(), from, step, n);
        CHECK(two == expected);
        expected = one;
        compute::tile_of<twice, 1>(expected.data(), from, step, n);
        compute::block_tile_of<twice>(one.data(), from, step, n);
        CHECK(one == expected);
      }
  }
}
