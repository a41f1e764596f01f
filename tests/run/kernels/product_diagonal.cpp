// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/product_diagonal.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "strided.hpp"

namespace {

namespace compute = wf::compute;
using namespace strided;

}  // namespace

TEST_CASE("diagonals of products in all orders") {
  std::mt19937_64 random(7);
  for_all_orders([&](const orders& o) {
    for (const Index size : {1, 5, 64, 130})
      for (const Index depth : {0, 3, 64, 129}) {
        owned a(size, depth, o.a, o.apart, random), b(depth, size, o.b, o.apart, random);
        std::vector<double> made(static_cast<std::size_t>(size), 7.0);
        compute::multiply_diagonal(made.data(), a.view(), b.view());
        for (Index i = 0; i < size; ++i) {
          double sum = 0;
          for (Index k = 0; k < depth; ++k) sum += a(i, k) * b(k, i);
          CHECK(made[static_cast<std::size_t>(i)] == doctest::Approx(sum).epsilon(1e-12));
        }
      }
  });
}
