// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/valued_closure.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../random_moves.hpp"

namespace {

using wf::logic::detail::adjacency;
using wf::logic::detail::closing;
using wf::logic::detail::valued_closure;
using wf_test::weighted_move;

constexpr double no_value = std::numeric_limits<double>::infinity();

using dense_rows = std::vector<std::vector<double>>;

// Lowers one row by all moves, as often as there are columns; false if that does not suffice.
bool bellman_ford(std::vector<double>& values, const std::vector<weighted_move>& moves) {
  for (std::size_t pass = 0; pass <= values.size(); ++pass) {
    bool changed = false;
    for (const weighted_move& m : moves)
      if (values[m.from] + m.weight < values[m.to])
        values[m.to] = values[m.from] + m.weight, changed = true;
    if (!changed) return true;
  }
  return false;
}

dense_rows no_rows(std::size_t rows, std::size_t columns) {
  return {rows, std::vector<double>(columns, no_value)};
}
dense_rows random_rows(std::mt19937_64& random, std::size_t rows, std::size_t columns,
                       std::size_t count) {
  dense_rows out = no_rows(rows, columns);
  for (std::size_t i = 0; i < count; ++i)
    out[random() % rows][random() % columns] = static_cast<double>(random() % 10);
  return out;
}

// Closes rows; what they have then.
closing closed(dense_rows& rows, const adjacency& moves, std::uint64_t max_passes = 1000) {
  adjacency starts;
  starts.starts.push_back(0);
  for (const auto& row : rows) {
    for (std::uint32_t c = 0; c < row.size(); ++c)
      if (row[c] != no_value) starts.targets.push_back(c), starts.weights.push_back(row[c]);
    starts.starts.push_back(static_cast<std::uint32_t>(starts.targets.size()));
  }
  valued_closure<wf::logic::min_plus> closure(starts, moves, rows[0].size(), max_passes);
  const closing end = closure.run();
  if (end != closing::done) return end;
  const adjacency& lists = closure.lists();
  REQUIRE(lists.places() == rows.size());
  REQUIRE(lists.weights.size() == lists.targets.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    rows[r].assign(rows[r].size(), no_value);
    for (std::uint32_t i = lists.starts[r]; i < lists.starts[r + 1]; ++i) {
      if (i > lists.starts[r]) REQUIRE(lists.targets[i - 1] < lists.targets[i]);
      rows[r][lists.targets[i]] = lists.weights[i];
    }
  }
  return end;
}

// Compares a closure with Bellman-Ford; false if both refuse it.
bool closes_values(dense_rows rows, const std::vector<weighted_move>& moves) {
  dense_rows expected = rows;
  bool ends = true;
  for (std::vector<double>& row : expected) ends = bellman_ford(row, moves) && ends;
  const closing end = closed(rows, wf_test::adjacency_of(moves, rows[0].size(), true));
  REQUIRE((end == closing::done) == ends);
  if (ends) REQUIRE(rows == expected);
  return ends;
}

constexpr double shortest_of_two_ways(std::uint32_t rows) {
  adjacency moves;  // 0 -> 2 directly, and by 1
  moves.starts = {0, 2, 3, 3};
  moves.targets = {2, 1, 2};
  moves.weights = {5, 1, 2};
  adjacency starts;
  for (std::uint32_t r = 0; r <= rows; ++r) starts.starts.push_back(r);
  for (std::uint32_t r = 0; r < rows; ++r) starts.targets.push_back(0);
  starts.weights = wf::table<double>(rows, 1);
  valued_closure<wf::logic::min_plus> closure(starts, moves, 3, 9);
  if (closure.run() != closing::done || closure.lists().starts[rows] != 3 * rows) return -1;
  return closure.lists().weights[3 * rows - 1];
}
static_assert(shortest_of_two_ways(1) == 4);
static_assert(shortest_of_two_ways(20) == 4);

}  // namespace

TEST_CASE("closures with weights of at least 0 have the distances of Bellman and Ford") {
  std::mt19937_64 random(4);
  for (int i = 0; i < 500; ++i) {
    const std::size_t columns = 1 + random() % (i % 10 == 0 ? 60 : 12), rows = 1 + random() % 4;
    const int most = i % 3 == 0 ? 0 : i % 3 == 1 ? 3 : 100;
    const auto moves =
        wf_test::random_moves(random, columns, columns, random() % (3 * columns + 1), 0, most);
    CAPTURE(i);
    REQUIRE(closes_values(random_rows(random, rows, columns, random() % 8), moves));
  }
}

