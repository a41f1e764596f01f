// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg/factors.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "applied.hpp"

namespace {

using namespace applied;

}  // namespace

TEST_CASE("a factorised copy says whether its matrix is regular, and leaves it alone") {
  using compute::detail::factors, compute::detail::symmetric_factors;
  for (const bool by_columns : {false, true})
    for (const double last : {5.0, 4.0}) {
      const double elements[] = {1, 2, 2, last};
      const compute::matrix_view<double> a{elements, 2, 2, 2, by_columns};
      std::vector<double> scratch(static_cast<std::size_t>(factors<double>::scratch_of(2, 2)));
      CHECK(compute::detail::lu_of(a, scratch.data()).is_regular == (last == 5));
      const auto root = compute::detail::cholesky_of(a, scratch.data());
      CHECK(root.is_regular == (last == 5));
      if (root.is_regular) CHECK(root.of(1, 0) == 2);
      scratch.resize(static_cast<std::size_t>(symmetric_factors<double>::scratch_of(2, 2)));
      CHECK(symmetric_factors<double>(a, scratch.data()).is_regular == (last == 5));
      CHECK(elements[3] == last);
    }
}

TEST_CASE("columns of factors never lie a multiple of 128 elements apart") {
  for (int n = 1; n <= 1024; ++n) {
    CHECK(compute::detail::factors<double>::stride_of(n) % 128 != 0);
    CHECK(compute::detail::factors<double>::stride_of(n) >= n);
  }
}
