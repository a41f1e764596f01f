// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/mirror.hpp>

#include <doctest/doctest.h>

TEST_CASE("every element below the diagonal goes to its mirror image, and none beyond") {
  for (const Eigen::Index n : {0, 1, 2, 63, 64, 65, 200}) {
    CAPTURE(n);
    Eigen::MatrixXi m(n, n);
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = 0; i < n; ++i) m(i, j) = i >= j ? static_cast<int>(i * n + j) : -1;
    Eigen::Index blocks = 0;
    wf::compute::detail::mirror_triangle(
        m, n, [&](Eigen::Index i, Eigen::Index j, Eigen::Index rows, Eigen::Index columns) {
          ++blocks;
          REQUIRE(j + columns <= i);  // a block contains no square on the diagonal
          for (Eigen::Index c = j; c < j + columns; ++c)
            for (Eigen::Index r = i; r < i + rows; ++r) m(c, r) = m(r, c);
        });
    const Eigen::Index squares = (n + 63) / 64;
    CHECK(blocks == squares * (squares - 1) / 2);
    bool right = true;
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = j; i < n; ++i)
        right = right && m(i, j) == i * n + j && m(j, i) == i * n + j;
    CHECK(right);
  }
}
