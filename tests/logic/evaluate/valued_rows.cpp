// SPDX-License-Identifier: BSL-1.0
#include <wf/logic/evaluate/valued_rows.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../random_moves.hpp"

namespace {

using wf::logic::detail::row_moves;
using wf::logic::detail::valued_closure;
using wf::logic::detail::valued_row_run;
using wf::logic::detail::valued_rows;
using wf_test::weighted_move;

constexpr double no_value = std::numeric_limits<double>::infinity();

// Lowers one row by all moves, as often as there are columns; false if that does not suffice.
bool bellman_ford(double* values, std::size_t columns, const std::vector<weighted_move>& moves) {
  for (std::size_t pass = 0; pass <= columns; ++pass) {
    bool changed = false;
    for (const weighted_move& m : moves)
      if (values[m.from] + m.weight < values[m.to])
        values[m.to] = values[m.from] + m.weight, changed = true;
    if (!changed) return true;
  }
  return false;
}

valued_rows random_rows(std::mt19937_64& random, std::size_t rows, std::size_t columns,
                        std::size_t count) {
  valued_rows out(rows, columns, no_value);
  for (std::size_t i = 0; i < count; ++i)
    out.row(random() % rows)[random() % columns] = static_cast<double>(random() % 10);
  return out;
}

// Compares a closure with Bellman-Ford; false if both refuse it.
bool closes_values(valued_rows rows, const std::vector<weighted_move>& moves) {
  valued_rows expected = rows;
  bool ends = true;
  for (std::size_t r = 0; r < rows.rows; ++r)
    ends = bellman_ford(expected.row(r), rows.columns, moves) && ends;
  const auto adjacency = wf_test::adjacency_of(moves, rows.columns, true);
  const bool found = valued_closure<wf::logic::min_plus>(rows, adjacency, 1000).run();
  REQUIRE(found == ends);
  if (ends) REQUIRE(rows.values == expected.values);
  return ends;
}

constexpr double shortest_of_two_ways() {
  wf::logic::detail::adjacency moves;  // 0 -> 2 directly, and by 1
  moves.starts = {0, 2, 3, 3};
  moves.targets = {2, 1, 2};
  moves.weights = {5, 1, 2};
  valued_rows rows(1, 3, no_value);
  rows.row(0)[0] = 1;
  return valued_closure<wf::logic::min_plus>(rows, moves, 9).run() ? rows.row(0)[2] : -1;
}
static_assert(shortest_of_two_ways() == 4);

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
  // Blocks of the least width: a place has more of them than a cache holds.
  std::vector<weighted_move> ring;
  for (std::uint32_t p = 0; p < 5000; p += 100) ring.push_back({p, (p + 100) % 5000, 1});
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
  valued_rows rows(1, 2, no_value);
  rows.row(0)[0] = 0;
  const auto endless = wf_test::adjacency_of({{0, 1, -no_value}}, 2, true);
  CHECK_FALSE(valued_closure<wf::logic::min_plus>(rows, endless, 1000).run());
  valued_rows many(9, 2, no_value);
  for (std::size_t r = 0; r < 9; ++r) many.row(r)[0] = 0;
  CHECK_FALSE(valued_closure<wf::logic::min_plus>(many, endless, 1000).run());
  // One without moves is a value like others.
  for (std::size_t r = 0; r < 9; ++r) many.row(r)[0] = no_value, many.row(r)[1] = -no_value;
  CHECK(valued_closure<wf::logic::min_plus>(many, endless, 1000).run());
  std::vector<weighted_move> chain;
  for (std::uint32_t p = 0; p < 19; ++p) chain.push_back({p, p + 1, -1});
  const auto moves = wf_test::adjacency_of(chain, 20, true);
  valued_rows row(1, 20, no_value);
  row.row(0)[0] = 0;
  valued_rows other = row;
  CHECK_FALSE(valued_closure<wf::logic::min_plus>(row, moves, 19).run());
  CHECK(valued_closure<wf::logic::min_plus>(other, moves, 20).run());
  CHECK(other.row(0)[19] == -19);
  valued_rows block(9, 20, no_value);
  for (std::size_t r = 0; r < 9; ++r) block.row(r)[0] = 0;
  CHECK_FALSE(valued_closure<wf::logic::min_plus>(block, moves, 19).run());
  CHECK(valued_closure<wf::logic::min_plus>(block, moves, 20).run());
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
      valued_rows rows(count, 49, no_value);
      for (std::size_t r = 0; r < count; ++r) rows.row(r)[r % 49] = 0;
      rows.row(1)[30] = 7;
      CHECK(closes_values(rows, moves));
    }
    // A far place of great weight raises the mean, and with it the bound on near places.
    moves.push_back({48, 0, 1e12});
  }
}

