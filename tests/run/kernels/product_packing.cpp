// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/product_packing.hpp>

#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using Eigen::Index;
using wf::compute::matrix_axis, wf::compute::matrix_sum;

TEST_CASE("an axis is a run where its positions follow each other") {
  CHECK(matrix_axis{nullptr, 1}.is_run(3, 9));
  CHECK(!matrix_axis{nullptr, 2}.is_run(0, 2));
  CHECK(matrix_axis{nullptr, 2}.is_run(5, 1));
  const Index offsets[] = {4, 5, 6, 9};
  CHECK(matrix_axis{offsets}.is_run(0, 3));
  CHECK(!matrix_axis{offsets}.is_run(1, 3));
  CHECK(matrix_axis{offsets}.at(3) == 9);
}

TEST_CASE("blocks have nearly equal sizes, none above the most, in whole steps") {
  for (Index all = 1; all < 2000; all += 7)
    for (const Index most : {24, 240, 384}) {
      const Index part = wf::compute::detail::even_part(all, most, 8);
      CHECK(part <= std::max(most, Index{8}));
      CHECK((part == all || part % 8 == 0));
      CHECK((all + part - 1) / part == (all + most - 1) / most);
    }
}

namespace {

// Packs random sums of matrices, `width` rows at a time.
template <class Real, Index width>
void check_packing() {
  std::mt19937 random(12);
  std::uniform_int_distribution<int> number(-9, 9);
  for (int round = 0; round < 200; ++round) {
    const Index rows = 1 + static_cast<Index>(random() % 60);
    const Index columns = 1 + static_cast<Index>(random() % 30);
    const bool by_columns = random() % 2 == 0, turns = random() % 2 == 0;
    const std::size_t terms = 1 + random() % 3;
    std::vector<std::vector<Real>> storage(terms);
    matrix_sum<const Real> sum;
    // The sum as packed is rows × columns; if it turns, it lies as columns × rows.
    const Index high = turns ? columns : rows, wide = turns ? rows : columns;
    for (auto& s : storage) {
      s.resize(static_cast<std::size_t>(high * wide));
      for (Real& x : s) x = static_cast<Real>(number(random));
      sum.add(s.data(), sum.terms == 0 ? 1 : 2, high - (sum.terms == 2 ? high / 2 : 0), wide);
    }
    sum.rows.step = by_columns ? 1 : wide;
    sum.columns.step = by_columns ? high : 1;
    const wf::compute::detail::row_packing<Real, width> packing(sum, turns);
    const Index from = static_cast<Index>(random()) % columns, depth = columns - from;
    const Index panels = (rows + width - 1) / width;
    std::vector<Real> packed(static_cast<std::size_t>(panels * width * depth), 77);
    packing.pack(packed.data(), 0, rows, from, depth);
    for (Index r = 0; r < panels * width; ++r)
      for (Index p = 0; p < depth; ++p) {
        Real expected = 0;
        for (std::size_t t = 0; t < terms; ++t) {
          const Index i = turns ? from + p : r, j = turns ? r : from + p;
          if (r < rows && i < sum.heights[t] && j < sum.widths[t])
            expected += sum.factors[t] * sum.elements[t][sum.rows.at(i) + sum.columns.at(j)];
        }
        const Index panel = r / width;
        CHECK(packed[static_cast<std::size_t>(panel * width * depth + p * width + r % width)] ==
              expected);
      }
  }
}

}  // namespace

TEST_CASE("packing sums the terms, column after column, with zeros for missing rows") {
  check_packing<double, 3 * wf::compute::detail::lanes<double>>();
  check_packing<double, wf::compute::detail::tile_columns>();
  check_packing<float, 3 * wf::compute::detail::lanes<float>>();
  check_packing<std::int32_t, 8>();
}

TEST_CASE("so does packing of fewer rows than a packet has elements") {
  check_packing<float, 8>();
  check_packing<float, 4>();
  check_packing<float, 2>();
}