TEST_CASE("many rows are closed in blocks, to the same distances") {
  std::mt19937_64 random(7);
  std::size_t ended = 0, refused = 0;
  for (int i = 0; i < 120; ++i) {
    const std::size_t columns = 1 + random() % 40, rows = 8 + random() % 150;
    const bool falls = i % 4 == 0;
    const auto moves = wf_test::random_moves(random, columns, columns, random() % (3 * columns + 1),
                                             falls ? -1 : 0, falls ? 9 : 50);
    CAPTURE(i);
    ++(closes_values(random_rows(random, rows, columns, random() % (4 * rows)), moves) ? ended
                                                                                       : refused);
  }
  CHECK(ended > 80);
  CHECK(refused > 2);
  // Blocks of the least width: there are more places than a cache has values of a wider one.
  std::vector<weighted_move> ring;
  for (std::uint32_t p = 0; p < 5000; p += 100) ring.push_back({p, (p + 100) % 5000, 1});
  for (std::uint32_t p = 0; p < 5000; ++p) ring.push_back({p, (p + 1) % 5000, 4});
  CHECK(closes_values(random_rows(random, 21, 5000, 3000), ring));
}

TEST_CASE("negative weights are fine up to a cycle of them, which is refused") {
  std::mt19937_64 random(5);
  std::size_t ended = 0, refused = 0;
  for (int i = 0; i < 500; ++i) {
    const std::size_t columns = 2 + random() % 8;
    const auto moves =
        wf_test::random_moves(random, columns, columns, random() % (2 * columns + 1), -1, 6);
    CAPTURE(i);
    ++(closes_values(random_rows(random, 2, columns, 1 + random() % 3), moves) ? ended : refused);
  }
  CHECK(ended > 100);
  CHECK(refused > 20);
}

TEST_CASE("a value that falls to minus infinity, and too many passes, are refused") {
  const auto endless = wf_test::adjacency_of({{0, 1, -no_value}}, 2, true);
  std::vector<weighted_move> chain;
  for (std::uint32_t p = 0; p < 19; ++p) chain.push_back({p, p + 1, -1});
  const auto moves = wf_test::adjacency_of(chain, 20, true);
  for (const std::size_t count : {std::size_t{1}, std::size_t{9}, std::size_t{30}}) {
    CAPTURE(count);
    dense_rows rows = no_rows(count, 2);
    for (auto& row : rows) row[0] = 0;
    CHECK(closed(rows, endless) == closing::endless);
    for (std::size_t r = 0; r + 1 < count; ++r) rows[r][0] = no_value, rows[r][1] = 0;
    CHECK(closed(rows, endless) == closing::endless);
    // One without moves is a value like others.
    for (auto& row : rows) row[0] = no_value, row[1] = -no_value;
    CHECK(closed(rows, endless) == closing::done);
    CHECK(rows[count - 1][1] == -no_value);
    dense_rows long_way = no_rows(count, 20);
    for (auto& row : long_way) row[0] = 0;
    dense_rows other = long_way;
    CHECK(closed(other, moves, 19) == closing::endless);
    CHECK(closed(long_way, moves, 20) == closing::done);
    CHECK(long_way[count - 1][19] == -19);
    // Only the last rows take many passes: those before are closed together.
    for (std::size_t r = 0; r + 1 < count; ++r) other[r][0] = no_value, other[r][10] = 0;
    dense_rows late = other;
    CHECK(closed(other, moves, 19) == closing::endless);
    CHECK(closed(late, moves, 20) == closing::done);
    CHECK(late[count - 1][19] == -19);
  }
}

TEST_CASE("where passes take long, a search from the nearest place goes on") {
  // Each place but the last two moves on by a short way of two moves and by a long one: passes in
  // the order of the places would lower what follows again and again.
  std::vector<weighted_move> moves;
  double length = 1;
  for (std::uint32_t p = 24; p > 0; --p, length *= 2) {
    moves.push_back({2 * p - 2, 2 * p, length + 1});
    moves.push_back({2 * p - 2, 2 * p - 1, 0});
    moves.push_back({2 * p - 1, 2 * p, 0});
  }
  for (int zeros = 0; zeros < 2; ++zeros) {
    for (const std::size_t count : {std::size_t{2}, std::size_t{70}}) {
      dense_rows rows = no_rows(count, 49);
      for (std::size_t r = 0; r < count; ++r) rows[r][r % 49] = 0;
      rows[1][30] = 7;
      CHECK(closes_values(rows, moves));
    }
    // A far place of great weight raises the mean, and with it the bound on near places.
    moves.push_back({48, 0, 1e12});
  }
}

TEST_CASE("where passes take long, the rows of a block are closed one by one") {
  // The more moves a way has, the shorter it is: each pass lowers all places that follow.
  std::vector<weighted_move> moves;
  for (std::uint32_t from = 149; from > 0; --from)
    for (std::uint32_t to = 0; to < from; ++to)
      moves.push_back({from, to, static_cast<double>((from - to) * (from - to))});
  dense_rows rows = no_rows(30, 150);
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r][r < 9 ? 50 : 149] = 1;
  CHECK(closes_values(rows, moves));
}
