// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg/triangular.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "applied.hpp"

namespace {

using namespace applied;

}  // namespace

TEST_CASE("a triangular matrix says which triangle, or shows it") {
  const tensor b(shape::of(2, 1), {2, 8});
  const tensor lower(shape::of(2, 2), {2, 0, 3, 5}), upper(shape::of(2, 2), {2, 3, 0, 4});
  const tensor both(shape::of(2, 2), {2, 3, 3, 5}), zero(shape::of(2, 2), {2, 0, 3, 0});
  const auto solved = [&](const tensor& a, wf::properties known = {}) {
    return run("solve_triangular", {a, b}, {apply::f64(2, 1)}, {}, {known});
  };
  CHECK((*solved(lower)).elements == std::vector<double>{1, 1});
  CHECK((*solved(upper)).elements == std::vector<double>{-2, 2});
  CHECK((*solved(both, wf::lower_triangular)).elements == std::vector<double>{1, 1});
  CHECK((*solved(both, wf::upper_triangular)).elements[1] == doctest::Approx(1.6));
  CHECK(solved(both).why == "the matrix is not triangular");
  CHECK(solved(zero).why == "the matrix is singular");
}
