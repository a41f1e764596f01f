// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/relation/bit_rows.hpp>

#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::logic::detail::bit_rows;

constexpr bool counts_while_compiling() {
  bit_rows b(2, 70);
  return b.set(1, 69) && !b.set(1, 69) && b.test(1, 69) && !b.test(0, 69) && b.count() == 1 &&
         b.width() == 2;
}
static_assert(counts_while_compiling());
static_assert(bit_rows().empty());

constexpr bool transposes_while_compiling() {
  bit_rows b(3, 130);
  b.set(2, 129);
  b.set(0, 64);
  const bit_rows t = wf::logic::detail::transposed(b);
  return t.rows() == 130 && t.columns() == 3 && t.count() == 2 && t.test(129, 2) && t.test(64, 0);
}
static_assert(transposes_while_compiling());

}  // namespace

TEST_CASE("bits are those of a matrix of truth values, listed in ascending order") {
  const std::uint64_t seed = 16;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (const std::size_t columns :
       {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}, std::size_t{200}}) {
    const std::size_t rows = 1 + random() % 5;
    bit_rows bits(rows, columns);
    REQUIRE(bits.rows() == rows);
    REQUIRE(bits.columns() == columns);
    std::vector<std::vector<bool>> expected(rows, std::vector<bool>(columns));
    std::size_t set = 0;
    for (int i = 0; i < 300; ++i) {
      const std::size_t r = random() % rows, c = random() % columns;
      REQUIRE(bits.test(r, c) == expected[r][c]);
      REQUIRE(bits.set(r, c) == !expected[r][c]);
      set += !expected[r][c];
      expected[r][c] = true;
      REQUIRE(bits.count() == set);
    }
    for (std::size_t r = 0; r < rows; ++r) {
      std::vector<std::size_t> listed, wanted;
      wf::detail::each_bit(bits.row(r), bits.width(),
                           [&](std::size_t bit) { listed.push_back(bit); });
      for (std::size_t c = 0; c < columns; ++c)
        if (expected[r][c]) wanted.push_back(c);
      REQUIRE(listed == wanted);
    }
  }
}

TEST_CASE("rows of a transposed matrix are its columns") {
  std::mt19937_64 random(17);
  for (int i = 0; i < 60; ++i) {
    const std::size_t rows = random() % 200, columns = random() % 200;
    bit_rows bits(rows, columns);
    for (std::size_t n = rows * columns == 0 ? 0 : random() % 4000; n > 0; --n)
      bits.set(random() % rows, random() % columns);
    const bit_rows turned = wf::logic::detail::transposed(bits);
    REQUIRE(turned.rows() == columns);
    REQUIRE(turned.columns() == rows);
    REQUIRE(turned.count() == bits.count());
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c) REQUIRE(turned.test(c, r) == bits.test(r, c));
  }
}
