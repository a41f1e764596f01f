// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/simplex_matrix.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;
using wf::detail::packing_cut;
using wf::detail::packing_cuts;
using wf::detail::packing_model;
using wf::detail::simplex_matrix;
using wf::detail::sparse_vector;

TEST_CASE("the column of a value has its rows, and its use of limits relative to their capacity") {
  std::mt19937 random(621);
  int in_rows = 0, in_limits = 0;
  for (int round = 0; round < 500; ++round) {
    CAPTURE(round);
    const packing_model m = random_model(random);
    const simplex_matrix matrix(m);
    CHECK(matrix.all_ == matrix.first_cut());
    wf::table<double> price(matrix.all_, 2.0);
    for (std::uint32_t v = 0; v < m.values; ++v) {
      CHECK_FALSE(matrix.is_slack(v));
      sparse_vector column(matrix.all_);
      matrix.add_value(v, 3, column);
      for (std::uint32_t r = 0; r < m.rows; ++r) {
        int times = 0;
        for (std::uint32_t e = m.row_first[r]; e < m.row_first[r + 1]; ++e)
          times += m.entry[e] == v;
        CHECK(column[r] == 3 * times);
        in_rows += times;
      }
      double use = 0;
      for (std::size_t l = 0; l < m.capacity.size(); ++l) {
        if (m.capacity[l] <= 0) continue;
        const double share =
            static_cast<double>(m.weight[l * m.values + v]) / static_cast<double>(m.capacity[l]);
        CHECK(column[m.rows + static_cast<std::uint32_t>(l)] == doctest::Approx(3 * share));
        use += share;
        in_limits += share > 0;
      }
      CHECK(matrix.price_of_use(v, price) == doctest::Approx(2 * use));
    }
    CHECK(matrix.is_slack(m.values));
  }
  CHECK(in_rows > 500);
  CHECK(in_limits > 100);
}

TEST_CASE("a cut is scaled to the right side 1") {
  const std::int64_t cost[] = {1, 1, 1};
  cover_model cover(cost);
  cover.add_edge(0, 1);
  const packing_model m = cover.finish();
  packing_cuts pool;
  packing_cut cut;
  cut.value = wf::table<std::uint32_t>{1, 3, 5};
  cut.coefficient = wf::table<std::int32_t>{2, 2, 1};
  cut.most = 4;
  pool.add(cut);
  pool.index(m.values);
  simplex_matrix matrix(m);
  matrix.add_cuts(pool);
  CHECK(matrix.all_ == matrix.first_cut() + 1);
  sparse_vector column(matrix.all_);
  matrix.add_value(3, 1, column);
  CHECK(column[0] == 1);
  CHECK(column[matrix.first_cut()] == 0.5);
  double total = 0;
  matrix.each_in_cut(0, [&](std::uint32_t, double use) { total += use; });
  CHECK(total == 1.25);

  wf::detail::packing_duals duals;
  duals.row.resize(1);
  duals.cut.resize(1);
  matrix.price_row(duals, 0, 2.5, 8);
  matrix.price_row(duals, matrix.first_cut(), 10, 8);
  CHECK(duals.row[0] == 20);
  CHECK(duals.cut[0] == 20);
  matrix.price_row(duals, 0, -1e-9, 8);
  CHECK(duals.row[0] == 0);
}
