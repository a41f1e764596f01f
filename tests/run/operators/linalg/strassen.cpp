// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg/strassen.hpp>

#include <array>
#include <random>

#include <doctest/doctest.h>

#include "applied.hpp"

namespace {

using namespace applied;

}  // namespace

TEST_CASE("Strassen's product in every order, and of even extents only") {
  std::mt19937_64 random(43);
  for (const auto& [m, k, n] : {std::array{2, 2, 2}, {2, 6, 4}, {96, 72, 102}})
    for (unsigned bits = 0; bits < 8; ++bits) {
      const apply::layout lies{bits, 3};
      const tensor a = apply::random_tensor(shape::of(m, k), random);
      const tensor b = apply::random_tensor(shape::of(k, n), random);
      const auto of = [&](const char* op) {
        return *apply::run(compute::linalg_operators<double>(), op, {a, b}, {apply::f64(m, n)}, {},
                           {}, lies);
      };
      CHECK(is_near(of("matmul_strassen"), of("matmul")));
    }
  const tensor odd(shape::of(1, 1), {2});
  CHECK(run("matmul_strassen", {odd, odd}, {apply::f64(1, 1)}).why ==
        "Strassen's product needs matrices of even extents");
}
