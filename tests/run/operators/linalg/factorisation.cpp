// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg/factorisation.hpp>

#include <algorithm>
#include <random>

#include <doctest/doctest.h>

#include "applied.hpp"

namespace {

using namespace applied;

}  // namespace

TEST_CASE("factors of singular matrices") {
  std::mt19937_64 random(22);
  // P·A = L·U, and row i of P·A is row p[i] of A, for any rank.
  for (int n : {1, 2, 5, 40}) {
    tensor a = apply::random_tensor(shape::of(n, n), random);
    if (n > 1) std::copy_n(a.elements.begin(), n, a.elements.begin() + n);
    const auto lu = run("lu", {a}, {apply::f64(n, n), apply::of(dtype::i64, n)});
    const tensor& f = *lu;
    apply::for_each_index(a.dims, [&](const auto& i) {
      double sum = 0;
      for (std::int64_t k = 0; k <= std::min(i[0], i[1]); ++k)
        sum += (k == i[0] ? 1 : f.at({i[0], k})) * f.at({k, i[1]});
      const auto row = static_cast<std::int64_t>(lu.results[1].at({i[0]}));
      CHECK(sum == doctest::Approx(a.at({row, i[1]})));
    });
  }
}

TEST_CASE("what is singular has no factors to solve with") {
  const tensor singular(shape::of(2, 2), {1, 2, 2, 4});
  // Factors are tested for singularity when they are made, relative to the columns of their matrix.
  const std::vector<wf::value_type> factors{apply::f64(2, 2), apply::of(dtype::i64, 2)};
  CHECK(run("lu_factor", {singular}, factors).why == "the matrix is singular");
  const tensor nearly(shape::of(2, 2), {1e-3, 1e3, 1e-3, 1e3 * (1 + 1e-15)});
  CHECK(run("lu_factor", {nearly}, factors).why == "the matrix is singular");
  CHECK(run("lu", {singular}, factors).why == "");
  CHECK(run("ldl_factor", {singular}, factors).why == "the matrix is singular");
}
