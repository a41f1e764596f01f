// SPDX-License-Identifier: BSL-1.0
#include <wf/run/values/strided_matrix.hpp>

#include <type_traits>

#include <doctest/doctest.h>

namespace compute = wf::compute;
using compute::matrix_ref, compute::matrix_view;

TEST_CASE("a matrix, its transposed and its parts are the same storage") {
  double elements[12];
  for (int i = 0; i < 12; ++i) elements[i] = i;
  const matrix_ref<double> rows = compute::rows_at(elements, 3, 4),
                           columns = compute::columns_at(elements, 3, 4);
  CHECK(rows(1, 2) == 6);
  CHECK(columns(1, 2) == 7);
  CHECK(rows.transposed()(2, 1) == 6);
  CHECK(rows.block(1, 1, 2, 2)(1, 1) == rows(2, 2));
  CHECK(columns.block(1, 1, 2, 2)(1, 1) == columns(2, 2));
  CHECK(columns.block(1, 1, 2, 3).transposed()(2, 1) == columns(2, 3));
  CHECK(rows.runs() == 3);
  CHECK(columns.run_length() == 3);
  CHECK(matrix_view<double>(columns).run(2) == elements + 6);
}

TEST_CASE("what can be written can be read, not the other way round") {
  static_assert(std::is_convertible_v<matrix_ref<double>, matrix_view<double>>);
  static_assert(!std::is_convertible_v<matrix_view<double>, matrix_ref<double>>);
  CHECK(matrix_ref<double>().block(0, 0, 0, 0).elements == nullptr);
}
