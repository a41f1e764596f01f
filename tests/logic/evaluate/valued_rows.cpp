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
using wf::logic::detail::valued_row_run;
using wf::logic::detail::valued_rows;
using wf_test::weighted_move;

constexpr double no_value = std::numeric_limits<double>::infinity();

valued_rows random_rows(std::mt19937_64& random, std::size_t rows, std::size_t columns,
                        std::size_t count) {
  valued_rows out(rows, columns, no_value);
  for (std::size_t i = 0; i < count; ++i)
    out.row(random() % rows)[random() % columns] = static_cast<double>(random() % 10);
  return out;
}

}  // namespace

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
