// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/matrix_map.hpp>

#include <doctest/doctest.h>

TEST_CASE("maps have the elements, the order and the distance of their matrix") {
  namespace compute = wf::compute;
  double elements[] = {1, 2, 3, 0, 4, 5, 6, 0};
  for (const bool by_columns : {false, true}) {
    const compute::matrix_ref<double> m{elements, by_columns ? 3 : 2, by_columns ? 2 : 3, 4,
                                        by_columns};
    int calls = 0;
    compute::detail::with_map(m, [&](const auto& map) {
      ++calls;
      CHECK(map.IsRowMajor == !by_columns);
      REQUIRE(map.rows() == m.rows);
      REQUIRE(map.cols() == m.columns);
      for (Eigen::Index i = 0; i < m.rows; ++i)
        for (Eigen::Index j = 0; j < m.columns; ++j) CHECK(&map(i, j) == &m(i, j));
    });
    CHECK(calls == 1);
  }
}