TEST_CASE("moves of all kinds between rows with values end in their least fixpoint") {
  std::mt19937_64 random(6);
  for (int i = 0; i < 300; ++i) {
    const std::size_t tensors = 1 + random() % 3, rows = 1 + random() % 5;
    const std::size_t columns = 1 + random() % (i % 10 == 0 ? 70 : 5);
    std::vector<row_moves> links;
    std::vector<std::vector<weighted_move>> pairs;
    for (std::size_t l = 1 + random() % 4; l > 0; --l) {
      const int kind = static_cast<int>(random() % 3);
      const std::size_t places = kind == 1 ? rows : columns;
      pairs.push_back(wf_test::random_moves(random, places, places, random() % 9));
      row_moves m;
      m.from = static_cast<std::uint32_t>(random() % tensors);
      m.to = static_cast<std::uint32_t>(random() % tensors);
      m.moves_rows = kind == 1;
      m.identity = kind == 2;
      m.pairs = wf_test::adjacency_of(pairs.back(), places, true);
      links.push_back(m);
    }
    wf::table<valued_rows> run;
    for (std::size_t t = 0; t < tensors; ++t)
      run.push_back(random_rows(random, rows, columns, random() % 4));
    wf::table<valued_rows> expected = run;
    for (bool changed = true; changed;) {
      changed = false;
      const auto lower = [&](double& value, double by) {
        changed = changed || by < value;
        value = by < value ? by : value;
      };
      for (std::size_t l = 0; l < links.size(); ++l) {
        const row_moves& m = links[l];
        for (std::size_t r = 0; r < rows; ++r)
          for (std::size_t c = 0; c < columns; ++c) {
            const double value = expected[m.from].row(r)[c];
            if (m.identity) lower(expected[m.to].row(r)[c], value);
            for (const weighted_move& p : pairs[l])
              if (!m.identity && p.from == (m.moves_rows ? r : c))
                lower(m.moves_rows ? expected[m.to].row(p.to)[c] : expected[m.to].row(r)[p.to],
                      value + p.weight);
          }
      }
    }
    CAPTURE(i);
    REQUIRE(valued_row_run<wf::logic::min_plus>(run, {links.data(), links.size()}, 1000).run());
    for (std::size_t t = 0; t < tensors; ++t) REQUIRE(run[t].values == expected[t].values);
  }
}

TEST_CASE("a row that is visited too often has no fixpoint, nor has minus infinity") {
  for (const bool moves_rows : {false, true}) {
    row_moves m;
    m.moves_rows = moves_rows;
    m.pairs = wf_test::adjacency_of({{0, 0, -1}}, 1, true);
    wf::table<valued_rows> tensors;
    tensors.push_back(valued_rows(1, 1, no_value));
    tensors[0].row(0)[0] = 0;
    const wf::table<valued_rows> before = tensors;
    CHECK_FALSE(valued_row_run<wf::logic::min_plus>(tensors, {&m, 1}, 50).run());
    CHECK(tensors[0].row(0)[0] == -50);
    tensors = before;
    m.pairs.weights[0] = -no_value;
    CHECK_FALSE(valued_row_run<wf::logic::min_plus>(tensors, {&m, 1}, 50).run());
    CHECK(tensors[0].row(0)[0] == -no_value);
  }
}

TEST_CASE("a queue of rows with values forgets what it has seen, and nothing else") {
  const std::uint32_t rows = 2500;
  row_moves m;
  m.moves_rows = true;
  for (std::uint32_t r = 0; r < rows; ++r) {
    m.pairs.starts.push_back(r);
    m.pairs.targets.push_back((r + 1) % rows);
    m.pairs.weights.push_back(1);
  }
  m.pairs.starts.push_back(rows);
  wf::table<valued_rows> tensors;
  tensors.push_back(valued_rows(rows, 1, no_value));
  tensors[0].row(7)[0] = 0;
  REQUIRE(valued_row_run<wf::logic::min_plus>(tensors, {&m, 1}, 2).run());
  for (std::uint32_t r = 0; r < rows; ++r)
    REQUIRE(tensors[0].row(r)[0] == static_cast<double>((r + rows - 7) % rows));
}
