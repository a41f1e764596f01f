// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/relation/relation.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::logic::position;
using wf::logic::relation;

constexpr relation pairs(wf::view<position> flat) {
  relation r(2, false);
  for (std::size_t i = 0; i + 1 < flat.size(); i += 2) r.append(flat.data() + i);
  return r;
}
constexpr bool sorts_while_compiling() {
  const position rows[] = {3, 1, -70000, 2, 3, 0};
  const relation r = wf::logic::sorted(pairs(rows));
  return r.rows == 3 && r.columns[0][0] == -70000 && r.columns[1][1] == 0 && r.columns[1][2] == 1;
}
static_assert(sorts_while_compiling());

using row = std::pair<std::vector<position>, double>;
std::vector<row> rows_of(const relation& r) {
  std::vector<row> out;
  for (std::size_t i = 0; i < r.rows; ++i) {
    row one;
    for (std::uint32_t c = 0; c < r.rank; ++c) one.first.push_back(r.columns[c][i]);
    one.second = r.valued ? r.values[i] : 1;
    out.push_back(one);
  }
  return out;
}

}  // namespace

TEST_CASE("sorting gives the lexicographic order, and rows keep their values") {
  const std::uint64_t seed = 1;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  // The last range needs two digits of 16 bits each, with the extremes of both signs.
  const std::pair<position, position> ranges[] = {
      {0, 3}, {-5, 5}, {100, 70000}, {INT32_MIN, INT32_MAX}};
  for (int round = 0; round < 200; ++round) {
    const auto [low, high] = ranges[random() % std::size(ranges)];
    std::uniform_int_distribution<position> any(low, high);
    relation r(static_cast<std::uint32_t>(random() % 4), random() % 2 == 0);
    const std::size_t rows = r.rank == 0 ? random() % 2 : random() % 40;
    for (std::size_t i = 0; i < rows; ++i) {
      const position at[] = {any(random), any(random), any(random)};
      r.append(at, static_cast<double>(i));
    }
    const std::vector<row> unsorted = rows_of(r);
    std::vector<row> expected = unsorted;
    const auto less = [](const row& a, const row& b) { return a.first < b.first; };
    // Rows at the same positions, which a relation does not have, keep their order: that of values.
    std::sort(expected.begin(), expected.end());
    const relation sorted = wf::logic::sorted(r);
    REQUIRE(sorted.rank == r.rank);
    REQUIRE(sorted.valued == r.valued);
    REQUIRE(rows_of(sorted) == expected);
    REQUIRE(wf::logic::is_sorted(sorted));
    REQUIRE(wf::logic::is_sorted(r) == std::is_sorted(unsorted.begin(), unsorted.end(), less));
  }
}

TEST_CASE("rows are sorted by the listed columns only") {
  const position flat[] = {2, 0, 1, 5, 2, -1, 0, 5, 1, 4};
  const std::uint32_t second[] = {1}, reversed[] = {1, 0};
  const auto list = [&](wf::view<std::uint32_t> by) {
    const wf::table<std::uint32_t> rows = wf::logic::detail::sorted_rows(pairs(flat), by);
    return std::vector<std::uint32_t>(rows.begin(), rows.end());
  };
  CHECK(list(second) == std::vector<std::uint32_t>{2, 0, 4, 1, 3});
  CHECK(list(reversed) == std::vector<std::uint32_t>{2, 0, 4, 3, 1});
  CHECK(list({}) == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
}

TEST_CASE("bounds hold the least and the number of positions, in whatever order they come") {
  using wf::logic::detail::bounds_of;
  using wf::logic::detail::column_bounds;
  CHECK(bounds_of({}).size == 0);
  CHECK(column_bounds().offset(0) >= column_bounds().size);
  std::mt19937_64 random(2);
  for (int round = 0; round < 200; ++round) {
    std::vector<position> column(1 + random() % 6);
    for (position& p : column)
      p = round % 2 ? static_cast<position>(random() % 9) - 4 : static_cast<position>(random());
    const auto [low, high] = std::minmax_element(column.begin(), column.end());
    column_bounds grown;
    for (position p : column) grown.include(p);
    for (const column_bounds& b : {grown, bounds_of(wf::view<position>(column))}) {
      REQUIRE(b.low == *low);
      REQUIRE(b.size == static_cast<std::uint64_t>(std::int64_t{*high} - *low) + 1);
      for (position p : column) REQUIRE(b.offset(p) < b.size);
      if (*low != INT32_MIN) REQUIRE(b.offset(*low - 1) >= b.size);
      if (*high != INT32_MAX) REQUIRE(b.offset(*high + 1) >= b.size);
    }
  }
}

TEST_CASE("the entries of a dense tensor are in row-major order, and no others are") {
  std::mt19937_64 random(23);
  for (int round = 0; round < 500; ++round) {
    const std::uint32_t rank = 1 + static_cast<std::uint32_t>(random() % 4);
    wf::table<std::int64_t> extents;
    std::size_t count = 1;
    for (std::uint32_t c = 0; c < rank; ++c) {
      extents.push_back(static_cast<std::int64_t>(1 + random() % 5));
      count *= static_cast<std::size_t>(extents.back());
    }
    wf::logic::relation r(rank, true);
    std::vector<wf::logic::position> at(rank, 0);
    for (std::size_t i = 0; i < count; ++i) {
      r.append(at.data(), 1);
      wf::logic::next_position(extents, at.data());
    }
    REQUIRE(wf::logic::is_row_major(r, extents));
    wf::logic::relation moved = r, shorter(rank, true);
    moved.columns[random() % rank][random() % count] += random() % 2 == 0 ? 1 : -1;
    REQUIRE_FALSE(wf::logic::is_row_major(moved, extents));
    for (std::size_t row = 1; row < count; ++row) {
      r.positions(row, at.data());
      shorter.append(at.data(), 1);
    }
    REQUIRE_FALSE(wf::logic::is_row_major(shorter, extents));
    wf::table<std::int64_t> longer = extents;
    ++longer[random() % rank];
    REQUIRE_FALSE(wf::logic::is_row_major(r, longer));
    REQUIRE_FALSE(wf::logic::is_row_major(r, {}));
  }
}
