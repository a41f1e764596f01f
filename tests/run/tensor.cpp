// SPDX-License-Identifier: BSL-1.0
#include <wf/run/tensor.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

TEST_CASE("stacks of products broadcast, by the definition") {
  std::mt19937_64 random(75);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> a(3 * 2 * 4), b(1 * 4 * 5), out(3 * 2 * 5);
  for (double& x : a) x = uniform(random);
  for (double& x : b) x = uniform(random);
  wf::compute::tensor_matmul({wf::shape::of(3, 2, 5), out.data()},
                             {wf::shape::of(3, 2, 4), a.data()},
                             {wf::shape::of(1, 4, 5), b.data()});
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 5; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < 4; ++k) sum += a[(s * 2 + i) * 4 + k] * b[k * 5 + j];
        CHECK(out[(s * 2 + i) * 5 + j] == doctest::Approx(sum));
      }
}

TEST_CASE("the last two dimensions change places") {
  const std::vector<double> a{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::vector<double> out(12);
  wf::compute::tensor_transpose({wf::shape::of(2, 3, 2), out.data()},
                                {wf::shape::of(2, 2, 3), a.data()});
  CHECK(out == std::vector<double>{1, 4, 2, 5, 3, 6, 7, 10, 8, 11, 9, 12});
}
